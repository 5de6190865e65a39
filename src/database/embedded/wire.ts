/**
 * The part of PostgreSQL's wire protocol (version 3) that is used with the engine's thread; `pg-protocol` writes and reads its
 * messages. Bytes are the cheapest thing to pass between threads, so the values of a large answer are created only in the
 * thread that uses them.
 */
import { serialize } from 'pg-protocol'
import type {
  BackendMessage,
  CommandCompleteMessage,
  DataRowMessage,
  RowDescriptionMessage,
} from 'pg-protocol/dist/messages.js'
import { Parser } from 'pg-protocol/dist/parser.js'
import { type TypeReader, typeReaders } from '../types.ts'
import { EngineError } from './engine-error.ts'

/** A parameter in PostgreSQL's text format; null is NULL. */
export type ParameterText = string | null

/** The messages of one exchange. */
export class Messages {
  readonly #parts: Buffer[] = []

  /** Names a statement, which is then planned only once. */
  parse(name: string, text: string): this {
    return this.#add(serialize.parse({ name, text }))
  }

  describe(statement: string): this {
    return this.#add(serialize.describe({ type: 'S', name: statement }))
  }

  /** Executes a statement: all of its rows, with every value as text. */
  execute(statement: string, values: readonly ParameterText[]): this {
    return this.#add(serialize.bind({ statement, values: [...values] })).#add(serialize.execute())
  }

  close(statement: string): this {
    return this.#add(serialize.close({ type: 'S', name: statement }))
  }

  /** Ends a group of messages that succeed or fail together. */
  sync(): this {
    return this.#add(serialize.sync())
  }

  /** Runs statements without parameters, separated by semicolons. */
  query(text: string): this {
    return this.#add(serialize.query(text))
  }

  /** The messages in a buffer that nothing else uses, so it may be transferred. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of this.#parts) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }

  #add(part: Buffer): this {
    this.#parts.push(part)
    return this
  }
}

export interface Column {
  readonly name: string
  readonly read: TypeReader
}

/** The engine's answer to one exchange. */
export interface Reply {
  /** columns of a described statement, or of the last simple query */
  readonly columns: readonly Column[] | undefined
  readonly rows: unknown[][]
  /** whether a statement was parsed */
  readonly parsed: boolean
  /** tag of the last command, such as `INSERT 0 1` */
  readonly tag: string | undefined
  readonly error: EngineError | undefined
}

const asText: TypeReader = (text) => text

/** @param known columns of a statement that is not described again */
export function readReply(bytes: Uint8Array<ArrayBuffer>, known?: readonly Column[]): Reply {
  let columns = known
  let rows: unknown[][] = []
  let parsed = false
  let tag: string | undefined
  let error: EngineError | undefined
  // Each name has the type of message that is read; the parser's own types are of all of them.
  const read = (message: BackendMessage) => {
    switch (message.name) {
      case 'dataRow':
        rows.push(valuesOf((message as DataRowMessage).fields, columns ?? []))
        break
      case 'rowDescription':
        columns = (message as RowDescriptionMessage).fields.map(({ name, dataTypeID }) => ({
          name,
          read: typeReaders.get(dataTypeID) ?? asText,
        }))
        rows = []
        break
      case 'noData':
        columns = []
        break
      case 'parseComplete':
        parsed = true
        break
      case 'commandComplete':
        tag = (message as CommandCompleteMessage).text
        break
      case 'error': {
        const { message: text, code } = message as unknown as { message?: string; code?: string }
        error ??= new EngineError(text ?? 'unknown error', code ?? 'XX000')
        break
      }
    }
  }
  new Parser().parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), read)
  return { columns, rows, parsed, tag, error }
}

/** Reads the values of a row in place. */
export function valuesOf(row: unknown[], columns: readonly Column[]): unknown[] {
  for (let at = 0; at < row.length; at += 1) {
    const text = row[at]
    if (typeof text === 'string') row[at] = (columns[at]?.read ?? asText)(text)
  }
  return row
}

/**
 * The values of a row that PostgreSQL wrote as text: `(1,"a ""b""",,"")` has a null and an empty text at its end. Within
 * quotes, a quote and a backslash are doubled.
 */
export function readRecord(text: string): (string | null)[] {
  const values: (string | null)[] = []
  let at = 1
  while (at < text.length) {
    const isQuoted = text[at] === '"'
    let end = isQuoted ? at + 1 : at
    if (isQuoted) {
      while (end < text.length && (text[end] !== '"' || text[end + 1] === '"'))
        end += isDoubled(text[end]) ? 2 : 1
      values.push(text.slice(at + 1, end).replaceAll(/(["\\])\1/g, '$1'))
      end += 1
    } else {
      while (text[end] !== ',' && text[end] !== ')') end += 1
      values.push(end === at ? null : text.slice(at, end))
    }
    at = end + 1
  }
  return values
}

const isDoubled = (character: string | undefined) => character === '"' || character === '\\'

/** The rows as objects with the columns' names. The caller states the type of its statement's rows. */
export function objects<R extends object>({ columns = [], rows }: Reply): R[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]))) as R[]
}
