/** Answers are compressed where the client asks, once for each cached answer. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { COMPRESS, type Encoding } from '../../src/core/answer/encodings.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { stay } from '../support/world.ts'
import { rename, startInstance } from './instances.ts'

const JANUARY = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'
const DECODE = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync } as const
const ENCODINGS = ['br', 'zstd', 'gzip'] as const

let api: TestApi

const originals = { ...COMPRESS }
/** What was compressed in, one entry each time. */
let compressions: Encoding[]

beforeEach(() => {
  compressions = []
  for (const encoding of ENCODINGS) {
    vi.spyOn(COMPRESS, encoding).mockImplementation((bytes) => {
      compressions.push(encoding)
      return originals[encoding](bytes)
    })
  }
})
afterEach(() => void vi.restoreAllMocks())

beforeAll(async () => {
  api = await startTestApi({
    records: Array.from({ length: 20 }, (_, at) => stay(`${at + 1}`, '2025-01-10', '2025-01-15')).flat(),
  })
})

describe('a long answer', () => {
  it.each(ENCODINGS)(
    'goes out in %s with its own ETag and length, and its bytes are those of identity',
    async (encoding) => {
      const instance = await startInstance(api, api.key)
      const plain = await instance.get(JANUARY)
      expect(plain.headers).not.toHaveProperty('content-encoding')
      const answer = await instance.get(JANUARY, { 'accept-encoding': encoding })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.headers.etag).toBe(`${plain.headers.etag?.slice(0, -1)}-${encoding}"`)
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
      expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(DECODE[encoding](answer.bytes).equals(plain.bytes)).toBe(true)
      expect(answer.headers.vary).toContain('Accept-Encoding')
      expect(plain.headers.vary).toContain('Accept-Encoding')
    },
  )

  it('is compressed once for each encoding, however often and by however many at once it is read', async () => {
    const instance = await startInstance(api, api.key)
    for (const encoding of ENCODINGS) {
      const read = () => instance.get(JANUARY, { 'accept-encoding': encoding })
      const answers = await Promise.all(Array.from({ length: 20 }, read))
      answers.push(await read(), await read())
      expect(new Set(answers.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1)
    }
    expect(compressions).toEqual(ENCODINGS)
  })

  it('is compressed anew when it has changed', async () => {
    const instance = await startInstance(api, api.key)
    const before = await instance.get(JANUARY, { 'accept-encoding': 'gzip' })
    await rename(api, 'Nova')
    const after = await instance.get(JANUARY, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(after.bytes).toString()).toContain('Nova')
    expect(gunzipSync(before.bytes).toString()).not.toContain('Nova')
    expect(compressions).toEqual(['gzip', 'gzip'])
  })

  it('is not compressed for HEAD’s sake differently: the same headers', async () => {
    const instance = await startInstance(api, api.key)
    const head = await instance.request('HEAD', JANUARY, { 'accept-encoding': 'br' })
    const get = await instance.get(JANUARY, { 'accept-encoding': 'br' })
    for (const name of ['content-length', 'content-encoding', 'etag', 'vary']) {
      expect(head.headers[name]).toBe(get.headers[name])
    }
    expect(head.bytes).toHaveLength(0)
  })

  it('is not compressed for a 304', async () => {
    const instance = await startInstance(api, api.key)
    const { etag = '' } = (await instance.get(JANUARY)).headers
    const unchanged = await instance.get(JANUARY, { 'accept-encoding': 'br', 'if-none-match': etag })
    expect(unchanged.status).toBe(304)
    expect(compressions).toEqual([])
  })

  it('whose compression fails once is answered with 500 then, and whole afterwards', async () => {
    const instance = await startInstance(api, api.key)
    vi.mocked(COMPRESS.br).mockRejectedValueOnce(new Error('out of memory'))
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await instance.get(JANUARY, { 'accept-encoding': 'br' })).status),
    )
    expect(statuses).toEqual([500, 500, 500])
    const again = await instance.get(JANUARY, { 'accept-encoding': 'br' })
    expect(again.status).toBe(200)
    expect(JSON.parse(brotliDecompressSync(again.bytes).toString()).total).toBe(20)
  })
})

describe('a short answer', () => {
  it('is not compressed for any client', async () => {
    const instance = await startInstance(api, api.key)
    const short = `${JANUARY}&length=1`
    const plain = await instance.get(short)
    expect(plain.bytes.length).toBeLessThan(1400)
    for (const encoding of ENCODINGS) {
      const answer = await instance.get(short, { 'accept-encoding': encoding })
      expect(answer.headers).not.toHaveProperty('content-encoding')
      expect(answer.headers.etag).toBe(plain.headers.etag)
      expect(answer.bytes.equals(plain.bytes)).toBe(true)
    }
    expect(compressions).toEqual([])
  })

  it('and one that is refused is not either', async () => {
    const instance = await startInstance(api, api.key)
    const answer = await instance.get(`${JANUARY}&project=${'nonsense,'.repeat(200)}x`, {
      'accept-encoding': 'br',
    })
    expect(answer.status).toBe(400)
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })
})
