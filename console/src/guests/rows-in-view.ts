/** Which rows of a long table are drawn. All have one height, so it is a division. */

/** In pixels, as the style sheet has it. */
export const ROW_HEIGHT = 36
/** Rows above and below what is seen, so that a quick hand finds them there. */
const BEYOND = 12

export interface RowsInView {
  readonly first: number
  /** the row after the last one */
  readonly end: number
}

/** @param scrollTop and height in pixels */
export function rowsInView(scrollTop: number, height: number, total: number): RowsInView {
  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - BEYOND)
  const end = Math.min(total, Math.ceil((scrollTop + height) / ROW_HEIGHT) + BEYOND)
  return { first: Math.min(first, end), end }
}
