/** Which encoding an answer goes out in (RFC 9110, Accept-Encoding). */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseEncoding, compress, compressCached, type Encoding } from '../../src/core/answer/encodings.ts'

const DECODE: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
}

describe('the encoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.8, zstd;q=0.2', 'br'],
    ['zstd;q=0, br;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000', undefined],
    ['gzip; q=0 ', undefined],
    ['gzip ; q=0.3', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0', undefined],
    ['*;q=0, gzip', 'gzip'],
    ['gzip;q=0, *;q=0.5', undefined],
    ['zstd;q=0, *', 'gzip'],
    ['zstd, *', 'zstd'],
    ['identity, *;q=0.5', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0, *;q=0', undefined],
    ['gzip;q=nonsense', 'gzip'],
    ['gzip;q=1.2.3', undefined],
    [',,gzip,', 'gzip'],
    [';q=1', undefined],
  ] as const)('asked for with %j is %j', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding)
  })

  it('of a file that everybody gets is the smallest', async () => {
    expect(chooseEncoding('gzip, deflate, br, zstd', 'file')).toBe('br')
    expect(chooseEncoding('gzip, zstd', 'file')).toBe('zstd')
    const text = Buffer.from(Array.from({ length: 2000 }, (_, n) => `line ${n * n}`).join('\n'))
    const packed = await compressCached('br', text)
    expect(brotliDecompressSync(packed).equals(text)).toBe(true)
    expect(packed.length).toBeLessThan((await compress('br', text)).length)
  })

  it('is one that the client named or left open, whatever it sends', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const encoding = chooseEncoding(header)
        return encoding === undefined || header.toLowerCase().includes(encoding) || header.includes('*')
      }),
    )
  })

  it.each(['br', 'zstd', 'gzip'] as const)('%s gives the same bytes back', async (encoding) => {
    const bytes = Buffer.from(
      JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ at, name: `Ștefan ${at}` }))),
    )
    const compressed = await compress(encoding, bytes)
    expect(compressed.length).toBeLessThan(bytes.length / 3)
    expect(DECODE[encoding](compressed).equals(bytes)).toBe(true)
  })
})
