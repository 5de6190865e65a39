/** What a client sends is decoded once, has bounds, and is only ever a value. */
import { beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/parts.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: OPERATION_RECORDS })
})

const WEEK = 'startDate=2025-01-06&endDate=2025-01-12'
const messagesOf = (answer: Awaited<ReturnType<TestApi['get']>>) =>
  (answer.body.error.details ?? []).map(({ message }) => message).join(' ')

it('what is encoded twice is decoded once, in the query and in the path', async () => {
  const query = await api.get('/v1/guests?sessionId=%2573%2531')
  expect(query.status).toBe(400)
  expect(messagesOf(query)).toContain('"%73%31"')
  expect((await api.get('/v1/guests?sessionId=%73%31')).body.total).toBe(1)
  expect((await api.get('/v1/orders/order%255F1')).status).not.toBe(200)
  expect((await api.get('/v1/orders/order%5F1')).status).toBe(200)
  expect((await api.get('/v1/%2567uests?sessionId=s1')).status).toBe(404)
})

describe('a number', () => {
  const numbers = OPERATIONS.flatMap(({ name, parameters }) =>
    Object.entries(parameters)
      .filter(([, { schema }]) => schema.type === 'integer')
      .map(([parameter]) => ({ name, parameter })),
  )
  const BEYOND = [
    '-1',
    '0',
    '2147483648',
    '9007199254740993',
    '1e9',
    '1e400',
    '0x10',
    'NaN',
    '1.5',
    '+1',
    '٣',
  ]

  it('is a parameter of several operations', () => expect(numbers.length).toBeGreaterThan(5))

  it.each(numbers)('$parameter of $name is refused beyond its bounds, and never rounded', async (one) => {
    const request = OPERATION_REQUESTS.find(({ name }) => name === one.name)
    for (const value of BEYOND) {
      const { url, query } = request!
      const given = query.includes(`${one.parameter}=`)
        ? url.replace(new RegExp(`${one.parameter}=[^&]*`), `${one.parameter}=${encodeURIComponent(value)}`)
        : `${url}&${one.parameter}=${encodeURIComponent(value)}`
      const answer = await api.get(given)
      // 2147483648 is a page that does not exist, and an empty one where pages are counted.
      const isEmptyPage = answer.status === 200 && one.parameter === 'start' && Number(value) > 2 ** 31 - 1
      if (!isEmptyPage)
        expect([value, answer.status]).toEqual([value, one.parameter === 'wait' && value === '0' ? 200 : 400])
    }
  })
})

it('a name of every object is a parameter, a field and a session like any other that does not exist', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__']) {
    const unknown = await api.get(`/v1/guests?sessionId=s1&${name}=1`)
    expect([name, unknown.status, unknown.body.error.details?.[0]?.parameter]).toEqual([name, 400, name])
    const field = await api.get(`/v1/guests?sessionId=s1&project=${name}`)
    expect([name, field.status]).toEqual([name, 400])
    const custom = await api.get(`/v1/guests?sessionId=s1&project=meta.${name}`)
    expect([name, custom.status]).toEqual([name, 400])
    expect((await api.get(`/v1/guests?sessionId=${name}`)).body.total).toBe(0)
    expect((await api.get(`/v1/sessions?${WEEK}&lang=${name}`)).status).toBe(400)
  }
  expect(Object.keys(Object.prototype)).toEqual([])
})

it('the addresses of other pages have what was sent, encoded', async () => {
  const q = `Pop & "co" #1 %41 +<script> javascript:alert(1)`
  const answer = await api.get(`/v1/guests?sessionId=s1&length=1&q=${encodeURIComponent(q)}`)
  expect(answer.status).toBe(200)
  const links = [...String(answer.headers.link).matchAll(/<([^>]*)>; rel="?(\w+)/g)]
  expect(links.map(([, , relation]) => relation)).toContain('first')
  for (const [, address = ''] of links) {
    const { protocol, searchParams, hash } = new URL(address)
    expect([protocol, searchParams.get('q'), hash]).toEqual(['http:', q, ''])
    expect([...searchParams.keys()].sort()).toEqual(['length', 'q', 'sessionId', 'start'])
  }
})

it.each(OPERATION_REQUESTS)('the answer of $path says its own length, and only once', async ({ url }) => {
  const { headers, rawPayload } = await api.app.inject({ url, headers: api.key.headers })
  expect(headers['content-length']).toBe(String(rawPayload.length))
  expect(headers['transfer-encoding']).toBeUndefined()
})

describe('nothing is listed', () => {
  it.each([
    '/console/words',
    '/console/words/',
    '/console/src/',
    '/docs/',
    '/docs/assets/',
    '/docs/guide/assets/',
    '/links/',
    '/v1/',
    '/intake/',
    '/.well-known/',
    '/src/',
    '/test/',
    '/node_modules/',
  ])('%s is no list of files', async (url) => {
    const { status, text } = await api.as(undefined).get(url)
    expect([url, status < 300 && /<a |\["/.test(text) && !/<html/.test(text)]).toEqual([url, false])
    expect(text).not.toMatch(/Index of|directory listing/i)
  })

  it.each([
    '/.git/config',
    '/.git/HEAD',
    '/.env',
    '/package.json',
    '/package-lock.json',
    '/src/main.ts',
    '/docs/../package.json',
    '/docs/guide/..%2f..%2fpackage.json',
    '/console/main.ts',
    '/console/main.js.map',
    '/docs/reference.js.bak',
    '/docs/reference.ts',
    '/docs/guide/security.md~',
    '/sojourn-data/PG_VERSION',
  ])('%s is not served: only files that are known by name are', async (url) => {
    const { status, text } = await api.as(undefined).get(url)
    expect([url, status]).toEqual([url, 404])
    expect(JSON.parse(text).error.code).toBe('NOT_FOUND')
  })
})
