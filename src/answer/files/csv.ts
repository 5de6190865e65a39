/**
 * Lines of CSV (RFC 4180) that a spreadsheet opens as they are meant.
 *
 * A text that a spreadsheet would take for a formula begins with an apostrophe, because what a center wrote must not run
 * on somebody's computer. `-5` and telephone numbers such as `+49 (170) 1234` stay as they are. `+49-170-1234` does not:
 * a spreadsheet would subtract.
 */
import type { Language } from '../../locale/languages.ts'
import { Code, Day, type TableCell } from './table.ts'

export interface CsvDialect {
  readonly delimiter: ',' | ';' | '\t'
  readonly decimal: '.' | ','
  /** the byte order mark, without which Excel takes the letters for those of an old code page */
  readonly bom: boolean
}

/** What programs read: RFC 4180. */
export const PLAIN: CsvDialect = { delimiter: ',', decimal: '.', bom: false }

/** What a spreadsheet of this language opens with a double click: where the comma is the decimal separator, `;`. */
export function spreadsheetDialect(language: Language): CsvDialect {
  let decimal = decimals.get(language)
  if (decimal === undefined) {
    // The language codes are CLDR's but for the one that names both Norwegian languages.
    const parts = new Intl.NumberFormat(language).formatToParts(1.5)
    decimal = parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
    decimals.set(language, decimal)
  }
  return { delimiter: decimal === ',' ? ';' : ',', decimal, bom: true }
}
const decimals = new Map<Language, CsvDialect['decimal']>()

export const BYTE_ORDER_MARK = '\uFEFF'

export function csvLine(cells: readonly TableCell[], dialect: CsvDialect = PLAIN): string {
  let line = ''
  for (let at = 0; at < cells.length; at += 1) {
    line += (at === 0 ? '' : dialect.delimiter) + csvCell(cells[at] ?? null, dialect)
  }
  return `${line}\r\n`
}

function csvCell(cell: TableCell, { decimal }: CsvDialect): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return decimal === '.' ? String(cell) : String(cell).replace('.', ',')
  if (cell instanceof Day) return cell.text
  if (cell instanceof Code) return codeCell(cell.text)
  return typeof cell === 'string' ? textCell(cell) : String(cell)
}

function textCell(cell: string): string {
  const text = isFormula(cell) ? `'${cell}` : cell
  // Whatever any dialect would end a cell at: the reader may not know which one this is.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** As OWASP lists them; the wide forms are what Excel takes for the narrow ones in East Asian languages. */
function isFormula(text: string): boolean {
  const first = text.charCodeAt(0)
  // Nearly every text begins with a letter or a digit, and is none.
  if ((first >= 48 && first <= 57) || (first >= 65 && first < 0xff00)) return false
  if (/^[=@＝＠\t\r\n]/.test(text)) return true
  // A second operator makes a spreadsheet compute it; a comma and other characters mean different things in each language.
  return /^[+\-＋－]/.test(text) && !/^[+-][\d ()[\].\u00a0\u202f]*$/.test(text)
}

/**
 * A code as a formula that is nothing but its text: Excel and LibreOffice read `0000123` as 123 otherwise, and `2026-1` as a
 * day. Only digits, `-`, `/`, `.`, `,`, `+` and `e` can be in it, so nothing that somebody wrote can run.
 */
const codeCell = (text: string): string => (isTakenForNumber(text) ? `"=""${text}"""` : textCell(text))

const isTakenForNumber = (text: string): boolean =>
  /^(?:0\d+|\d{16,}|\d+[.,]\d+|\d+[eE][+-]?\d+|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?)$/.test(text)
