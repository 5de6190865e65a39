/** Rulings 1 to 3: paths, methods, bodies, on every operation. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import { sendLines } from '../support/socket.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: OPERATION_RECORDS })
})

const headersOf = () => Object.entries(api.key.headers).map(([name, value]) => `${name}: ${value}`)

describe('200', () => {
  it.each(OPERATION_REQUESTS)('ruling 1: $path answers with and without /v1, alike', async ({ url }) => {
    const prefixed = await api.get(url)
    const bare = await api.get(url.slice('/v1'.length))
    expect(prefixed.status, prefixed.text).toBe(200)
    expect(bare.text).toBe(prefixed.text)
    expect(bare.headers.etag).toBe(prefixed.headers.etag)
  })
  it.each(OPERATION_REQUESTS)('ruling 9: $path with a trailing slash is the same path', async ({ url }) => {
    const plain = await api.get(url)
    const slashed = url.includes('?') ? url.replace('?', '/?') : `${url}/`
    for (const path of [slashed, slashed.slice('/v1'.length)]) {
      const answer = await api.get(path)
      expect(answer.status, path).toBe(200)
      expect(answer.text).toBe(plain.text)
      expect((await api.request('POST', path)).status, path).toBe(405)
    }
  })
  it('ruling 1: the report answers at both its paths, alike', async () => {
    const [first, second] = await Promise.all(
      ['meal-skipping-report', 'meal-skipping'].map((path) => api.get(`/v1/guests/${path}?sessionId=s1`)),
    )
    expect(first?.status).toBe(200)
    expect(second?.text).toBe(first?.text)
  })
  it.each(OPERATION_REQUESTS)(
    'ruling 2: HEAD $path has GET’s status and headers, and no body',
    async ({ url }) => {
      const get = await api.get(url)
      const head = await api.request('HEAD', url)
      expect(head.status).toBe(200)
      expect(head.text).toBe('')
      for (const name of [
        'content-type',
        'content-length',
        'etag',
        'link',
        'content-language',
        'cache-control',
        'vary',
      ]) {
        expect(head.headers[name], name).toEqual(get.headers[name])
      }
    },
  )
  it('ruling 2: HEAD over a connection is followed by the next answer, with nothing between', async () => {
    const { status, head, body } = await sendLines(api.app, [
      'HEAD /v1/guests?sessionId=s1 HTTP/1.1',
      'Host: localhost',
      ...headersOf(),
      '',
      'GET /v1/guests?sessionId=s1 HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      ...headersOf(),
      '',
      '',
    ])
    expect(status).toBe(200)
    expect(head).toMatch(/content-length: [1-9]/)
    expect(body === '' || body.startsWith('HTTP/1.1 200')).toBe(true)
  })
  it.each(OPERATION_REQUESTS)('ruling 3: $path answers UTF-8 JSON', async ({ url }) => {
    const answer = await api.get(url)
    // Whose address says so.
    const isCalendar = url.includes('.ics')
    expect(answer.headers['content-type']).toBe(
      isCalendar ? 'text/calendar; charset=utf-8' : 'application/json; charset=utf-8',
    )
    if (!isCalendar) expect(() => JSON.parse(answer.text)).not.toThrow()
  })
  it.each(OPERATION_REQUESTS)('ruling 3: a body on GET $path is ignored', async ({ url }) => {
    const plain = await api.get(url)
    for (const [type, body] of [
      ['application/json', '{"role":"patient"}'],
      ['application/json', '{broken'],
      ['text/plain', 'x'.repeat(100_000)],
      ['application/x-www-form-urlencoded', 'role=patient'],
      ['nonsense', ''],
    ] as const) {
      const answer = await api.request('GET', url, { 'content-type': type }, body)
      expect(answer.status, type).toBe(200)
      expect(answer.text).toBe(plain.text)
    }
  })
  it('ruling 3: a body is never waited for: the answer comes before it', async () => {
    const answer = await sendLines(api.app, [
      'GET /v1/guests?sessionId=s1 HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      'Content-Length: 1000000',
      ...headersOf(),
      '',
      '{"never": "finished',
    ])
    expect(answer.status).toBe(200)
    expect(answer.head).toMatch(/^connection: close$/im)
  })
  it('ruling 3: a Content-Type without a body is no obstacle', async () => {
    expect((await api.get('/v1/guests?sessionId=s1', { 'content-type': 'application/json' })).status).toBe(
      200,
    )
  })
  it('ruling 3: names in every script come through as they went in', async () => {
    const own = await api.newCenter([
      { kind: 'customer', id: 'c', firstName: 'Łukasz 😀 «ș»', lastName: 'Ελένη \u2028"\\' },
      {
        kind: 'booking',
        id: 'b',
        customerId: 'c',
        role: 'guest',
        status: 'paid',
        startDate: '2025-01-10',
        endDate: '2025-01-11',
      },
    ])
    const answer = await own.get('/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=name')
    expect(answer.body.data[0]?.name).toBe('Łukasz 😀 «ș» Ελένη \u2028"\\')
  })
})

describe('the documentation', () => {
  it('ruling 2: /docs/guide, its Markdown and /llms.txt are for everybody, and docs of an error leads to its section', async () => {
    const anybody = api.as(undefined)
    const { docs } = (await anybody.get('/v1/guests')).body.error
    const [page = '', section] = docs.split('#')
    expect((await anybody.get(page)).text).toContain(` id="${section}"`)
    expect((await anybody.get(`${page}.md`)).text).toContain('# Errors')
    for (const path of ['/docs/guide', '/docs/guide.md', '/llms.txt']) {
      expect((await anybody.get(path)).status, path).toBe(200)
    }
  })
})

describe('the console', () => {
  it('ruling 2: /console is for everybody, and a path below it that is none is a 404', async () => {
    const anybody = api.as(undefined)
    const page = await anybody.get('/console')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await anybody.get('/console/nothing')).body.error.code).toBe('NOT_FOUND')
  })
})

describe('400', () => {
  it('ruling 8: bytes that are no HTTP get the error body', async () => {
    const answer = await sendLines(api.app, ['NONSENSE', '', ''])
    expect(answer.status).toBe(400)
    const message = 'The request is not well-formed HTTP.'
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'INVALID_PARAMETER', message } })
    expect(answer.head).toMatch(/cache-control: private/i)
    const long = await sendLines(api.app, ['GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`, '', ''])
    expect([long.status, JSON.parse(long.body).error.message]).toEqual([
      431,
      expect.stringContaining('16 KiB'),
    ])
  })
  it.each([
    ['two', ['Host: one.example', 'Host: two.example']],
    ['no', []],
  ])('ruling 8: a request with %s Host headers is refused with the error body', async (_, hosts) => {
    const answer = await sendLines(api.app, [
      'GET /v1/guests?sessionId=s1 HTTP/1.1',
      ...hosts,
      ...headersOf(),
      '',
      '',
    ])
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { code: 'INVALID_PARAMETER', details: [{ parameter: 'Host' }] },
    })
  })
  it('ruling 8: an expectation that nobody knows is a 417 with the error body, and 100-continue is met', async () => {
    const send = (expectation: string) =>
      sendLines(api.app, [
        'GET /v1/guests?sessionId=s1 HTTP/1.1',
        'Host: localhost',
        `Expect: ${expectation}`,
        'Connection: close',
        ...headersOf(),
        '',
        '',
      ])
    const refused = await send('more-time')
    expect(refused.status).toBe(417)
    expect(refused.head).toMatch(/^cache-control: private/im)
    expect(JSON.parse(refused.body)).toMatchObject({
      error: { code: 'INVALID_PARAMETER', details: [{ parameter: 'Expect' }], requestId: expect.any(String) },
    })
    expect((await send('100-continue')).status).toBe(100)
  })
  it.each(['/v1/orders/%', '/v1/orders/%ZZ', '/v1/orders/%E0%A4%A', '/orders/%FF'])(
    'ruling 8: GET %s is not well-formed and gets the error body',
    async (url) => {
      const answer = await sendLines(api.app, [
        `GET ${url} HTTP/1.1`,
        'Host: localhost',
        ...headersOf(),
        '',
        '',
      ])
      expect(answer.status).toBe(400)
      const details = [{ parameter: 'path', message: expect.stringContaining('percent-encoded') }]
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'INVALID_PARAMETER', details } })
      expect(answer.head).toMatch(/cache-control: private/i)
    },
  )
})

describe('401', () => {
  it.each(['/v1/orders/%', '/v1/orders/%ZZ', '/orders/%FF'])(
    'ruling 7: GET %s without credentials is a 401 before it is malformed',
    async (url) => {
      const answer = await sendLines(api.app, [`GET ${url} HTTP/1.1`, 'Host: localhost', '', ''])
      expect(answer.status).toBe(401)
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    },
  )
  it.each(OPERATION_REQUESTS)('ruling 2: POST $path without credentials is a 401', async ({ url }) => {
    const answer = await api.as(undefined).request('POST', url)
    expect(answer.status).toBe(401)
    expect(answer.body.error.code).toBe('UNAUTHORIZED')
  })
})

describe('404', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v2/guests',
    '/v1/guest',
    '/v1/guests/1',
    '/v1/v1/guests',
    '/V1/guests',
    '/v1/Guests',
    '//v1/guests',
    '/v1/orders/a/b',
    '/v1/sessions/s1',
    '/favicon.ico',
    '/.env',
    '/v1/guests;x=1',
  ])('ruling 2: GET %s is no path: NOT_FOUND, without credentials too', async (url) => {
    for (const asker of [api, api.as(undefined)]) {
      const answer = await asker.get(url)
      expect(answer.status).toBe(404)
      expect(answer.body.error.code).toBe('NOT_FOUND')
      expect(answer.body.error.requestId).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'ruling 2: %s on a path that is none is a 404 too',
    async (method) => {
      expect((await api.as(undefined).request(method, '/v1/nothing')).status).toBe(404)
    },
  )
})

describe('405', () => {
  const METHODS = [
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'SEARCH',
    'QUERY',
    'LOCK',
    'PURGE',
  ]
  it.each(METHODS)(
    'ruling 2: %s on any path of the interface is METHOD_NOT_ALLOWED with Allow',
    async (method) => {
      for (const { url } of OPERATION_REQUESTS) {
        for (const form of [url, url.slice('/v1'.length)]) {
          const lines = [
            `${method} ${form} HTTP/1.1`,
            'Host: localhost',
            'Content-Length: 0',
            ...headersOf(),
            '',
            '',
          ]
          const answer = await sendLines(api.app, lines)
          expect(answer.status, form).toBe(405)
          expect(answer.head, form).toMatch(/^allow: GET, HEAD$/im)
          expect(JSON.parse(answer.body), form).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } })
        }
      }
    },
  )
  it('ruling 3: the body of a refused method is not read', async () => {
    const answer = await api.request(
      'POST',
      '/v1/guests?sessionId=s1',
      { 'content-type': 'application/json' },
      '{broken',
    )
    expect(answer.status).toBe(405)
  })
  it('ruling 2: X-HTTP-Method-Override changes nothing', async () => {
    expect(
      (await api.request('POST', '/v1/guests?sessionId=s1', { 'x-http-method-override': 'GET' })).status,
    ).toBe(405)
    expect((await api.get('/v1/guests?sessionId=s1', { 'x-http-method-override': 'DELETE' })).status).toBe(
      200,
    )
  })
})
