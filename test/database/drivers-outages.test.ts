/** What a PostgreSQL server may refuse with that passes: each is a 503 with Retry-After, and the service heals. */
import { randomBytes } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailable, sqlState } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { afterwards, postgresUrl } from '../support/database.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { servedPostgres } from '../support/served-postgres.ts'
import { proxyTo } from '../support/tcp-proxy.ts'
import { guest } from '../support/world.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

/** A service as a role of its own, so that what is done to the role concerns nobody else. */
async function startAsRole(options: { poolSize?: number } = {}) {
  const { url, api, serve } = await servedPostgres({ records: guest('b1') })
  const role = `role_${randomBytes(6).toString('hex')}`
  await adminQuery(url, `create role ${role} login password 'first'`)
  afterwards(() => adminQuery(url, `drop owned by ${role}; drop role ${role}`))
  await adminQuery(url, `grant all on all tables in schema public to ${role}`)
  const own = new URL(url)
  own.username = role
  own.password = 'first'
  const name = own.pathname.slice(1)
  const instance = await serve({ ...options, url: own.href, app: { answerCacheMb: 0 } })
  return {
    api,
    instance,
    name,
    role,
    admin: (text: string) => adminQuery(postgresUrl(), text),
    /** cuts what the service has open, so that it has to connect anew */
    cut: () =>
      adminQuery(url, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`),
  }
}

type Instance = Awaited<ReturnType<typeof startAsRole>>['instance']

async function expectOutage(instance: Instance, state: string): Promise<void> {
  const error = await instance.database.query(sql`select 1`).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseUnavailable)
  expect(sqlState(error)).toBe(state)
  const answer = await instance.get(GUESTS)
  expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([503, 'UNAVAILABLE'])
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
}

const expectAnswer = (instance: Instance) =>
  vi.waitFor(async () => expect((await instance.get(GUESTS)).status).toBe(200), 60_000)

describe('a server that refuses for now is a 503, and the service is there again afterwards', () => {
  test('a password that was rotated (28P01)', async () => {
    const { instance, role, admin, cut } = await startAsRole()
    await expectAnswer(instance)
    await admin(`alter role ${role} password 'second'`)
    await cut()
    await vi.waitFor(() => expectOutage(instance, '28P01'), { timeout: 60_000 })
    await admin(`alter role ${role} password 'first'`)
    await expectAnswer(instance)
  })

  test('a role that may not log in for a while (28000)', async () => {
    const { instance, role, admin, cut } = await startAsRole()
    await expectAnswer(instance)
    await admin(`alter role ${role} nologin`)
    await cut()
    await vi.waitFor(() => expectOutage(instance, '28000'), { timeout: 60_000 })
    await admin(`alter role ${role} login`)
    await expectAnswer(instance)
  })

  test('a database that is away while it is restored (3D000)', async () => {
    const { instance, name, admin } = await startAsRole()
    await expectAnswer(instance)
    // The service connects again at any moment, and a database with connections cannot be renamed.
    await vi.waitFor(
      async () => {
        await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
        await admin(`alter database ${name} rename to ${name}_away`)
      },
      { timeout: 60_000 },
    )
    try {
      await vi.waitFor(() => expectOutage(instance, '3D000'), { timeout: 60_000 })
    } finally {
      await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}_away'`)
      await admin(`alter database ${name}_away rename to ${name}`)
    }
    await expectAnswer(instance)
  })

  test('a database that takes no connections for a while (55000)', async () => {
    const { instance, name, admin, cut } = await startAsRole()
    await expectAnswer(instance)
    await admin(`alter database ${name} with allow_connections false`)
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await vi.waitFor(() => expectOutage(instance, '55000'), { timeout: 60_000 })
    await admin(`alter database ${name} with allow_connections true`)
    await expectAnswer(instance)
    await cut()
  })

  test('a role that has all the connections it may have (53300)', async () => {
    const { instance, role, admin } = await startAsRole()
    await admin(`alter role ${role} connection limit 0`)
    await expectOutage(instance, '53300')
    await admin(`alter role ${role} connection limit -1`)
    await expectAnswer(instance)
  })
})

describe('a server with room for few connections', () => {
  test('serves all who ask over the few that there are', async () => {
    const { instance, role, admin } = await startAsRole({ poolSize: 10 })
    await admin(`alter role ${role} connection limit 3`)
    const asked = Array.from({ length: 60 }, (_, n) =>
      instance.database.query<{ n: number }>(sql`select ${n}::integer as n from pg_sleep(0.005)`),
    )
    const answers = await Promise.all(asked)
    expect(answers.flat().map(({ n }) => n)).toEqual(Array.from({ length: 60 }, (_, n) => n))
  })
})

describe('a server that has fallen silent', () => {
  const startSilent = async () => {
    const { url, serve } = await servedPostgres()
    const proxy = await proxyTo(url)
    afterwards(() => proxy.close())
    const { database } = await serve({ url: proxy.url, poolSize: 10 })
    const one = sql`select 1 as one`
    await Promise.all([...Array.from({ length: 6 }, () => database.query(one)), database.queryReserved(one)])
    proxy.goSilent()
    const outcome = (work: Promise<unknown>) =>
      work.then(
        () => 'answered',
        (error: Error) => error.message,
      )
    return { proxy, database, one, outcome }
  }

  test('is waited for once, and who comes afterwards is refused at once, by each way to ask', async () => {
    const { database, one, outcome } = await startSilent()
    expect(await outcome(database.query(one))).toMatch('did not answer')
    const reading = async () => {
      for await (const rows of database.stream(one, 10)) void rows
    }
    for (const work of [
      ...Array.from({ length: 20 }, () => database.query(one)),
      database.queryArrays(one),
      database.queryReserved(one),
      database.transaction((tx) => tx.query(one)),
      reading(),
    ]) {
      expect(await outcome(work)).toMatch('the database is silent')
    }
  })

  test('is found to be there again without anybody waiting for it, and on no connection of before', async () => {
    const { proxy, database, one, outcome } = await startSilent()
    await outcome(database.query(one))
    proxy.heal()
    await vi.waitFor(async () => expect(await outcome(database.query(one))).toBe('answered'), 60_000)
    // None of these meets one of the five connections that were idle and are silent still.
    const answers = Array.from({ length: 30 }, () => outcome(database.query(one)))
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['answered']))
    expect(await outcome(database.queryReserved(one))).toBe('answered')
  })
})

test('what lets requests in has less than half of the time that a heavy read has, because one may wait for two of it', async () => {
  const { serve } = await servedPostgres()
  const { database } = await serve()
  const limit = sql`select setting::integer as ms from pg_settings where name = 'statement_timeout'`
  const [[heavy] = []] = (await database.queryArrays(limit, 'heavy')) as number[][]
  const [reserved] = await database.queryReserved<{ ms: number }>(limit)
  expect(reserved?.ms).toBeGreaterThan(0)
  expect(reserved?.ms).toBeLessThan((heavy ?? 0) / 2)
})

test('a page has less time than a report or a piece of a stream, also after one on its connection', async () => {
  const { serve } = await servedPostgres()
  const { database } = await serve({ poolSize: 1 })
  const limit = sql`select setting::integer as ms from pg_settings where name = 'statement_timeout'`
  const light = async () => (await database.queryArrays(limit))[0]?.[0]
  expect(await light()).toBe(1500)
  const [streamed] = await Array.fromAsync(database.stream(limit, 1))
  expect([(await database.queryArrays(limit, 'heavy'))[0], streamed?.[0]]).toEqual([[2500], [2500]])
  expect(await light()).toBe(1500)
  await expect(database.queryArrays(sql`select 1 / 0`, 'heavy')).rejects.toThrow('division by zero')
  expect(await light()).toBe(1500)
})

describe('a statement that the server refuses for now', () => {
  const failing = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    return sqlState(error)
  }
  const start = async () => {
    const { url, api, serve } = await servedPostgres()
    return { url, api, instance: await serve({ poolSize: 1 }) }
  }
  const pid = async ({ database }: Instance) => {
    const [backend] = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    return backend?.pid
  }
  const sleeping = (database: Instance['database'], backend: number | undefined) =>
    vi.waitFor(
      async () => {
        const [active] = await database.query<{ n: number }>(sql`
        select count(*) as n from pg_stat_activity where pid = ${backend} and query like '%pg_sleep%'`)
        expect(active?.n).toBe(1)
      },
      { timeout: 60_000 },
    )

  test('because somebody cancelled it (57014), keeps its connection', async () => {
    const { api, instance } = await start()
    const before = await pid(instance)
    const refused = failing(instance.database.query(sql`select pg_sleep(1.3)`))
    await sleeping(api.database, before)
    await api.database.query(sql`select pg_cancel_backend(${before})`)
    expect(await refused).toBe('57014')
    expect(await pid(instance)).toBe(before)
  })

  test('because two transactions wait for each other (40P01), keeps its connection', async () => {
    const { url, instance } = await start()
    const other = openPostgres({ connection: { connectionString: url }, poolSize: 1, purpose: 'serve' })
    afterwards(() => other.close())
    const before = await pid(instance)
    const holding = { ours: Promise.withResolvers<void>(), theirs: Promise.withResolvers<void>() }
    const lock = (n: number) => sql`select pg_advisory_xact_lock(${n})`
    const outcomes = await Promise.allSettled([
      instance.database.transaction(async (tx) => {
        await tx.query(raw(`set local deadlock_timeout = '10ms'`))
        await tx.query(lock(1))
        holding.ours.resolve()
        await holding.theirs.promise
        await tx.query(lock(2))
      }),
      other.transaction(async (tx) => {
        await tx.query(raw(`set local deadlock_timeout = '60s'`))
        await tx.query(lock(2))
        holding.theirs.resolve()
        await holding.ours.promise
        await tx.query(lock(1))
      }),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    const [first] = outcomes
    expect(first?.status === 'rejected' && first.reason).toBeInstanceOf(DatabaseUnavailable)
    expect(first?.status === 'rejected' && sqlState(first.reason)).toBe('40P01')
    expect(await pid(instance)).toBe(before)
  })

  test('because the server has become a standby (25006), succeeds on a new connection', async () => {
    const { url, instance } = await start()
    const database = `alter database ${new URL(url).pathname.slice(1)}`
    await adminQuery(postgresUrl(), `${database} set default_transaction_read_only = on`)
    const write = sql`update centers set name = name`
    expect(await failing(instance.database.query(write))).toBe('25006')
    await adminQuery(postgresUrl(), `${database} reset default_transaction_read_only`)
    expect(await instance.database.query(write)).toEqual([])
  })

  test('because a migration changed its columns (0A000), succeeds on a new connection', async () => {
    const { api, instance } = await start()
    const all = sql`select * from bookings`
    for (let round = 0; round < 3; round += 1) await instance.database.query(all)
    await api.database.runScript('alter table bookings add column added_later integer')
    expect(await failing(instance.database.query(all))).toBe('0A000')
    expect(await instance.database.query(all)).toEqual([])
  })
})
