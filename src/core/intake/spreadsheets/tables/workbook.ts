/**
 * Reads workbooks (XLSX, ODS, XLS, XLSB) as tables. They are parsed in a process of their own, one at a time, with limits on size,
 * memory and time.
 */
import { InputError } from '../../input-error.ts'
import { readingMemory } from '../../preview/reading-memory.ts'
import { takeSlot } from '../../preview/reading-slot.ts'
import { isLockedOle } from './locked-ole.ts'
import { binaryFormat, lockedFormat, lockedOle, otherZip } from './not-tables.ts'
import { withPartNames } from './part-names.ts'
import type { Row } from './table.ts'
import { heapMbOf, type OpenWorkbook, WorkbookReader } from './workbook-reader.ts'
import { checkZip } from './zip-sizes.ts'

export interface Workbook {
  readonly sheets: readonly string[]
  /** The sheets that the program that wrote the file does not show. */
  readonly hidden: ReadonlySet<string>
  readonly isBinary: boolean
  /** The rows of a sheet that are not empty. Sheets are counted from 0. */
  rows(sheet: number): AsyncGenerator<Row>
  close(): Promise<void>
}

export interface WorkbookOptions {
  /** in ms */
  readonly clock?: () => number
  /** of the process that reads it */
  readonly memoryMb?: number
  /** ends the wait for others that are read */
  readonly signal?: AbortSignal | undefined
}

const MB = 1024 * 1024
/** Twice the size of 300,000 rows of ten columns. The service holds it, and so does the process. */
const PACKED = { bytesMax: 64 * MB, share: 0.25 }
const XLSX = { bytesMax: 256 * MB, share: 0.5 }
/** What is parsed as a whole takes up to thirty times its size in memory. */
const WHOLE = { bytesMax: 32 * MB, share: 0.1 }
const SHEET_MS_MAX = 300_000
/** The list of sheets is read again for each sheet, so 10,000 sheets took minutes. */
const SHEETS_MAX = 500

/** Whether a file begins like a ZIP file. */
export const isZip = (head: Buffer) => head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))

const OLD_EXCEL = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Whether a file begins like an Excel file of the old format, or an encrypted one. */
export const isOldExcel = (head: Buffer) => head.subarray(0, 8).equals(OLD_EXCEL)

/**
 * @param name the file's name, for messages
 * @throws {InputError} with one sentence, whatever is wrong with the file
 */
export async function openWorkbook(
  chunks: AsyncIterable<Buffer>,
  name: string,
  { clock = () => performance.now(), memoryMb, signal }: WorkbookOptions = {},
): Promise<Workbook> {
  const release = await takeSlot(name, { signal })
  try {
    const reader = await startReader(chunks, name, memoryMb ?? readingMemory().workbookMb)
    void reader.gone.then(release)
    return await readBy(reader, name, clock)
  } catch (error) {
    release()
    throw error
  }
}

async function readBy(reader: WorkbookReader, name: string, clock: () => number): Promise<Workbook> {
  try {
    const { sheets = [], hidden = [] } = await reader.receive()
    // The library finds no sheet in a part that is damaged.
    if (sheets.length === 0 && reader.format === 'xlsb') throw new InputError(`${name} ${binaryFormat}`)
    if (sheets.length > SHEETS_MAX) {
      throw new InputError(`${name} has ${sheets.length} sheets, more than ${SHEETS_MAX}; export them as CSV`)
    }
    return {
      sheets,
      hidden: new Set(hidden),
      isBinary: reader.format === 'xls' || reader.format === 'xlsb',
      async *rows(sheet) {
        reader.send(sheet)
        let leftMs = SHEET_MS_MAX
        while (true) {
          const since = clock()
          const { rows = [], isLast } = await reader.receive(leftMs)
          leftMs -= clock() - since
          yield* rows
          if (isLast) return
          reader.send('more')
        }
      },
      close: () => reader.end(),
    }
  } catch (error) {
    await reader.end()
    throw error
  }
}

async function startReader(
  chunks: AsyncIterable<Buffer>,
  name: string,
  memoryMb: number,
): Promise<WorkbookReader> {
  const file = await readWhole(chunks, name, boundOf(PACKED, memoryMb))
  const open = isOldExcel(file) ? oldExcel(file, name, memoryMb) : await zipped(file, name, memoryMb)
  return new WorkbookReader(open, file, name, memoryMb)
}

/** In bytes: a share of the memory, up to a maximum. */
const boundOf = ({ bytesMax, share }: typeof PACKED, memoryMb: number) =>
  Math.min(bytesMax, Math.round(memoryMb * MB * share))

async function zipped(file: Buffer, name: string, memoryMb: number): Promise<OpenWorkbook> {
  const isOds = file.includes('mimetypeapplication/vnd.oasis.opendocument', 0, 'latin1')
  const isBinary = file.includes('xl/workbook.bin', 0, 'latin1')
  const bytesMax = boundOf(isOds || isBinary ? WHOLE : XLSX, memoryMb)
  const { names, isEncrypted, ...facts } = await checkZip(file, name, bytesMax, heapMbOf(memoryMb) * MB)
  if (isEncrypted) throw new InputError(`${name} ${lockedFormat}`)
  if (isBinary) return { ...facts, format: 'xlsb', isRewritten: false }
  // The main part of an XLSX file is the one that its relations name.
  const isWorkbook = isOds ? names.includes('content.xml') : withPartNames(file)
  if (!isWorkbook) throw new InputError(`${name} ${otherZip(names)}`)
  return { ...facts, format: isOds ? 'ods' : 'xlsx' }
}

function oldExcel(file: Buffer, name: string, memoryMb: number): OpenWorkbook {
  const bytesMax = boundOf(WHOLE, memoryMb)
  if (file.length > bytesMax) {
    throw new InputError(`${name} is larger than ${Math.floor(bytesMax / MB)} MB; save it as .xlsx or CSV`)
  }
  if (isLockedOle(file)) throw new InputError(`${name} ${lockedOle}`)
  return { format: 'xls', hasDetails: false, isRewritten: false, isTyped: false }
}

async function readWhole(chunks: AsyncIterable<Buffer>, name: string, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > bytesMax) {
      throw new InputError(`${name} is larger than ${Math.floor(bytesMax / MB)} MB; export it as CSV`)
    }
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}
