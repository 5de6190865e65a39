/** How wide the columns of a table are, so that its blocks have the same ones. */

/** In pixels: the space between columns, and the bounds within which a longer text wraps. */
const BETWEEN = 20
const LEAST = 56
const MOST = 320
/** The arrow of a sorted column. */
const ARROW = 18

/**
 * @param heads the headings @param rows the texts of some rows
 * @param lengthOf a text's length in pixels; as bold as headings are
 * @returns pixels, by column
 */
export function widthsOf(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  lengthOf: (text: string) => number,
): number[] {
  return heads.map((head, at) => {
    const longest = rows.reduce((found, texts) => longer(found, texts[at] ?? ''), '')
    const content = Math.max(lengthOf(head) + ARROW, lengthOf(longest)) + BETWEEN
    return Math.ceil(Math.min(MOST, Math.max(LEAST, content)))
  })
}

const longer = (one: string, other: string) => (other.length > one.length ? other : one)
