/**
 * What an answer depends on, as one name: center, revisions, local day, language, and the request in normal
 * form. The revision was read after the request came in, so an answer kept under that name is never older than
 * the request; and the `ETag` is that name, so it is the same for every key that may make the request, in every
 * process.
 */
import { hash } from 'node:crypto'

/** Everything but the revision. */
export interface AnswerKey {
  readonly center: string
  /**
   * Of the profile that the answer is shown with. That is read before the answer's rows: where both change in
   * between, the rows' revision alone would say too much.
   */
  readonly profileRevision: number
  readonly today: string
  readonly language: string
  readonly operation: string
  readonly normalForm: string
}

/** The ETag's opaque part: 160 bits of a digest, too many for two answers ever to share one. */
export function answerTag(key: AnswerKey, revision: number): string {
  const name = `${key.center}\n${revision}\n${key.profileRevision}\n${key.today}\n${key.language}\n${key.operation}\n${key.normalForm}`
  return hash('sha256', name, 'base64url').slice(0, 27)
}

/**
 * Whether `If-None-Match` names this answer, in whichever encoding the client has it (RFC 9110: a list, `*`,
 * weak comparison).
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (!ifNoneMatch.includes(tag)) return ifNoneMatch.trim() === '*'
  return ifNoneMatch.split(',').some((candidate) => {
    const [, opaque = ''] = ENTITY_TAG.exec(candidate) ?? []
    // A tag may itself have hyphens in it: the encoding is what comes after the whole of it.
    return opaque === tag || (opaque.startsWith(tag) && ENCODING_SUFFIX.test(opaque.slice(tag.length)))
  })
}

const ENTITY_TAG = /^\s*(?:W\/)?"?([\w-]*)"?\s*$/
const ENCODING_SUFFIX = /^-(br|zstd|gzip)$/
