/** Compression if the client accepts it: Brotli, Zstandard and gzip (RFC 9110, Accept-Encoding). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { LRUCache } from 'lru-cache'

export type Encoding = 'br' | 'zstd' | 'gzip'

/** A body below the payload of one network packet gains nothing from compression. */
export const COMPRESSED_BYTES_MIN = 1400

const brotli = promisify(brotliCompress)
const zstd = promisify(zstdCompress)
const gzipped = promisify(gzip)

/** Brotli's default quality of 11 takes a hundred times as long for a size that is a tenth smaller. */
const BROTLI_QUALITY = 5

/** Exported so that tests can observe compression. */
export const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  zstd: (bytes) => zstd(bytes),
  gzip: (bytes) => gzipped(bytes),
}

/** Compresses in libuv's thread pool. */
export const compress = (encoding: Encoding, bytes: Buffer): Promise<Buffer> => COMPRESS[encoding](bytes)

/**
 * The same of what is compressed once and sent to everybody. Brotli's default quality takes 0.15 s for the largest script of the console,
 * which is a tenth smaller then.
 */
export const compressCached = (encoding: Encoding, bytes: Buffer): Promise<Buffer> =>
  encoding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    : compress(encoding, bytes)

/** Used if the client has no preference: for an answer, the best ratio of size to time first; for a file, the smallest. */
const PREFERENCES: Readonly<Record<'answer' | 'file', readonly Encoding[]>> = {
  answer: ['zstd', 'br', 'gzip'],
  file: ['br', 'zstd', 'gzip'],
}

/** Clients of one kind send the same header. */
const chosen = {
  answer: new LRUCache<string, Encoding | 'identity'>({ max: 100 }),
  file: new LRUCache<string, Encoding | 'identity'>({ max: 100 }),
}
/** Of a header that is remembered. */
const LENGTH_MAX = 200

/** @returns the encoding for an answer, or for a file that everybody gets; undefined for no encoding */
export function chooseEncoding(
  acceptEncoding: string | string[] | undefined,
  of: keyof typeof PREFERENCES = 'answer',
): Encoding | undefined {
  if (typeof acceptEncoding !== 'string' || acceptEncoding === '') return undefined
  let encoding = chosen[of].get(acceptEncoding)
  if (encoding === undefined) {
    encoding = readAcceptEncoding(acceptEncoding, PREFERENCES[of])
    if (acceptEncoding.length <= LENGTH_MAX) chosen[of].set(acceptEncoding, encoding)
  }
  return encoding === 'identity' ? undefined : encoding
}

function readAcceptEncoding(header: string, preference: readonly Encoding[]): Encoding | 'identity' {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';')
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
    weights.set(name.trim(), weight === undefined ? 1 : Number(weight))
  }
  // A client that sends only `*` names no encoding that it can certainly read. It gets gzip, which every client reads.
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ??
    (encoding === 'gzip' ? (weights.get('x-gzip') ?? weights.get('*')) : undefined) ??
    0
  let best: Encoding | 'identity' = 'identity'
  let bestWeight = 0
  for (const encoding of preference) {
    const weight = weightOf(encoding)
    if (weight > bestWeight) {
      best = encoding
      bestWeight = weight
    }
  }
  // With a greater weight for identity, the client prefers uncompressed answers.
  return (weights.get('identity') ?? 0) > bestWeight ? 'identity' : best
}
