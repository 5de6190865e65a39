/** Builds answers of very many rows without blocking other requests. */
import { createHash } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Sliced } from '../request/slices.ts'
import { bytesOf, type Hashed } from './answer-cache.ts'

/** A slice goes on to the first possible break after this time. */
const SLICE_MS = 1

/**
 * Runs the work slice by slice. Between two slices, the event loop handles whatever is waiting. Not every possible break
 * is taken: an answer whose parts alternate with those of others stays in memory for longer, and a report of 160
 * guests with four breaks cost four times as much garbage collection.
 * @param rest called with the duration of each slice in ms. Other requests take several rounds of the event loop, and
 * without a rest would wait for a slice in each.
 */
export async function inSlices<T>(
  work: Sliced<T>,
  rest: (tookMs: number) => Promise<void> = async () => {},
  sliceMs = SLICE_MS,
): Promise<T> {
  while (true) {
    const since = performance.now()
    do {
      const { done, value } = work.next()
      if (done === true) return value
    } while (performance.now() - since < sliceMs)
    await rest(performance.now() - since)
    await othersFirst()
  }
}

/** Writing and hashing this many bytes takes less than a millisecond. */
const SLICE_BYTES = 262_144

/** Does the same for a body in pieces, all texts or all bytes. */
export function* bytesOfPieces(pieces: readonly string[] | readonly Buffer[]): Sliced<Hashed> {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return bytesOf(first)
  // An incremental hash needs one more object, which is expensive to collect.
  if (lengthOf(pieces) <= SLICE_BYTES) return bytesOf(joined(pieces))
  const lengths: number[] = []
  yield* slicedByBytes(pieces, (piece) => lengths.push(Buffer.byteLength(piece)))
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0))
  const sha256 = createHash('sha256')
  let at = 0
  yield* slicedByBytes(pieces, (piece) => {
    const end = at + (typeof piece === 'string' ? bytes.write(piece, at) : piece.copy(bytes, at))
    sha256.update(bytes.subarray(at, end))
    at = end
  })
  return { bytes, sha256: sha256.digest('base64url') }
}

const lengthOf = (pieces: readonly (string | Buffer)[]) => pieces.reduce((sum, { length }) => sum + length, 0)

function joined(pieces: readonly string[] | readonly Buffer[]): string | Buffer {
  if (isText(pieces)) return pieces.join('')
  const bytes = Buffer.allocUnsafeSlow(lengthOf(pieces))
  let at = 0
  for (const piece of pieces) at += piece.copy(bytes, at)
  return bytes
}

const isText = (pieces: readonly string[] | readonly Buffer[]): pieces is readonly string[] =>
  typeof pieces[0] !== 'object'

function* slicedByBytes(
  pieces: readonly (string | Buffer)[],
  act: (piece: string | Buffer) => void,
): Sliced<void> {
  let done = 0
  for (const piece of pieces) {
    if (done >= SLICE_BYTES) {
      yield
      done = 0
    }
    act(piece)
    done += piece.length
  }
}
