/**
 * Divides the stream of bytes between two processes of Sojourn into messages. A frame consists of its length, its kind,
 * the number of its request, and its content: a head in JSON, and raw bytes.
 */

export const KINDS = ['request', 'reply', 'failure', 'notice'] as const
export type FrameKind = (typeof KINDS)[number]

export interface Frame {
  readonly kind: FrameKind
  readonly number: number
  readonly head: unknown
  readonly bytes: Buffer
}

/** The bytes do not follow this protocol. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs'
}

/** Bytes that one frame may carry in addition to its head. */
export const BYTES_MAX = 256 * 1024
/** Large enough for the arguments of a command, which Linux limits to 2 MB for each process. */
const FRAME_LENGTH_MAX = 3 * 1024 * 1024

const LENGTH_BYTES = 4
/** The kind, the number and the length of the head. */
const FIXED_BYTES = 9

export function encodeFrame({ kind, number, head, bytes }: Frame): Buffer[] {
  const json = Buffer.from(JSON.stringify(head ?? null))
  const fixed = Buffer.alloc(LENGTH_BYTES + FIXED_BYTES)
  fixed.writeUInt32BE(FIXED_BYTES + json.length + bytes.length, 0)
  fixed.writeUInt8(KINDS.indexOf(kind), 4)
  fixed.writeUInt32BE(number, 5)
  fixed.writeUInt32BE(json.length, 9)
  return [fixed, json, bytes]
}

/** Divides received bytes into frames. */
export class FrameReader {
  #chunks: Buffer[] = []
  #length = 0

  /** Adds bytes, and returns every frame that is now complete. @throws {NotOurs} */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    this.#chunks.push(chunk)
    this.#length += chunk.length
    while (this.#length >= LENGTH_BYTES) {
      const length = this.#atLeast(LENGTH_BYTES).readUInt32BE(0)
      if (length < FIXED_BYTES || length > FRAME_LENGTH_MAX) throw new NotOurs('a frame has a wrong length')
      if (this.#length < LENGTH_BYTES + length) break
      frames.push(decodeFrame(this.#take(LENGTH_BYTES + length).subarray(LENGTH_BYTES)))
    }
    return frames
  }

  /** Returns the first chunk, joined with later ones until it has `length` bytes. */
  #atLeast(length: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks
    if (first.length >= length) return first
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }

  #take(length: number): Buffer {
    const first = this.#atLeast(length)
    this.#length -= length
    if (first.length === length) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(length)
    return first.subarray(0, length)
  }
}

function decodeFrame(frame: Buffer): Frame {
  const kind = KINDS[frame.readUInt8(0)]
  const headLength = frame.readUInt32BE(5)
  if (kind === undefined || headLength > frame.length - FIXED_BYTES) throw new NotOurs('a frame is malformed')
  const headEnd = FIXED_BYTES + headLength
  return {
    kind,
    number: frame.readUInt32BE(1),
    head: readJson(frame.toString('utf8', FIXED_BYTES, headEnd)),
    bytes: frame.subarray(headEnd),
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotOurs('the head of a frame is not JSON')
  }
}
