/** The words of the catalogues in every language, with the raw values that they stand for. */
import { BOOKING_STATUSES, ROLES } from '../../fields/statuses.ts'
import { labelOf } from '../../locale/labels.ts'
import { LANGUAGES } from '../../locale/languages.ts'
import { foldWord } from './formats.ts'

const RAW = { role: ROLES, status: BOOKING_STATUSES } as const

/** Words and abbreviations that programs use besides those of the catalogues. */
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

type Kind = keyof typeof RAW

/** Built at the first look-up: a service that proposes no mapping never needs them. */
const meanings: { [Each in Kind]?: ReadonlyMap<string, string> } = {}

/** The raw value of a word, `arrived` for `Angereist`; undefined if no catalogue contains it. */
export function rawWord(kind: Kind, word: string): string | undefined {
  meanings[kind] ??= meaningsOf(kind)
  return meanings[kind].get(foldWord(word))
}

/**
 * A word that is itself a raw value takes precedence over labels, and labels over words of other programs. Of two
 * labels, the first counts.
 */
function meaningsOf(kind: Kind): ReadonlyMap<string, string> {
  const known: readonly string[] = RAW[kind]
  const others = Object.entries(OTHERS).filter(([, raw]) => known.includes(raw))
  const labels = known.flatMap((raw) =>
    LANGUAGES.map((language) => [labelOf(language, kind, raw), raw] as const),
  )
  const own = known.map((raw) => [raw, raw] as const)
  // In a map, the last entry for a key wins, so the order is reversed.
  return new Map([...own, ...labels, ...others].reverse().map(([word, raw]) => [foldWord(word), raw]))
}
