/** How much somebody who is known by some of these may be the person that is wanted. Pure. */
import { isLocalDate } from '../locale/dates.ts'
import { nameSimilarity } from './match-names.ts'

/** What somebody is known by who is looked for among the guests. */
export interface Wanted {
  readonly name: string | undefined
  readonly dob: string | undefined
  /** the date of birth, and what else may be meant by it */
  readonly days: readonly string[] | undefined
  readonly email: string | undefined
  /** as `pin_hash` makes it */
  readonly pinHash: string | undefined
}

export const BY = ['name', 'dob', 'email', 'pin'] as const
type By = (typeof BY)[number]

/** How much each says. A personal number is one person's; a family may share an e-mail address. */
const WEIGHTS: Readonly<Record<By, number>> = { pin: 6, name: 4, dob: 3, email: 3 }

/** Below it, more is different than the same. */
export const SCORE_MIN = 0.6

/** What the database says of somebody. */
export interface Known {
  /** the wanted name and the kept one, as `name_sounds` has them */
  readonly sounds: string
  readonly kept: string
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

export function likeness(wanted: Wanted, { sounds, kept, sameEmail, born, samePin }: Known): Likeness {
  const reasons: { by: By; agreement: number | null }[] = []
  if (wanted.name !== undefined)
    reasons.push({ by: 'name', agreement: rounded(nameSimilarity(sounds, kept)) })
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

/** A date of birth, and what else may be meant by it. */
export const daysMeant = (dob: string | undefined): string[] | undefined =>
  dob === undefined ? undefined : [dob, turned(dob)].filter(isLocalDate)

/** Day and month are written the other way round, or one of year, month and day is wrong. */
function daySimilarity(asked: string, kept: string): number {
  if (asked === kept) return 1
  if (asked === turned(kept)) return 0.8
  const [one, other] = [asked.split('-'), kept.split('-')]
  return one.filter((part, at) => part === other[at]).length === 2 ? 0.5 : 0
}

/** `1980-05-03` and `1980-03-05` */
const turned = (day: string) => day.replace(/-(..)-(..)$/, '-$2-$1')
