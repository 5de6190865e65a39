/**
 * Every name under which something of an answer is kept: what is known of a request, the finished answer, a
 * reading under way, the `ETag`. All are made here, of what the answer depends on, and nowhere else.
 *
 * The revision was read after the request came in, so an answer kept under its name is never older than the
 * request. The name holds no secret and nothing of this process: the `ETag` is the same for every key that may
 * make the request, unless the answer depends on the key, and in every instance.
 */
import { hash } from 'node:crypto'
import type { Admission } from '../access/gate.ts'
import type { KeyState } from '../access/key-states.ts'
import { quotasOf } from '../keys/quotas.ts'
import { SCOPES } from '../keys/scopes.ts'
import { localDateOf } from '../locale/zones.ts'
import type { Facts, KeyFacts, Operation } from '../request/operation.ts'

/** What an answer is made from, beside what was asked for. */
export interface Basis {
  readonly center: string
  /** of the center, as it was when the request was let in */
  readonly revision: number
  /**
   * Of the profile that the answer is shown with. That is read before the answer's rows: where both change in
   * between, the rows' revision alone would say too much.
   */
  readonly profileRevision: number
  readonly operation: string
  /** those that the operation depends on, and no others */
  readonly facts: Partial<Facts>
}

/** @param now epoch ms */
export function basisOf(
  { name, dependsOn }: Pick<Operation, 'name' | 'dependsOn'>,
  admission: Admission,
  now: number,
): Basis {
  const { key, center, language } = admission
  const facts: { -readonly [Fact in keyof Facts]?: Facts[Fact] } = {}
  for (const fact of dependsOn) {
    if (fact === 'today') facts.today = localDateOf(center.timezone, now)
    else if (fact === 'language') facts.language = language
    else facts[fact] = keyFacts(key)
  }
  const { revision, profileRevision } = key
  return { center: center.id, revision, profileRevision, operation: name, facts }
}

/** Not the secret, nor its hash. */
const keyFacts = (key: KeyState): KeyFacts => ({
  publicKey: key.publicKey,
  appId: key.appId,
  name: key.name,
  scopes: SCOPES.filter((scope) => key.scopes.has(scope)),
  quotas: quotasOf(key),
  allowedAddresses: key.allowedAddresses,
  expiresAt: key.expiresAt,
})

/** Of the request as it was sent. What is kept under it is of one revision, which must be compared. */
export const requestName = (basis: Basis, url: string): string =>
  `${basis.center}\n${factsName(basis.facts)}\n${url}`

/**
 * Of an answer: the ETag's opaque part, 160 bits of a digest, too many for two answers ever to share one.
 * @param revision the one that the answer shows
 */
export function answerTag(basis: Basis, normalForm: string, revision: number): string {
  const { center, profileRevision, facts, operation } = basis
  const name = `${center}\n${revision}\n${profileRevision}\n${factsName(facts)}\n${operation}\n${normalForm}`
  return hash('sha256', name, 'base64url').slice(0, 27)
}

// A line each, and none of them can hold a line break: JSON escapes it.
function factsName({ today, language, key }: Partial<Facts>): string {
  const name = `${today ?? ''}\n${language ?? ''}`
  return key === undefined ? name : `${name}\n${JSON.stringify(key)}`
}
