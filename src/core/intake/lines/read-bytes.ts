/** The bytes of a file or of standard input, decompressed if they are gzip. */
import { constants, createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { systemMessage } from '../../database/postgres/system-message.ts'
import { visible } from '../../errors/visible.ts'
import { InputError } from '../input-error.ts'

/** In bytes; takes a quarter as many reads as Node's 64 KiB. */
const READ_BYTES = 256 * 1024

/** A file's bytes, unchanged. */
export async function* readFileBytes(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>
  } catch (error) {
    throw cannotRead(path, error)
  }
}

/** Why a file cannot be opened, without a full stop. @param error of the operating system */
export const cannotOpen = (path: string, error: unknown): string =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? `${visible(path)}: there is no such file`
    : cannotRead(path, error).message

/** @param error of the operating system */
const cannotRead = (path: string, error: unknown): InputError =>
  new InputError(`${visible(path)} cannot be read: ${reason(error)}`)

/** Follows no symbolic link, and does not wait for a pipe's writer. */
const AS_IT_IS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * The bytes of a file whose name others may replace at any moment.
 * @param shown the path in messages, if it is another
 * @throws {InputError} also if the name has become a link, a pipe or a device
 */
export async function* readPlainFileBytes(path: string, shown = path): AsyncGenerator<Buffer> {
  const handle = await open(path, AS_IT_IS).catch((error: unknown) => {
    throw cannotRead(shown, error)
  })
  try {
    if (!(await handle.stat()).isFile()) {
      throw new InputError(`${visible(shown)} cannot be read: it is not a regular file`)
    }
    yield* handle.createReadStream({ highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>
  } finally {
    await handle.close()
  }
}

/**
 * Decompresses bytes that begin like gzip, whatever the file's name.
 * @param name for messages
 * @param mustBeGzip for a file named `.gz`
 */
export async function* unpack(
  bytes: AsyncIterable<Buffer>,
  name: string,
  mustBeGzip: boolean,
): AsyncGenerator<Buffer> {
  const [head, rest] = await peek(bytes)
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    if (mustBeGzip) throw new InputError(`${name} is named .gz but is not gzip data`)
    yield* rest
    return
  }
  // Each chunk is an iteration of the event loop; Node's 16 KiB would need four times as many.
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  // The pipeline passes errors of both streams to the reader below, and closes the file when the reader stops.
  pipeline(Readable.from(rest), gunzip, () => {})
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError(`${name} is damaged or truncated: its gzip data cannot be decompressed completely`)
  }
}

/** Reads the first bytes (at least `length`, if there are that many). @returns them, and all bytes including them */
export async function peek(
  bytes: AsyncIterable<Buffer>,
  length = 2,
): Promise<[Buffer, AsyncGenerator<Buffer>]> {
  const iterator = bytes[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < length) {
    const { done, value } = await iterator.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  return [
    head,
    (async function* () {
      try {
        if (head.length > 0) yield head
        while (true) {
          const { done, value } = await iterator.next()
          if (done) return
          yield value
        }
      } finally {
        await iterator.return?.()
      }
    })(),
  ]
}

/** The operating system's reason for a failed read, without repeating the path. */
function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a folder'
  if (code === 'ELOOP') return 'it is a link'
  return systemMessage(error)
}
