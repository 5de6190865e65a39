/**
 * Receives a body whole before anything is done with it: so a sender that is slow, or stops, holds no connection to the
 * database, and a body that is cut short changes nothing.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { InputError } from '../input-error.ts'
import type { FileDigest } from '../lines/digests.ts'
import { Spool, type SpoolSource } from '../lines/spool.ts'
import { Refusal } from './refusal.ts'

export interface BodyBounds {
  /** of the body as it is sent */
  readonly bytesMax: number
  /** of what a packed body holds */
  readonly unpackedBytesMax: number
  /** without a byte, the body ends */
  readonly silenceMs: number
  /** after `silenceMs`, what has come on average */
  readonly bytesPerSecondMin: number
}

export interface Body extends FileDigest {
  read(): AsyncGenerator<Buffer>
  /** for another thread */
  source(): Promise<SpoolSource>
  close(): Promise<void>
}

/** @throws {Refusal} @throws {InputError} where the disk takes no more */
export async function receiveBody(
  request: IncomingMessage,
  folder: string,
  bounds: BodyBounds,
): Promise<Body> {
  const spool = new Spool(folder)
  const hash = createHash('sha256')
  const began = performance.now()
  let bytes = 0
  try {
    // Leaving the loop early must not close the connection before the refusal is sent.
    const chunks = request.iterator({ destroyOnReturn: false })
    while (true) {
      const { done, value } = await soon(chunks.next(), bounds.silenceMs)
      if (done) break
      const chunk: Buffer = value
      bytes += chunk.length
      if (bytes > bounds.bytesMax) throw tooLarge(bounds)
      const ms = performance.now() - began
      if (ms > bounds.silenceMs && bytes < (ms / 1000) * bounds.bytesPerSecondMin) throw tooSlow()
      hash.update(chunk)
      await spool.add(chunk)
    }
  } catch (error) {
    await spool.close()
    if (error instanceof Refusal || error instanceof InputError) throw error
    throw new Refusal('BODY_INCOMPLETE', 'The body is incomplete. Nothing was imported.')
  }
  return {
    sha256: hash.digest('hex'),
    bytes,
    read: () => spool.read(),
    source: () => spool.source(),
    close: () => spool.close(),
  }
}

export const tooLarge = ({ bytesMax }: BodyBounds) =>
  new Refusal(
    'BODY_TOO_LARGE',
    `A body may have ${bytesMax} bytes. Divide the records into several bodies, or send it packed (gzip).`,
  )

const tooSlow = () => new Refusal('BODY_TOO_SLOW', 'The body arrived too slowly. Nothing was imported.')

/** @throws {Refusal} where it does not come soon */
async function soon<T>(coming: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooSlow()), ms)
  try {
    return await Promise.race([coming, late.promise])
  } finally {
    clearTimeout(timer)
    coming.catch(() => {})
  }
}

/** Records of one form, one after the other, hold some thirty times what they take packed; nothing at all a thousand. */
const UNPACKED_TIMES_MAX = 100

/** What a body may hold unpacked: as much as one that is not packed, and more where what was sent explains it. */
export const unpackedBytesMaxOf = (sentBytes: number, { bytesMax, unpackedBytesMax }: BodyBounds): number =>
  Math.min(unpackedBytesMax, Math.max(bytesMax, sentBytes * UNPACKED_TIMES_MAX))

export const TOO_LARGE_UNPACKED = 'bytes unpacked'

/** What is unpacked, as far as it goes. @throws {InputError} */
export async function* bounded(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new InputError(`The body holds more than ${bytesMax} ${TOO_LARGE_UNPACKED}`)
    yield chunk
  }
}
