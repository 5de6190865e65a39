import { beforeAll, describe, expect, it } from 'vitest'
import { PROJECTABLE_NAMES } from '../../../src/core/api/guests/projection.ts'
import { guestIds, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { sendLines } from '../../support/socket.ts'
import { guest } from '../../support/world.ts'

const RANGE = 'startDate=2025-01-01&endDate=2025-12-31'
const name = (n: number) => `g${String(n).padStart(3, '0')}`

/** So many guests, one a day from 1 January 2025. */
const guests = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    guest(name(n), {
      startDate: new Date(Date.UTC(2025, 0, 1 + n, 12)).toISOString(),
      endDate: new Date(Date.UTC(2025, 0, 2 + n, 8)).toISOString(),
    }),
  ).flat()

/** Where requests inside of the process come from. */
const HERE = 'http://localhost:80'

const linksOf = (header: unknown): Record<string, string> =>
  Object.fromEntries(
    [...String(header).matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, relation]) => [relation, url]),
  )

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: guests(123) })
})

describe('200', () => {
  const page = (query: string) => api.get(`/v1/guests?${RANGE}&project=id&${query}`)
  const ids = async (query: string) => (await page(query)).body.data.map((record) => record.id)

  it('interface, length: 50 results a page unless asked otherwise', async () => {
    const answer = await api.get(`/v1/guests?${RANGE}`)
    expect(answer.body.data).toHaveLength(50)
    expect(answer.body.total).toBe(123)
  })
  it('interface, start: pages are counted from 1, and 1 is the default', async () => {
    expect(await ids('length=10')).toEqual(Array.from({ length: 10 }, (_, n) => name(n)))
    expect(await ids('start=1&length=10')).toEqual(await ids('length=10'))
    expect(await ids('start=2&length=10')).toEqual(Array.from({ length: 10 }, (_, n) => name(10 + n)))
  })
  it('interface, total: the number of records in all pages, the same on every page', async () => {
    for (const start of [1, 2, 3, 13]) expect((await page(`start=${start}&length=10`)).body.total).toBe(123)
  })
  it('interface, length: 100 results a page are answered', async () => {
    expect(await ids('length=100')).toHaveLength(100)
    expect(await ids('length=100&start=2')).toHaveLength(23)
  })
  it.each([1, 7, 50, 100])(
    'ruling 18: reading all pages of %i gives every guest once, in order',
    async (length) => {
      const read: unknown[] = []
      for (let start = 1; ; start++) {
        const found = await ids(`start=${start}&length=${length}`)
        if (found.length === 0) break
        read.push(...found)
      }
      expect(read).toEqual(Array.from({ length: 123 }, (_, n) => name(n)))
    },
  )
  it('ruling 18: a page past the end is empty with the true total', async () => {
    for (const start of [4, 5, 999_999_999]) {
      expect((await page(`start=${start}&length=50`)).body).toEqual({ data: [], total: 123 })
    }
  })
  it('ruling 18: guests are sorted by start of stay, then by identifier, byte by byte', async () => {
    const own = await api.newCenter([
      ...guest('b', { startDate: '2025-01-10T14:00' }),
      ...guest('a', { startDate: '2025-01-10T14:00' }),
      ...guest('B', { startDate: '2025-01-10T14:00' }),
      ...guest('a-1', { startDate: '2025-01-10T14:00' }),
      ...guest('a1', { startDate: '2025-01-10T14:00' }),
      ...guest('z', { startDate: '2025-01-09T14:00' }),
      ...guest('10', { startDate: '2025-01-10T14:00' }),
      ...guest('9', { startDate: '2025-01-10T14:00' }),
    ])
    const expected = ['z', '10', '9', 'B', 'a', 'a-1', 'a1', 'b']
    expect(await guestIds(own, RANGE)).toEqual(expected)
    const read: unknown[] = []
    for (let start = 1; start <= 8; start++) {
      const answer = await own.get(`/v1/guests?${RANGE}&project=id&length=1&start=${start}`)
      read.push(answer.body.data[0]?.id)
    }
    expect(read).toEqual(expected)
  })
  it('ruling 19: the center may set another maximum', async () => {
    const own = await api.newCenter(guests(123), { maximumPageLength: 120 })
    expect((await own.get(`/v1/guests?${RANGE}&length=120`)).body.data).toHaveLength(120)
    expect((await own.get(`/v1/guests?${RANGE}&length=121`)).status).toBe(400)
  })
  it('ruling 19: a center whose maximum is below 50 gets pages of its maximum where no length is sent', async () => {
    const own = await api.newCenter(guests(25), { maximumPageLength: 20 })
    const answer = await own.get(`/v1/guests?${RANGE}`)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toHaveLength(20)
    expect(answer.body.total).toBe(25)
  })
  it('ruling 19a: Link leads to the first, previous, next and last page', async () => {
    const at = (start: number) => `${HERE}/v1/guests?${RANGE}&project=id&length=50&start=${start}`
    const links = async (start: number) => linksOf((await page(`length=50&start=${start}`)).headers.link)
    expect(await links(1)).toEqual({ first: at(1), next: at(2), last: at(3) })
    expect(await links(2)).toEqual({ first: at(1), prev: at(1), next: at(3), last: at(3) })
    expect(await links(3)).toEqual({ first: at(1), prev: at(2), last: at(3) })
  })
  it('ruling 19a: from a page past the end Link leads back to the last one', async () => {
    const links = linksOf((await page('length=50&start=9')).headers.link)
    expect(links.prev).toBe(`${HERE}/v1/guests?${RANGE}&project=id&length=50&start=3`)
    expect(links.next).toBeUndefined()
  })
  it('ruling 19a: following next from the first page gives every guest once', async () => {
    let url: string | undefined = `/v1/guests?${RANGE}&project=id&length=25&role=patient&project=email`
    const read: unknown[] = []
    while (url !== undefined) {
      const answer = await api.get(url)
      read.push(...answer.body.data.map((record) => record.id))
      url = linksOf(answer.headers.link).next
    }
    expect(read).toEqual(Array.from({ length: 123 }, (_, n) => name(n)))
  })
  it('ruling 19a: Link keeps every other parameter, escaped, and the form of the path', async () => {
    const query =
      'startDate=2025-01-01T00%3A00%3A00%2B02%3A00&endDate=2025-12-31&length=100&project=id,firstName'
    const links = linksOf((await api.get(`/guests?${query}`)).headers.link)
    const next = new URL(links.next ?? '', 'http://x')
    expect(next.pathname).toBe('/guests')
    expect(Object.fromEntries(next.searchParams)).toEqual({
      startDate: '2025-01-01T00:00:00+02:00',
      endDate: '2025-12-31',
      length: '100',
      project: 'id,firstName',
      start: '2',
    })
  })
  it('ruling 19a: Link is built from the path as the service knows it and the Host of the request, never from another form', async () => {
    const query = `${RANGE}&length=50&start=2`
    const headers = Object.entries(api.key.headers).map(([header, value]) => `${header}: ${value}`)
    for (const target of ['http://evil.example/v1/guests', '/v1/guests/']) {
      const { status, head } = await sendLines(api.app, [
        `GET ${target}?${query} HTTP/1.1`,
        'Host: localhost',
        ...headers,
        '',
        '',
      ])
      expect(status).toBe(200)
      const links = linksOf(/^link: (.*)$/im.exec(head)?.[1])
      expect(links.next).toBe(`http://localhost/v1/guests?${RANGE}&length=50&start=3`)
      expect(head).not.toContain('evil')
    }
  })
  it('ruling 19a: Link names the host of each request, also where one cached answer is sent to several', async () => {
    const url = `/v1/guests?${RANGE}&project=id&length=50&start=2`
    for (const host of ['one.example.org', 'two.example.org:8443', '[::1]:80']) {
      for (let time = 0; time < 2; time += 1) {
        const links = linksOf((await api.get(url, { host })).headers.link)
        expect(links.first).toBe(`http://${host}/v1/guests?${RANGE}&project=id&length=50&start=1`)
      }
    }
  })
  it('ruling 19a: a Host that is no host does not get into Link', async () => {
    const link = String((await page('length=50&start=2')).headers.link)
    const { headers } = await api.get(`/v1/guests?${RANGE}&project=id&length=50&start=2`, {
      host: 'x>; rel="next", <http://evil.example',
    })
    expect(headers.link).toBe(link.replaceAll(HERE, ''))
  })
  it('ruling 19a: Link is under PUBLIC_URL, or believes a trusted proxy, and no other', async () => {
    const url = `/v1/guests?${RANGE}&project=id&length=50&start=2`
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.org' }
    const first = async (options: Parameters<typeof startTestApi>[0], headers = forwarded) => {
      const own = await startTestApi({ database: api.database, ...options })
      return linksOf((await own.as(api.key).get(url, headers)).headers.link).first?.split('/v1/')[0]
    }
    expect(await first({ app: { publicUrl: 'https://example.org/sojourn' } })).toBe(
      'https://example.org/sojourn',
    )
    expect(await first({ app: { trustedProxies: ['127.0.0.1'] } })).toBe('https://api.example.org')
    expect(await first({})).toBe(HERE)
  })
  it('ruling 19a: Link stays below 4 kB: commas as they are, then prev and next alone, then none', async () => {
    const names = PROJECTABLE_NAMES.join(',')
    const all = String((await page(`length=50&start=2&project=${names}`)).headers.link)
    expect(all.length).toBeLessThan(4096)
    expect(Object.keys(linksOf(all))).toEqual(['prev', 'next'])
    expect(all).toContain(`project=${names}`)
    const twice = await page(`length=50&start=2&project=${names},${names}`)
    expect(twice.status).toBe(200)
    expect(twice.headers.link).toBeUndefined()
    const few = await page('length=50&start=2&project=firstName%2CprogramId')
    expect(Object.keys(linksOf(few.headers.link))).toEqual(['first', 'prev', 'next', 'last'])
    expect(few.headers.link).toContain('project=firstName,programId')
  })
  it('ruling 19a: an empty answer has one page, its first and last', async () => {
    const answer = await api.get('/v1/guests?sessionId=nowhere')
    expect(linksOf(answer.headers.link)).toEqual({
      first: `${HERE}/v1/guests?sessionId=nowhere&start=1`,
      last: `${HERE}/v1/guests?sessionId=nowhere&start=1`,
    })
  })
})

describe('400', () => {
  it('ruling 19: length over the maximum is a 400 that names the maximum', async () => {
    const answer = await api.get(`/v1/guests?${RANGE}&length=101`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['length'])
    expect(answer.body.error.message).toContain('100')
  })
  it('ruling 19: start=0 is a 400 that says pages begin at 1', async () => {
    const answer = await api.get(`/v1/guests?${RANGE}&start=0`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['start'])
    expect(answer.body.error.message).toMatch(/pages .* from 1/)
  })
  it.each([
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '+1',
    ' 1',
    '1 ',
    'one',
    'NaN',
    'Infinity',
    '١',
    '1\u0000',
    '9223372036854775808',
    '99999999999999999999999999',
  ])('ruling 19: %j is no start and no length', async (text) => {
    for (const parameter of ['start', 'length']) {
      const answer = await api.get(`/v1/guests?${RANGE}&${parameter}=${encodeURIComponent(text)}`)
      expect(answer.status).toBe(400)
      expect(namedParameters(answer)).toEqual([parameter])
    }
  })
})
