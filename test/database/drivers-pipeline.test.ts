/** Reads of one statement that are asked for in the same moment: one message, one connection, and each with its own end. */
import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { TOGETHER_MAX } from '../../src/core/database/postgres/postgres-pipeline.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { proxyTo } from '../support/tcp-proxy.ts'

let url: string
beforeAll(async () => {
  url = await newPostgresDatabase('empty')
})

function open(connectionString: string, poolSize = 3, purpose: 'serve' | 'command' = 'serve'): Database {
  const opened = openPostgres({ connection: { connectionString }, poolSize, purpose })
  onTestFinished(() => opened.close())
  return opened
}

const backend = (n: number) => sql`select ${n}::integer, pg_backend_pid(), ${['a,"b\\', `${n}`]}::text[]`

/** Fails for 0, and for nothing else. */
const inverse = (n: number) => sql`select 12 / ${n}::integer`

const settled = async (asked: readonly Promise<unknown[][]>[]) =>
  (await Promise.allSettled(asked)).map((one) =>
    one.status === 'fulfilled' ? one.value : one.reason.message,
  )

test('each has its own rows, from one connection, at most so many of them', async () => {
  const database = open(url, 20)
  for (let round = 0; round < 3; round += 1) {
    const numbers = Array.from({ length: 2 * TOGETHER_MAX }, (_, n) => n)
    const rows = await Promise.all(numbers.map((n) => database.queryArrays(backend(n))))
    expect(rows.map(([row]) => row?.[0])).toEqual(numbers)
    expect(rows.map(([row]) => row?.[2])).toEqual(numbers.map((n) => ['a,"b\\', `${n}`]))
    const backends = rows.map(([row]) => row?.[1])
    expect(new Set(backends.slice(0, TOGETHER_MAX)).size).toBe(1)
    expect(new Set(backends).size).toBe(2)
  }
})

test('no row, several rows and nulls stay those of the read that asked', async () => {
  const database = open(url)
  const upTo = (n: number) => sql`select g, nullif(g, 2), g::text from generate_series(1, ${n}::integer) g`
  const [none, three, one] = await Promise.all([0, 3, 1].map((n) => database.queryArrays(upTo(n))))
  expect(none).toEqual([])
  expect(three).toEqual([
    [1, 1, '1'],
    [2, null, '2'],
    [3, 3, '3'],
  ])
  expect(one).toEqual([[1, 1, '1']])
})

test('one that fails does so alone: those in front of it have their rows, and those behind are asked again', async () => {
  const database = open(url)
  for (let round = 0; round < 3; round += 1) {
    const ends = await settled([6, 0, 3, 0, 2].map((n) => database.queryArrays(inverse(n))))
    expect(ends).toEqual([[[2]], 'division by zero', [[4]], 'division by zero', [[6]]])
  }
})

test('a statement that is wrong is wrong for each of them', async () => {
  const database = open(url)
  const wrong = () => database.queryArrays(raw('select nothing_of_that_name'))
  for (const end of await settled([wrong(), wrong(), wrong()])) expect(end).toContain('nothing_of_that_name')
  expect(await database.queryArrays(sql`select 1`)).toEqual([[1]])
})

test('each has the whole time that one read may take, and one that takes longer does so alone', async () => {
  const database = open(url)
  await database.query(raw('select 1'))
  const sleep = (seconds: number) => sql`select ${seconds}::double precision from pg_sleep(${seconds})`
  // The server's limit is 1.5 s for each, and two of them take longer than that together.
  const ends = await Promise.allSettled([0.8, 0.8, 5, 0.1].map((s) => database.queryArrays(sleep(s))))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(ends[2]).toMatchObject({ reason: expect.any(DatabaseUnavailable) })
})

test('a slow one does not keep the rows of those in front of it', async () => {
  const database = open(url, 3, 'command')
  const waits = (lock: number) =>
    sql`select ${lock}::integer from (select pg_advisory_xact_lock(${lock}::integer)) locked`
  const holder = new pg.Client(url)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('select pg_advisory_lock(2)')
  const asked = [1, 2].map((lock) => database.queryArrays(waits(lock)))
  expect(await asked[0]).toEqual([[1]])
  // Had the first one waited for the second, nobody would let it go on.
  await holder.query('select pg_advisory_unlock(2)')
  expect(await asked[1]).toEqual([[2]])
})

test('a connection that is cut ends all that are on it as unavailable, and the next ones have another', async () => {
  const proxy = await proxyTo(url)
  onTestFinished(() => proxy.close())
  const database = open(proxy.url)
  await Promise.all([1, 2].map((n) => database.queryArrays(inverse(n))))
  const asked = [1, 2, 3].map((n) => database.queryArrays(sql`select ${n}::integer from pg_sleep(1)`))
  setImmediate(() => proxy.cut())
  for (const end of await Promise.allSettled(asked)) {
    expect(end).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
  }
  expect(await database.queryArrays(inverse(4))).toEqual([[3]])
})
