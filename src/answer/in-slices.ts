/** Answers of very many rows are made without holding up others. */
import { createHash } from 'node:crypto'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Sliced } from '../request/slices.ts'

/**
 * Does the work, and lets whatever waits in the event loop go first between two of its slices.
 * @param rest told how long the slice took, in ms; a request needs several turns of the event loop, and would wait for a
 * slice in each of them
 */
export async function inSlices<T>(
  work: Sliced<T>,
  rest: (tookMs: number) => Promise<void> = async () => {},
): Promise<T> {
  while (true) {
    const since = performance.now()
    const { done, value } = work.next()
    if (done === true) return value
    await rest(performance.now() - since)
    await othersTurn()
  }
}

/** Writing and hashing as much takes less than a millisecond. */
const SLICE_BYTES = 262_144

/** The pieces as bytes in memory of their own (`ownBytes`), and the hash that `digest` makes of them. */
export function* bytesOfPieces(pieces: readonly string[]): Sliced<{ bytes: Buffer; sha256: string }> {
  const lengths: number[] = []
  yield* slicedByBytes(pieces, (piece) => lengths.push(Buffer.byteLength(piece)))
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0))
  const hash = createHash('sha256')
  let at = 0
  yield* slicedByBytes(pieces, (piece) => {
    const end = at + bytes.write(piece, at)
    hash.update(bytes.subarray(at, end))
    at = end
  })
  return { bytes, sha256: hash.digest('base64url') }
}

function* slicedByBytes(pieces: readonly string[], act: (piece: string) => void): Sliced<void> {
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
