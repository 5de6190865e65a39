/** Compression, where the client asks for it: Brotli, Zstandard and gzip (RFC 9110, Accept-Encoding). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

export type Encoding = 'br' | 'zstd' | 'gzip'

/** Below a network packet's payload there is nothing to win. */
export const COMPRESSED_BYTES_MIN = 1400

const brotli = promisify(brotliCompress)
const zstd = promisify(zstdCompress)
const gzipped = promisify(gzip)

/** Brotli's default quality of 11 takes a hundred times as long for a tenth less. */
const BROTLI_QUALITY = 5

/** Where the tests look on. */
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

export const compress = (encoding: Encoding, bytes: Buffer): Promise<Buffer> => COMPRESS[encoding](bytes)

// Where a client has no preference, the one that is smallest for the time it takes.
const PREFERENCE: readonly Encoding[] = ['zstd', 'br', 'gzip']

/** The encoding to answer in, or undefined for none. */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): Encoding | undefined {
  if (typeof acceptEncoding !== 'string' || acceptEncoding === '') return undefined
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';')
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
    weights.set(name.trim(), weight === undefined ? 1 : Number(weight))
  }
  // Who takes anything names nothing it is sure to read: `*` means gzip, which everybody reads.
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ??
    (encoding === 'gzip' ? (weights.get('x-gzip') ?? weights.get('*')) : undefined) ??
    0
  let best: Encoding | undefined
  let bestWeight = 0
  for (const encoding of PREFERENCE) {
    const weight = weightOf(encoding)
    if (weight > bestWeight) {
      best = encoding
      bestWeight = weight
    }
  }
  // identity with a greater weight is what the client would rather have
  return (weights.get('identity') ?? 0) > bestWeight ? undefined : best
}
