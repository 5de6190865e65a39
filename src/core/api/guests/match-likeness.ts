/** Scores how likely a known person is the requested one. Pure. */
import { isLocalDate } from '../../locale/dates.ts'
import { nameAgreement } from './match-names.ts'

/** The values by which a guest is searched for. */
export interface Wanted {
  readonly name: string | undefined
  readonly dob: string | undefined
  /** the date of birth, and other dates that it may be an error for */
  readonly days: readonly string[] | undefined
  readonly email: string | undefined
  /** as made by `pin_hash` */
  readonly pinHash: string | undefined
}

export const BY = ['name', 'dob', 'email', 'pin'] as const
type By = (typeof BY)[number]

/** The weight of each value. A personal number belongs to one person; a family may share an e-mail address. */
const WEIGHTS: Readonly<Record<By, number>> = { pin: 6, name: 4, dob: 3, email: 3 }

/** Below this score, more values differ than agree. */
export const SCORE_MIN = 0.6

/** What the database returns for a person. */
export interface Known {
  /** of the requested name and of the stored one, as `name_readings` returns them; null if no name is requested */
  readonly asked: readonly string[] | null
  readonly stored: readonly string[] | null
  readonly sameEmail: boolean | null
  /** YYYY-MM-DD */
  readonly born: string | null
  readonly samePin: boolean | null
}

export interface Likeness {
  /** from 0 to 1 */
  readonly score: number
  readonly reasons: readonly { readonly by: By; readonly agreement: number | null }[]
}

export function likeness(wanted: Wanted, { asked, stored, sameEmail, born, samePin }: Known): Likeness {
  const reasons: { by: By; agreement: number | null }[] = []
  if (wanted.name !== undefined)
    reasons.push({ by: 'name', agreement: rounded(nameAgreement(asked ?? [], stored ?? [])) })
  if (wanted.dob !== undefined)
    reasons.push({ by: 'dob', agreement: born === null ? null : daySimilarity(wanted.dob, born) })
  if (wanted.email !== undefined)
    reasons.push({ by: 'email', agreement: sameEmail === null ? null : Number(sameEmail) })
  if (wanted.pinHash !== undefined)
    reasons.push({ by: 'pin', agreement: samePin === null ? null : Number(samePin) })
  let [sum, weights] = [0, 0]
  for (const { by, agreement } of reasons) {
    if (agreement === null) continue
    sum += WEIGHTS[by] * agreement
    weights += WEIGHTS[by]
  }
  return { score: weights === 0 ? 0 : rounded(sum / weights), reasons }
}

const rounded = (share: number) => Math.round(share * 100) / 100

/** A date of birth, and other dates that it may be an error for. */
export const daysMeant = (dob: string | undefined): string[] | undefined =>
  dob === undefined ? undefined : [dob, turned(dob)].filter(isLocalDate)

/** Day and month are exchanged, or one of year, month and day differs. */
function daySimilarity(asked: string, stored: string): number {
  if (asked === stored) return 1
  if (asked === turned(stored)) return 0.8
  const [one, other] = [asked.split('-'), stored.split('-')]
  return one.filter((part, at) => part === other[at]).length === 2 ? 0.5 : 0
}

/** `1980-05-03` and `1980-03-05` */
const turned = (day: string) => day.replace(/-(..)-(..)$/, '-$2-$1')
