/** A PostgreSQL server that is not there, falls silent, cuts its connections, or restarts. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable, sqlState } from '../../src/core/database/database.ts'
import { openPostgres, type PostgresOptions } from '../../src/core/database/postgres/postgres.ts'
import { newPostgresServer, openTestDatabase, postgresUrl } from '../support/database.ts'
import { proxyTo } from '../support/tcp-proxy.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})

describe('a PostgreSQL server', () => {
  const open = (url: string, options: Partial<PostgresOptions> = {}) => {
    const opened = openPostgres({
      connection: { connectionString: url },
      poolSize: 2,
      purpose: 'serve',
      ...options,
    })
    onTestFinished(() => opened.close())
    return opened
  }
  const openThroughProxy = async (options: Partial<PostgresOptions> = {}) => {
    const proxy = await proxyTo(postgresUrl())
    onTestFinished(() => proxy.close())
    return { proxy, opened: open(proxy.url, options) }
  }
  const one = sql`select 1 as one`
  // Without the time-outs of the driver, nothing below would end before the test does.
  const unavailable = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)

  test('where nobody listens is unavailable at once, by each way to ask', async () => {
    const proxy = await proxyTo(postgresUrl())
    await proxy.close()
    const opened = open(proxy.url)
    const reading = async () => {
      for await (const rows of opened.stream(one, 10)) void rows
    }
    await expect(opened.query(one)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(opened.queryArrays(one)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(opened.queryReserved(one)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(opened.transaction((tx) => tx.query(one))).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(opened.runScript('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(reading()).rejects.toBeInstanceOf(DatabaseUnavailable)
  })

  test('whose name does not resolve, or whose socket does not exist, is unavailable', async () => {
    const unknown = open('postgres://x@does-not-exist.invalid/x')
    await expect(unknown.query(one)).rejects.toBeInstanceOf(DatabaseUnavailable)
    const socket = open('', { connection: { host: '/does/not/exist' } })
    await expect(socket.query(one)).rejects.toBeInstanceOf(DatabaseUnavailable)
  })

  test('that takes connections and never answers is unavailable within the time-outs', async () => {
    const { proxy, opened } = await openThroughProxy()
    proxy.goSilent()
    await Promise.all([
      unavailable(opened.query(one)),
      unavailable(opened.queryReserved(one)),
      unavailable(opened.transaction((tx) => tx.query(one))),
    ])
    proxy.heal()
    await vi.waitFor(async () => expect(await opened.query(one)).toEqual([{ one: 1 }]), 60_000)
    expect(await opened.queryReserved(one)).toEqual([{ one: 1 }])
  })

  test('that falls silent under open connections is unavailable within the time-outs, and heals', async () => {
    const { proxy, opened } = await openThroughProxy()
    await Promise.all([opened.query(one), opened.query(one), opened.queryReserved(one)])
    proxy.goSilent()
    await Promise.all([
      unavailable(opened.query(one)),
      unavailable(opened.queryReserved(one)),
      unavailable(opened.transaction((tx) => tx.query(one))),
    ])
    proxy.heal()
    await vi.waitFor(async () => expect(await opened.query(one)).toEqual([{ one: 1 }]), 60_000)
    expect(await opened.queryReserved(one)).toEqual([{ one: 1 }])
    expect(await opened.transaction((tx) => tx.query(one))).toEqual([{ one: 1 }])
  })

  test('that falls silent in the middle of a transaction ends it within the time-outs', async () => {
    const { proxy, opened } = await openThroughProxy()
    const working = opened.transaction(async (tx) => {
      await tx.query(one)
      proxy.goSilent()
      await tx.query(one)
    })
    await unavailable(working)
    proxy.heal()
    await vi.waitFor(
      async () => expect(await opened.transaction((tx) => tx.query(one))).toEqual([{ one: 1 }]),
      { timeout: 60_000 },
    )
  })

  test('that falls silent in the middle of a stream ends it within the time-outs', async () => {
    const { proxy, opened } = await openThroughProxy({ poolSize: 1 })
    const reading = async () => {
      for await (const rows of opened.stream(sql`select n from generate_series(1, 100) as n`, 10)) {
        expect(rows).toHaveLength(10)
        proxy.goSilent()
      }
    }
    await unavailable(reading())
    proxy.heal()
    await vi.waitFor(async () => expect(await opened.query(one)).toEqual([{ one: 1 }]), 60_000)
  })

  test('that falls silent under a stream that is left early lets its reader go within the time-outs', async () => {
    const { proxy, opened } = await openThroughProxy({ poolSize: 1 })
    for await (const rows of opened.stream(sql`select n from generate_series(1, 100) as n`, 10)) {
      expect(rows).toHaveLength(10)
      proxy.goSilent()
      break
    }
    proxy.heal()
    await vi.waitFor(async () => expect(await opened.query(one)).toEqual([{ one: 1 }]), 60_000)
  })

  test('that thinks too long about a statement is unavailable within the time-outs', async () => {
    const opened = open(postgresUrl())
    const error = await opened.query(sql`select pg_sleep(20)`).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    // Ended by the server itself, so that it does not go on thinking for nobody.
    expect(sqlState((error as Error).cause)).toBe('57014')
  })

  test('may think as long as it likes for a command', async () => {
    const opened = open(postgresUrl(), { purpose: 'command' })
    expect(await opened.query(sql`select 1 as one from pg_sleep(3.5)`)).toEqual([{ one: 1 }])
  })

  test('that kills a connection under a statement is unavailable, and there again at once', async () => {
    const opened = open(postgresUrl(), { poolSize: 1 })
    const [backend] = await opened.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const sleeping = opened.query(sql`select pg_sleep(2)`)
    const killed = expect(sleeping).rejects.toBeInstanceOf(DatabaseUnavailable)
    await vi.waitFor(
      async () => {
        const [active] = await database.query<{ n: number }>(sql`
        select count(*) as n from pg_stat_activity where pid = ${backend?.pid} and query like '%pg_sleep%'`)
        expect(active?.n).toBe(1)
      },
      { timeout: 60_000 },
    )
    await database.query(sql`select pg_terminate_backend(${backend?.pid})`)
    await killed
    expect(await opened.query(one)).toEqual([{ one: 1 }])
  })

  test('that cuts idle connections does not end the process, and is there again at once', async () => {
    const errors: Error[] = []
    const { proxy, opened } = await openThroughProxy({ onIdleError: (error) => errors.push(error) })
    await Promise.all([opened.query(one), opened.queryReserved(one)])
    proxy.cut()
    await vi.waitFor(() => expect(errors).toHaveLength(2), { timeout: 60_000 })
    expect(await opened.query(one)).toEqual([{ one: 1 }])
    expect(await opened.queryReserved(one)).toEqual([{ one: 1 }])
  })

  test('that cuts a connection between two statements of a transaction fails the transaction only', async () => {
    const { proxy, opened } = await openThroughProxy({ poolSize: 1 })
    const working = opened.transaction(async (tx) => {
      await tx.query(one)
      proxy.cut()
      await new Promise((resolve) => setTimeout(resolve, 50))
      await tx.query(one)
    })
    await expect(working).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await opened.transaction((tx) => tx.query(one))).toEqual([{ one: 1 }])
  })

  test('that cuts a connection under a stream fails the stream only', async () => {
    const { proxy, opened } = await openThroughProxy({ poolSize: 1 })
    const reading = async () => {
      for await (const rows of opened.stream(sql`select n from generate_series(1, 100) as n`, 10)) {
        expect(rows).toHaveLength(10)
        proxy.cut()
      }
    }
    await expect(reading()).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await opened.query(one)).toEqual([{ one: 1 }])
  })

  test('that restarts is unavailable meanwhile and there again afterwards', async () => {
    const server = await newPostgresServer()
    const opened = open(server.url)
    await Promise.all([opened.query(one), opened.query(one), opened.queryReserved(one)])
    const restarted = server.restart()
    const answers: unknown[] = []
    let running = true
    const asking = (async () => {
      while (running) {
        answers.push(await opened.query(one).catch((error: unknown) => error))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()
    await restarted
    await vi.waitFor(async () => expect(await opened.query(one)).toEqual([{ one: 1 }]), { timeout: 60_000 })
    expect(await opened.queryReserved(one)).toEqual([{ one: 1 }])
    running = false
    await asking
    const failures = answers.filter((answer) => answer instanceof Error)
    expect(failures.filter((failure) => !(failure instanceof DatabaseUnavailable))).toEqual([])
  })

  test('whose connections for reading are taken is unavailable for one more, while the reserved one answers', async () => {
    const opened = open(postgresUrl(), { poolSize: 2 })
    const blocked = unavailable(opened.queryArrays(sql`select pg_sleep(10)`, 'heavy'))
    await unavailable(opened.query(one))
    expect(await opened.queryReserved(one)).toEqual([{ one: 1 }])
    await blocked
    expect(await opened.query(one)).toEqual([{ one: 1 }])
  })
})
