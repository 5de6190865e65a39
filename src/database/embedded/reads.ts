const BEGINS_AS_READ = /^\s*(?:select|with)\b/i
const WRITES = /\b(?:insert|update|delete|merge)\b/i

const known = new Map<string, boolean>()
const KNOWN_MAX = 1000

/**
 * Whether a statement only reads. What cannot be told from its text counts as one that writes: it is kept from a
 * full disk, and what was read before it is asked for again. The functions that our reads call write nothing.
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
