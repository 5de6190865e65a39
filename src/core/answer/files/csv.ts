/**
 * Lines of CSV (RFC 4180) that a spreadsheet opens as they are meant.
 *
 * A text that a spreadsheet would take for a formula begins with an apostrophe, because what a center wrote must not run
 * on somebody's computer. `-5` and telephone numbers such as `+49 (170) 1234` stay as they are. `+49-170-1234` does not:
 * a spreadsheet would subtract.
 */
import type { Language } from '../../locale/languages.ts'
import { isMonthName } from '../../locale/month-words.ts'
import { Day, type TableCell } from './table.ts'

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

/**
 * @param keepsTexts whether a text that a spreadsheet would change into a number or a day is written so that it stays: for
 * people, not for programs
 */
export function csvLine(
  cells: readonly TableCell[],
  dialect: CsvDialect = PLAIN,
  keepsTexts = false,
): string {
  let line = ''
  for (let at = 0; at < cells.length; at += 1) {
    line += (at === 0 ? '' : dialect.delimiter) + csvCell(cells[at] ?? null, dialect, keepsTexts)
  }
  return `${line}\r\n`
}

function csvCell(cell: TableCell, { decimal }: CsvDialect, keepsTexts: boolean): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return decimal === '.' ? String(cell) : String(cell).replace('.', ',')
  if (cell instanceof Day) return cell.text
  if (typeof cell !== 'string') return String(cell)
  return keepsTexts && isChanged(cell) ? formulaOfText(cell) : textCell(cell)
}

function textCell(cell: string): string {
  const text = isFormula(cell) ? `'${cell}` : cell
  // Whatever any dialect would end a cell at: the reader may not know which one this is.
  return /[",;\t\r\n]/.test(text) ? quoted(text) : text
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

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
 * A text as a formula that is nothing but this text: Excel and LibreOffice read `0000123` as 123 otherwise, `2026-1` as a day, and
 * `+491715550140` as an amount. Only what `isChanged` accepts can be in it, so nothing that somebody wrote can run.
 */
const formulaOfText = (text: string) => quoted(`="${text}"`)

/** The text of a cell that `formulaOfText` wrote, or that has the apostrophe of a formula. */
export function writtenText(cell: string): string {
  const [, inFormula] = /^="([^"]*)"$/.exec(cell) ?? []
  if (inFormula !== undefined) return inFormula
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell
}

/**
 * Digits whose zeros, sign or last places are lost; groups and decimals; days, times and fractions; powers; percentages and
 * negative numbers in brackets.
 */
const CHANGED: readonly RegExp[] = [
  /^[+-]?0\d+$/,
  /^\+\d+$/,
  /^-?\d{12,}$/,
  /^[+-]?\d+[.,]\d+$/,
  /^[+-]?\d{1,3}(?:[.,'\u2019]\d{3})+$/,
  /^\d+(?:[.,]\d*)?[eE][+-]?\d+$/,
  /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{0,4})?$/,
  /^\d{1,4}:\d{1,2}(?::\d{1,2})?(?: ?[AaPp][Mm]?)?$/,
  /^\d+ [AaPp][Mm]?$/,
  /^\d+(?:[.,]\d*)?%$/,
  /^\(\d+(?:[.,]\d*)?\)$/,
]
/** A day as `3-Mar`, `MAR12` and `Jan 2026`. */
const WITH_MONTH = /^(?:\d{1,4}[-/. ]{0,2})?(\p{L}{3,12})\.?(?:[-/. ]{0,2}\d{1,4})?$/u

function isChanged(text: string): boolean {
  if (text.length > 64 || !/\d/.test(text)) return false
  return CHANGED.some((changed) => changed.test(text)) || isMonthName(WITH_MONTH.exec(text)?.[1] ?? '')
}
