/**
 * Reads workbooks (XLSX, ODS, XLS, XLSB) as tables. They are parsed in a thread of their own, with limits on size, memory and
 * time.
 */
import { Worker } from 'node:worker_threads'
import { InputError } from '../../input-error.ts'
import { isLockedOle } from './locked-ole.ts'
import { binaryFormat, lockedFormat, lockedOle, otherZip, unreadOle } from './not-tables.ts'
import { withPartNames } from './part-names.ts'
import type { Row } from './table.ts'
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

/** `xls` and `xlsb` are binary: the library reads them as a whole, and only values and merged cells of them. */
type WorkbookFormat = 'xlsx' | 'ods' | 'xls' | 'xlsb'

/** What the thread is started with. */
export interface OpenWorkbook {
  readonly bytes: Uint8Array
  readonly format: WorkbookFormat
  /** Whether cells have what their values alone do not show: errors, merges, formats of numbers. */
  readonly hasDetails: boolean
  /** Whether parts must be rewritten before the library reads them. */
  readonly isRewritten: boolean
  /** Whether the cells of an ODS file have types. */
  readonly isTyped: boolean
}

export interface FromWorkbook {
  readonly sheets?: readonly string[]
  readonly hidden?: readonly string[]
  readonly rows?: readonly Row[]
  readonly isLast?: boolean
  /** Name of the error that ended the thread. */
  readonly failure?: string
}

/** Twice the size of 300,000 rows of ten columns. */
const PACKED_BYTES_MAX = 64 * 1024 * 1024
const XLSX_BYTES_MAX = 256 * 1024 * 1024
/** What is parsed as a whole takes thirty times its size in memory. */
const WHOLE_BYTES_MAX = 32 * 1024 * 1024
const MEMORY = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 }
/**
 * Time-outs of the thread for one batch of rows and for all rows of a sheet. 300,000 rows of ten columns take a tenth
 * of that.
 */
const BATCH_MS_MAX = 60_000
const SHEET_MS_MAX = 300_000
const TOO_LONG = 'takes too long to read; export it as CSV'
/** The list of sheets is read again for each sheet, so 10,000 sheets took minutes. */
const SHEETS_MAX = 500

const PROGRAM = new URL('./workbook-thread.ts', import.meta.url)

/** Whether a file begins like a ZIP file. */
export const isZip = (head: Buffer) => head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))

const OLD_EXCEL = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Whether a file begins like an Excel file of the old format, or an encrypted one. */
export const isOldExcel = (head: Buffer) => head.subarray(0, 8).equals(OLD_EXCEL)

/**
 * @param name the file's name, for messages
 * @param clock in ms
 * @throws {InputError} with one sentence, whatever is wrong with the file
 */
export async function openWorkbook(
  chunks: AsyncIterable<Buffer>,
  name: string,
  clock: () => number = () => performance.now(),
): Promise<Workbook> {
  const file = await readWhole(chunks, name)
  const { format, ...facts } = isOldExcel(file) ? oldExcel(file, name) : await zipped(file, name)
  const thread = new WorkbookThread({ bytes: file, format, ...facts }, name)
  try {
    const { sheets = [], hidden = [] } = await thread.receive()
    // The library finds no sheet in a part that is damaged.
    if (sheets.length === 0 && format === 'xlsb') throw new InputError(`${name} ${binaryFormat}`)
    if (sheets.length > SHEETS_MAX) {
      throw new InputError(`${name} has ${sheets.length} sheets, more than ${SHEETS_MAX}; export them as CSV`)
    }
    return {
      sheets,
      hidden: new Set(hidden),
      isBinary: format === 'xls' || format === 'xlsb',
      async *rows(sheet) {
        thread.send(sheet)
        let leftMs = SHEET_MS_MAX
        while (true) {
          const since = clock()
          const { rows = [], isLast } = await thread.receive(leftMs)
          leftMs -= clock() - since
          yield* rows
          if (isLast) return
          thread.send('more')
        }
      },
      close: () => thread.end(),
    }
  } catch (error) {
    await thread.end()
    throw error
  }
}

type Opened = Omit<OpenWorkbook, 'bytes'>

async function zipped(file: Buffer, name: string): Promise<Opened> {
  const isOds = file.includes('mimetypeapplication/vnd.oasis.opendocument', 0, 'latin1')
  const isBinary = file.includes('xl/workbook.bin', 0, 'latin1')
  const bytesMax = isOds || isBinary ? WHOLE_BYTES_MAX : XLSX_BYTES_MAX
  const { names, isEncrypted, ...facts } = await checkZip(file, name, bytesMax)
  if (isEncrypted) throw new InputError(`${name} ${lockedFormat}`)
  if (isBinary) return { ...facts, format: 'xlsb', isRewritten: false }
  // The main part of an XLSX file is the one that its relations name.
  const isWorkbook = isOds ? names.includes('content.xml') : withPartNames(file)
  if (!isWorkbook) throw new InputError(`${name} ${otherZip(names)}`)
  return { ...facts, format: isOds ? 'ods' : 'xlsx' }
}

function oldExcel(file: Buffer, name: string): Opened {
  if (file.length > WHOLE_BYTES_MAX) {
    throw new InputError(
      `${name} is larger than ${WHOLE_BYTES_MAX / 1024 / 1024} MB; save it as .xlsx or CSV`,
    )
  }
  if (isLockedOle(file)) throw new InputError(`${name} ${lockedOle}`)
  return { format: 'xls', hasDetails: false, isRewritten: false, isTyped: false }
}

async function readWhole(chunks: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > PACKED_BYTES_MAX) {
      throw new InputError(`${name} is larger than ${PACKED_BYTES_MAX / 1024 / 1024} MB; export it as CSV`)
    }
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

const DAMAGED = 'is damaged, or not a workbook that can be read'
const UNREAD: Readonly<Record<WorkbookFormat, string>> = {
  xlsx: DAMAGED,
  ods: DAMAGED,
  xls: unreadOle,
  xlsb: binaryFormat,
}

/** Receives the thread's messages, one at a time. */
class WorkbookThread {
  readonly #worker: Worker
  readonly #name: string
  readonly #messages: FromWorkbook[] = []
  #failed: InputError | undefined
  #wake: () => void = () => {}

  constructor(open: OpenWorkbook, name: string) {
    this.#name = name
    this.#worker = new Worker(PROGRAM, {
      workerData: open,
      resourceLimits: MEMORY,
      // Node's type stripping prints a warning that it is experimental.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    this.#worker.on('message', (message: FromWorkbook) => {
      if (message.failure !== undefined) this.#fail(UNREAD[open.format])
      else this.#messages.push(message)
      this.#wake()
    })
    this.#worker.on('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#fail(isMemory ? 'takes too much memory to read; export it as CSV' : 'cannot be read')
    })
    this.#worker.on('exit', () => this.#fail('cannot be read'))
  }

  send(message: number | 'more'): void {
    this.#worker.postMessage(message)
  }

  /** @param leftMs remaining time for the thread */
  async receive(leftMs = BATCH_MS_MAX): Promise<FromWorkbook> {
    if (leftMs <= 0) throw this.#error(TOO_LONG)
    const deadline = setTimeout(() => this.#fail(TOO_LONG), Math.min(leftMs, BATCH_MS_MAX))
    try {
      while (true) {
        const message = this.#messages.shift()
        if (message !== undefined) return message
        if (this.#failed !== undefined) throw this.#failed
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  #fail(why: string): void {
    this.#failed ??= this.#error(why)
    this.#wake()
  }

  readonly #error = (why: string) => new InputError(`${this.#name} ${why}`)

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
