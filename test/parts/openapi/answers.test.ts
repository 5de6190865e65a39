/** The document held to the service: what it describes is served, and what is served it describes. */
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/core/locale/languages.ts'
import { GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import type { Operation } from '../../../src/core/request/operation.ts'
import { demoRecords, EXAMPLE_ORDER_UUID } from '../../../src/parts/demo/demo-records.ts'
import { ARCHIVED_ORDER_UUID } from '../../../src/parts/openapi/archived-session.ts'
import { answerExample, EXAMPLE_CURSOR, PARAMETER_EXAMPLES } from '../../../src/parts/openapi/examples.ts'
import { answerName } from '../../../src/parts/openapi/schemas.ts'
import { OPERATIONS } from '../../../src/parts.ts'
import { startTestApi, type TestAnswer, type TestApi } from '../../support/api.ts'
import { schemaChecker } from '../../support/json-schema.ts'

const TODAY = '2026-05-14'

let api: TestApi
let problemsOf: ReturnType<typeof schemaChecker>

beforeAll(async () => {
  api = await startTestApi({ records: [...demoRecords({ today: TODAY })], now: `${TODAY}T09:00:00Z` })
  problemsOf = schemaChecker((await api.as(undefined).get('/v1/openapi.json')).body)
})

/** Of a type that has no schema, that it is of this type. */
const problemsIn = (operation: Operation, { headers, body }: TestAnswer) =>
  operation.type === undefined
    ? problemsOf(answerName(operation), body)
    : headers['content-type'] === operation.type
      ? []
      : [headers['content-type']]

const YEAR = 'startDate=2026-01-01&endDate=2026-12-31'
// What is in one language is in each: a month of it is enough where all languages are asked.
const MONTH = 'startDate=2026-05-01&endDate=2026-05-31'
const ALL_FIELDS = [
  ...GUEST_FIELDS.map((field) => field.name),
  'meta.dietaryPreference',
  'meta.consentSignedOn',
]

/** What nobody of the archived session has, such as a room, is found among the current guests of the demo. */
const FOUND_THIS_YEAR = ['room']

/** Requests of each operation that reach every branch of its schema. */
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  listGuests: [
    `/guests?${YEAR}`,
    `/guests?${YEAR}&length=100&project=${ALL_FIELDS.join(',')}`,
    '/guests?sessionId=session-08&project=financial.deposit,financial.fullPayment',
    '/guests?sessionId=nobody',
  ],
  mealSkippingReport: [
    '/guests/meal-skipping-report?sessionId=session-08',
    `/guests/meal-skipping-report?${YEAR}`,
    '/guests/meal-skipping-report?sessionId=nobody',
  ],
  mealPortions: [
    '/meals/portions?sessionId=session-08',
    '/meals/portions?startDate=2026-01-01&endDate=2026-01-31&includeGuests=true',
    '/meals/portions?sessionId=nobody',
  ],
  mealSheet: ['/meals/sheets/2026-05-14', '/meals/sheets/2025-01-16'],
  listRooms: ['/rooms?date=2026-05-14', '/rooms?date=2025-01-16&length=100'],
  matchGuests: [`/guests/match?sessionId=session-08&name=Popescu+Ana`, `/guests/match?${YEAR}&name=Nobody`],
  search: ['/search?q=popescu', '/search?q=nobody'],
  listOrders: [
    `/orders?${YEAR}`,
    `/orders?${YEAR}&formatDates=true&includeGuestNames=true`,
    '/orders?startDate=1999-01-01&endDate=1999-01-02',
  ],
  getOrder: [
    `/orders/${EXAMPLE_ORDER_UUID}`,
    `/orders/${EXAMPLE_ORDER_UUID}?formatDates=true&includeGuestNames=true`,
    '/orders/order_123456',
  ],
  orderControl: [
    `/orders/control?${YEAR}`,
    `/orders/control?${YEAR}&includeGuestNames=true&includePayments=true`,
  ],
  listSessions: [`/sessions?${YEAR}`, `/sessions?${YEAR}&length=1&start=2`],
  sessionCalendar: ['/sessions.ics', `/sessions.ics?${YEAR}`],
  guestArrivals: ['/guests/arrivals.ics', `/guests/arrivals.ics?${YEAR}`],
  listContradictions: ['/contradictions?length=5', '/contradictions?severity=high&length=1'],
  listSources: ['/sources'],
  getSettings: ['/administration/settings'],
  listDevices: ['/administration/devices', '/administration/devices?ended=true&length=1'],
  listLinks: ['/administration/links', '/administration/links?ended=true&length=1'],
  listCenterSources: ['/administration/sources'],
  listReports: ['/administration/reports'],
  listWebhooks: ['/administration/webhooks'],
  listReads: [
    '/administration/reads?startDate=2025-01-01&endDate=2025-01-31',
    '/administration/reads?startDate=2025-01-01&endDate=2025-01-31&guest=b-1&length=1',
  ],
  listKeys: ['/administration/keys', '/administration/keys?ended=true&length=1'],
  listChanges: ['/changes', '/changes?kinds=orders'],
  getUsage: ['/usage', `/usage?${YEAR}`],
  getMe: ['/me'],
  listFields: ['/fields'],
}

/** A request of each operation for each status it can be made to answer with. */
const REFUSED: readonly [status: number, url: string, who: 'key' | 'nobody' | 'kitchen'][] = [
  [400, '/v1/guests', 'key'],
  [401, '/v1/guests', 'nobody'],
  [403, '/v1/guests?sessionId=a', 'kitchen'],
  [400, '/v1/guests/meal-skipping-report', 'key'],
  [404, '/v1/orders', 'key'],
  [404, '/v1/orders/00000000-0000-0000-0000-000000000000', 'key'],
  [400, '/v1/orders/6f1c2ba4-e88f-4a1e-9e6b-2a0f4d9f3c11?includeDetails=perhaps', 'key'],
  [400, '/v1/sessions?startDate=2025-02-30&lenght=5', 'key'],
  [404, '/v1/nothing', 'key'],
]

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    it.each(REQUESTS[name] ?? [])('answers GET %s as the document describes', async (url) => {
      const answer = await api.get(`/v1${url}`)
      expect(answer.status).toBe(200)
      expect(problemsIn(operation, answer)).toEqual([])
    })

    it.each(LANGUAGES)('answers in %s as the document describes', async (language) => {
      // Operations with a limit of their own take some requests of each key.
      const asker = api.as(await api.createKey({ center: 'demo' }))
      for (const url of REQUESTS[name] ?? []) {
        const answer = await asker.get(`/v1${url.replace(YEAR, MONTH)}`, { 'x-locale': language })
        expect(problemsIn(operation, answer), url).toEqual([])
      }
    })

    it('carries the headers the document lists', async () => {
      const limited = await api.createKey({ center: 'demo', perHour: null, perMinute: null })
      const url = `/v1${REQUESTS[name]?.[0]}`
      const proven = 'snapshot' in operation.parameters ? '&snapshot=true' : ''
      // The last page, or one beyond it, has the proof.
      const last = proven !== '' && 'start' in operation.parameters ? '&start=9999' : ''
      const answer = await api.as(limited).get(`${url}${proven}${last}`)
      for (const header of documentedHeaders(await openApi(), operation)) {
        expect(answer.headers, header).toHaveProperty(header.toLowerCase())
      }
    })
  },
)

describe('an example of the document', () => {
  it.each(
    OPERATIONS.flatMap((operation) => {
      const { request, answer } = answerExample(operation) ?? {}
      return request === undefined ? [] : [[operation.name, request, answer] as const]
    }),
  )('of %s is what the demo center answers', async (_, request, answer) => {
    const { body } = await api.get(`/v1${request}`)
    // Each database signs its own.
    expect('cursor' in body ? { ...body, cursor: EXAMPLE_CURSOR } : body).toEqual(answer)
  })

  it.each(
    OPERATIONS.flatMap((operation) =>
      Object.keys(operation.parameters)
        .filter((name) => name !== 'after' && name !== 'changedAfter')
        .map((name) => [operation, name] as const),
    ),
  )('of a parameter finds something: $0.name $1', async (one, name) => {
    const { name: operation, paths } = one
    const { request } = answerExample(one) ?? { request: '?startDate=2025-01-01&endDate=2025-01-31' }
    const isOfThisYear = FOUND_THIS_YEAR.includes(name)
    const query = new URLSearchParams(isOfThisYear ? YEAR : request?.split('?')[1])
    const example = PARAMETER_EXAMPLES[`${operation}.${name}`] ?? PARAMETER_EXAMPLES[name]
    if (example !== undefined) query.set(name, String(example))
    const isOfDays = request === undefined && one.required?.includes('startDate')
    if (name === 'startDate' || name === 'endDate' || isOfDays) {
      query.set('startDate', String(PARAMETER_EXAMPLES.startDate))
      query.set('endDate', String(PARAMETER_EXAMPLES.endDate))
    }
    const path = paths[0]
      .replace('{uuid}', ARCHIVED_ORDER_UUID)
      .replace('{day}', String(PARAMETER_EXAMPLES.day))
    const answer = await api.as(await api.createKey({ center: 'demo' })).get(`/v1${path}?${query}`)
    expect(answer.status).toBe(200)
    // What depends on who asks has nothing of the demo in it.
    if (request === undefined) return
    if (isOfThisYear) return expect(answer.body.total).toBeGreaterThan(0)
    expect(answer.text).toMatch(
      /UID:(session|arrivals).*2025-01|2025-1"|2025-01"|2025-W-1|01\/15\/2025|3b1f8a54|Ioana|room-1|"cursor"/,
    )
  })
})

describe('an error', () => {
  it.each(REFUSED)('with %i of GET %s is as the document describes', async (status, url, who) => {
    const kitchen = await api.createKey({ center: 'demo', scopes: ['meals'] })
    const asker = { key: api, nobody: api.as(undefined), kitchen: api.as(kitchen) }[who]
    const answer = await asker.get(url)
    expect(answer.status).toBe(status)
    expect(problemsOf('Error', answer.body)).toEqual([])
  })
})

describe('GET /openapi.json', () => {
  it('is the same with and without the prefix, and needs no credentials', async () => {
    const [withPrefix, without] = await Promise.all([
      api.as(undefined).get('/v1/openapi.json'),
      api.as(undefined).get('/openapi.json'),
    ])
    expect(withPrefix.status).toBe(200)
    expect(withPrefix.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(without.text).toBe(withPrefix.text)
  })

  it('may be cached by anybody, and is not sent again while it is the same', async () => {
    const first = await api.as(undefined).get('/v1/openapi.json')
    expect(first.headers['cache-control']).toBe('public, max-age=300')
    const again = await api
      .as(undefined)
      .get('/v1/openapi.json', { 'if-none-match': String(first.headers.etag) })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })

  it('holds nothing of any center', async () => {
    const { text } = await api.as(undefined).get('/v1/openapi.json')
    expect(text).not.toContain('Izvorul Alb Wellness')
  })
})

describe('GET /', () => {
  it('tells a program where the document is', async () => {
    const answer = await api.as(undefined).get('/', { accept: '*/*' })
    expect(answer.status).toBe(200)
    expect(answer.headers.vary).toBe('Accept')
    const { openapi, documentation } = answer.body
    expect((await api.as(undefined).get(String(openapi))).body).toHaveProperty('paths')
    expect((await api.as(undefined).get(String(documentation))).text).toContain('<!doctype html>')
  })

  it('shows a person where staff and programmers go, and every link leads somewhere', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const answer = await api.as(undefined).get('/', { accept })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.text).not.toContain('Izvorul Alb')
    const links = [...answer.text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href)
    expect(links).toEqual(expect.arrayContaining(['console', 'docs', 'docs/guide', 'v1/openapi.json']))
    for (const href of links) expect((await api.as(undefined).get(`/${href}`)).status, href).toBe(200)
  })
})

interface Headers {
  paths: Record<string, { get: { responses: Record<string, { headers: Record<string, unknown> }> } }>
}

async function openApi(): Promise<Headers> {
  const { text } = await api.as(undefined).get('/v1/openapi.json')
  return JSON.parse(text)
}

function documentedHeaders(document: Headers, operation: Operation): string[] {
  return Object.keys(document.paths[operation.paths[0]]?.get.responses[200]?.headers ?? {})
}
