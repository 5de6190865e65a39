/** ETag and 304 on every endpoint, made from the route table. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/core/access/keys/scopes.ts'
import type { Operation } from '../../src/core/request/operation.ts'
import { startTestApi, type TestAnswer, type TestApi } from '../support/api.ts'
import { lastUseIsWritten } from '../support/last-use.ts'
import {
  EVERY_OPERATION,
  fullQuery,
  plainQuery,
  type Query,
  SHARED_OPERATIONS,
  scopesFor,
  urlOf,
  urlsOf,
} from '../support/operation-requests.ts'
import { twinCenters } from '../support/twin-centers.ts'

const MONTH_MS = 31 * 86_400_000

let api: TestApi
let now = Date.parse('2025-01-12T09:00:00Z')

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters(), clock: () => now })
})
// Operations with a limit of their own take some requests a minute.
beforeEach(() => {
  now += 60_000
})

/** The headers that a 304, too, must carry (RFC 9110), and those that say how an answer may be retained. */
const SAME_HEADERS = ['etag', 'cache-control', 'vary', 'content-language', 'link']
const etagOf = (answer: TestAnswer) => String(answer.headers.etag)
const withoutVolatile = ({ headers }: TestAnswer) => {
  const { date, 'x-request-id': _, ...rest } = headers
  return rest
}
const text = (query: Query) => new URLSearchParams(query).toString()

describe.each(SHARED_OPERATIONS)('the ETag of %s', (_, operation) => {
  const full = urlOf(operation, fullQuery(operation))

  it('is the same for every key that may read, by both schemes', async () => {
    const etag = etagOf(await api.get(full))
    const others = await Promise.all(
      [SCOPES, [...scopesFor(operation), ...SCOPES.filter((scope) => scope.startsWith('guests'))]].map(
        (scopes) => api.createKey({ scopes }),
      ),
    )
    for (const key of others) {
      expect(etagOf(await api.as(key).get(full))).toBe(etag)
      const bearer = api.as(undefined)
      expect((await bearer.get(full, { ...key.bearer, 'if-none-match': etag })).status).toBe(304)
    }
  })
})

describe.each(EVERY_OPERATION)('the ETag of %s', (name, operation) => {
  const full = urlOf(operation, fullQuery(operation))
  if (name === 'listKeys') beforeEach(() => lastUseIsWritten(api, () => now))
  if (name === 'listReads') {
    // The trail of the days that are asked for grows with each request on these days, up to a second after it.
    beforeAll(async () => {
      now += MONTH_MS
      await lastUseIsWritten(api, () => now)
    })
    afterAll(() => {
      now -= MONTH_MS
    })
  }

  it('is strong, and is in 200, 304 and HEAD alike, with all headers of caching', async () => {
    for (const url of [urlOf(operation), full]) {
      const answer = await api.get(url)
      expect(answer.status).toBe(200)
      expect(etagOf(answer)).toMatch(/^"[\w-]{27}"$/)
      expect(answer.headers['cache-control']).toBe('private, no-cache')
      expect(varyOf(answer)).toEqual(
        expect.arrayContaining([
          'authorization',
          'x-api-app-id',
          'x-api-public-key',
          'x-api-secret-key',
          'x-locale',
          'accept-encoding',
        ]),
      )
      const unchanged = await api.get(url, { 'if-none-match': etagOf(answer) })
      expect(unchanged.status).toBe(304)
      expect(unchanged.text).toBe('')
      expect(unchanged.headers).not.toHaveProperty('content-type')
      for (const name of SAME_HEADERS) expect(unchanged.headers[name], name).toBe(answer.headers[name])
    }
  })

  it('leads to 304 by a list, weakly, and by *, and by nothing else', async () => {
    const etag = etagOf(await api.get(full))
    for (const header of [etag, `W/${etag}`, `"a", ${etag}`, `W/"a",W/${etag} , "b"`, '*']) {
      expect((await api.get(full, { 'if-none-match': header })).status, header).toBe(304)
      expect((await api.request('HEAD', full, { 'if-none-match': header })).status, header).toBe(304)
    }
    for (const header of [
      '"a"',
      '',
      '"*"',
      etag.toLowerCase().replace('"', '"x'),
      etag.replace(/.{3}"$/, '"'),
    ]) {
      expect((await api.get(full, { 'if-none-match': header })).status, header).toBe(200)
    }
  })

  it('is the same at every path of the operation', async () => {
    for (const query of [plainQuery(operation), fullQuery(operation)]) {
      const tags = await Promise.all(urlsOf(operation, query).map(async (url) => etagOf(await api.get(url))))
      expect(new Set(tags).size).toBe(1)
      for (const url of urlsOf(operation, query)) {
        expect((await api.get(url, { 'if-none-match': tags[0] ?? '' })).status).toBe(304)
      }
    }
  })

  it('is the same whatever the order of parameters and of the entries of a list', async () => {
    const query = fullQuery(operation)
    const etag = etagOf(await api.get(urlOf(operation, query)))
    for (const other of sameRequests(operation, query)) {
      const answer = await api.get(urlOf(operation, other))
      expect(answer.status, other).toBe(200)
      expect(etagOf(answer), other).toBe(etag)
    }
  })

  it('is another for any other parameter, where the answer may be', async () => {
    const tags = new Map<string, string>()
    const query = fullQuery(operation)
    for (const [name, parameter] of Object.entries(operation.parameters)) {
      // In the list of orders, timestamps have one form.
      if (operation.name === 'listOrders' && name === 'formatDates') continue
      const { [name]: given, ...rest } = query
      const changed = CHANGED[name]
      // Without a format the Accept header decides, and there is none here.
      const byDefault =
        name === 'format' ? 'json' : parameter.default === undefined ? undefined : String(parameter.default)
      const others = [
        ...(given === undefined || given === byDefault ? [] : [rest]),
        ...(changed === undefined || changed === byDefault ? [] : [{ ...query, [name]: changed }]),
      ]
      for (const other of others) {
        const answer = await api.get(urlOf(operation, other))
        // One that must be sent.
        if (answer.status !== 200) continue
        expect(tags.get(etagOf(answer)), text(other)).toBeUndefined()
        tags.set(etagOf(answer), text(other))
      }
    }
    expect(tags.get(etagOf(await api.get(urlOf(operation, query))))).toBeUndefined()
  })

  it('is another in another language, and in one language the same however it is asked for', async () => {
    const inLanguage = async (locale: string) => etagOf(await api.get(full, { 'x-locale': locale }))
    const english = etagOf(await api.get(full))
    const norwegian = await inLanguage('no')
    expect(await inLanguage('en')).toBe(english)
    expect(await inLanguage('xx')).toBe(english)
    const isSame = !operation.dependsOn.includes('language')
    expect(norwegian === english).toBe(isSame)
    expect(await inLanguage('nb-NO')).toBe(norwegian)
    const other = await api.get(full, { 'if-none-match': english, 'x-locale': 'no' })
    expect(other.status).toBe(isSame ? 304 : 200)
  })

  it('is the same on another day for as long as the content is', async () => {
    const today = await api.get(full)
    const before = now
    now += 86_400_000
    const tomorrow = await api.get(full, { 'if-none-match': etagOf(today) })
    now = before
    if (tomorrow.status === 200) {
      expect(tomorrow.text).not.toBe(today.text)
      expect(etagOf(tomorrow)).not.toBe(etagOf(today))
    } else {
      expect(tomorrow.status).toBe(304)
    }
  })

  it('is another in each encoding, and any of them leads to 304', async () => {
    const long = urlOf(operation, longQuery(operation))
    const tags = new Set<string>()
    for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
      const answer = await api.get(long, { 'accept-encoding': encoding })
      tags.add(etagOf(answer))
      expect((await api.get(long, { 'if-none-match': etagOf(answer) })).status).toBe(304)
      const again = await api.get(long, { 'if-none-match': etagOf(answer), 'accept-encoding': encoding })
      expect([again.status, again.headers.etag]).toEqual([304, etagOf(answer)])
    }
    // Short answers are not compressed.
    expect([1, 4]).toContain(tags.size)
    expect(tags.size).toBe((await api.get(long)).text.length < 1400 ? 1 : 4)
  })

  it('is another after a commit that it shows, and the same after any other', async () => {
    const before = await api.get(full)
    const [etag, text] = [etagOf(before), before.text]
    await api.database.query(sql`update customers set last_name = last_name || 'x' where center_id = 'lodge'`)
    expect((await api.get(full, { 'if-none-match': etag })).status).toBe(304)
    await api.database.query(sql`update customers set last_name = last_name || 'x' where center_id = 'spa'`)
    const after = await api.get(full)
    expect(etagOf(after) === etag).toBe(after.text === text)
    expect((await api.get(full, { 'if-none-match': etag })).status).toBe(after.text === text ? 304 : 200)
  })

  it('goes with HEAD, whose status and headers are those of GET, in every way of asking', async () => {
    const etag = etagOf(await api.get(full))
    for (const [url, headers] of [
      [full, {}],
      [full, { 'if-none-match': etag }],
      [full, { 'accept-encoding': 'gzip' }],
      [urlOf(operation, longQuery(operation)), { 'accept-encoding': 'br' }],
      [full, { 'x-locale': 'ro' }],
      [`${full}&nonsense=1`, {}],
      [urlOf(operation, ''), {}],
    ] as const) {
      const [get, head] = [await api.get(url, headers), await api.request('HEAD', url, headers)]
      expect(head.status, url).toBe(get.status)
      // The body of an error has the request's own id in it, always as long.
      expect(withoutVolatile(head), url).toEqual(withoutVolatile(get))
      expect(head.text).toBe('')
    }
  })

  it('is in no error', async () => {
    const answer = await api.get(urlOf(operation, { ...fullQuery(operation), nonsense: '1' }), {
      'if-none-match': '*',
    })
    expect(answer.status).toBe(400)
    expect(answer.headers).not.toHaveProperty('etag')
    expect(answer.headers['cache-control']).toBe('private, no-cache')
  })
})

/** Another value of a parameter, where there is one that is answered too. */
const CHANGED: Readonly<Record<string, string>> = {
  startDate: '2025-01-03',
  endDate: '2025-01-30',
  sessionId: 's-2',
  sessionIds: 's-1',
  sessionIdsExclude: 's-8',
  role: 'guest',
  status: 'paid',
  start: '2',
  length: '4',
  project: 'firstName',
  formatDates: 'false',
  includeGuestNames: 'false',
}

/** The same request in other words: parameters turned round, lists turned round, repeated, doubled. */
function sameRequests(operation: Operation, query: Query): string[] {
  const lists = Object.keys(query).filter((name) => operation.parameters[name]?.list)
  const turned = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      lists.includes(name) ? value.split(',').reverse().join(',') : value,
    ]),
  )
  const doubled = Object.entries(query).flatMap(([name, value]) =>
    lists.includes(name)
      ? value.split(',').flatMap((entry) => [
          [name, entry],
          [name, entry],
        ])
      : [[name, value]],
  )
  return [
    text(Object.fromEntries(Object.entries(query).reverse())),
    text(turned),
    new URLSearchParams(doubled).toString(),
    text(query).replaceAll('%2C', ','),
  ]
}

/** One whose answer is long enough to compress, where the operation has such. */
function longQuery(operation: Operation): Query {
  const { length, sessionIdsExclude, ...query } = plainQuery(operation)
  return query
}

const varyOf = (answer: TestAnswer) =>
  String(answer.headers.vary)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
