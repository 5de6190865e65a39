/** Rulings 7 and 8 on every operation: one body, all problems, and what never happens. */
import { beforeAll, describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { ERROR_CATALOGUE } from '../../src/core/errors/catalogue.ts'
import { startTestApi, type TestAnswer, type TestApi } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import { sendLines } from '../support/socket.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: OPERATION_RECORDS })
})

const JSON_TYPE = 'application/json; charset=utf-8'
function expectErrorBody(answer: TestAnswer, code: keyof typeof ERROR_CATALOGUE) {
  expect(answer.status, answer.text).toBe(ERROR_CATALOGUE[code].status)
  expect(answer.headers['content-type']).toBe(JSON_TYPE)
  expect(Object.keys(answer.body)).toEqual(['error'])
  const { error } = answer.body
  expect(error.code).toBe(code)
  expect(error.message).toMatch(/\w.*[.?]( \(and \d+ more; see details\))?$/)
  expect(error.requestId).toBe(answer.headers['x-request-id'])
  expect(error.docs).toBe(`/docs/guide/errors#${code.toLowerCase()}`)
  expect(
    Object.keys(error).filter((key) => !['code', 'message', 'details', 'requestId', 'docs'].includes(key)),
  ).toEqual([])
  for (const problem of error.details ?? []) {
    expect(Object.keys(problem)).toEqual(['parameter', 'message'])
    expect(problem.message).not.toBe('')
  }
  expect(answer.headers['cache-control']).toMatch(/private|no-store/)
  expect(answer.headers.vary).toMatch(/X-API-SECRET-KEY/i)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
}

describe('every error has the one body', () => {
  it('ruling 8: 400 INVALID_PARAMETER', async () => {
    expectErrorBody(await api.get('/v1/guests'), 'INVALID_PARAMETER')
  })
  it('ruling 8: 401 UNAUTHORIZED', async () => {
    expectErrorBody(await api.as(undefined).get('/v1/guests'), 'UNAUTHORIZED')
  })
  it('ruling 8: 403 FORBIDDEN', async () => {
    const key = await api.createKey({ scopes: ['sessions'] })
    expectErrorBody(await api.as(key).get('/v1/guests'), 'FORBIDDEN')
  })
  it('ruling 8: 404 NOT_FOUND', async () => {
    expectErrorBody(await api.get('/v1/orders'), 'NOT_FOUND')
    expectErrorBody(await api.get('/nothing'), 'NOT_FOUND')
    expectErrorBody(await api.get('/v1/orders/00000000-0000-0000-0000-000000000000'), 'NOT_FOUND')
  })
  it('ruling 8: 405 METHOD_NOT_ALLOWED', async () => {
    expectErrorBody(await api.request('DELETE', '/v1/guests'), 'METHOD_NOT_ALLOWED')
  })
  it('ruling 8: 429 RATE_LIMITED', async () => {
    const asker = api.as(await api.createKey({ perMinute: 1 }))
    await asker.get('/v1/guests?sessionId=s1')
    const answer = await asker.get('/v1/guests?sessionId=s1')
    expectErrorBody(answer, 'RATE_LIMITED')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  })
  it('ruling 8: 500 INTERNAL tells nothing of what went wrong, 503 UNAVAILABLE when to come again', async () => {
    const own = await startTestApi({ records: OPERATION_RECORDS })
    await own.get('/v1/guests?sessionId=s1')
    await own.database.runScript('alter table booking_sessions rename column role to role_secret')
    const broken = await own.get('/v1/guests?sessionId=s1&start=2')
    expectErrorBody(broken, 'INTERNAL')
    expect(broken.text).not.toMatch(/column|role|select|postgres|\bat\b .*\.ts/i)
    // A key that was never used: of one that was, enough may be known to answer from memory.
    const unknown = own.as(await own.createKey())
    own.database.queryReserved = () => Promise.reject(new DatabaseUnavailable('gone'))
    const away = await unknown.get('/v1/guests?sessionId=s1')
    expectErrorBody(away, 'UNAVAILABLE')
    expect(away.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(away.text).not.toContain('gone')
  })
  it('ruling 8: docs leads to the section about the code, at the public address where there is one', async () => {
    const app = { publicUrl: 'https://api.example.org/sojourn' }
    const own = await startTestApi({ database: api.database, app })
    const section = 'https://api.example.org/sojourn/docs/guide/errors#invalid_parameter'
    expect((await own.get('/v1/guests')).body.error.docs).toBe(section)
    const expectation = ['GET / HTTP/1.1', 'Host: localhost', 'Expect: more-time', '', '']
    for (const lines of [['NONSENSE', '', ''], expectation]) {
      expect(JSON.parse((await sendLines(own.app, lines)).body).error.docs).toBe(section)
    }
  })
  it('ruling 8: HEAD has an error’s status and headers, and no body', async () => {
    const answer = await api.request('HEAD', '/v1/guests')
    expect(answer).toMatchObject({ status: 400, text: '' })
    expect(answer.headers['content-type']).toBe(JSON_TYPE)
  })
  it('ruling 8: every answer has a request ID of its own, which a client cannot set', async () => {
    const [first, second] = [await api.get('/nothing'), await api.get('/nothing', { 'x-request-id': 'mine' })]
    expect(first.body.error.requestId).not.toBe(second.body.error.requestId)
    expect(second.text).not.toContain('mine')
  })
})

describe('400', () => {
  it.each(OPERATION_REQUESTS)(
    'ruling 9: on $path an unknown parameter is refused by its name',
    async ({ url }) => {
      const answer = await api.get(`${url}&colour=red`)
      expectErrorBody(answer, 'INVALID_PARAMETER')
      expect(answer.body.error.details).toHaveLength(1)
      expect(answer.body.error.details?.[0]?.parameter).toBe('colour')
    },
  )
  it.each(OPERATION_REQUESTS.filter(({ query }) => query !== ''))(
    'ruling 9: on $path an empty and a repeated parameter are refused',
    async ({ url, query }) => {
      const [pair = ''] = query.split('&')
      const [name = ''] = pair.split('=')
      expectErrorBody(await api.get(`${url}&${pair}`), 'INVALID_PARAMETER')
      const empty = await api.get(url.replace(pair, `${name}=`))
      expectErrorBody(empty, 'INVALID_PARAMETER')
      expect(empty.body.error.details?.some((problem) => problem.parameter === name)).toBe(true)
    },
  )
  it.each(OPERATION_REQUESTS)(
    'ruling 8: on $path nothing in any parameter makes a 500',
    async ({ url, parameters }) => {
      const texts = [
        '\u0000',
        'a\u0000b',
        '\ud800',
        'x'.repeat(70_000),
        "'; drop table bookings; --",
        '$' + '{7*7}',
        'now',
        'infinity',
        'NaN',
        '9223372036854775808',
        '2025-01-01T00:00:00+99:00',
        '2025-02-30',
        '%',
        '\\',
        '"',
        '[]',
        '{}',
        '\r\nX-Injected: 1',
      ]
      const names = [
        'startDate',
        'endDate',
        'sessionId',
        'sessionIds',
        'sessionIdsExclude',
        'role',
        'status',
        'start',
        'length',
        'project',
        'formatDates',
        'includeGuestNames',
      ]
      const [path = ''] = url.split('?')
      // What an operation does not know is refused by its name alone, whatever the name.
      const asked = ['\u0000', '__proto__', ...names.filter((name) => parameters.includes(name))]
      for (const text of texts) {
        // Operations with a limit of their own take some requests of each key.
        const asker = api.as(await api.createKey())
        for (const name of asked) {
          // A word such as `now` is an identifier like any other.
          if (name.startsWith('sessionId') && /^[\w.:-]{1,64}$/.test(text)) continue
          const answer = await asker.get(`${path}?${new URLSearchParams({ [name]: text })}`)
          expect([400, 404], `${name}=${JSON.stringify(text).slice(0, 40)}`).toContain(answer.status)
          expect(answer.headers).not.toHaveProperty('x-injected')
        }
      }
    },
  )
  it('ruling 8: nothing of a header makes a 500', async () => {
    for (const header of [
      'x-locale',
      'if-none-match',
      'accept',
      'accept-encoding',
      'accept-language',
      'range',
      'origin',
      'x-forwarded-for',
    ]) {
      for (const text of ['', '*', '\u00ff\u00fe', 'x'.repeat(5000), '../../etc', '"', ',,,', 'W/"x", "y']) {
        const answer = await api.get('/v1/guests?sessionId=s1', { [header]: text })
        expect([200, 304], `${header}: ${text.slice(0, 20)}`).toContain(answer.status)
      }
    }
  })
})

describe('404', () => {
  it.each([
    ['/v1/guest', '/v1/guests'],
    ['/guest?sessionId=s1', '/v1/guests'],
    ['/v1/v1/orders', '/v1/orders'],
    ['/v1/Meal_Skipping_Report', '/v1/guests/meal-skipping-report'],
    ['/v1/guests/meal-skiping-report/', '/v1/guests/meal-skipping-report'],
    ['/wp-login.php', undefined],
    ['/v1/%3Cscript%3E', undefined],
    [`/v1/guests${'s'.repeat(200)}`, undefined],
  ])('names the path that %.40s was close to, and repeats nothing', async (url, close) => {
    const answer = await api.get(url)
    expectErrorBody(answer, 'NOT_FOUND')
    const end = close === undefined ? '.' : `. Did you mean ${close}?`
    expect(answer.body.error.message).toBe(
      `There is nothing at this path${end} The documentation lists all paths.`,
    )
  })

  it('ruling 7: one center never learns whether another’s identifier exists', async () => {
    const own = await api.newCenter([])
    for (const { name, url } of OPERATION_REQUESTS) {
      const theirs = await own.get(url)
      const nowhere = await own.get(url.replace('s1', 'nowhere').replace('order_1', 'order_9'))
      const strip = (answer: TestAnswer) => ({
        status: answer.status,
        text: answer.text.replaceAll(/order_\d/g, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ''),
      })
      expect(strip(theirs), name).toEqual(strip(nowhere))
    }
  })
})
