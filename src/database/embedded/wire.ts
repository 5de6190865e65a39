/**
 * The part of PostgreSQL's wire protocol (version 3) that is used with the engine's thread. Bytes are the cheapest
 * thing to pass between threads, so the values of a large answer are created only in the thread that uses them.
 */
import { type TypeReader, typeReaders } from '../types.ts'
import { EngineError } from './engine-error.ts'

const LENGTH_BYTES = 4
const HEADER_BYTES = 1 + LENGTH_BYTES

/** A parameter in PostgreSQL's text format; null is NULL. */
export type ParameterText = string | null

/** The messages of one exchange, written one after the other into a buffer of their own. */
export class Messages {
  #bytes = Buffer.allocUnsafeSlow(512)
  #end = 0
  #start = 0

  /** Names a statement, which is then planned only once. */
  parse(name: string, text: string): this {
    return this.#begin('P').#text(name).#text(text).#int16(0).#finish()
  }

  describe(statement: string): this {
    return this.#begin('D').#byte('S').#text(statement).#finish()
  }

  /** Executes a statement: all of its rows, with every value as text. */
  execute(statement: string, values: readonly ParameterText[]): this {
    this.#begin('B').#text('').#text(statement).#int16(0).#int16(values.length)
    for (const value of values) this.#value(value)
    return this.#int16(0).#finish().#begin('E').#text('').#int32(0).#finish()
  }

  close(statement: string): this {
    return this.#begin('C').#byte('S').#text(statement).#finish()
  }

  /** Ends a group of messages that succeed or fail together. */
  sync(): this {
    return this.#begin('S').#finish()
  }

  /** Runs statements without parameters, separated by semicolons. */
  query(text: string): this {
    return this.#begin('Q').#text(text).#finish()
  }

  /** The messages in a buffer that nothing else uses, so it may be transferred. */
  take(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.buffer as ArrayBuffer, 0, this.#end)
  }

  #begin(type: string): this {
    this.#room(HEADER_BYTES)
    this.#bytes.write(type, this.#end, 'latin1')
    this.#start = this.#end + 1
    this.#end += HEADER_BYTES
    return this
  }

  #finish(): this {
    this.#bytes.writeInt32BE(this.#end - this.#start, this.#start)
    return this
  }

  #byte(character: string): this {
    this.#room(1)
    this.#end += this.#bytes.write(character, this.#end, 'latin1')
    return this
  }

  #int16(value: number): this {
    this.#room(2)
    this.#end = this.#bytes.writeUInt16BE(value, this.#end)
    return this
  }

  #int32(value: number): this {
    this.#room(LENGTH_BYTES)
    this.#end = this.#bytes.writeInt32BE(value, this.#end)
    return this
  }

  #text(text: string): this {
    this.#utf8(text)
    this.#room(1)
    this.#bytes[this.#end++] = 0
    return this
  }

  #value(value: ParameterText): void {
    if (value === null) {
      this.#int32(-1)
      return
    }
    this.#room(LENGTH_BYTES)
    const at = this.#end
    this.#end += LENGTH_BYTES
    this.#utf8(value)
    this.#bytes.writeInt32BE(this.#end - at - LENGTH_BYTES, at)
  }

  #utf8(text: string): void {
    // A UTF-16 code unit becomes at most three bytes.
    this.#room(text.length > 1000 ? Buffer.byteLength(text) : text.length * 3)
    this.#end += this.#bytes.write(text, this.#end, 'utf8')
  }

  #room(bytes: number): void {
    const needed = this.#end + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
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
  const reply = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let columns = known
  let rows: unknown[][] = []
  let parsed = false
  let tag: string | undefined
  let error: EngineError | undefined
  for (let at = 0; at < reply.length; ) {
    const body = at + HEADER_BYTES
    const end = at + 1 + reply.readInt32BE(at + 1)
    switch (reply[at]) {
      case TYPE.dataRow:
        rows.push(readRow(reply, body, columns ?? []))
        break
      case TYPE.rowDescription:
        columns = readColumns(reply, body)
        rows = []
        break
      case TYPE.noData:
        columns = []
        break
      case TYPE.parseComplete:
        parsed = true
        break
      case TYPE.commandComplete:
        tag = reply.toString('latin1', body, end - 1)
        break
      case TYPE.errorResponse:
        error ??= readError(reply, body, end)
        break
    }
    at = end
  }
  return { columns, rows, parsed, tag, error }
}

const code = (character: string) => character.charCodeAt(0)

const TYPE = {
  dataRow: code('D'),
  rowDescription: code('T'),
  noData: code('n'),
  parseComplete: code('1'),
  commandComplete: code('C'),
  errorResponse: code('E'),
} as const

function readRow(reply: Buffer, from: number, columns: readonly Column[]): unknown[] {
  const count = reply.readInt16BE(from)
  const row: unknown[] = new Array(count)
  let at = from + 2
  for (let index = 0; index < count; index++) {
    const length = reply.readInt32BE(at)
    at += LENGTH_BYTES
    if (length < 0) {
      row[index] = null
      continue
    }
    row[index] = (columns[index]?.read ?? asText)(reply.toString('utf8', at, at + length))
    at += length
  }
  return row
}

/** The fields between a column's name and the next name: table, attribute, type, size, modifier, format. */
const COLUMN_BYTES = 18
const TYPE_OFFSET = 6

function readColumns(reply: Buffer, from: number): Column[] {
  const count = reply.readInt16BE(from)
  const columns: Column[] = []
  let at = from + 2
  for (let index = 0; index < count; index++) {
    const nameEnd = reply.indexOf(0, at)
    const name = reply.toString('utf8', at, nameEnd)
    at = nameEnd + 1
    columns.push({ name, read: typeReaders.get(reply.readInt32BE(at + TYPE_OFFSET)) ?? asText })
    at += COLUMN_BYTES
  }
  return columns
}

function readError(reply: Buffer, from: number, end: number): EngineError {
  const fields = new Map<string, string>()
  for (let at = from; at < end && reply[at] !== 0; ) {
    const textEnd = reply.indexOf(0, at)
    fields.set(String.fromCharCode(reply[at] ?? 0), reply.toString('utf8', at + 1, textEnd))
    at = textEnd + 1
  }
  return new EngineError(fields.get('M') ?? 'unknown error', fields.get('C') ?? 'XX000')
}

/** The rows as objects with the columns' names. The caller states the type of its statement's rows. */
export function objects<R extends object>({ columns = [], rows }: Reply): R[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]))) as R[]
}
