/**
 * Which diets are where on a wall: all of them if they fit; otherwise ordinary diets are counted in a line, and allergies,
 * which never are, alternate on pages.
 */

/** A row of a diet, in the order in which they are shown: allergies, other diets, those without one on record. */
export interface WallRow {
  readonly kind: 'allergy' | 'diet' | 'silent'
  /** pixels */
  readonly height: number
}

/** Rows by their index. */
export interface WallPage {
  readonly columns: readonly (readonly number[])[]
  /** counted in a line below the last diet of the page */
  readonly more: readonly number[]
}

/** In place of the index of a row: the line that counts the others. */
export const MORE = -1

export interface WallRoom {
  /** pixels for a column */
  readonly available: number
  readonly columns: 1 | 2
  /** height of the line that counts the others */
  readonly moreHeight: number
  /** whether the type cannot be smaller, so that rows are counted or shown page by page */
  readonly isLast: boolean
}

/** @returns at least one page; undefined if not everything fits and the type can be smaller */
export function layOutWall(rows: readonly WallRow[], room: WallRoom): WallPage[] | undefined {
  const of = (kind: WallRow['kind']) => rows.flatMap((row, index) => (row.kind === kind ? [index] : []))
  const [allergies, diets, silent] = [of('allergy'), of('diet'), of('silent')]
  const split = (items: readonly number[]) => splitRows(items, rows, room)
  const whole = split([...allergies, ...diets, ...silent])
  if (whole !== undefined) return [{ columns: whole, more: [] }]
  if (!room.isLast) return undefined
  const pages: WallPage[] = []
  let left = allergies
  // What must be on the last page next to its allergies.
  const rest = [...(diets.length > 0 ? [MORE] : []), ...silent]
  while (left.length > 0 && split([...left, ...rest]) === undefined) {
    const taken = left.slice(
      0,
      Math.max(
        1,
        longestThat(left, (some) => split(some) !== undefined),
      ),
    )
    pages.push({ columns: split(taken) ?? [taken], more: [] })
    left = left.slice(taken.length)
  }
  const withDiets = (count: number) => [
    ...left,
    ...diets.slice(0, count),
    ...(count < diets.length ? [MORE] : []),
    ...silent,
  ]
  const shown = longestThat(diets, (some) => split(withDiets(some.length)) !== undefined)
  const items = withDiets(shown)
  if (items.length > 0) pages.push({ columns: split(items) ?? [items], more: diets.slice(shown) })
  return pages
}

/** How many of the first items fit. */
function longestThat(items: readonly number[], fits: (some: readonly number[]) => boolean): number {
  let count = 0
  while (count < items.length && fits(items.slice(0, count + 1))) count += 1
  return count
}

/** Columns of about one height, the first one not lower; undefined if they do not fit. */
function splitRows(
  items: readonly number[],
  rows: readonly WallRow[],
  { available, columns, moreHeight }: WallRoom,
): number[][] | undefined {
  const heightOf = (some: readonly number[]) =>
    some.reduce((sum, index) => sum + (index === MORE ? moreHeight : (rows[index]?.height ?? 0)), 0)
  if (columns === 1) return heightOf(items) <= available ? [[...items]] : undefined
  const whole = heightOf(items)
  let left = 0
  let at = 0
  while (at < items.length && left < whole / 2) {
    left += heightOf(items.slice(at, at + 1))
    at += 1
  }
  const fitting = [at, at - 1]
    .map((end) => [items.slice(0, end), items.slice(end)])
    .find((halves) => halves.every((half) => heightOf(half) <= available))
  return fitting
}
