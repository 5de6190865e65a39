/**
 * The keys of everything that is cached for an answer: the parsed request, the finished answer, a read in progress,
 * the `ETag`. All are made here, and only from what the answer depends on.
 *
 * The key of an answer holds no revision: an answer outlives commits that do not touch it (answer-cache.ts). The revision
 * is read after the request arrives, so an answer that is current at that revision is never older than the request.
 * The key does hold the generation: revisions of two servers cannot be compared.
 */
import { hash } from 'node:crypto'
import type { Admission } from '../access/gate.ts'
import type { KeyState } from '../access/key-states.ts'
import { SCOPES } from '../access/keys/scopes.ts'
import { limitStateOf } from '../access/limits.ts'
import { pseudonymsOf } from '../access/pseudonyms.ts'
import type { Generation } from '../database/generation.ts'
import { localDateOf } from '../locale/zones.ts'
import type { CenterId } from '../records/centers/center.ts'
import { acceptedFormat, OTHER_FORMAT_LENGTH_MIN } from '../request/format.ts'
import type { Facts, KeyFacts, Operation, Snapshot } from '../request/operation.ts'

/** What an answer depends on besides the request. */
export interface Basis {
  readonly center: CenterId
  /** the server that admitted the request; only it may be read for the answer */
  readonly generation: Generation
  /** revision of the center when the request was admitted */
  readonly revision: number
  /**
   * Revision of the profile used to present the answer. The profile is read before the rows: if both change in between,
   * the revision of the rows alone would claim too much.
   */
  readonly profileRevision: number
  readonly operation: string
  /** only those that the operation declares */
  readonly facts: Partial<Facts>
}

/** @param now epoch ms */
export function basisOf(
  { name, dependsOn, formats }: Pick<Operation, 'name' | 'dependsOn' | 'formats'>,
  admission: Admission,
  now: number,
): Basis {
  const { key, center, language, accept = '' } = admission
  const facts: { -readonly [Fact in keyof Facts]?: Facts[Fact] } = {}
  for (const fact of dependsOn) {
    if (fact === 'today') facts.today = localDateOf(center.timezone, now)
    else if (fact === 'language') facts.language = language
    else if (fact === 'pseudonyms')
      facts.pseudonyms = center.pseudonymousReads ? pseudonymsOf(key, center) : null
    else if (fact === 'accepts')
      facts.accepts = accept.length < OTHER_FORMAT_LENGTH_MIN ? 'json' : acceptedFormat(accept, formats)
    else if (fact === 'customFields')
      facts.customFields = key.scopes.has('guests.personal') ? 'all' : key.customFields
    else if (fact === 'limits') facts.limits = limitStateOf(admission.limitUse, key.quotas)
    else facts[fact] = keyFacts(key)
  }
  const { generation, revision, profileRevision } = key
  return { center: center.id, generation, revision, profileRevision, operation: name, facts }
}

/** Excludes the secret and its hash. */
const keyFacts = (key: KeyState): KeyFacts => ({
  publicKey: key.publicKey,
  appId: key.appId,
  name: key.name,
  scopes: SCOPES.filter((scope) => key.scopes.has(scope)),
  quotas: key.quotas,
  allowedAddresses: key.allowedAddresses,
  customFields: key.customFields,
  expiresAt: key.expiresAt,
})

/** Key of the request as sent. */
export const requestKey = (basis: Basis, url: string): string =>
  `${basis.center}\n${basis.generation.name}\n${basis.profileRevision}\n${factsKey(basis.facts)}\n${url}`

/** Key of the answer: the same for every spelling of the same request. */
export function answerKey(basis: Basis, normalForm: string): string {
  const { center, generation, profileRevision, facts, operation } = basis
  return digest(
    `${center}\n${generation.name}\n${profileRevision}\n${factsKey(facts)}\n${operation}\n${normalForm}`,
  )
}

/** Key of a read in progress. A request at a later revision must not wait for it. */
export const readKey = (cacheKey: string, { revision }: Basis): string => `${cacheKey}\n${revision}`

/**
 * The opaque part of the ETag. It is made from the request, the content and its snapshot. So a client that has the same
 * bytes gets a 304 whatever was committed in the meantime, on another day, from any instance and after a restart.
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
  return digest(`${center}\n${factsKey(shown)}\n${operation}\n${normalForm}\n${content}`)
}

/**
 * The opaque part of the ETag of an answer that is sent in pieces: made from the request, and the revision and the server
 * that it was read at.
 * @param cacheKey of the answer, which holds the generation
 */
export const longTag = (cacheKey: string, revision: number): string => digest(`${cacheKey}\n${revision}`)

/** About 160 bits of the hash, which makes collisions practically impossible. */
const digest = (content: string | Buffer) => hash('sha256', content, 'base64url').slice(0, 27)

// One fact a line. No value can contain a line break, because JSON escapes it.
function factsKey({ today, language, ...others }: Partial<Facts>): string {
  const name = `${today ?? ''}\n${language ?? ''}`
  const { key, limits, customFields, pseudonyms } = others
  const accepts = others.accepts === 'json' ? undefined : others.accepts
  const isShort =
    key === undefined && limits === undefined && customFields === undefined && accepts === undefined
  const named = isShort ? name : `${name}\n${JSON.stringify([key, limits, customFields, accepts])}`
  return pseudonyms ? `${named}\nunder pseudonyms ${pseudonyms.name}` : named
}
