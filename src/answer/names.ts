/**
 * Every name under which something of an answer is kept: what is known of a request, the finished answer, a
 * reading under way, the `ETag`. All are made here, of what the answer depends on, and nowhere else.
 *
 * The revision is in no name: an answer outlives the commits that do not touch it (still-newest.ts). It was read
 * after the request came in, so an answer that is the newest state at it is never older than the request.
 */
import { hash } from 'node:crypto'
import type { Admission } from '../access/gate.ts'
import type { KeyState } from '../access/key-states.ts'
import { limitStateOf } from '../access/limits.ts'
import type { CenterId } from '../centers/center.ts'
import { quotasOf } from '../keys/quotas.ts'
import { SCOPES } from '../keys/scopes.ts'
import { localDateOf } from '../locale/zones.ts'
import { acceptedFormat } from '../request/format.ts'
import type { Facts, KeyFacts, Operation, Snapshot } from '../request/operation.ts'

/** What an answer is made from, beside what was asked for. */
export interface Basis {
  readonly center: CenterId
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
  { name, dependsOn, formats }: Pick<Operation, 'name' | 'dependsOn' | 'formats'>,
  admission: Admission,
  now: number,
): Basis {
  const { key, center, language } = admission
  const facts: { -readonly [Fact in keyof Facts]?: Facts[Fact] } = {}
  for (const fact of dependsOn) {
    if (fact === 'today') facts.today = localDateOf(center.timezone, now)
    else if (fact === 'language') facts.language = language
    else if (fact === 'accepts') facts.accepts = acceptedFormat(admission.accept, formats)
    else if (fact === 'customFields')
      facts.customFields = key.scopes.has('guests.personal') ? 'all' : key.customFields
    else if (fact === 'limits') facts.limits = limitStateOf(admission.standing, quotasOf(key))
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
  customFields: key.customFields,
  expiresAt: key.expiresAt,
})

/** Of the request as it was sent. */
export const requestName = (basis: Basis, url: string): string =>
  `${basis.center}\n${basis.profileRevision}\n${factsName(basis.facts)}\n${url}`

/** Of what was asked for, however it was put. */
export function answerName(basis: Basis, normalForm: string): string {
  const { center, profileRevision, facts, operation } = basis
  return digest(`${center}\n${profileRevision}\n${factsName(facts)}\n${operation}\n${normalForm}`)
}

/** Of a reading under way, which who asks at a later revision must not wait for. */
export const readingName = (name: string, { revision }: Basis): string => `${name}\n${revision}`

/**
 * The ETag's opaque part: of what was asked for and of the content and the snapshot it belongs to, so that who holds the same bytes is told so
 * whatever was committed meanwhile, on another day, by every instance and after a restart.
 * @param sha256 of the content
 */
export function contentTag(
  { center, operation, facts }: Basis,
  normalForm: string,
  sha256: string,
  snapshot?: Snapshot,
): string {
  const { today, ...shown } = facts
  const content = snapshot === undefined ? sha256 : `${sha256}\n${JSON.stringify(snapshot)}`
  return digest(`${center}\n${factsName(shown)}\n${operation}\n${normalForm}\n${content}`)
}

/** Of an answer that is sent before it is whole: of what was asked for and the revision that it shows. */
export const longTag = (name: string, revision: number): string => digest(`${name}\n${revision}`)

/** 160 bits of it: too many for two of anything ever to share one. */
const digest = (content: string | Buffer) => hash('sha256', content, 'base64url').slice(0, 27)

// A line each, and none of them can hold a line break: JSON escapes it.
function factsName({ today, language, ...others }: Partial<Facts>): string {
  const name = `${today ?? ''}\n${language ?? ''}`
  const { key, limits, customFields } = others
  const accepts = others.accepts === 'json' ? undefined : others.accepts
  const isShort =
    key === undefined && limits === undefined && customFields === undefined && accepts === undefined
  return isShort ? name : `${name}\n${JSON.stringify([key, limits, customFields, accepts])}`
}
