/** Refused requests and invalid credentials are recorded, without secrets, and not without bounds. */
import sql from 'sql-template-tag'
import { describe, expect, it, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { pruneRefusals } from '../../src/core/audit/refusals/prune-refusals.ts'
import {
  createRefusalRecord,
  REFUSAL_REASONS,
  REFUSALS_STORED_MAX,
  type Refusal,
} from '../../src/core/audit/refusals/record-refusals.ts'
import { selectRefusals } from '../../src/core/audit/refusals/refusals-sql.ts'
import type { Database } from '../../src/core/database/database.ts'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { startTestApi, type TestKey } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { sojourn } from '../support/run-sojourn.ts'
import { LODGE, lodge, session, spa } from '../support/world.ts'

const NOW = Date.parse('2026-05-14T09:20:00Z')
const HOUR = 3_600_000
const SESSIONS = '/v1/sessions?startDate=2026-05-01&endDate=2026-05-31'
const ALL = {
  center: undefined,
  key: undefined,
  reason: undefined,
  since: undefined,
  until: undefined,
  limit: undefined,
}
const silent = { error() {}, info() {} }

const rowsOf = (database: Database) =>
  database.query<{ center_id: string; public_key: string; endpoint: string; reason: string; times: number }>(
    sql`select center_id, public_key, endpoint, reason, times::int as times from refused_requests
      order by reason, endpoint, center_id, public_key`,
  )

describe('refused requests', () => {
  it('are recorded with their reason, of the center and key that exist, and never with what was sent', async () => {
    const records = [spa(), lodge(), session('s1', '2026-05-01', '2026-05-10')]
    const api = await startTestApi({ records })
    const sessionsKey = await api.createKey({ center: LODGE, scopes: ['sessions'] })
    const revoked = await api.createKey({ revokedAt: '2026-01-01T00:00:00Z' })
    const expired = await api.createKey({ expiresAt: '2026-01-01T00:00:00Z' })
    const limited = await api.createKey({ perMinute: 1 })
    const app = await buildApp({
      database: api.database,
      logLevel: 'silent',
      failedCredentialsPerMinute: 100,
    })
    const ask = async (url: string, headers: Record<string, string>, status: number) =>
      expect([url, (await app.inject({ url, headers })).statusCode]).toEqual([url, status])
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
    const secretOf = (key: TestKey, of: TestKey) => ({ ...key.headers, 'x-api-secret-key': of.secretKey })

    await ask(SESSIONS, {}, 401)
    await ask(SESSIONS, {}, 401)
    await ask(SESSIONS, bearer('a-password-of-somebody'), 401)
    await ask(SESSIONS, { ...api.key.headers, 'x-api-public-key': `sjn_pk_${'A'.repeat(16)}` }, 401)
    await ask(SESSIONS, secretOf(api.key, revoked), 401)
    await ask(SESSIONS, bearer(revoked.apiKey), 401)
    await ask(SESSIONS, bearer(expired.apiKey), 401)
    await ask('/v1/guests?startDate=2026-05-01&name=Ana', bearer(sessionsKey.apiKey), 403)
    await ask(SESSIONS, bearer(limited.apiKey), 200)
    await ask(SESSIONS, bearer(limited.apiKey), 429)
    await ask(`/links/sjn_url_${'b'.repeat(54)}`, {}, 404)
    // Neither a wrong parameter nor a missing record is a refusal.
    await ask('/v1/sessions?startDate=x&endDate=y', bearer(api.key.apiKey), 400)
    await ask('/v1/orders/00000000-0000-4000-8000-000000000000', bearer(api.key.apiKey), 404)
    await app.close()

    const rows = await rowsOf(api.database)
    const unknown = { center_id: '', public_key: '' }
    const of = (key: TestKey) => ({ center_id: 'spa', public_key: key.publicKey })
    expect(rows).toEqual([
      { ...of(expired), endpoint: '/sessions', reason: 'expiredKey', times: 1 },
      { ...of(limited), endpoint: '/sessions', reason: 'limit', times: 1 },
      { ...unknown, endpoint: '/sessions', reason: 'malformedCredentials', times: 2 },
      { ...unknown, endpoint: '/sessions', reason: 'missingCredentials', times: 2 },
      {
        center_id: LODGE,
        public_key: sessionsKey.publicKey,
        endpoint: '/guests',
        reason: 'notPermitted',
        times: 1,
      },
      { ...of(revoked), endpoint: '/sessions', reason: 'revokedKey', times: 1 },
      { ...unknown, endpoint: '/links/{token}', reason: 'unknownLink', times: 1 },
      { ...of(api.key), endpoint: '/sessions', reason: 'wrongSecret', times: 1 },
    ])
    const text = JSON.stringify(await api.database.query(sql`select * from refused_requests`))
    for (const secret of [
      'password',
      api.key.secretKey,
      revoked.secretKey,
      'Ana',
      'b'.repeat(54),
      '127.0.0.1',
    ])
      expect(text).not.toContain(secret)
  })
})

function startRecord(database: Database, clock: () => number = () => NOW) {
  const record = createRefusalRecord({ database, clock, log: silent, flushMs: 3_600_000 })
  const refuse = (over: Partial<Refusal> = {}) =>
    record.record({
      center: 'spa',
      publicKey: 'sjn_pk_1',
      endpoint: '/guests',
      reason: 'wrongSecret',
      requestId: 'r',
      ...over,
    })
  return { record, refuse }
}
const sumOf = (rows: readonly { times: number }[]) => rows.reduce((sum, { times }) => sum + times, 0)

describe('the record', () => {
  it('of a flood is one row an hour, also of two instances, with its first and last time', async () => {
    const database = await openTestDatabase()
    let now = NOW
    const [one, two] = [startRecord(database, () => now), startRecord(database, () => now)]
    for (let n = 0; n < 10_000; n += 1) {
      now += 1
      one.refuse({ requestId: `r${n}` })
      two.refuse()
    }
    await one.record.flush()
    await two.record.flush()
    now = NOW + HOUR
    one.refuse()
    await one.record.close()
    expect(await database.query(selectRefusals(ALL))).toMatchObject([
      { hour: NOW + HOUR - 20 * 60_000, times: 1 },
      { hour: NOW - 20 * 60_000, times: 20_000, first_at: NOW + 1, last_at: NOW + 10_000 },
    ])
  })

  it('of many keys and centers has a bound in memory, counts all, and leaves room for other centers', async () => {
    const database = await openTestDatabase()
    const { record, refuse } = startRecord(database)
    for (let n = 0; n < 1000; n += 1) refuse({ publicKey: `sjn_pk_${n}` })
    refuse({ center: 'lodge', publicKey: 'sjn_pk_lodge' })
    await record.flush()
    const rows = await rowsOf(database)
    expect(rows.filter(({ center_id }) => center_id === 'spa')).toHaveLength(201)
    expect(rows).toContainEqual({
      center_id: 'spa',
      public_key: '',
      endpoint: 'many',
      reason: 'wrongSecret',
      times: 800,
    })
    expect(rows).toContainEqual(expect.objectContaining({ center_id: 'lodge', public_key: 'sjn_pk_lodge' }))
    for (let n = 0; n < 6000; n += 1) refuse({ center: `center-${n}` })
    await record.close()
    const all = await rowsOf(database)
    expect(all.length).toBeLessThanOrEqual(5000 + 210)
    expect(sumOf(all)).toBe(7001)
  })

  it('of a center in the database keeps its newest rows', async () => {
    const database = await openTestDatabase()
    await database.query(sql`
      insert into refused_requests (center_id, hour, public_key, endpoint, reason, times, first_at, last_at, request_id)
      select c, to_timestamp(n * 3600), '', '/guests', 'unknownKey', 1, to_timestamp(n * 3600), to_timestamp(n * 3600), 'r'
      from generate_series(1, ${REFUSALS_STORED_MAX + 50}::int) n, unnest(array['spa', 'lodge']) c`)
    const { record, refuse } = startRecord(database)
    refuse()
    await record.close()
    const counts = await database.query(
      sql`select center_id, count(*)::int as rows, max(hour) as newest from refused_requests group by 1 order by 1`,
    )
    expect(counts).toMatchObject([
      { center_id: 'lodge', rows: REFUSALS_STORED_MAX + 50 },
      { center_id: 'spa', rows: REFUSALS_STORED_MAX, newest: NOW - 20 * 60_000 },
    ])
  })

  it('waits while the database cannot be written, and loses no count', async () => {
    const database = await openTestDatabase()
    let fails = true
    const failing: Database = {
      ...database,
      transaction: (work) => {
        if (fails) throw new DatabaseUnavailable('gone')
        return database.transaction(work)
      },
    }
    const { record, refuse } = startRecord(failing)
    refuse()
    await expect(record.flush()).rejects.toThrow(DatabaseUnavailable)
    refuse()
    fails = false
    await record.flush()
    await record.flush()
    expect(sumOf(await rowsOf(database))).toBe(2)
  })

  it('is deleted after its days, by the clock of the database', async () => {
    const database = await openTestDatabase()
    const { record, refuse } = startRecord(database, Date.now)
    refuse()
    await record.close()
    await database.query(sql`
      insert into refused_requests (center_id, hour, public_key, endpoint, reason, times, first_at, last_at, request_id)
      select '', clock_timestamp() - interval '91 days', '', '/guests', 'unknownKey', 1, now(), now(), 'r'`)
    await pruneRefusals(database, 90)
    expect(await rowsOf(database)).toMatchObject([{ reason: 'wrongSecret' }])
  })
})

describe('sojourn audit refusals', () => {
  it('lists them with key and center, as a table, JSON and CSV, and filters', async () => {
    const api = await startTestApi()
    const { record, refuse } = startRecord(api.database)
    refuse({ publicKey: api.key.publicKey })
    refuse({ center: '', publicKey: '', reason: 'unknownKey' })
    refuse({ center: '', publicKey: '', reason: 'unknownKey' })
    await record.close()
    const run = (...args: string[]) =>
      sojourn(['audit', 'refusals', ...args], {}, { database: api.database, now: NOW })
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
    const known = {
      firstAt: '2026-05-14T09:20:00.000Z',
      lastAt: '2026-05-14T09:20:00.000Z',
      times: 1,
      center: 'spa',
      key: { publicKey: api.key.publicKey, appId: api.key.appId, name: 'test' },
      endpoint: '/guests',
      reason: 'wrongSecret',
      requestId: 'r',
    }
    const unknown = { ...known, times: 2, center: null, key: null, reason: 'unknownKey' }
    expect(await json()).toEqual([unknown, known])
    expect(await json('--key', api.key.appId)).toEqual([known])
    expect(await json('--key', api.key.publicKey, '--center', 'spa')).toEqual([known])
    expect(await json('--reason', 'unknownKey')).toEqual([unknown])
    expect(await json('--since', '2026-05-14', '--until', '2026-05-14', '--limit', '1')).toEqual([unknown])
    expect(await json('--since', '1h')).toHaveLength(2)
    expect(await json('--until', '1h')).toEqual([])
    expect((await run('--until', '2026-05-13')).stdout).toBe('No refused requests.\n')
    const { stdout } = await run()
    expect(stdout).toMatch(/^last +first +times +center +key/)
    expect(stdout).toContain(api.key.publicKey)
    expect((await run('--csv')).stdout.split('\r\n')[0]).toBe(
      'last,first,times,center,key,publicKey,endpoint,reason,requestId',
    )
  })

  it.each([
    ['a secret in place of a key', ['--key', 'sjn_sk_secretsecret'], 'may be a secret'],
    ['an unknown reason', ['--reason', 'bad'], 'Allowed choices are missingCredentials'],
    ['a time that is none', ['--since', 'yesterday'], 'expected a day'],
    ['two formats', ['--json', '--csv'], 'Give either --json or --csv.'],
  ])('refuses %s in one sentence, and does not print it', async (_, args, sentence) => {
    const database = await openTestDatabase()
    const ran = await sojourn(['audit', 'refusals', ...args], {}, { database })
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toContain(sentence)
    expect(ran.stderr).not.toContain('secretsecret')
  })
})

test('the help names every reason', async () => {
  const { stdout } = await sojourn(['audit', 'refusals', '--help'], {}, {})
  for (const name of Object.keys(REFUSAL_REASONS)) expect(stdout).toContain(`  ${name} `)
})
