const BEGINS_AS_READ = /^\s*(?:select|with)\b/i
const WRITES = /\b(?:insert|update|delete|merge)\b/i

const known = new Map<string, boolean>()
const KNOWN_MAX = 1000

/**
 * Whether a statement only reads. If its text does not tell, it counts as a write: it is refused on a full disk, and
 * invalidates what was read before it. The functions that our reads call write nothing.
 */
export function onlyReads(text: string): boolean {
  let reads = known.get(text)
  if (reads === undefined) {
    reads = BEGINS_AS_READ.test(text) && !WRITES.test(text)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, reads)
  }
  return reads
}
