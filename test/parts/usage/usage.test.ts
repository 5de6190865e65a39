/** `GET /usage`: what an application asked for, and what was wrong. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { DatabaseUnavailable } from '../../../src/core/database/database.ts'
import { pruneUsage } from '../../../src/parts/usage/prune-usage.ts'
import type { PresentedUsage } from '../../../src/parts/usage/read-usage.ts'
import { createUsage, ERRORS_STORED_MAX, type Use } from '../../../src/parts/usage/usage.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { session, stay } from '../../support/world.ts'

const NOON = Date.parse('2026-05-14T09:00:00Z')
const SESSIONS = '/v1/sessions?startDate=2026-05-01&endDate=2026-05-31'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({
    records: [session('s1', '2026-05-01', '2026-05-10'), ...stay('g', '2026-05-01', '2026-05-10')],
    now: new Date(NOON).toISOString(),
  })
})

interface Asked {
  readonly status: number
  readonly bytes: number
  readonly requestId: string
}

/** Asks an instance of its own, which then ends and by that has written what it counted. */
async function ask(
  key: TestKey,
  requests: readonly (string | { url: string; method?: 'GET' | 'HEAD' | 'POST'; headers?: object })[],
  now = NOON,
): Promise<Asked[]> {
  const clock = () => now
  const app = await buildApp({ database: clockedDatabase(api.database, clock), clock, logLevel: 'silent' })
  const asked: Asked[] = []
  for (const request of requests) {
    const { url, method = 'GET', headers = {} } = typeof request === 'string' ? { url: request } : request
    const answer = await app.inject({ method, url, headers: { ...key.headers, ...headers } })
    asked.push({
      status: answer.statusCode,
      bytes: answer.rawPayload.length,
      requestId: String(answer.headers['x-request-id']),
    })
  }
  await app.close()
  return asked
}

async function usageOf(key: TestKey, query = ''): Promise<PresentedUsage> {
  const { status, text } = await api.as(key).get(`/v1/usage${query}`)
  expect(status).toBe(200)
  return JSON.parse(text) as PresentedUsage
}

const none = { requests: 0, unchanged: 0, refusals: 0, errors: 0, bytes: 0 }

describe('GET /usage', () => {
  it('counts requests, answers unchanged, refusals, errors and bytes by day and endpoint', async () => {
    const key = await api.createKey({ scopes: ['sessions'] })
    const asked = await ask(key, [
      SESSIONS,
      { url: SESSIONS, headers: { 'if-none-match': '*' } },
      { url: SESSIONS, method: 'HEAD' },
      '/sessions',
      '/v1/guests?sessionId=s1',
      { url: '/v1/sessions', method: 'POST' },
    ])
    expect(asked.map(({ status }) => status)).toEqual([200, 304, 200, 400, 403, 405])
    const bytes = asked.map((one) => one.bytes)
    const day = { ...none, date: '2026-05-14' }
    expect((await usageOf(key)).days).toEqual([
      { ...day, endpoint: '/guests', requests: 1, refusals: 1, bytes: bytes[4] },
      {
        ...day,
        endpoint: '/sessions',
        requests: 4,
        unchanged: 1,
        errors: 1,
        bytes: (bytes[0] ?? 0) + (bytes[3] ?? 0),
      },
      { ...day, endpoint: 'other', requests: 1, errors: 1, bytes: bytes[5] },
    ])
  })

  it('counts compressed and streamed bodies as they were sent', async () => {
    await api.database.query(sql`
      insert into orders (center_id, uuid, order_date, total_amount, status)
      select 'spa', 'many-' || n, '2023-01-02T10:00Z', n, 'confirmed' from generate_series(1, 1001) n`)
    const key = await api.createKey()
    const asked = await ask(key, [
      '/v1/orders?startDate=2023-01-01&endDate=2023-01-31',
      { url: '/v1/openapi.json' },
      {
        url: '/v1/guests?sessionId=s1&project=firstName,lastName,name,email,phone,financial.deposit,address.city,address.country,address.zip,medicalLetter.ekg,medicalLetter.diagnoses,medicalData.notes,sessionInterval,sessionStartDate,sessionEndDate,centerName,centerAddressLine1,centerAddressLine2,centerEmail,centerPhone,formData.medicalConditions,formData.observations,formData.mobility,formData.accommodationDetails,acc.roomId,acc.bedType,acc.type,financial.fullPayment,financial.subtotal,financial.total,orderNumber,orderStatus,doctorName,therapistName,bookedAt,createdBy,skippingMeals',
        headers: { 'accept-encoding': 'gzip' },
      },
    ])
    const { days } = await usageOf(key)
    // What needs no key is nobody's use.
    expect(days.map(({ endpoint, bytes }) => [endpoint, bytes])).toEqual([
      ['/guests', asked[2]?.bytes],
      ['/orders', asked[0]?.bytes],
    ])
  })

  it('uses the center’s days, and gives the last thirty unless others are given', async () => {
    const key = await api.createKey()
    // In Bucharest 14 May begins at 21:00 UTC.
    const midnight = Date.parse('2026-05-13T21:00:00Z')
    for (const moment of [
      midnight - 1,
      midnight,
      Date.parse('2026-04-15T10:00Z'),
      Date.parse('2026-04-14T10:00Z'),
    ])
      await ask(key, [SESSIONS], moment)
    const dates = async (query?: string) => (await usageOf(key, query)).days.map(({ date }) => date)
    expect(await dates()).toEqual(['2026-05-14', '2026-05-13', '2026-04-15'])
    expect(await dates('?startDate=2026-04-01')).toHaveLength(4)
    expect(await dates('?endDate=2026-04-14')).toEqual(['2026-04-14'])
    expect(await usageOf(key, '?startDate=2026-05-13&endDate=2026-05-13')).toMatchObject({
      startDate: '2026-05-13',
      endDate: '2026-05-13',
      days: [{ date: '2026-05-13', requests: 1 }],
    })
  })

  it.each([
    ['a range that is the wrong way round', '?startDate=2026-05-02&endDate=2026-05-01', 'startDate'],
    ['more than 366 days', '?startDate=2025-05-01&endDate=2026-05-02', 'startDate'],
    ['what is no day', '?endDate=2026-02-30', 'endDate'],
    ['an unknown parameter', '?endpoint=guests', 'endpoint'],
  ])('refuses %s', async (_, query, parameter) => {
    const answer = await api.get(`/v1/usage${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details?.[0]?.parameter).toBe(parameter)
  })

  it('takes the first day there is', async () => {
    expect((await usageOf(api.key, '?endDate=0001-01-01')).startDate).toBe('0001-01-01')
  })

  it('adds up what several instances counted', async () => {
    const key = await api.createKey()
    await Promise.all([ask(key, [SESSIONS, SESSIONS]), ask(key, [SESSIONS]), ask(key, ['/v1/sessions'])])
    const { days, errors } = await usageOf(key)
    expect(days).toEqual([expect.objectContaining({ requests: 4, errors: 1 })])
    expect(errors).toHaveLength(1)
  })

  it('is no cached answer: the same request shows what changed since', async () => {
    const key = await api.createKey()
    expect((await usageOf(key)).days).toEqual([])
    await ask(key, [SESSIONS])
    expect((await usageOf(key)).days).toHaveLength(1)
  })

  it('is each application’s own, within a center and across centers', async () => {
    const other = await api.newCenter([])
    const [one, two] = [await api.createKey(), await api.createKey()]
    await ask(one, ['/v1/guests?nonsense=1'])
    await ask(other.key, [SESSIONS])
    expect((await usageOf(two)).days).toEqual([])
    expect((await usageOf(other.key)).days).toMatchObject([{ endpoint: '/sessions', requests: 1 }])
    expect((await usageOf(other.key)).errors).toEqual([])
    expect((await usageOf(one)).days).toMatchObject([{ endpoint: '/guests' }])
    expect((await api.as(undefined).get('/v1/usage')).status).toBe(401)
  })
})

describe('an error in GET /usage', () => {
  it('says what was wrong, when, where and in which request', async () => {
    const key = await api.createKey({ scopes: ['guests'] })
    const wrong = '/v1/guests?sessionId=s1&statsu=paid&project=frstName'
    const [, refused] = await ask(key, [wrong, '/v1/guests?sessionId=s1&project=pin'])
    const { errors } = await usageOf(key)
    expect(errors).toEqual(
      expect.arrayContaining([
        {
          firstAt: '2026-05-14T09:00:00.000Z',
          lastAt: '2026-05-14T09:00:00.000Z',
          times: 1,
          endpoint: '/guests',
          status: 403,
          code: 'FORBIDDEN',
          message: 'This key does not have a required scope: pin needs the scope guests.personal.',
          details: [],
          requestId: refused?.requestId,
          publicKey: key.publicKey,
        },
        expect.objectContaining({
          status: 400,
          code: 'INVALID_PARAMETER',
          message: '"…" is not a parameter of this endpoint. Did you mean status? (and 1 more; see details)',
          details: [
            { parameter: '…', message: '"…" is not a parameter of this endpoint. Did you mean status?' },
            { parameter: 'project', message: '"…" is not a projectable field. Did you mean firstName?' },
          ],
        }),
      ]),
    )
  })

  it('shows nothing of what was sent, wherever it stood', async () => {
    const key = await api.createKey({ scopes: ['guests', 'orders', 'sessions', 'meals'] })
    const sent = [
      'Ionescu "Anastasia"',
      'Ionescu\\',
      '\\"Ionescu',
      'Ionescu\u202e"x',
      'Ionescu,Anastasia',
      "Ionescu'",
    ]
    const urls = sent
      .map(encodeURIComponent)
      .flatMap((text) => [
        ...[
          'role',
          'status',
          'start',
          'length',
          'sessionId',
          'sessionIds',
          'sessionIdsExclude',
          'project',
        ].map((name) => `/v1/guests?${name}=${text}`),
        `/v1/guests?${text}=1&startDate=${text}&endDate=${text}`,
        `/v1/guests?sessionId=s1&project=meta.${text}`,
        `/v1/orders/${text}?formatDates=${text}`,
        `/v1/orders/%${text}`,
        `/v1/orders?startDate=${text}`,
        `/v1/sessions?startDate=${text}&endDate=${text}&role=${text}`,
      ])
    const asked = await ask(key, urls)
    for (const { status } of asked) expect([200, 400, 403, 404]).toContain(status)
    const { errors } = await usageOf(key)
    expect(errors.length).toBeGreaterThan(12)
    const stored = await api.database.query(sql`select * from usage_errors where app_id = ${key.appId}`)
    expect(JSON.stringify([errors, stored])).not.toMatch(/Ionescu|Anastasia/)
  })

  it('tells the application of a key that has ended, which the 401 does not', async () => {
    const key = await api.createKey()
    await api.database.query(
      sql`update api_keys set expires_at = ${'2026-05-14T08:00Z'} where public_key = ${key.publicKey}`,
    )
    const [expired] = await ask(key, [SESSIONS])
    // Somebody who does not have the secret is nobody's use.
    await ask(key, [{ url: SESSIONS, headers: { 'x-api-secret-key': (await api.createKey()).secretKey } }])
    await api.database.query(
      sql`update api_keys set revoked_at = ${'2026-05-14T08:00Z'} where public_key = ${key.publicKey}`,
    )
    await ask(key, ['/v1/orders'])
    expect(expired?.status).toBe(401)
    await api.database.query(
      sql`update api_keys set revoked_at = null, expires_at = null where public_key = ${key.publicKey}`,
    )
    const { days, errors } = await usageOf(key)
    expect(errors.map(({ status, message }) => [status, message]).sort()).toEqual([
      [401, 'The key has expired.'],
      [401, 'The key was revoked.'],
    ])
    expect(days).toMatchObject([{ refusals: 1 }, { refusals: 1 }])
  })

  it('is one entry within an hour, with its times, though seconds in it differ', async () => {
    const key = await api.createKey({ perMinute: 1 })
    const limits = await ask(key, [SESSIONS, ...Array.from({ length: 20 }, () => SESSIONS)])
    expect(limits.at(-1)?.status).toBe(429)
    await ask(key, [SESSIONS, SESSIONS], NOON + 60_000)
    await ask(key, [SESSIONS, SESSIONS], NOON + 3_600_000)
    const { errors, days } = await usageOf(key)
    expect(errors.map(({ times, lastAt }) => [times, lastAt.slice(11, 16)])).toEqual([
      [1, '10:00'],
      [21, '09:01'],
    ])
    expect(days).toMatchObject([{ requests: 25, refusals: 22 }])
  })
})

describe('what is counted', () => {
  const use = (fields: Partial<Use> = {}): Use => ({
    center: 'spa',
    appId: 'flood',
    publicKey: 'sjn_pk_flood',
    endpoint: '/guests',
    status: 200,
    bytes: 10,
    requestId: 'r',
    error: undefined,
    ...fields,
  })
  const log = { error() {}, info() {} }
  const countOf = async (appId: string) => {
    const [row] = await api.database.query<{ requests: number; errors: number }>(sql`
      select coalesce(sum(requests), 0)::int as requests,
        (select count(*)::int from usage_errors e where e.app_id = ${appId}) as errors
      from usage_days where app_id = ${appId}`)
    return row
  }

  it('keeps an application’s newest hundred errors, however many come', async () => {
    let now = NOON
    const usage = createUsage({ database: api.database, clock: () => now, log })
    const lettersOf = (at: number) =>
      String(at).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
    for (let at = 0; at < 3 * ERRORS_STORED_MAX; at++) {
      now += 1
      const message = lettersOf(at)
      const error = () => ({ status: 400, code: 'INVALID_PARAMETER', message, details: [] })
      usage.record(use({ status: 400, requestId: `r${at}`, error }))
      if (at % 70 === 0) await usage.flush()
    }
    await usage.close()
    expect(await countOf('flood')).toEqual({ requests: 300, errors: ERRORS_STORED_MAX })
    const stored = await api.database.query<{ message: string }>(
      sql`select message from usage_errors where app_id = 'flood' order by last_at`,
    )
    const newest = Array.from({ length: ERRORS_STORED_MAX }, (_, at) => lettersOf(2 * ERRORS_STORED_MAX + at))
    expect(stored.map(({ message }) => message)).toEqual(newest)
  })

  it('is bounded while nothing can be written, and written when that is over', async () => {
    const watched = watchDatabase(api.database)
    const usage = createUsage({ database: watched.database, clock: () => NOON, log })
    let away = true
    watched.before = () => {
      if (away) throw new DatabaseUnavailable('away')
    }
    for (let app = 0; app < 50_010; app++)
      usage.record(use({ appId: `away-${app % 50_010}`, center: 'gone' }))
    expect(usage.numbers).toMatchObject({ waiting: 50_000, lost: 10 })
    usage.record(use({ appId: 'away-1', center: 'gone' }))
    await expect(usage.flush()).rejects.toThrow(DatabaseUnavailable)
    usage.record(use({ appId: 'back' }))
    away = false
    await usage.flush()
    await usage.flush()
    expect(usage.numbers).toMatchObject({ waiting: 0, lost: 10, failures: 1 })
    expect(await countOf('back')).toMatchObject({ requests: 1 })
    // Of a center that is gone nothing is retained.
    expect(await countOf('away-1')).toMatchObject({ requests: 0 })
    await usage.close()
  })

  it('is taken out after its days', async () => {
    const key = await api.createKey()
    await ask(key, [SESSIONS, '/v1/sessions'], NOON - 100 * 86_400_000)
    await ask(key, [SESSIONS, '/v1/sessions'], NOON - 80 * 86_400_000)
    await pruneUsage(
      clockedDatabase(api.database, () => NOON),
      90,
    )
    const { days, errors } = await usageOf(key, '?startDate=2026-01-01')
    expect(days).toMatchObject([{ date: '2026-02-23', requests: 2 }])
    expect(errors).toHaveLength(1)
  })

  it('is no commit that answers are read again for', async () => {
    const before = await api.database.query(
      sql`select revision from center_revisions where center_id = 'spa'`,
    )
    await ask(await api.createKey(), [SESSIONS])
    const after = await api.database.query(sql`select revision from center_revisions where center_id = 'spa'`)
    expect(after).toEqual(before)
  })
})
