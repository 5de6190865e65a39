/**
 * Measures how deep a line of JSON is nested before it is parsed: parsing deeply nested JSON takes thirty times its
 * size in memory.
 */

/** No record has more than five levels. */
const LEVELS_MAX = 32
/** Shorter lines, which are most, cannot be nested deeply enough to matter. */
const SHORT_CHARACTERS = 4096

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** Whether the nesting is too deep for a record. For invalid JSON, the result may be either. */
export function isNestedTooDeep(text: string): boolean {
  if (text.length < SHORT_CHARACTERS) return false
  let levels = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfString(text, at)
    else if (sign === LIST_END || sign === OBJECT_END) levels -= 1
    else if (sign === LIST || sign === OBJECT) {
      levels += 1
      if (levels > LEVELS_MAX) return true
    }
  }
  return false
}

/** @param start index of the opening quote */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
