/** Answers are fast and never stale: ETag, 304, and what changes them. On every operation. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import { guest, stay } from '../support/world.ts'

let now = Date.parse('2026-05-14T20:59:59Z')
let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: OPERATION_RECORDS, clock: () => now })
})
const URL = '/v1/guests?sessionId=s1'

describe('200', () => {
  it.each(OPERATION_REQUESTS)(
    'interface, freshness: $path carries an ETag and may be cached privately only',
    async ({ url }) => {
      const answer = await api.get(url)
      expect(answer.headers.etag).toMatch(/^"[\w-]+"$/)
      expect(answer.headers['cache-control']).toContain('private')
      const vary = String(answer.headers.vary).toLowerCase()
      for (const name of [
        'authorization',
        'x-api-app-id',
        'x-api-public-key',
        'x-api-secret-key',
        'x-locale',
      ]) {
        expect(vary).toContain(name)
      }
    },
  )
  it.each(OPERATION_REQUESTS)(
    'interface, freshness: a browser keeps no answer of $path, and its ETag leads to a 304 all the same',
    async ({ url }) => {
      const browser = { 'sec-fetch-mode': 'cors' }
      const answer = await api.get(url, browser)
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'private, no-store'])
      const again = await api.get(url, { ...browser, 'if-none-match': String(answer.headers.etag) })
      expect([again.status, again.headers['cache-control']]).toEqual([304, 'private, no-store'])
    },
  )
  it.each(['csv', 'ndjson', 'xlsx'])('interface, freshness: a browser keeps no file: %s', async (format) => {
    const url = `${URL}&format=${format}`
    const { headers } = await api.get(url, { 'sec-fetch-mode': 'navigate' })
    expect(headers['cache-control']).toBe('private, no-store')
    expect((await api.get(url)).headers['cache-control']).toBe('private, no-cache')
  })
  // The feed says that something changed and never what, and a sheet that some numbers did; both have tests of their own.
  // The others show no records.
  const NO_RECORDS = [
    'listChanges',
    'mealSheet',
    'getUsage',
    'getMe',
    'listFields',
    'listSources',
    'listKeys',
    'listDevices',
    'getSettings',
    'listLinks',
    'listCenterSources',
    'listReports',
    'listWebhooks',
    'listReads',
    'listContradictions',
  ]
  it.each(OPERATION_REQUESTS.filter(({ name }) => !NO_RECORDS.includes(name)))(
    'interface, freshness: a change of any record shows at once on $path, under a new ETag',
    async ({ url }) => {
      const own = await api.newCenter(OPERATION_RECORDS)
      const before = await own.get(url)
      await own.get(url)
      await api.database.runScript(`
      update customers set first_name = 'Changed' where center_id = '${own.id}';
      update bookings set accommodation = '{"roomId": "Changed"}' where center_id = '${own.id}';
      update sessions set name = 'Changed' where center_id = '${own.id}';
      update orders set notes = 'Changed', payment_status = 'changed' where center_id = '${own.id}'`)
      const after = await own.get(url)
      expect(after.text).toMatch(/changed/i)
      expect(after.headers.etag).not.toBe(before.headers.etag)
      expect((await own.get(url, { 'if-none-match': String(before.headers.etag) })).status).toBe(200)
    },
  )
  it('interface, freshness: a changed name of the center shows at once on /me', async () => {
    const own = await api.newCenter([])
    const before = await own.get('/v1/me')
    await api.database.runScript(`update centers set name = 'Changed' where center_id = '${own.id}'`)
    const after = await own.get('/v1/me')
    expect(after.text).toContain('"Changed"')
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })
  it('interface, freshness: a changed setting of the center shows at once', async () => {
    const own = await api.newCenter(OPERATION_RECORDS)
    const url = `${URL}&project=centerName,startDate`
    expect((await own.get(url)).body.data[0]).toMatchObject({
      centerName: 'Izvorul Alb',
      startDate: '01/06/2025',
    })
    await api.database.runScript(`
      update centers set name = 'New name', locale = 'ro', maximum_page_length = 10 where center_id = '${own.id}'`)
    expect((await own.get(url)).body.data[0]).toMatchObject({
      centerName: 'New name',
      startDate: '06.01.2025',
    })
    expect((await own.get(`${url}&length=11`)).status).toBe(400)
  })
  it('interface, freshness: another center’s change leaves the ETag as it is', async () => {
    const own = await api.newCenter(OPERATION_RECORDS)
    const before = await own.get(URL)
    await api.newCenter(stay('x', '2025-01-10', '2025-01-15'))
    expect((await own.get(URL)).headers.etag).toBe(before.headers.etag)
  })
  it('interface, freshness: one language is never answered with another’s', async () => {
    const romanian = await api.get(URL, { 'x-locale': 'ro' })
    const english = await api.get(URL, { 'if-none-match': String(romanian.headers.etag) })
    expect(english.status).toBe(200)
    expect(english.headers.etag).not.toBe(romanian.headers.etag)
  })
  it('interface, freshness: many at once get the same answer', async () => {
    const own = await api.newCenter(OPERATION_RECORDS)
    const answers = await Promise.all(Array.from({ length: 50 }, () => own.get(URL)))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
  })
})

describe('304', () => {
  it.each(OPERATION_REQUESTS)(
    'interface, freshness: $path unchanged is a 304 without a body',
    async ({ url }) => {
      const { etag = '' } = (await api.get(url)).headers
      for (const given of [`${etag}`, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await api.get(url, { 'if-none-match': given })
        expect(answer.status, given).toBe(304)
        expect(answer.text).toBe('')
        expect(answer.headers.etag).toBe(etag)
        expect(answer.headers['cache-control']).toContain('private')
        expect(answer.headers.vary).toBeDefined()
      }
      expect((await api.request('HEAD', url, { 'if-none-match': String(etag) })).status).toBe(304)
    },
  )
  it('interface, freshness: whatever the ETag’s characters, an unchanged answer is a 304, compressed or not', async () => {
    for (let start = 1; start <= 40; start++) {
      const url = `${URL}&start=${start}`
      const { etag = '' } = (await api.get(url)).headers
      expect((await api.get(url, { 'if-none-match': String(etag) })).status, String(etag)).toBe(304)
      const packed = String(etag).replace(/"$/, '-gzip"')
      expect((await api.get(url, { 'if-none-match': packed })).status, packed).toBe(304)
      expect((await api.get(url, { 'if-none-match': String(etag).replace(/^"./, '"_') })).status).toBe(
        String(etag).startsWith('"_') ? 304 : 200,
      )
    }
  })
  it('interface, freshness: the ETag is the same for every key that may make the request', async () => {
    const { etag = '' } = (await api.get(URL)).headers
    const other = api.as(await api.createKey({ scopes: ['guests'] }))
    expect((await other.get(URL, { 'if-none-match': String(etag) })).status).toBe(304)
  })
  it('interface, freshness: a paginated 304 leads on to the next page all the same', async () => {
    const { etag = '', link } = (await api.get(URL)).headers
    const answer = await api.get(URL, { 'if-none-match': String(etag) })
    expect(answer.headers.link).toBe(link)
  })
  it('ruling 7: a 304 is given to nobody without credentials, and to no other center', async () => {
    const { etag = '' } = (await api.get(URL)).headers
    expect((await api.as(undefined).get(URL, { 'if-none-match': String(etag) })).status).toBe(401)
    const other = await api.newCenter(OPERATION_RECORDS)
    expect((await other.get(URL, { 'if-none-match': String(etag) })).status).toBe(200)
  })
  it('ruling 25: at the center’s midnight an answer is a new one', async () => {
    const own = await api.newCenter(guest('b1', {}, { dob: '1980-05-15' }))
    const url = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=age'
    const { etag = '' } = (await own.get(url)).headers
    expect((await own.get(url, { 'if-none-match': String(etag) })).status).toBe(304)
    now += 1000
    expect((await own.get(url, { 'if-none-match': String(etag) })).status).toBe(200)
    now -= 1000
  })
})
