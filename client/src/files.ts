/** Whole lists as files, which are checked to be whole. */
import type { CallOptions, Connection, Query } from './connection.ts'
import { SojournError } from './error.ts'
import type { Queries } from './openapi.ts'

/** The parameters of a list that say how it is written. */
type FileParameter = 'format' | 'values' | 'delimiter' | 'decimal' | 'bom'
type PageParameter = 'start' | 'length'
/** What is asked of a list that is read as JSON. */
export type WithoutFiles<Q> = Omit<Q, FileParameter>

/** What is asked of a list as a file; `csv` unless given. */
export type FileQuery<Q> = Omit<Q, FileParameter | PageParameter | 'snapshot'> & {
  readonly format?: 'csv' | 'ndjson' | 'xlsx' | undefined
} & Pick<Queries['listGuests'], Exclude<FileParameter, 'format'>>

/** A file as it comes. */
export interface ListFile {
  /** How many records it has, known before the first of them. */
  readonly count: number
  /** SHA-256 of their identifiers, in hexadecimal, each followed by a line break. */
  readonly digest: string
  /** Its position in the changes: give it to `changes` to learn what came after. */
  readonly cursor: string
  readonly type: string
  /** Its bytes. It fails with an error if the file does not come whole: throw away what you have then. */
  readonly body: ReadableStream<Uint8Array>
}

/** @throws {SojournError} any other answer than a file */
export async function openFile(
  connection: Connection,
  path: string,
  { format = 'csv', ...query }: Query & { readonly format?: string | undefined },
  { signal }: CallOptions = {},
): Promise<ListFile> {
  // Nothing ends it but the caller: it goes on for as long as the list is long.
  const asked = signal ?? new AbortController().signal
  const { headers, body } = await connection.open(path, { ...query, format }, '*/*', asked)
  const count = Number(headers.get('snapshot-count') ?? Number.NaN)
  if (body === null || Number.isNaN(count)) {
    throw new SojournError('BAD_ANSWER', 'The service answers no files. Is it older than this client?')
  }
  const check =
    format === 'xlsx'
      ? undefined
      : format === 'ndjson'
        ? wholeNdjson(count)
        : wholeCsv(count, query.rows === 'items')
  return {
    count,
    digest: headers.get('snapshot-digest') ?? '',
    cursor: headers.get('snapshot-cursor') ?? '',
    type: headers.get('content-type') ?? '',
    body: check === undefined ? body : body.pipeThrough(passing(check)),
  }
}

interface Check {
  see(bytes: Uint8Array): void
  isWhole(): boolean
}

/** The bytes as they are, and an error in place of an end that is none. */
function passing({ see, isWhole }: Check): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(bytes, controller) {
      see(bytes)
      controller.enqueue(bytes)
    },
    flush() {
      if (!isWhole()) throw new SojournError('BAD_ANSWER', 'The file was cut off before its end.')
    },
  })
}

const LINE_BREAK = 10
const QUOTE = 34

/** Its last line, the manifest, comes after as many as there are records. */
function wholeNdjson(count: number): Check {
  let lines = 0
  let last = 0
  return {
    see(bytes) {
      for (const byte of bytes) if (byte === LINE_BREAK) lines += 1
      last = bytes.at(-1) ?? last
    },
    isWhole: () => lines === count + 1 && last === LINE_BREAK,
  }
}

/**
 * A line for each record after the one with the headings; a line break between quotes is part of a text.
 * @param hasMoreRows whether a record may have several lines; the end of the connection says then whether it was cut off
 */
function wholeCsv(count: number, hasMoreRows: boolean): Check {
  let lines = 0
  let isQuoted = false
  let last = 0
  return {
    see(bytes) {
      for (const byte of bytes) {
        if (byte === QUOTE) isQuoted = !isQuoted
        else if (byte === LINE_BREAK && !isQuoted) lines += 1
      }
      last = bytes.at(-1) ?? last
    },
    isWhole: () =>
      (lines === count + 1 || (hasMoreRows && lines > count + 1)) && last === LINE_BREAK && !isQuoted,
  }
}
