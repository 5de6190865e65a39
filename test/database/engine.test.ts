/** The engine in its thread, and the one session that it has. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { SESSION_PREPARED_MAX } from '../../src/database/embedded/session.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { newFolder } from '../commands/sojourn.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})

test('statements that come together are answered each with its own rows', async () => {
  const asked = Array.from({ length: 200 }, (_, n) =>
    n % 3 === 0
      ? database.queryArrays(sql`select ${n}::int, ${`a${n}`}::text`)
      : n % 3 === 1
        ? database.query(sql`select ${n}::int as n`)
        : database.transaction((tx) => tx.query(sql`select ${n}::int as m`)),
  )
  const answers = await Promise.all(asked)
  answers.forEach((answer, n) => {
    expect(answer).toEqual(n % 3 === 0 ? [[n, `a${n}`]] : n % 3 === 1 ? [{ n }] : [{ m: n }])
  })
})

test('an answer of many megabytes comes as a whole', async () => {
  const [row] = await database.query<{ text: string }>(sql`select repeat('ă', 10000000) as text`)
  expect(row?.text).toBe('ă'.repeat(10_000_000))
})

test('a statement that fails is an error of its own, and those sent with it are answered', async () => {
  const asked = await Promise.allSettled([
    database.query(sql`select 1 / 0`),
    database.query(sql`select no_such_column`),
    database.query(sql`select no_such_column`),
    database.query(sql`select 'x'::integer`),
    database.query(sql`select 1 as one`),
  ])
  const outcomes = asked.map((one) => (one.status === 'rejected' ? one.reason.code : one.value))
  expect(outcomes).toEqual(['22012', '42703', expect.stringMatching(/42703|26000/), '22P02', [{ one: 1 }]])
  await database.runScript('create table later (no_such_column int)')
  expect(await database.query(sql`select no_such_column from later`)).toEqual([])
})

test('a write that fails is an error for its sender, in a folder as in memory', async () => {
  const inFolder = await openEmbedded({ folder: join(newFolder(), 'database') })
  try {
    for (const each of [database, inFolder]) {
      const insert = sql`insert into centers (center_id) values (null)`
      await expect(each.query(insert)).rejects.toMatchObject({ code: '23502' })
      await expect(each.transaction((tx) => tx.query(insert))).rejects.toMatchObject({ code: '23502' })
      await expect(each.runScript('insert into centers (center_id) values (null)')).rejects.toMatchObject({
        code: '23502',
      })
    }
  } finally {
    await inFolder.close()
  }
})

test('a statement whose columns were changed is prepared anew', async () => {
  await database.runScript('create table notes (note text)')
  expect(await database.query(sql`select * from notes`)).toEqual([])
  await database.runScript("alter table notes add column author text; insert into notes values ('a', 'b')")
  await database.query(sql`select * from notes`).catch(() => {})
  expect(await database.query(sql`select * from notes`)).toEqual([{ note: 'a', author: 'b' }])
})

test('a stream that can go on after a row finds all others only where somebody commits', async () => {
  const after = (last: readonly unknown[] | undefined, limit: number | undefined) => sql`
    select n from generate_series(${Number(last?.[0] ?? 0) + 1}::int, 9) n limit ${limit ?? null}::int`
  const cursors = () => database.queryArrays(sql`select name from pg_cursors where name like 'chunks%'`)
  const numbers = () => database.stream(after(undefined, undefined), 2)[Symbol.asyncIterator]()
  const streams = [numbers(), numbers()]
  const next = async () => (await Promise.all(streams.map((one) => one.next()))).map(({ value }) => value)
  expect(await next()).toEqual(Array(2).fill([[1], [2]]))
  await database.transaction((tx) => tx.query(sql`select 1`))
  expect(await cursors()).toEqual([])
  await database.transaction((tx) => tx.query(sql`select 1`))
  expect(await cursors()).toHaveLength(2)
  await streams.pop()?.return?.(undefined)
  expect(await cursors()).toHaveLength(1)
  for (const rows of [[[3], [4]], [[5], [6]], [[7], [8]], [[9]], undefined])
    expect(await next()).toEqual([rows])
  expect(await cursors()).toEqual([])
  // Those that have ended keep nothing.
  await database.transaction((tx) => tx.query(sql`select 1`))
  expect(await cursors()).toEqual([])
})

test('a transaction of one center keeps rows for the streams of that center alone, and only where it commits', async () => {
  await database.runScript(
    'create table stays (center text, n int); insert into stays select c, n from unnest(array[$$a$$, $$b$$]) c, generate_series(1, 6) n',
  )
  onTestFinished(() => database.runScript('drop table stays'))
  const streamOf = (center: string) => {
    const after = (last: readonly unknown[] | undefined, limit: number | undefined) => sql`
      select n from stays where center = ${center} and n > ${Number(last?.[0] ?? 0)}::int order by n limit ${limit ?? null}::int`
    return database.stream(after(undefined, undefined), 2)[Symbol.asyncIterator]()
  }
  const cursors = async () =>
    (await database.queryArrays(sql`select name from pg_cursors where name like 'chunks%'`)).length
  const write = (center: string, fails: boolean) =>
    database.transaction(
      async (tx) => {
        await tx.query(sql`update stays set n = n + 100 where center = ${center}`)
        if (fails) throw new Error('the last record is wrong')
      })
  const [ofA, ofB, left] = [streamOf('a'), streamOf('b'), streamOf('a')]
  const next = async (stream: AsyncIterator<unknown[][]>) => (await stream.next()).value
  for (const stream of [ofA, ofB, left]) expect(await next(stream)).toEqual([[1], [2]])

  await expect(write('a', true)).rejects.toThrow('the last record is wrong')
  expect(await cursors()).toBe(0)
  expect(await next(ofA)).toEqual([[3], [4]])

  // One that is left meanwhile keeps nothing either.
  const written = write('a', false)
  await left.return?.(undefined)
  await written
  await vi.waitFor(async () => expect(await cursors()).toBe(1), { timeout: 60_000 })
  expect(await next(ofB)).toEqual([[3], [4]])
  expect(await next(ofA)).toEqual([[5], [6]])
  expect(await next(ofA)).toBeUndefined()
  expect(await next(ofB)).toEqual([[5], [6]])
  expect(await next(ofB)).toBeUndefined()
  expect(await cursors()).toBe(0)
})

/** What the engine holds prepared. */
const prepared = () =>
  database.query<{ name: string; statement: string }>(sql`select name, statement from pg_prepared_statements`)
const numbered = (n: number) => raw(`select ${n} as n`)

test('a statement is prepared when it comes again', async () => {
  for (const times of [0, 1, 1]) {
    expect(await database.query(numbered(7))).toEqual([{ n: 7 }])
    expect((await prepared()).filter(({ statement }) => statement === 'select 7 as n')).toHaveLength(times)
  }
})

test('what falls out of the statements that are held is closed, and is answered all the same', async () => {
  for (let n = 0; n < 2 * SESSION_PREPARED_MAX; n++) {
    for (let time = 0; time < 2; time++) expect(await database.query(numbered(n))).toEqual([{ n }])
  }
  const held = await prepared()
  expect(held.length).toBeLessThanOrEqual(SESSION_PREPARED_MAX)
  expect(held.map(({ statement }) => statement)).toContain(`select ${2 * SESSION_PREPARED_MAX - 1} as n`)
  expect(held.map(({ statement }) => statement)).not.toContain('select 0 as n')
  expect(await database.query(numbered(0))).toEqual([{ n: 0 }])
})

test('dead rows do not grow for ever', async () => {
  await database.runScript(
    "create table rows (text text); insert into rows select repeat('x', 500) from generate_series(1, 5000)",
  )
  const size = async () => {
    const [row] = await database.query<{ size: number }>(sql`select pg_relation_size('rows') as size`)
    return row?.size ?? 0
  }
  await database.vacuum()
  const first = await size()
  for (let round = 0; round < 6; round++) {
    await database.query(sql`update rows set text = reverse(text) || ${round}`)
    await database.vacuum()
  }
  // The rows, those that an update replaces, and what is left over; not seven times the rows.
  expect(await size()).toBeLessThan(3 * first)
  const [counted] = await database.query<{ rows: number }>(
    sql`select reltuples as rows from pg_class where relname = 'rows'`,
  )
  expect(counted?.rows).toBe(5000)
})

test('rows that were undone do not grow for ever either, and nothing new is to be known of them', async () => {
  await database.runScript(
    "create table undone (text text); insert into undone select repeat('x', 500) from generate_series(1, 5000)",
  )
  await database.vacuum()
  const facts = async () => {
    const [row] = await database.query<{ size: number; vacuumed: number; analyzed: number }>(sql`
      select pg_relation_size(relid) as size, vacuum_count as vacuumed, analyze_count as analyzed
      from pg_stat_user_tables where relname = 'undone'`)
    return row
  }
  const first = await facts()
  expect(first).toMatchObject({ vacuumed: 0, analyzed: 1 })
  for (let round = 0; round < 6; round++) {
    const undone = database.transaction(async (tx) => {
      await tx.query(sql`insert into undone select text from undone`)
      throw new Error('the last record is wrong')
    })
    await expect(undone).rejects.toThrow('the last record is wrong')
    await database.vacuum()
  }
  const last = await facts()
  expect(last).toMatchObject({ vacuumed: 6, analyzed: 1 })
  expect(last?.size).toBeLessThan(3 * first!.size)
})

test('statistics are of a small sample, because every read waits for them, and of a smaller one where values are computed', async () => {
  await database.runScript(`
    create table looked_at (name text, day int);
    create index on looked_at (upper(name));
    insert into looked_at select 'n' || n, n % 4000 from generate_series(1, 5000) n`)
  await database.vacuum()
  const stored = await database.query(sql`
    select tablename as of, attname as column, cardinality(histogram_bounds) as bounds
    from pg_stats where tablename like 'looked_at%' order by 1, 2`)
  expect(stored).toEqual([
    { of: 'looked_at', column: 'day', bounds: 11 },
    { of: 'looked_at', column: 'name', bounds: 11 },
    { of: 'looked_at_upper_idx', column: 'upper', bounds: 4 },
  ])
  expect(await database.query(sql`show default_statistics_target`)).toEqual([
    { default_statistics_target: '100' },
  ])
})

test('a folder that cannot be opened is refused with the reason, and its thread is gone', async () => {
  const folder = join(newFolder(), 'database')
  const before = await openEmbedded({ folder })
  await before.close()
  writeFileSync(join(folder, 'global', 'pg_control'), '')
  await expect(openEmbedded({ folder })).rejects.toThrow(/pg_control/)
})
