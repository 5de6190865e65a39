/** Lines of CSV (RFC 4180) that a spreadsheet opens as they are meant. */

export type Cell = string | number | boolean | null

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  // A spreadsheet would take it for a formula, and what a center wrote must not run on a cook's computer.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
