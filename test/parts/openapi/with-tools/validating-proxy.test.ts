/** Prism between a client and the demo: it holds requests and answers to the document, and complains of neither. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/core/locale/languages.ts'
import { GUEST_FIELDS } from '../../../../src/core/records/fields/guest-fields.ts'
import { BOOKING_STATUSES, ROLES } from '../../../../src/core/records/fields/statuses.ts'
import { demoRecords, EXAMPLE_ORDER_UUID } from '../../../../src/parts/demo/demo-records.ts'
import { ARCHIVED_ORDER_UUID } from '../../../../src/parts/openapi/archived-session.ts'
import { OPERATIONS } from '../../../../src/parts.ts'
import { startTestApi, type TestApi, type TestKey } from '../../../support/api.ts'
import { freePort } from '../../../support/free-port.ts'
import { startTool } from '../../../support/openapi-tools.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const TODAY = '2026-05-14'
const YEAR = 'startDate=2026-01-01&endDate=2026-12-31'

let api: TestApi
let administration: TestKey
let upstream: string
let document: string
let proxy: string

beforeAll(async () => {
  api = await startTestApi({ records: [...demoRecords({ today: TODAY })], now: `${TODAY}T09:00:00Z` })
  administration = await api.createKey({ center: 'demo', scopes: ['administration'] })
  upstream = await api.app.listen({ port: 0, host: '127.0.0.1' })
  document = (await api.as(undefined).get('/v1/openapi.json')).text
  proxy = await startProxy(document)
})

/** @returns its address; it takes paths as the document has them, and puts them behind the service's */
async function startProxy(text: string): Promise<string> {
  const file = join(makeTemporaryFolder(), 'openapi.json')
  writeFileSync(file, text)
  const port = await freePort()
  await startTool('prism', ['proxy', file, `${upstream}/v1`, `--port=${port}`], /Prism is listening/)
  return `http://127.0.0.1:${port}`
}

const DATES = [
  '2026-05-01',
  '2026-05-01T08:00',
  '2026-05-01T08:00:00',
  '2026-05-01T08:00:00.5Z',
  '2026-05-01t08:00:00%2B0200',
]
const LATER = ['2026-05-31', '2026-05-31T23:59:59', '2026-05-31T23:59:59-03:00']

/** What a key of the administration reads. It reads nothing else. */
const OF_ADMINISTRATION: readonly string[] = [
  '/administration/keys',
  '/administration/keys?ended=true&start=1&length=5',
  '/administration/reads?startDate=2026-05-01&endDate=2026-05-14',
  '/administration/webhooks',
  '/administration/devices',
  '/administration/settings',
  '/administration/links',
  '/administration/sources',
  '/administration/reports',
]

/** Requests that the service answers, every parameter in every way that it may be written. */
const REQUESTS: readonly string[] = [
  ...DATES.flatMap((from) => LATER.map((to) => `startDate=${from}&endDate=${to}`)).flatMap((range) => [
    `/guests?${range}`,
    `/sessions?${range}`,
  ]),
  ...GUEST_FIELDS.map(({ name }) => `/guests?sessionId=session-08&length=5&project=${name}`),
  ...BOOKING_STATUSES.map((status) => `/guests?${YEAR}&status=${status}`),
  ...ROLES.map(
    (role) => `/guests?sessionIds=session-07,session-08&sessionIdsExclude=session-09&role=${role}`,
  ),
  ...LANGUAGES.map((language) => `/guests?sessionId=session-08&start=2&length=10#${language}`),
  ...LANGUAGES.map((language) => `/orders?${YEAR}&formatDates=true&includeGuestNames=true#${language}`),
  '/guests?sessionId=session-08&project=financial.deposit,financial.fullPayment,meta.dietaryPreference',
  '/guests?sessionId=nobody',
  '/changes',
  '/me',
  '/fields',
  '/rooms',
  '/rooms?date=2026-05-14&length=100',
  '/contradictions?length=5',
  '/search?q=Ana',
  '/sources',
  '/usage',
  `/usage?${YEAR}`,
  ...['firstName', 'dob,age', 'programId,packageId', 'acc.roomId,acc.floor'].map(
    (project) => `/guests?sessionId=session-2025-01&start=1&length=100&project=${project}`,
  ),
  ...[1, 2, 3, 4, 5, 6, 7].map((page) => `/guests?sessionId=session-08&start=${page}&length=7`),
  '/guests/meal-skipping-report?sessionId=session-08',
  `/guests/meal-skipping-report?${YEAR}`,
  `/guests/meal-skipping-report?sessionId=session-08&${YEAR}`,
  '/guests/meal-skipping-report?sessionId=nobody',
  `/orders?${YEAR}`,
  '/orders?startDate=1999-01-01&endDate=1999-01-02&formatDates=false',
  `/orders?${YEAR}&formatDates=1&includeGuestNames=True`,
  `/orders/${EXAMPLE_ORDER_UUID}`,
  `/orders/${EXAMPLE_ORDER_UUID}?formatDates=true&includeGuestNames=true`,
  `/orders/${ARCHIVED_ORDER_UUID}?includeGuestNames=false`,
  '/orders/order_123456',
  `/orders/control?${YEAR}`,
  `/orders/control?${YEAR}&includeGuestNames=true&includePayments=true`,
  '/meals/portions?sessionId=session-08',
  `/meals/portions?${YEAR}&format=json`,
  '/meals/portions?startDate=2026-05-10&endDate=2026-05-20&includeGuests=true',
  '/sessions.ics',
  `/sessions.ics?${YEAR}`,
  `/guests/arrivals.ics?${YEAR}`,
  '/guests/arrivals.ics?sessionId=session-08&includeGuestNames=true',
  `/meals/sheets/${TODAY}`,
  `/meals/sheets/${TODAY}?sheet=1`,
  '/meals/sheets/1999-01-01',
  `/sessions?${YEAR}&length=1&start=2`,
  `/guests?${YEAR}&status=paid,arrived&role=patient,guest&sort=-startDate,lastName&q=popescu`,
  `/guests?inHouse=2026-05-14&email=ioana@example.com&phone=0721234567&bookingId=1&internalId=C-1`,
  `/orders?${YEAR}&status=confirmed,completed&paymentStatus=paid&orderNumber=1`,
  '/guests/match?sessionId=session-08&name=Popescu&dob=1980-01-20&email=a@example.com&pin=1&length=5',
]

async function ask(request: string, headers: Readonly<Record<string, string>>, through = proxy) {
  const [path, language = 'en'] = request.split('#')
  const answer = await fetch(`${through}${path}`, {
    headers: { 'x-locale': language, 'accept-encoding': 'identity', ...headers },
  })
  return { status: answer.status, violations: answer.headers.get('sl-violations'), headers: answer.headers }
}

describe('a validating proxy', () => {
  it(`sees no violation on either side in ${REQUESTS.length + OF_ADMINISTRATION.length} requests`, async () => {
    expect(REQUESTS.length).toBeGreaterThanOrEqual(200)
    const seen = []
    for (const request of [...REQUESTS, ...OF_ADMINISTRATION]) {
      const key = OF_ADMINISTRATION.includes(request) ? administration : api.key
      const { status, violations } = await ask(request, key.bearer)
      if (status !== 200 || violations !== null) seen.push({ request, status, violations })
    }
    expect(seen).toEqual([])
  })

  it('takes every answer that is no 200', async () => {
    const kitchen = await api.createKey({ center: 'demo', scopes: ['meals'] })
    const first = await ask('/guests?sessionId=session-08', api.key.bearer)
    const tag = { 'if-none-match': first.headers.get('etag') ?? '' }
    const answers = [
      await ask('/guests?sessionId=session-08', { ...api.key.bearer, ...tag }),
      await ask('/guests?role=guest', api.key.bearer),
      await ask('/guests?sessionId=session-08', { authorization: 'Bearer sjn_key_wrong' }),
      await ask('/guests?sessionId=session-08', kitchen.bearer),
      await ask('/orders/00000000-0000-0000-0000-000000000000', api.key.bearer),
    ]
    expect(answers.map(({ status }) => status)).toEqual([304, 400, 401, 403, 404])
    expect(answers.map(({ violations }) => violations)).toEqual(answers.map(() => null))
  })

  it.each([
    '/guests?sessionId=session-08&role=nurse',
    '/guests?startDate=tomorow&endDate=2026-12-31',
    '/guests?sessionId=session-08&start=0',
    '/guests?sessionId=session-08&project=frstName',
    '/orders?startDate=2026-01-01&endDate=2026-12-31&formatDates=maybe',
    '/sessions?startDate=2026-01-01',
  ])('complains of %s', async (request) => {
    const { status, violations } = await ask(request, api.key.bearer)
    expect(status).toBe(400)
    expect(violations).toMatch(/must be|must match|must have|required/)
  })

  it('complains of an answer that is not as its document says', async () => {
    const other = await startProxy(
      document.replaceAll('"total":{"type":"integer"', '"total":{"type":"string"'),
    )
    const { status, violations } = await ask('/guests?sessionId=session-08', api.key.bearer, other)
    expect(status).toBe(200)
    expect(violations).toContain('"location":["response","body","total"]')
  })

  it('knows every operation', () => {
    const asked = [...REQUESTS, ...OF_ADMINISTRATION].map((request) =>
      request
        .replace(/[?#].*/, '')
        .replace(/^\/orders\/(?!control$).+/, '/orders/{uuid}')
        .replace(/^\/meals\/sheets\/.+/, '/meals/sheets/{day}'),
    )
    for (const { paths } of OPERATIONS) expect(asked).toContain(paths[0])
  })
})
