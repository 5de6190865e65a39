/**
 * One URL, asked by keys of two centers with different scopes and custom fields, in several languages and encodings, with
 * the tags that others were given, at once and again: what is retained gives each of them what would be read anew for it.
 */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../src/parts.ts'
import { startTestApi, type TestKey } from '../support/api.ts'
import { fullQuery, plainQuery, urlOf } from '../support/operation-requests.ts'
import { seededRandom } from '../support/random-center.ts'
import { SEED } from '../support/seed.ts'
import { LODGE_MARK, SPA_MARK, twinCenters } from '../support/twin-centers.ts'
import { LODGE, SPA } from '../support/world.ts'
import { type BytesAnswer, type Instance, startInstance } from './instances.ts'

const ROUNDS = 60
const AT_ONCE = 16

const UNPACKED: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

interface Request {
  readonly center: string
  readonly key: TestKey
  readonly url: string
  readonly headers: Record<string, string>
}

it(`an answer is that of its own client, whatever others ask before and at the same time (SEED=${SEED})`, async () => {
  const random = seededRandom(SEED)
  const now = Date.parse('2025-01-12T10:00:00Z')
  const api = await startTestApi({ records: twinCenters(), clock: () => now })
  const options = { clock: () => now, failedCredentialsPerMinute: 100_000 }
  const caching = await startInstance(api, api.key, options)
  const reading = await startInstance(api, api.key, { ...options, answerCacheMb: 0 })
  const keys: { center: string; key: TestKey }[] = []
  for (const center of [SPA, LODGE]) {
    for (const given of [
      {},
      { scopes: ['guests', 'meals'] },
      { scopes: ['guests', 'meals'], customFields: ['shared'] },
      { scopes: ['guests', 'meals'], customFields: ['stayNote'] },
      { scopes: ['guests', 'guests.personal', 'sessions'] },
      { scopes: ['orders', 'sessions'] },
    ] as const) {
      keys.push({ center, key: await api.createKey({ center, ...given }) })
    }
  }
  // The list of keys says when each was last used, which these requests change.
  const urls = OPERATIONS.filter(({ name }) => name !== 'listKeys').flatMap((operation) => [
    urlOf(operation, plainQuery(operation)),
    urlOf(operation, fullQuery(operation)),
    ...(operation.name === 'listGuests'
      ? ['meta.shared', 'meta.stayNote', 'firstName,pin', 'firstName'].map((project) =>
          urlOf(operation, { ...plainQuery(operation), project }),
        )
      : []),
  ])
  const tags = ['"never"', '*']
  const some = <T>(values: readonly T[]): T => random.pick(values)

  const make = (url: string): Request => {
    const headers: Record<string, string> = { 'x-locale': some(['en', 'de', 'ro']) }
    if (random.below(10) < 5)
      headers['accept-encoding'] = some(['gzip', 'br', 'zstd', 'identity', 'gzip, br;q=0'])
    if (random.below(10) < 4) headers['if-none-match'] = some(tags)
    if (random.below(10) < 2) headers.range = 'bytes=0-9'
    if (random.below(10) < 1) headers['if-range'] = some(tags)
    return { ...some(keys), url, headers }
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const url = some(urls)
    const requests = Array.from({ length: AT_ONCE }, () => make(url))
    const answers = await Promise.all(requests.map((request) => ask(caching, request)))
    for (const [at, request] of requests.entries()) {
      const answer = answers[at]!
      const reported = `${request.center} ${url} ${JSON.stringify(request.headers)}`
      const fresh = await ask(reading, request)
      expect(pictureOf(answer), reported).toEqual(pictureOf(fresh))
      expect([200, 304, 403], reported).toContain(answer.status)
      // Nothing of the other center in any form.
      expect(textOf(answer), reported).not.toContain(request.center === SPA ? LODGE_MARK : SPA_MARK)
      const { etag } = answer.headers
      if (answer.status === 304)
        expect(['*', unencoded(etag)], reported).toContain(unencoded(request.headers['if-none-match']))
      if (etag !== undefined && random.below(10) < 2) tags.push(etag)
    }
  }
})

it('a refusal names all that is missing, whether or not another key has asked before', async () => {
  const api = await startTestApi({ records: twinCenters() })
  const lesser = api.as(await api.createKey({ scopes: ['orders'] }))
  const url = '/v1/guests/arrivals.ics?includeGuestNames=true'
  const before = await lesser.get(url)
  expect((await api.get(url)).status).toBe(200)
  const after = await lesser.get(url)
  expect([before.status, after.status]).toEqual([403, 403])
  expect(after.body.error.message).toBe(before.body.error.message)
  expect(after.headers['www-authenticate']).toContain('scope="guests meals"')
})

const ask = (instance: Instance, { key, url, headers }: Request) =>
  instance.get(url, { ...key.headers, ...headers })

function textOf({ headers, bytes }: BytesAnswer): string {
  const unpack = UNPACKED[headers['content-encoding'] ?? ''] ?? ((packed: Buffer) => packed)
  return bytes.length === 0 ? '' : unpack(bytes).toString()
}

/** The tag of an answer in one encoding is valid for it in any. */
const unencoded = (tag: string | undefined) => tag?.replace(/^("[\w-]{27}).*$/, '$1"')

/** Everything but the identifier of the request, which is in errors too. */
function pictureOf(answer: BytesAnswer) {
  const { 'x-request-id': id = '', date, ...headers } = answer.headers
  return { status: answer.status, headers, text: textOf(answer).replaceAll(id, 'ID') }
}
