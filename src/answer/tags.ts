/**
 * Whether `If-None-Match` names this answer, in whichever encoding the client has it (RFC 9110: a list, `*`,
 * weak comparison).
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (!ifNoneMatch.includes(tag)) return ifNoneMatch.trim() === '*'
  return ifNoneMatch.split(',').some((candidate) => {
    const [, opaque = ''] = ENTITY_TAG.exec(candidate.trim()) ?? []
    // A tag may itself have hyphens in it: the encoding is what comes after the whole of it.
    return opaque === tag || (opaque.startsWith(tag) && ENCODING_SUFFIX.test(opaque.slice(tag.length)))
  })
}

// Of a trimmed text: `\s*` at both ends of an empty tag would try every way to share out a run of spaces.
const ENTITY_TAG = /^(?:W\/)?"?([\w-]*)"?$/
const ENCODING_SUFFIX = /^-(br|zstd|gzip)$/
