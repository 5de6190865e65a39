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

type Kind = keyof typeof RAW

/** Made when the first word is looked up: a service that proposes no mapping never needs them. */
const meanings: { [Each in Kind]?: ReadonlyMap<string, string> } = {}

/** `arrived` for `Angereist`; undefined where no catalogue has the word. */
export function rawWord(kind: Kind, word: string): string | undefined {
  meanings[kind] ??= meaningsOf(kind)
  return meanings[kind].get(foldWord(word))
}

/** A raw value stands for itself before a label does, and a label before what programs write; of two labels the first. */
function meaningsOf(kind: Kind): ReadonlyMap<string, string> {
  const known: readonly string[] = RAW[kind]
  const others = Object.entries(OTHERS).filter(([, raw]) => known.includes(raw))
  const labels = known.flatMap((raw) =>
    LANGUAGES.map((language) => [labelOf(language, kind, raw), raw] as const),
  )
  const own = known.map((raw) => [raw, raw] as const)
  // The last one that is put in stays.
  return new Map([...own, ...labels, ...others].reverse().map(([word, raw]) => [foldWord(word), raw]))
}
