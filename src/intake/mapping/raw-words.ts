/** The words of the catalogues, in every language, as what they stand for. */
import { BOOKING_STATUSES, ROLES } from '../../fields/statuses.ts'
import { labelOf } from '../../locale/labels.ts'
import { LANGUAGES } from '../../locale/languages.ts'
import { foldWord } from './formats.ts'

const RAW = { role: ROLES, status: BOOKING_STATUSES } as const

/** What programs write beside the words of the catalogues, in full and short. */
const OTHERS: Readonly<Record<string, string>> = {
  ok: 'confirmed',
  fix: 'confirmed',
  fest: 'confirmed',
  an: 'arrived',
  'checked-in': 'arrived',
  ab: 'departed',
  'checked-out': 'departed',
  st: 'cancelled',
  can: 'cancelled',
  canc: 'cancelled',
  canceled: 'cancelled',
  wl: 'waitingList',
  begleitung: 'companion',
  begleiter: 'companion',
  storno: 'cancelled',
  eingecheckt: 'arrived',
  'checked in': 'arrived',
  ausgecheckt: 'departed',
  'checked out': 'departed',
}

/** `arrived` for `Angereist`; undefined where no catalogue has the word. */
export function rawWord(kind: keyof typeof RAW, word: string): string | undefined {
  const wanted = foldWord(word)
  const known: readonly string[] = RAW[kind]
  const means = (raw: string) =>
    LANGUAGES.some((language) => foldWord(labelOf(language, kind, raw)) === wanted)
  return (
    known.find((raw) => foldWord(raw) === wanted) ??
    known.find(means) ??
    known.find((raw) => raw === OTHERS[wanted])
  )
}
