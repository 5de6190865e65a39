/** The service through PgBouncer in transaction mode, with fewer connections to the server than the service has to it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/core/database/open.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { openSite } from '../acceptance/site.ts'
import { runSuite } from '../acceptance/suite.ts'
import { startInstance } from '../answer/instances.ts'
import { sojourn } from '../commands/sojourn.ts'
import { startTestApi } from '../support/api.ts'
import { hasPgbouncer, pooled, prepareRole } from '../support/pgbouncer.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { listen } from '../support/socket.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { guest, type TestRecord } from '../support/world.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

if (!hasPgbouncer) {
  process.stderr.write('\nWARNING: THE TESTS WITH A POOLER DID NOT RUN: pgbouncer is not installed.\n\n')
}
const ifPooled = test.runIf(hasPgbouncer)

/** A server of its own, because settings of a role are those of the whole server. */
async function startPooled({ prepared = true, servers = 3 } = {}) {
  const server = await startPostgres(inject('postgresBinaries'))
  onTestFinished(() => server.stop())
  if (prepared) await prepareRole(server.url)
  const direct = openPostgres({
    connection: { connectionString: server.url },
    poolSize: 2,
    purpose: 'command',
  })
  onTestFinished(() => direct.close())
  await migrate(direct)
  const url = await pooled(server.url, 'transaction', servers)
  const open = (purpose: 'serve' | 'command') => {
    const database = openPostgres({
      connection: { connectionString: url },
      poolSize: 8,
      pooler: true,
      purpose,
    })
    onTestFinished(() => database.close())
    return database
  }
  return { server, direct, url, open }
}

ifPooled(
  'without DATABASE_POOLER, a start through a pooler in transaction mode is refused with a sentence, and one in session mode is not',
  async () => {
    const { server, url } = await startPooled()
    const config = { dataDir: '', databasePoolSize: 4, databasePooler: false }
    for (const purpose of ['serve', 'command'] as const) {
      await expect(openDatabase({ ...config, databaseUrl: url }, { purpose })).rejects.toThrow(
        /^DATABASE_URL leads to a connection pooler in transaction mode: .* Set DATABASE_POOLER=true, and run the statements of "sojourn pooler-settings"; or use session mode\.$/,
      )
    }
    expect(await sojourn(['centers', 'list'], { DATABASE_URL: url })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Set DATABASE_POOLER=true'),
    })
    const others = [
      { databaseUrl: url, databasePooler: true },
      { databaseUrl: await pooled(server.url, 'session', 4) },
      // One connection to the server: the second client waits for the first one.
      { databaseUrl: await pooled(server.url, 'session', 1), databasePoolSize: 1 },
      { databaseUrl: server.url },
    ]
    for (const other of others) {
      const database = await openDatabase({ ...config, ...other }, { purpose: 'command' })
      await database.close()
    }
  },
  60_000,
)

ifPooled(
  'the acceptance suite passes on two instances that share three connections to the server',
  async () => {
    const { direct, open } = await startPooled()
    const records = [...demoRecords({ today: '2026-05-14' })] as unknown as TestRecord[]
    const writer = await startTestApi({ database: direct, records, now: '2026-05-14T09:00:00Z' })
    const { headers, apiKey } = writer.key
    for (const at of [0, 1]) {
      const { app } = await startTestApi({ database: open('serve'), now: '2026-05-14T09:00:00Z' })
      const base = `http://127.0.0.1:${await listen(app)}/v1/`
      const outcomes = await runSuite(await openSite(base, { three: headers, apiKey }, () => {}), {
        group: () => {},
        behaviour: () => {},
      })
      expect(
        outcomes.filter(({ result }) => result === 'failed'),
        `instance ${at}`,
      ).toEqual([])
      expect(outcomes.filter(({ result }) => result === 'shown').length).toBeGreaterThan(60)
    }
  },
  240_000,
)

ifPooled(
  'every answer is that of its own request, while eight readers and a writer share two connections',
  async () => {
    const { direct, open } = await startPooled({ servers: 2 })
    const api = await startTestApi({
      database: direct,
      records: Array.from({ length: 40 }, (_, at) => guest(`b${at}`)).flat(),
    })
    const instances = [
      await startInstance({ database: open('serve') }, api.key),
      await startInstance({ database: open('serve') }, api.key),
    ]
    let asked = 0
    await Promise.all(
      Array.from({ length: 8 }, async (_, reader) => {
        for (let round = 0; round < 40; round += 1) {
          const length = 1 + ((reader * 7 + round * 3) % 40)
          const instance = instances[(reader + round) % 2]
          const answer = await instance?.get(`${GUESTS}&length=${length}&sort=-bookingId`)
          expect(answer?.status, answer?.text).toBe(200)
          expect(JSON.parse(answer?.text ?? '').data).toHaveLength(length)
          asked += 1
          if (reader === 0) {
            await direct.query(
              sql`update customers set first_name = ${`Anna ${round}`} where id = (select min(id) from customers)`,
            )
          }
        }
      }),
    )
    expect(asked).toBe(320)
    const file = await instances[0]?.get(`${GUESTS}&format=csv`)
    expect(file?.text.trim().split('\n')).toHaveLength(41)
  },
)

ifPooled('an import runs through the pooler, twice', async () => {
  const { direct, url } = await startPooled({ servers: 1 })
  const file = join(makeTemporaryFolder(), 'records.ndjson')
  const records = [...demoRecords({ today: '2026-05-14' })]
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const env = { DATABASE_URL: url, DATABASE_POOLER: 'true' }
  for (const attempt of [1, 2]) {
    expect(await sojourn(['import', file], env), `attempt ${attempt}`).toMatchObject({ code: 0 })
  }
  const [bookings] = await direct.query<{ count: number }>(sql`select count(*) as count from bookings`)
  expect(bookings?.count).toBe(records.filter(({ kind }) => kind === 'booking').length)
})

ifPooled(
  'a time-out belongs to its transaction, and the next one on the connection has its own',
  async () => {
    const { open } = await startPooled({ servers: 1 })
    const timeout = sql`select current_setting('statement_timeout') as own`
    const serving = open('serve')
    const command = open('command')
    expect(await serving.queryArrays(timeout, 'heavy')).toEqual([['2500ms']])
    expect(await serving.queryArrays(timeout, 'light')).toEqual([['1500ms']])
    expect(await serving.queryReserved(timeout)).toEqual([{ own: '1200ms' }])
    expect(await command.query(timeout)).toEqual([{ own: '0' }])
    expect(await serving.transaction((tx) => tx.query(timeout))).toEqual([{ own: '2500ms' }])
    const plan = sql`select current_setting('plan_cache_mode') || current_setting('enable_seqscan') as own`
    expect(await command.transaction((tx) => tx.query(plan))).toEqual([{ own: 'autoon' }])
    expect(await serving.query(plan)).toEqual([{ own: 'force_generic_planoff' }])
    await expect(serving.query(sql`select pg_sleep(3)`)).rejects.toThrow()
    expect(await serving.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    // No statement has a name, which another process could use for another one.
    expect(await serving.query(sql`select count(*) as named from pg_prepared_statements`)).toEqual([
      { named: 0 },
    ])
  },
)

ifPooled(
  'a role without the settings is refused with what to run, and what is printed is enough',
  async () => {
    const { server, url } = await startPooled({ prepared: false })
    const env = { DATABASE_URL: url, DATABASE_POOLER: 'true', PORT: '0', LOG_LEVEL: 'silent' }
    const refused = await sojourn(['status'], env)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('plan_cache_mode is auto instead of force_generic_plan')
    expect(refused.stderr).toContain('sojourn pooler-settings')
    const role = decodeURIComponent(new URL(server.url).username)
    const printed = await sojourn(['pooler-settings', '--role', role], {})
    await adminQuery(server.url, printed.stdout)
    // As an administrator would with RECONNECT: another pooler has no connections of before.
    const again = await pooled(server.url, 'transaction', 1)
    expect(await sojourn(['status'], { ...env, DATABASE_URL: again })).toMatchObject({ code: 0 })
  },
)

test('the statements quote the name of the role, and a role must be named', async () => {
  const printed = await sojourn(['pooler-settings', '--role', 'a"b'], {})
  expect(printed.stdout).toContain(`alter role "a""b" set TimeZone to 'UTC';`)
  const unnamed = await sojourn(['pooler-settings'], {})
  expect(unnamed.code).toBe(2)
  expect(unnamed.stderr).toContain('--role')
})
