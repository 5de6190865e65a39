/** The process that reads a workbook, as others see it: it is started, asked for rows, measured and ended. */
import { type ChildProcess, fork } from 'node:child_process'
import { ownBytes } from '../../../config/process-memory.ts'
import { InputError } from '../../input-error.ts'
import { NotNow } from '../../preview/reading-slot.ts'
import { binaryFormat, unreadOle } from './not-tables.ts'
import type { Row } from './table.ts'

/** `xls` and `xlsb` are binary: the library reads them as a whole, and only values and merged cells of them. */
type WorkbookFormat = 'xlsx' | 'ods' | 'xls' | 'xlsb'

/** What the process is started with. */
export interface OpenWorkbook {
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
  /** Name of the error that ended the reading. */
  readonly failure?: string
}

const PROGRAM = new URL('./workbook-process.ts', import.meta.url)

/** Memory of a process that reads nothing yet. */
const STARTED_MB = 40
const YOUNG_MB = 4
/** What the parser may take of the memory of its process. */
export const heapMbOf = (memoryMb: number) => memoryMb - STARTED_MB
/** How often the memory of the process is measured, which has more than its heap. */
const MEASURE_MS = 25
/** For one batch of rows. 300,000 rows of ten columns take a tenth of that. */
const BATCH_MS_MAX = 60_000

const TOO_LONG = 'takes too long to read; export it as CSV'
const TOO_MUCH = 'takes too much memory to read; export it as CSV'
const ENDED = 'cannot be read'
const DAMAGED = 'is damaged, or not a workbook that can be read'
const UNREAD: Readonly<Record<WorkbookFormat, string>> = {
  xlsx: DAMAGED,
  ods: DAMAGED,
  xls: unreadOle,
  xlsb: binaryFormat,
}

/** Receives the messages of the process, one at a time. */
export class WorkbookReader {
  readonly format: WorkbookFormat
  readonly #child: ChildProcess
  readonly #name: string
  readonly #messages: FromWorkbook[] = []
  readonly #measuring: NodeJS.Timeout
  readonly #gone = Promise.withResolvers<void>()
  #failed: InputError | undefined
  #wake: () => void = () => {}

  /** @throws {NotNow} if the system starts no process; it may also say so later */
  constructor(open: OpenWorkbook, file: Buffer, name: string, memoryMb: number) {
    this.format = open.format
    this.#name = name
    this.#child = startProcess(open, name, memoryMb)
    this.#child.on('message', (message: FromWorkbook) => {
      if (message.failure !== undefined) this.#fail(this.#error(UNREAD[open.format]))
      else this.#messages.push(message)
      this.#wake()
    })
    this.#child.on('error', () => {
      if (this.#child.pid === undefined) this.#leave()
      this.#fail(notStarted(name))
    })
    this.#child.on('exit', (_, signal) => {
      this.#leave()
      // The heap was full, or the system has ended the process because memory ran out.
      this.#fail(this.#error(signal === null ? ENDED : TOO_MUCH))
    })
    // A process that has ended takes no more.
    this.#child.stdin?.on('error', () => {})
    this.#child.stdin?.end(file)
    this.#measuring = setInterval(() => {
      if (ownBytes(this.#child.pid ?? 0) > memoryMb * 1024 * 1024) this.#fail(this.#error(TOO_MUCH))
    }, MEASURE_MS)
  }

  send(message: number | 'more'): void {
    this.#child.send(message, () => {})
  }

  /** @param leftMs remaining time for the process */
  async receive(leftMs = BATCH_MS_MAX): Promise<FromWorkbook> {
    if (leftMs <= 0) throw this.#error(TOO_LONG)
    const deadline = setTimeout(() => this.#fail(this.#error(TOO_LONG)), Math.min(leftMs, BATCH_MS_MAX))
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

  #fail(error: InputError): void {
    this.#failed ??= error
    this.#child.kill('SIGKILL')
    this.#wake()
  }

  #leave(): void {
    clearInterval(this.#measuring)
    this.#gone.resolve()
  }

  readonly #error = (why: string) => new InputError(`${this.#name} ${why}`)

  /** Resolves when the memory of the process is free. */
  get gone(): Promise<void> {
    return this.#gone.promise
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.gone
  }
}

function startProcess(open: OpenWorkbook, name: string, memoryMb: number): ChildProcess {
  try {
    return fork(PROGRAM, [JSON.stringify(open)], {
      // Nothing else of the service is known there.
      env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      execArgv: [
        // Node's type stripping prints a warning that it is experimental.
        '--disable-warning=ExperimentalWarning',
        `--max-old-space-size=${heapMbOf(memoryMb)}`,
        `--max-semi-space-size=${YOUNG_MB}`,
      ],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    })
  } catch {
    throw notStarted(name)
  }
}

const notStarted = (name: string) =>
  new NotNow(`${name} was not read, because the system starts no other process now; try it again later`)
