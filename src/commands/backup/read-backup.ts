/** Reads a backup: first as a whole, to prove that it is one, and then again into an empty database. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { CommandError } from '../../core/command-line/context.ts'
import { systemMessage } from '../../core/database/postgres/system-message.ts'
import {
  END_OF_ROWS,
  type End,
  FORMAT,
  FORMAT_VERSION,
  type Head,
  NoBackup,
  type TableHead,
} from './contents.ts'

export interface Proven {
  readonly head: Head
  readonly end: End
}

/** Rows come in pieces that end with a whole line. */
export interface TableRows extends TableHead {
  readonly rows: AsyncIterable<Buffer>
}

/** A line of JSON is short. A row may have a file of some megabytes. */
const LINE_BYTES_MAX = 256 * 1024 * 1024

/**
 * Reads the whole file. @throws {NoBackup} if it was changed, cut off, or is something else
 */
export async function proveBackup(path: string, signal: AbortSignal): Promise<Proven> {
  const digest = createHash('sha256')
  let before: Buffer | undefined
  let head: Head | undefined
  for await (const line of linesOf(path, signal)) {
    if (before !== undefined) digest.update(before)
    head ??= headOf(path, line)
    before = line
  }
  const end = before === undefined ? undefined : jsonOf<End>(before)
  if (head === undefined) throw new NoBackup(path, 'it is empty')
  if (end?.sha256 === undefined || end.rows === undefined) throw new NoBackup(path, 'it ends too early')
  if (digest.digest('hex') !== end.sha256) throw new NoBackup(path, 'it was changed')
  return { head, end }
}

function headOf(path: string, line: Buffer): Head {
  const head = jsonOf<Head>(line)
  if (head?.format !== FORMAT) throw new NoBackup(path, 'it is another file')
  if (head.formatVersion !== FORMAT_VERSION) {
    throw new NoBackup(path, `it has the form ${head.formatVersion} of another version of Sojourn`)
  }
  return head
}

/** The tables of a file that is proven. Each table's rows must be read before the next table. */
export async function* tablesOf(path: string, signal: AbortSignal): AsyncGenerator<TableRows> {
  const lines = linesOf(path, signal)
  await lines.next()
  async function* rows(): AsyncGenerator<Buffer> {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      if (next.value.length === END_OF_ROWS.length + 1 && next.value.toString() === `${END_OF_ROWS}\n`) return
      yield next.value
    }
  }
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const table = jsonOf<TableHead>(next.value)
    if (table?.table === undefined) return
    yield { ...table, rows: rows() }
  }
}

/** The lines, each with its line break. */
async function* linesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: 256 * 1024 })
  const unpacked = createZstdDecompress()
  // The reader of `unpacked` gets the error of either.
  pipeline(source, unpacked, () => {})
  let rest: Buffer[] = []
  let restBytes = 0
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      let from = 0
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, from)) {
        const line = piece.subarray(from, at + 1)
        yield rest.length === 0 ? line : Buffer.concat([...rest, line])
        rest = []
        restBytes = 0
        from = at + 1
      }
      if (from < piece.length) {
        rest.push(piece.subarray(from))
        restBytes += piece.length - from
        if (restBytes > LINE_BYTES_MAX) throw new NoBackup(path, 'it is another file')
      }
    }
    if (rest.length > 0) throw new NoBackup(path, 'it ends too early')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE')
      throw new NoBackup(path, 'it ends too early')
    if (/^(Z_|ZSTD_)/.test(code)) throw new NoBackup(path, 'it was changed, or is another file')
    if ('errno' in (error as object) && code !== '') {
      throw new CommandError(`The backup cannot be read: ${systemMessage(error)}. Nothing was changed.`)
    }
    throw error
  } finally {
    unpacked.destroy()
    source.destroy()
  }
}

function jsonOf<T>(line: Buffer): (Partial<T> & T) | undefined {
  try {
    const value: unknown = JSON.parse(line.toString())
    return typeof value === 'object' && value !== null ? (value as T & Partial<T>) : undefined
  } catch {
    return undefined
  }
}
