/**
 * The thread that reads a workbook, so that the damage a hostile file does to the parser ends with the thread. The only
 * file that uses the library. It sends rows in batches, each when it is requested.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { readOds, streamOdsRows } from 'hucre/ods'
import { readXlsx, streamXlsxRows } from 'hucre/xlsx'
import { LINE_BYTES_MAX } from '../read-ndjson.ts'
import type { Cell, Row } from './table.ts'
import type { FromWorkbook, OpenWorkbook } from './workbook.ts'

/**
 * Bounds of a message, by rows and by size (characters plus cells), because each message is copied to the other thread.
 */
const BATCH_ROWS = 500
const BATCH_SIZE = 1024 * 1024

/** Values of cells whose formulas failed. */
const ERRORS = new Set([
  '#REF!',
  '#N/A',
  '#VALUE!',
  '#DIV/0!',
  '#NAME?',
  '#NUM!',
  '#NULL!',
  '#SPILL!',
  '#CALC!',
])

/** A cell as the library returns it. */
type LibraryCell = string | number | boolean | Date | null

const { bytes, isOds, hasOpenFormulas } = workerData as OpenWorkbook
const send = (message: FromWorkbook) => parentPort?.postMessage(message)

const sheetNames = async (): Promise<string[]> => {
  const names: string[] = []
  // The library may call this twice for a sheet.
  const sheets = ({ name, index }: { name: string; index: number }) => {
    names[index] = name
    return false
  }
  if (isOds) await readOds(bytes, { sheets })
  else await readXlsx(bytes, { sheets })
  return names
}

async function sendRows(index: number): Promise<void> {
  const rows = isOds ? streamOdsRows(bytes, { sheets: [index] }) : streamXlsxRows(bytes, { sheet: index })
  const open = hasOpenFormulas ? await rowsWithOpenFormulas(index) : new Set<number>()
  let batch: Row[] = []
  let batchSize = 0
  for await (const { index: at, values } of rows) {
    const size = sizeOf(values)
    // A text shared by many cells is in the file only once.
    const isTooLong = size > LINE_BYTES_MAX
    const cells = isTooLong ? [] : values.map(cellOf)
    const error = cells.find((cell) => typeof cell === 'string' && ERRORS.has(cell))
    if (cells.every((cell) => cell === '') && !open.has(at) && !isTooLong) continue
    const problem =
      error !== undefined
        ? `has a cell with the error ${error} of a formula`
        : isTooLong
          ? TOO_LONG
          : open.has(at)
            ? OPEN
            : undefined
    batch.push({ number: at + 1, cells, ...(problem && { problem }) })
    if (!isTooLong) batchSize += size
    if (batch.length < BATCH_ROWS && batchSize < BATCH_SIZE) continue
    send({ rows: batch })
    batch = []
    batchSize = 0
    await wanted()
  }
  send({ rows: batch, isLast: true })
}

const TOO_LONG = `is longer than ${LINE_BYTES_MAX} bytes`
const OPEN =
  'has a formula without a result; open the file in a spreadsheet program and save it, which computes them'

/** In characters, plus one for each cell, because empty cells cost memory as well. */
const sizeOf = (values: readonly LibraryCell[]) =>
  values.reduce<number>((sum, value) => sum + 1 + (typeof value === 'string' ? value.length : 0), 0)

/** Rows with a formula that has no computed result, counted from 0. The library returns such a cell as empty. */
async function rowsWithOpenFormulas(index: number): Promise<Set<number>> {
  const { sheets } = await readXlsx(bytes, { sheets: [index] })
  const cells = [...(sheets[0]?.cells ?? [])]
  const open = cells.filter(([, { formula, value }]) => formula !== undefined && value === null)
  return new Set(open.map(([place]) => Number(place.split(',', 1)[0])))
}

function cellOf(value: LibraryCell): Cell {
  if (value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (!(value instanceof Date)) return value
  // A time of day in floating point is slightly off its second.
  const epochMs = Math.round(value.getTime() / 1000) * 1000
  if (!Number.isFinite(epochMs)) return ''
  const [date = '', time = ''] = new Date(epochMs).toISOString().slice(0, 19).split('T')
  // A time without a date is returned as a date before 1900.
  if (date < '1900-01-01') return time
  return time === '00:00:00' ? date : `${date}T${time}`
}

let next = Promise.withResolvers<void>()
const wanted = async () => {
  await next.promise
  next = Promise.withResolvers<void>()
}

parentPort?.on('message', (message: number | 'more') => {
  if (message === 'more') next.resolve()
  else sendRows(message).catch(fail)
})

const fail = (error: unknown) => send({ failure: error instanceof Error ? error.name : 'Error' })

sheetNames().then((sheets) => send({ sheets }), fail)
