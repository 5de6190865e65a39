/**
 * Whether `If-None-Match` names this answer, in whichever encoding the client has it (RFC 9110: a list, `*`,
 * weak comparison).
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (!ifNoneMatch.includes(tag)) return ifNoneMatch.trim() === '*'
  return ifNoneMatch.split(',').some((candidate) => {
    const [, opaque = ''] = ENTITY_TAG.exec(candidate.trim()) ?? []
    // A tag may itself contain hyphens: the encoding is what follows the whole tag.
    return opaque === tag || (opaque.startsWith(tag) && ENCODING_SUFFIX.test(opaque.slice(tag.length)))
  })
}

// Applied to trimmed text: with `\s*` at both ends, an empty tag would try every division of a run of spaces.
const ENTITY_TAG = /^(?:W\/)?"?([\w-]*)"?$/
const ENCODING_SUFFIX = /^-(br|zstd|gzip)$/
