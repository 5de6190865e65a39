/** The rows of the table for a spreadsheet: a line of headings, then a line for each row, with tabs in between. */
import type { Field } from '../../../client/src/index.ts'
import { cellOf, type Row, type Shown } from './values.ts'

/** What begins so is a formula for a spreadsheet, unless it is a number. */
const FORMULA = /^[=+\-@]/
const NUMBER = /^[+-]?[\d\s.,()/-]+$/

/** @returns lines that end with a line break */
export function textOfRows(rows: readonly Row[], columns: readonly Field[], shown: Shown): string {
  const cell = (text: string) => {
    const line = text.replaceAll(/[\t\r\n]+/g, ' ')
    return FORMULA.test(line) && !NUMBER.test(line) ? `'${line}` : line
  }
  const lines = [
    columns.map(({ label }) => cell(label)),
    ...rows.map((row) => columns.map((column) => cell(cellOf(row, column, shown)))),
  ]
  return lines.map((line) => `${line.join('\t')}\n`).join('')
}
