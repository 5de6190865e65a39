/**
 * The process that reads a workbook, so that the damage a hostile file does to the parser, and the memory it takes, end with it. The
 * only file that uses the library. It sends rows in batches, each when it is requested.
 */

import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { readOds, streamOdsRows } from 'hucre/ods'
import { readXls, readXlsb, readXlsx, streamXlsxRows } from 'hucre/xlsx'
import type { Sentence } from '../../../locale/said.ts'
import { LINE_BYTES_MAX } from '../../lines/read-ndjson.ts'
import { hiddenInOds } from './ods-hidden.ts'
import { ERROR_MARK, withPlainParts } from './plain-parts.ts'
import type { Cell, Row } from './table.ts'
import type { FromWorkbook, OpenWorkbook } from './workbook-reader.ts'

/**
 * Bounds of a message, by rows and by size (characters plus cells), because each message is copied to the other thread.
 */
const BATCH_ROWS = 500
const BATCH_SIZE = 1024 * 1024

/** Values of cells whose formulas failed, in an ODS file without types or a binary one. Other files mark them by type. */
const ODS_ERRORS = /^(?:#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)|Err:\d{3})$/

/** A cell as the library returns it. */
type LibraryCell = string | number | boolean | Date | null

/** Tells the system how to treat the process; other systems than Linux have no such files. */
function tellSystem(file: string, value: string): void {
  try {
    writeFileSync(`/proc/self/${file}`, value)
  } catch {
    // It is a precaution.
  }
}
// Where memory runs out, the system ends this process and not the service.
tellSystem('oom_score_adj', '1000')
// A process that runs out of memory is dumped to the disk, with guests.
tellSystem('coredump_filter', '0')
process.on('disconnect', () => process.exit())

const { format, hasDetails, isTyped, isRewritten } = JSON.parse(process.argv[2] ?? '{}') as OpenWorkbook
const isOds = format === 'ods'
const given = await buffer(process.stdin)
const bytes = isRewritten ? withPlainParts(given) : given
/** Whether day 0 of the workbook is January 1, 1904, so that a time without a date is on that day. */
let is1904 = false
const send = (message: FromWorkbook) => void process.send?.(message)

const isBinary = format === 'xls' || format === 'xlsb'
let binaryBook: ReturnType<typeof readXls> | undefined
/** The sheets of a binary workbook, which is read once. */
async function binarySheets() {
  binaryBook ??= format === 'xls' ? readXls(bytes) : readXlsb(bytes)
  return (await binaryBook).sheets
}

/** Rows without cells are missing in the library's array. */
async function* binaryRows(sheet: number) {
  for (const [index, values] of ((await binarySheets())[sheet]?.rows ?? []).entries()) {
    if (values !== undefined) yield { index, values }
  }
}

const sheetNames = async (): Promise<{ sheets: string[]; hidden: string[] }> => {
  const names: string[] = []
  const hidden = new Set<string>()
  // The library may call this twice for a sheet.
  const sheets = (sheet: { name: string; index: number; hidden?: boolean; veryHidden?: boolean }) => {
    names[sheet.index] = sheet.name
    if (sheet.hidden === true || sheet.veryHidden === true) hidden.add(sheet.name)
    return false
  }
  if (isBinary) for (const [index, { name }] of (await binarySheets()).entries()) names[index] = name
  else if (isOds) await readOds(bytes, { sheets })
  else is1904 = (await readXlsx(bytes, { sheets })).dateSystem === '1904'
  return { sheets: names, hidden: [...hidden] }
}

async function sendRows(index: number): Promise<void> {
  const rows = isBinary
    ? binaryRows(index)
    : isOds
      ? streamOdsRows(bytes, { sheets: [index] })
      : streamXlsxRows(bytes, { sheet: index })
  const { open, errors, texts, merges, hiddenRows, hiddenColumns } =
    hasDetails || isBinary ? await detailsOf(index) : NO_DETAILS
  /** By column: the text of a merged cell, and the last row that it covers. */
  const covering = new Map<number, { readonly cell: Cell; readonly until: number }>()
  let batch: Row[] = []
  let batchSize = 0
  let isFirst = true
  for await (const { index: at, values } of rows) {
    const size = sizeOf(values)
    // A text shared by many cells is in the file only once.
    const isTooLong = size > LINE_BYTES_MAX
    const cells = isTooLong
      ? []
      : values.map((value, column) => texts.get(`${at},${column}`) ?? cellOf(value))
    const shared = isTooLong ? undefined : fillMerged(cells, at, merges.get(at) ?? [], covering)
    const error = errors.get(at) ?? (isOds || isBinary ? textError(cells) : undefined)
    if (cells.every((cell) => cell === '') && !open.has(at) && !isTooLong) continue
    const problem: Sentence | undefined =
      error !== undefined
        ? { key: 'formulaError', values: { error } }
        : isTooLong
          ? TOO_LONG
          : open.has(at)
            ? OPEN
            : (shared ?? (values.some(isLeapDay) ? LEAP_DAY : undefined))
    batch.push({
      number: at + 1,
      cells,
      ...(problem && { problem }),
      ...(hiddenRows.has(at) && { isHidden: true }),
      ...(isFirst && hiddenColumns.length > 0 && { hiddenColumns }),
    })
    isFirst = false
    if (!isTooLong) batchSize += size
    if (batch.length < BATCH_ROWS && batchSize < BATCH_SIZE) continue
    send({ rows: batch })
    batch = []
    batchSize = 0
    await wanted()
  }
  send({ rows: batch, isLast: true })
}

/** The name of an error, in the language of the program that wrote the file. The mark is removed from the cells. */
function textError(cells: Cell[]): string | undefined {
  let error: string | undefined
  for (const [column, cell] of cells.entries()) {
    if (typeof cell !== 'string') continue
    const isMarked = cell.startsWith(ERROR_MARK)
    if (isMarked) cells[column] = cell.slice(ERROR_MARK.length)
    if (isMarked || (!isTyped && ODS_ERRORS.test(cell))) error ??= String(cells[column]) || 'without a name'
  }
  return error
}

/** Excel has a February 29, 1900 (day 60), and the library returns it as the 28th. */
const isLeapDay = (value: LibraryCell) =>
  value instanceof Date && !isOds && !is1904 && isoOf(value).startsWith('1900-02-28')
const LEAP_DAY: Sentence = {
  english: 'has February 28 or 29, 1900, and the 29th never existed; write the day as text',
}

const TOO_LONG: Sentence = { english: `is longer than ${LINE_BYTES_MAX} bytes` }
const OPEN: Sentence = { key: 'noResult' }

/** In characters, plus one for each cell, because empty cells cost memory as well. */
const sizeOf = (values: readonly LibraryCell[]) =>
  values.reduce<number>((sum, value) => sum + 1 + (typeof value === 'string' ? value.length : 0), 0)

/** What the values alone do not show. Rows and columns are counted from 0. */
interface Details {
  /** Rows with a formula that has no computed result. The library returns such a cell as empty. */
  readonly open: ReadonlySet<number>
  /** By row, an error that a cell has. */
  readonly errors: ReadonlyMap<number, string>
  /** By row and column, a number as it is shown: `01067`, `B-0012`. */
  readonly texts: ReadonlyMap<string, string>
  /** By first row, the merged cells that cover several rows. */
  readonly merges: ReadonlyMap<number, readonly Merge[]>
  readonly hiddenRows: { has(row: number): boolean }
  readonly hiddenColumns: readonly number[]
}
interface Merge {
  readonly column: number
  readonly until: number
}
const NO_DETAILS: Details = {
  open: new Set(),
  errors: new Map(),
  texts: new Map(),
  merges: new Map(),
  hiddenRows: new Set(),
  hiddenColumns: [],
}

async function detailsOf(index: number): Promise<Details> {
  if (isBinary) return { ...NO_DETAILS, merges: mergesOf((await binarySheets())[index]?.merges) }
  if (isOds) {
    const { sheets } = await readOds(bytes, { sheets: [index] })
    const { rows, columns } = hiddenInOds(given, index)
    return { ...NO_DETAILS, merges: mergesOf(sheets[0]?.merges), hiddenRows: rows, hiddenColumns: columns }
  }
  const { sheets } = await readXlsx(bytes, { sheets: [index], readStyles: true })
  const open = new Set<number>()
  const errors = new Map<number, string>()
  const texts = new Map<string, string>()
  for (const [place, { formula, value, type, style }] of sheets[0]?.cells ?? []) {
    const row = Number(place.split(',', 1)[0])
    if (formula !== undefined && value === null) open.add(row)
    if (type === 'error') errors.set(row, String(value))
    const text = typeof value === 'number' ? shownNumber(value, style?.numFmt) : undefined
    if (text !== undefined) texts.set(place, text)
  }
  const { merges, rowDefs = [], columns = [] } = sheets[0] ?? {}
  const hiddenRows = new Set([...rowDefs].flatMap(([row, { hidden }]) => (hidden === true ? [row] : [])))
  const hiddenColumns = columns.flatMap(({ hidden }, column) => (hidden === true ? [column] : []))
  return { open, errors, texts, merges: mergesOf(merges), hiddenRows, hiddenColumns }
}

interface Range {
  readonly startRow: number
  readonly startCol: number
  readonly endRow: number
}

function mergesOf(ranges: readonly Range[] = []): Map<number, Merge[]> {
  const merges = new Map<number, Merge[]>()
  for (const { startRow, startCol, endRow } of ranges) {
    if (endRow === startRow) continue
    merges.set(startRow, [...(merges.get(startRow) ?? []), { column: startCol, until: endRow }])
  }
  return merges
}

/** A format that adds zeros or a text to whole numbers: `00000`, `"B-"0000`. */
const ZEROS = /^(?:"([^"]{0,20})")?(0{1,20})(?:"([^"]{0,20})")?$/

/** A number as the sheet shows it, if that is more than its digits: a postal code, a phone number, a number of a booking. */
function shownNumber(value: number, format: string | undefined): string | undefined {
  const [, before = '', zeros = '', after = ''] = ZEROS.exec(format ?? '') ?? []
  if (!Number.isSafeInteger(value) || value < 0 || (zeros.length < 2 && before === '' && after === ''))
    return undefined
  return `${before}${String(value).padStart(zeros.length, '0')}${after}`
}

/**
 * A merged cell is shown once and belongs to all its rows, so its text or date is filled down. A number may be the sum of
 * all its rows or the same in each.
 * @returns the problem of a row that shares a number
 */
function fillMerged(
  cells: Cell[],
  row: number,
  begun: readonly Merge[],
  covering: Map<number, { readonly cell: Cell; readonly until: number }>,
): Sentence | undefined {
  let problem: Sentence | undefined
  for (const [column, { cell, until }] of covering) {
    if (row > until) covering.delete(column)
    else if (typeof cell === 'number') problem = SHARED
    else if (cell !== '') {
      while (cells.length <= column) cells.push('')
      cells[column] = cell
    }
  }
  for (const { column, until } of begun) covering.set(column, { cell: cells[column] ?? '', until })
  return problem
}

const SHARED: Sentence = { key: 'sharedNumber' }

function cellOf(value: LibraryCell): Cell {
  if (value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (!(value instanceof Date)) return value
  const [date = '', time = ''] = isoOf(value).split('T')
  // A time without a date is returned as a date before 1900, or on the first day of 1904.
  if (date < '1900-01-01' || (is1904 && date === '1904-01-01' && time !== '00:00:00')) return time
  return time === '00:00:00' ? date : `${date}T${time}`
}

/** `2026-11-16T15:00:00`; empty for no date. A time of day in floating point is slightly off its second. */
function isoOf(value: Date): string {
  const epochMs = Math.round(value.getTime() / 1000) * 1000
  return Number.isFinite(epochMs) ? new Date(epochMs).toISOString().slice(0, 19) : ''
}

let next = Promise.withResolvers<void>()
const wanted = async () => {
  await next.promise
  next = Promise.withResolvers<void>()
}

process.on('message', (message: number | 'more') => {
  if (message === 'more') next.resolve()
  else sendRows(message).catch(fail)
})

const fail = (error: unknown) => send({ failure: error instanceof Error ? error.name : 'Error' })

sheetNames().then(send, fail)
// The process is ended from outside, and would leave nothing for the next one.
flushCompileCache()
