/**
 * Reads under pseudonyms (ruling 45): a program such as a laboratory's reads medical data without learning whose it is.
 * The center permits it (`pseudonymousReads`), and it holds for keys with `guests.medical` and without `guests`.
 */
import type { Center } from '../records/centers/center.ts'
import { ALLOWED, createPseudonyms, type Pseudonyms } from '../records/centers/pseudonyms.ts'
import type { KeyState } from './key-states.ts'
import type { Scope } from './keys/scopes.ts'

/**
 * The scopes that such a key may have: answers to the others name guests next to the identifiers of their bookings, so
 * pseudonyms would hide nothing. A new scope is not among them until somebody has judged it.
 */
const WITHOUT_NAMES: ReadonlySet<Scope> = new Set([
  'guests.personal',
  'guests.medical',
  'guests.financial',
  'sessions',
  'sources',
])

type Reader = Pick<KeyState, 'scopes' | 'channel' | 'center' | 'pseudonymSecret'>

/** By secret, which is the same object as long as the key's row has not changed. */
const known = new WeakMap<Uint8Array, Pseudonyms>()

/** @returns null for a key that does not read under pseudonyms */
export function pseudonymsOf(key: Reader, center: Center): Pseudonyms | null {
  if (!wouldRead(key, center) || hindrance(key) !== undefined) return null
  let pseudonyms = known.get(key.pseudonymSecret)
  if (pseudonyms === undefined) {
    pseudonyms = createPseudonyms(key.center, key.pseudonymSecret)
    known.set(key.pseudonymSecret, pseudonyms)
  }
  return pseudonyms
}

const wouldRead = ({ scopes }: Pick<Reader, 'scopes'>, { pseudonymousReads }: Center): boolean =>
  pseudonymousReads && scopes.has('guests.medical') && !scopes.has('guests')

/** A link and an assistant pass on what they read to somebody who was not given the key. */
function hindrance({ channel, scopes }: Reader): string | undefined {
  if (channel !== null)
    return `Reading under pseudonyms is for programs, not for a request of this kind (${channel}).`
  const naming = [...scopes].filter((scope) => !WITHOUT_NAMES.has(scope))
  if (naming.length === 0) return undefined
  return `Reading under pseudonyms is for keys whose other scopes show no names; this one also has ${naming.join(', ')}.`
}

/** What a key that lacks the scope `guests` may do instead; undefined if it may not read under pseudonyms at all. */
export function insteadOfGuests(key: Reader, center: Center): string | undefined {
  return wouldRead(key, center)
    ? (hindrance(key) ?? `Without it, this key reads under pseudonyms: ${ALLOWED}`)
    : undefined
}
