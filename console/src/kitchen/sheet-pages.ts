/** How the guests of a day sheet are laid out on A4: what fits on one page, or numbered pages with the plates repeated. */

/** Inside the margins. */
const PAGE_MM = 275
/** Header with the age of the data, plates and what they are of; then the head of the list, and the last line. */
const FIRST_MM = 59
const DIET_MM = 8.2
/** The header and the plates, small. */
const FURTHER_MM = 34
const LIST_MM = 13
const MM_PER_PT = 0.3528

const rowMm = (points: number) => points * MM_PER_PT * 1.15 + 1.4

export interface SheetLayout<Row> {
  /** size of the names */
  readonly points: number
  /** at least one, which may be empty */
  readonly pages: readonly (readonly Row[])[]
}

/** Lines of diets that the box of a notice is as high as. */
export const NOTICE_LINES = 4
/** Characters of a diet in the column in front of the numbers. */
const DIET_CHARACTERS = 17

/** How many lines the diets below the plates have: a long name has several. */
export const linesOfDiets = (diets: readonly { readonly label: string }[]): number =>
  diets.reduce((sum, { label }) => sum + Math.max(1, Math.ceil(label.length / DIET_CHARACTERS)), 0)

/**
 * @param lines of diets and of a notice below the plates
 * @param linesOf a row: a long reason or several diets have more than one
 */
export function layOutSheet<Row>(
  rows: readonly Row[],
  lines: number,
  linesOf: (row: Row) => number = () => 1,
): SheetLayout<Row> {
  const first = PAGE_MM - FIRST_MM - lines * DIET_MM - LIST_MM
  const rowLines = rows.map(linesOf)
  const total = rowLines.reduce((sum, count) => sum + count, 0)
  const points = [13.5, 12.5, 10.5].find((size) => total * rowMm(size) <= first)
  if (points !== undefined) return { points, pages: [rows] }
  // Readable at arm's length, rather than few pages.
  const size = 12.5
  const fits = (height: number) => Math.max(1, Math.floor(height / rowMm(size)))
  const onFurther = fits(PAGE_MM - FURTHER_MM - LIST_MM)
  const pages: Row[][] = [[]]
  let left = fits(first)
  for (const [at, row] of rows.entries()) {
    const count = rowLines[at] ?? 1
    if (count > left && (pages.at(-1)?.length ?? 0) > 0) {
      pages.push([])
      left = onFurther
    }
    pages.at(-1)?.push(row)
    left -= count
  }
  return { points: size, pages }
}

/** `Cătălin Morăraș` as `C. Morăraș`: what a cook calls somebody, where there is little space. */
export function shortName(name: string): string {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return rest.length === 0 ? first : `${first.slice(0, 1)}. ${rest.join(' ')}`
}

/** `Room 101` as `101`, below a heading that says what it is; a room with a name keeps it. */
export function shortRoom(label: string): string {
  const last = label.trim().split(/\s+/).at(-1) ?? ''
  return /\d/.test(last) ? last : label
}
