/**
 * Nothing personal leaves the service but in the answers that are asked for: everything that it logs at its most
 * talkative, its metrics, its errors and its headers are searched for every name, address, number and medical
 * text of the demo.
 */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { PRESETS } from '../../src/core/access/keys/scopes.ts'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { DEMO_CENTER_ID, demoRecords, EXAMPLE_ORDER_UUID } from '../../src/parts/demo/demo-records.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { personalTexts, personalTextsIn } from './personal-texts.ts'

const TODAY = '2026-05-14'
const NOW = Date.parse(`${TODAY}T09:00:00Z`)
const RECORDS = [...demoRecords({ today: TODAY })]
const YEAR = 'startDate=2026-01-01&endDate=2026-12-31'

/** Plain words that are texts of the demo and of logs and settings too; a name is never here. */
const COMMON_WORDS = new Set(['Romania', 'Norge'])
/** Postal codes and house numbers, as any measured number may be. */
const SHORT_NUMBER = /^\d{1,6}$/
const PERSONAL = new Set(
  [...personalTexts(RECORDS)].filter((text) => !COMMON_WORDS.has(text) && !SHORT_NUMBER.test(text)),
)

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({ records: RECORDS, now: new Date(NOW).toISOString() })
})

/** The service with all that it logs, and what it said besides the answers that were asked for. */
async function startTalkative() {
  const lines: string[] = []
  const watched = watchDatabase(api.database)
  const app = await buildApp({
    database: watched.database,
    clock: () => NOW,
    logLevel: 'trace',
    logStream: { write: (line) => void lines.push(line) },
    failedCredentialsPerMinute: 20,
    corsOrigins: ['https://desk.example.com'],
    securityContact: 'mailto:security@example.com',
  })
  let closed = false
  const close = async () => {
    if (!closed) await app.close()
    closed = true
  }
  onTestFinished(close)
  const said: string[] = []
  const statuses = new Map<number, number>()
  const ask = async (
    url: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' | 'POST' = 'GET',
  ) => {
    const answer = await app.inject({ method, url, headers: { ...headers } })
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
    // What a client sent is known to it, and an error says what was given: that is taken out of what was said.
    const sent = [url, ...decodeURIComponent(url).split(/[/?&=,.\0]/)].filter((part) => part.length > 2)
    const shown = `${JSON.stringify(answer.headers)}\n${answer.statusCode === 200 ? '' : answer.body}`
    said.push(sent.reduce((text, part) => text.replaceAll(part, ''), shown))
    return answer
  }
  return { app, watched, lines, said, statuses, ask, close }
}

type Talkative = Awaited<ReturnType<typeof startTalkative>>

async function expectNothingPersonal(service: Talkative): Promise<void> {
  const metrics = await service.app.inject('/metrics')
  await service.close()
  const logged = service.lines.join('')
  const used = await api.database.query(sql`select * from usage_errors`)
  expect(personalTextsIn(JSON.stringify(used), PERSONAL), 'in the record of use').toEqual([])
  expect(personalTextsIn(logged, PERSONAL), 'in the log').toEqual([])
  expect(personalTextsIn(metrics.body, PERSONAL), 'in the metrics').toEqual([])
  expect(personalTextsIn(service.said.join('\n'), PERSONAL), 'in headers and errors').toEqual([])
  for (const secret of [api.key.secretKey, api.key.apiKey]) {
    expect(logged + metrics.body + service.said.join('')).not.toContain(secret)
  }
  // No error tells where in the code or the database it came from.
  for (const text of service.said) {
    expect(text).not.toMatch(
      /\bat \w.*:\d+|node_modules|\.ts\b|select |insert |update |from bookings|pg_|\$1/i,
    )
  }
}

const GOOD = [
  `/v1/guests?${YEAR}&length=100`,
  `/v1/guests?${YEAR}&length=100&start=2`,
  `/v1/guests?sessionId=session-08&project=${PROJECTABLE_NAMES.join(',')}`,
  `/v1/guests?${YEAR}&role=patient&status=departed&project=medicalLetter.diagnoses,pin,meta.dietaryPreference`,
  `/v1/guests/meal-skipping-report?${YEAR}`,
  '/guests/meal-skipping?sessionId=session-08',
  `/v1/orders?${YEAR}&includeGuestNames=true&formatDates=true`,
  `/v1/orders/${EXAMPLE_ORDER_UUID}?includeGuestNames=true`,
  `/v1/sessions?${YEAR}`,
]

/** Wrong in every way, some of them with somebody's data where it does not belong. */
function bad(): string[] {
  const [name = '', mail = ''] = ['lastName', 'email'].map((field) =>
    String(RECORDS.find((record) => record.kind === 'customer' && record[field] !== undefined)?.[field]),
  )
  const somebody = encodeURIComponent(name)
  return [
    '/v1/guests',
    '/v1/guests?startDate=2026-02-30&endDate=2026-01-01',
    `/v1/guests?${YEAR}&lastName=${somebody}`,
    `/v1/guests?${YEAR}&sessionId=${somebody}%00`,
    `/v1/guests?${YEAR}&project=${somebody}`,
    `/v1/guests?${YEAR}&${somebody}=1`,
    `/v1/guests?${YEAR}&email=${encodeURIComponent(mail)}`,
    `/v1/guests?${YEAR}&length=100000&start=0`,
    `/v1/guests?${YEAR}&project=meta.${somebody}`,
    `/v1/orders/${somebody}`,
    `/v1/orders/${encodeURIComponent(mail)}`,
    '/v1/orders/00000000-0000-0000-0000-000000000000',
    '/v1/orders',
    '/v1/sessions?startDate=now&endDate=infinity',
    `/v1/${somebody}`,
    `/v1/guests/${somebody}/letters`,
    '/v1/guests/meal-skipping-report?startDate=2026-05-14',
  ]
}

describe('nothing personal is logged, measured or shown in errors', () => {
  it('of good requests and bad ones, with every key and none', async () => {
    const service = await startTalkative()
    const keys = await Promise.all(
      [...Object.values(PRESETS)].map((scopes) => api.createKey({ center: DEMO_CENTER_ID, scopes })),
    )
    for (const url of [...GOOD, ...bad()]) {
      for (const key of [...keys, api.key]) {
        const answer = await service.ask(url, { ...key.headers })
        const { etag } = answer.headers
        if (etag !== undefined) await service.ask(url, { ...key.headers, 'if-none-match': String(etag) })
      }
      await service.ask(url, { ...api.key.bearer, 'x-locale': 'ro', 'accept-encoding': 'gzip' }, 'HEAD')
      await service.ask(url, { ...api.key.headers }, 'POST')
    }
    for (const url of GOOD) await service.ask(url)
    expect([...service.statuses.keys()].sort()).toEqual(
      expect.arrayContaining([200, 304, 400, 401, 403, 404, 405]),
    )
    await expectNothingPersonal(service)
  })

  it('of wrong credentials, and of the address that sends too many', async () => {
    const service = await startTalkative()
    const [headers] = GOOD
    for (let attempt = 0; attempt < 30; attempt++) {
      await service.ask(headers ?? '', {
        ...api.key.headers,
        'x-api-secret-key': `${api.key.secretKey.slice(0, -1)}${attempt % 10}`,
      })
    }
    const other = await api.createKey({ center: 'other' })
    await service.ask(GOOD[0] ?? '', { ...api.key.headers, ...other.bearer })
    expect(service.statuses.get(429)).toBeGreaterThan(0)
    await expectNothingPersonal(service)
  })

  it.each([
    ['is away', () => new DatabaseUnavailable(quoting(), { cause: new Error(quoting()) })],
    [
      'refuses a statement',
      () => Object.assign(new Error(quoting()), { code: '22P02', detail: quoting(), where: quoting() }),
    ],
    ['throws what is no error', () => quoting()],
    [
      'fails deep inside',
      () => new Error('outer', { cause: new Error(quoting(), { cause: new Error(quoting()) }) }),
    ],
    ['fails in many lines', () => new Error(`${quoting()}\n    at ${quoting()}\n${quoting()}`)],
  ])('of a database that %s while it quotes data', async (_, error) => {
    for (const by of ['queryArrays', 'queryReserved', 'query', 'transaction'] as const) {
      const service = await startTalkative()
      service.watched.before = (statement) => {
        if (statement.by === by) throw error()
      }
      for (const url of GOOD) await service.ask(url, { ...api.key.headers })
      await service.ask('/health/ready')
      const failed = [500, 503].some((status) => (service.statuses.get(status) ?? 0) > 0)
      expect(failed, by).toBe(by !== 'transaction')
      await expectNothingPersonal(service)
      // It is reported all the same, and where.
      expect(service.lines.join(''), by).toMatch(/request failed|audit trail cannot be written/)
    }
  })

  it('of a bug that throws a guest’s data', async () => {
    const [listGuests] = OPERATIONS
    const service = await startTalkative()
    const { parse } = listGuests!
    const fail = (callers: number): never => {
      if (callers > 0) return fail(callers - 1)
      throw new TypeError(quoting())
    }
    Object.assign(listGuests!, { parse: () => fail(20) })
    try {
      await service.ask(GOOD[0] ?? '', { ...api.key.headers })
    } finally {
      Object.assign(listGuests!, { parse })
    }
    expect(service.statuses.get(500)).toBe(1)
    await expectNothingPersonal(service)
    // Where it happened is reported, in the log alone.
    expect(service.lines.join('')).toMatch(/"name":"TypeError".*"at":\[" {4}at [^"]*:\d+:\d+/)
    // The first callers are enough.
    const reported = service.lines.find((line) => line.includes('TypeError')) ?? ''
    expect(JSON.parse(reported).cause.at).toHaveLength(6)
  })

  it('of a stream that breaks off midway', async () => {
    const service = await startTalkative()
    await api.database.query(sql`
      insert into orders (center_id, uuid, order_date, total_amount, status, notes)
      select 'demo', 'many-' || n, '2023-01-02T10:00Z', n, 'confirmed', ${quoting()}::text
      from generate_series(1, 1001) n`)
    service.watched.before = ({ by }) => {
      if (by === 'stream') throw new Error(quoting())
    }
    await service
      .ask('/v1/orders?startDate=2023-01-01&endDate=2023-01-31', { ...api.key.headers })
      .catch(() => {})
    await expectNothingPersonal(service)
    expect(service.lines.join('')).toContain('aborted')
  })
})

describe('the search for what is personal', () => {
  it('knows everybody in the demo', () => {
    const customers = RECORDS.filter(({ kind }) => kind === 'customer')
    for (const { lastName, email, phone, pin } of customers) {
      for (const text of [lastName, email, phone, pin])
        if (text !== undefined) expect(PERSONAL).toContain(text)
    }
    expect(customers.length).toBeGreaterThan(200)
    expect(PERSONAL.size).toBeGreaterThan(1000)
  })

  it('finds a name, a number and a diagnosis where they are, and not inside other words', () => {
    const texts = new Set(['Ana', 'Knee pain (invented)', '+40 000 000 123'])
    expect(personalTextsIn('{"guest":"ANA"}', texts)).toEqual(['Ana'])
    expect(personalTextsIn('knee pain (invented), +40 000 000 123', texts)).toHaveLength(2)
    expect(personalTextsIn('analyze a banana', texts)).toEqual([])
  })

  it('finds what an answer shows: a guard of the tests above', async () => {
    for (const url of GOOD.filter((one) => !one.includes('/sessions'))) {
      expect(personalTextsIn((await api.get(url)).text, PERSONAL).length, url).toBeGreaterThan(0)
    }
  })
})

/** Somebody's data, as a database quotes it in its messages. */
function quoting(): string {
  const guest = RECORDS.find(
    (record) => record.kind === 'customer' && record.email !== undefined && record.pin !== undefined,
  )
  const letter = RECORDS.find((record) => record.kind === 'booking' && record.medicalLetter !== undefined)
  return `invalid input: "${guest?.firstName} ${guest?.lastName}", ${guest?.email}, ${guest?.pin}, ${JSON.stringify(letter?.medicalLetter)}`
}
