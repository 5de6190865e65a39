/** Reads that come in between the statements of a transaction. */
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database, Queryable, RowsAfter, TransactionOptions } from '../../src/database/database.ts'
import { Guests } from '../../src/database/embedded/guests.ts'
import type { Session } from '../../src/database/embedded/session.ts'
import { SessionSlots } from '../../src/database/embedded/session-slots.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
  await database.runScript(`create table rows_of_both (center text, n int);
    create function writes_a_row() returns integer language sql as
      $$ insert into rows_of_both values ('host', 3) returning n $$`)
})

beforeEach(async () => {
  await database.runScript("truncate rows_of_both; insert into rows_of_both values ('host', 1), ('guest', 1)")
})

const rowsOf = (center: string) => sql`select n from rows_of_both where center = ${center}::text order by n`
const readOf = (center: string) => database.queryArrays(rowsOf(center), 'light')
const add = (center: string) => sql`insert into rows_of_both values (${center}, 2)`

/** A transaction that has written, and goes on with `work` on request. */
async function startTransaction(
  write: (tx: Queryable) => Promise<unknown>,
  options: TransactionOptions,
  work?: (tx: Queryable) => Promise<void>,
) {
  const { promise: reported, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
  const done = database.transaction(async (tx) => {
    await write(tx)
    hasWritten()
    await reported
    await work?.(tx)
  })
  done.catch(() => {})
  await written
  return { done, goOn }
}

/** A short one, of the center `host`. */
const startHold = (work?: (tx: Queryable) => Promise<void>) =>
  startTransaction((tx) => tx.query(add('host')), { center: 'host' }, work)

const round = () => new Promise((resolve) => setImmediate(resolve))
const outcome = (read: Promise<unknown>) =>
  Promise.race([read.then(() => 'read'), round().then(() => 'waits')])

test('another center reads meanwhile; what a short transaction may change is read afterwards', async () => {
  const { done, goOn } = await startHold()
  const own = readOf('host')
  const unnamed = database.queryArrays(rowsOf('guest'))
  expect(await readOf('guest')).toEqual([[1]])
  expect(await readOf('guest')).toEqual([[1]])
  goOn()
  await done
  expect(await own).toEqual([[1], [2]])
  expect(await unnamed).toEqual([[1]])
})

/** After it, reads of what the transaction may change come in. */
const long = sql`select pg_sleep(0.12) is null`

describe.each([
  ['of one center', { center: 'host' }],
  ['with steps before it, of any center', { before: async () => {} }],
])('a long transaction %s', (_, options) => {
  /** Has changed, removed and added rows, and goes on on request. */
  const startLong = (work?: (tx: Queryable) => Promise<void>) =>
    startTransaction(
      async (tx) => {
        await tx.query(sql`insert into rows_of_both values ('host', 5), ('host', 6)`)
        await tx.query(sql`update rows_of_both set n = 9 where center = 'host' and n = 1`)
        await tx.query(sql`delete from rows_of_both where center = 'host' and n = 6`)
        await tx.query(long)
      },
      options,
      work,
    )

  test('everybody reads what was committed before it, until it is committed', async () => {
    const { done, goOn } = await startLong(async (tx) => {
      expect(await tx.query(rowsOf('host'))).toEqual([{ n: 5 }, { n: 9 }])
    })
    expect(await readOf('host')).toEqual([[1]])
    expect(await database.query(rowsOf('host'))).toEqual([{ n: 1 }])
    expect(await readOf('guest')).toEqual([[1]])
    goOn()
    await done
    expect(await readOf('host')).toEqual([[5], [9]])
  })

  test('a read that waited for it comes in as well', async () => {
    const { promise: reported, resolve: goOn } = Promise.withResolvers<void>()
    const done = database.transaction(async (tx) => {
      await tx.query(add('host'))
      read = readOf('host')
      await tx.query(long)
      await reported
    })
    let read: Promise<unknown> = Promise.resolve()
    await round()
    await vi.waitFor(async () => expect(await read).toEqual([[1]]), { timeout: 60_000 })
    goOn()
    await done
    expect(await readOf('host')).toEqual([[1], [2]])
  })

  test('each of its errors concerns one read', async () => {
    const { done, goOn } = await startLong()
    const failing = [sql`select 1 / ${0}::int`, sql`select nothing`, sql`select ${'no day'}::date`]
    for (const statement of failing) {
      await expect(database.queryArrays(statement, 'light')).rejects.toMatchObject({
        code: expect.stringMatching(/^(22012|42703|22007)$/),
      })
      expect(await readOf('host')).toEqual([[1]])
    }
    goOn()
    await done
    expect(await readOf('host')).toEqual([[5], [9]])
  })

  test('a read that would write is refused, and the transaction may write afterwards', async () => {
    const { done, goOn } = await startLong(async (tx) => {
      await tx.query(add('host'))
    })
    await expect(database.queryArrays(sql`select writes_a_row()`, 'light')).rejects.toMatchObject({
      code: '25006',
    })
    goOn()
    await done
    expect(await readOf('host')).toEqual([[2], [5], [9]])
  })

  test.each([
    ['few rows is read at once, as they were', 2500, true],
    ['many rows begins afterwards', 7000, false],
  ])('a stream of %s', async (_, count, isAtOnce) => {
    const numbers: RowsAfter = (last, limit) => sql`
      select number, (select max(n) from rows_of_both where center = 'host')
      from generate_series(${Number(last?.[0] ?? 0) + 1}::integer, ${count}::integer) as of_all (number) limit ${limit ?? null}::integer`
    const { done, goOn } = await startLong()
    let isRead = false
    const rows = Array.fromAsync(database.stream(numbers(undefined, undefined), 1000)).then(
      (chunks) => {
        isRead = true
        return chunks.flat()
      },
    )
    if (isAtOnce) await vi.waitFor(() => expect(isRead).toBe(true), { timeout: 60_000 })
    else for (let more = 0; more < 20; more += 1) expect(await readOf('host')).toEqual([[1]])
    expect(isRead).toBe(isAtOnce)
    goOn()
    await done
    const all = await rows
    expect(all.map(([number]) => number)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(new Set(all.map(([, host]) => host))).toEqual(new Set([isAtOnce ? 1 : 9]))
  })

  test('values are the same as without it', async () => {
    const statement = sql`
      select n, ${'a "b" \\ (c), ,'}::text as text, ${''}::text as empty, ${null}::text as nothing, ${true}::boolean as yes,
        ${'2026-02-03'}::date as day, ${'2026-02-03T04:05:06.789Z'}::timestamptz as moment, ${1.5}::numeric as number,
        ${['a', '"', '\\', null, '']}::text[] as texts, ${{ a: ['"\\', null, 1] }}::jsonb as json, ${[1, 2]}::integer[] as numbers,
        ${'line\nline'}::text as lines, ${7}::bigint as n, ${Buffer.from([0, 255, 92])}::bytea as bytes, 'c'::"char" as letter
      from rows_of_both where center = ${'host'}::text and n = any (${[1, 3]}::integer[]) order by 1 -- a remark`
    const before = await database.queryArrays(statement, 'light')
    const { done, goOn } = await startLong()
    expect(await database.queryArrays(statement, 'light')).toEqual(before)
    expect(before).toHaveLength(1)
    const none = sql`select n from rows_of_both where center = 'unknown'`
    expect(await database.queryArrays(none, 'light')).toEqual([])
    goOn()
    await done
  })
})

test('nobody sees what is rolled back', async () => {
  const { done, goOn } = await startHold(() => Promise.reject(new Error('no')))
  const own = readOf('host')
  expect(await readOf('guest')).toEqual([[1]])
  goOn()
  await expect(done).rejects.toThrow('no')
  expect(await own).toEqual([[1]])
})

test('a read that fails takes nothing from the transaction', async () => {
  const { done, goOn } = await startHold()
  await expect(database.queryArrays(sql`select 1 / ${0}::int`, 'light')).rejects.toThrow(/division/)
  expect(await readOf('guest')).toEqual([[1]])
  goOn()
  await done
  expect(await readOf('host')).toEqual([[1], [2]])
})

test('after a statement that failed, nobody comes in until the transaction has ended', async () => {
  const { promise: failed, resolve: hasFailed } = Promise.withResolvers<void>()
  const { promise: reported, resolve: end } = Promise.withResolvers<void>()
  const { done, goOn } = await startHold(async (tx) => {
    await tx.query(sql`select 1 / ${0}::int`).catch(() => hasFailed())
    await reported
  })
  goOn()
  await failed
  const read = readOf('guest')
  expect(await outcome(read)).toBe('waits')
  end()
  await expect(done).rejects.toThrow('rolled back')
  expect(await read).toEqual([[1]])
})

test('what writes waits, whosever it is', async () => {
  const { done, goOn } = await startHold()
  const write = database.queryArrays(add('guest'), 'light')
  const other = database.transaction((tx) => tx.query(add('guest')))
  expect([await outcome(write), await outcome(other)]).toEqual(['waits', 'waits'])
  expect(await readOf('guest')).toEqual([[1]])
  goOn()
  await Promise.all([done, write, other])
  expect(await readOf('guest')).toEqual([[1], [2], [2]])
})

test('a read that waited before the transaction began comes in as well', async () => {
  const { promise: reported, resolve: end } = Promise.withResolvers<void>()
  const everybodyWaits = database.transaction(() => reported)
  await round()
  const hold = startHold()
  await round()
  const reads = [readOf('guest'), readOf('host')] as const
  expect([await outcome(reads[0]), await outcome(reads[1])]).toEqual(['waits', 'waits'])
  end()
  const { done, goOn } = await hold
  expect(await reads[0]).toEqual([[1]])
  goOn()
  await Promise.all([everybodyWaits, done])
  expect(await reads[1]).toEqual([[1], [2]])
})

test('reads and transactions of centers in any order see their own center as it was committed', async () => {
  const seen: number[][] = []
  const work = Array.from({ length: 60 }, (_, at) => {
    const center = at % 2 === 0 ? 'host' : 'guest'
    if (at % 3 !== 0) return readOf(center).then((rows) => void seen.push(rows.map(([n]) => Number(n))))
    return database.transaction(
      async (tx) => {
        await tx.query(sql`delete from rows_of_both where center = ${center}`)
        await tx.query(sql`insert into rows_of_both values (${center}, ${at}), (${center}, ${at})`)
      })
  })
  await Promise.all(work)
  // Never the moment between the deletion and the rows that follow.
  for (const rows of seen) expect([[1], [rows[0], rows[0]]]).toContainEqual(rows)
})

/** A transaction of the center `host` and its reads, on a clock that only work moves. Of the session, reads use `script` alone. */
function simulated() {
  const state = { now: 0, waitedMs: 0 }
  const slots = new SessionSlots()
  const guests = new Guests({
    host: 'host',
    readMs: 1000,
    onOpen: () => slots.letIn(),
    onWait: (ms) => {
      state.waitedMs += ms
    },
    clock: () => state.now,
  })
  const session = { script: async () => {} } as unknown as Session
  const earlier = { run: () => Promise.reject(new Error('not used')) }
  const own = (ms: number) =>
    guests.own(async () => {
      state.now += ms
    })
  return { state, slots, guests, open: () => guests.open(session, earlier), own, session, earlier }
}

test.each([
  ['another center', 'guest', 0],
  ['its own center', 'host', 100],
])(
  'a transaction waits for reads of %s as long at most as its own statements take, however many come',
  async (_, center, begun) => {
    const { state, slots, guests, open, own } = simulated()
    const reads: Promise<void>[] = []
    let came = 0
    await slots.alone(async () => {
      open()
      if (begun > 0) await own(begun)
      for (let statement = 0; statement < 20; statement += 1) {
        for (let more = 0; more < 3; more += 1) {
          const read = async () => {
            state.now += 60
            came += 1
          }
          reads.push(slots.together(read, { center }))
        }
        await own(10)
      }
      await guests.close()
      // The statements take 200 ms (300 with what came before), and 100 are free. Several reads in one wait count for 100.
      expect([state.waitedMs, came]).toEqual(begun === 0 ? [360, 6] : [540, 9])
    }, guests)
    await Promise.all(reads)
    expect(came).toBe(60)
  },
)

test('reads of its own center come in when the statements of a transaction have taken 100 ms', async () => {
  const { slots, guests, open, own, session, earlier } = simulated()
  const seen: unknown[] = []
  const read = (center: string | undefined) =>
    slots.together(async (inside) => void seen.push(inside), { center })
  await slots.alone(async () => {
    open()
    const waiting = [read('host'), read(undefined)]
    await own(99)
    await read('guest')
    expect(seen).toEqual([session])
    await own(1)
    await Promise.all(waiting)
    await read('host')
    expect(seen).toEqual([session, earlier, earlier, earlier])
    await guests.close()
  }, guests)
  await read('host')
  expect(seen.at(-1)).toBeUndefined()
})

test('reads come in freely while the transaction sends nothing', async () => {
  const { done, goOn } = await startHold()
  for (let n = 0; n < 3; n += 1) {
    const slow = sql`select pg_sleep(0.06) is null, n from rows_of_both where center = ${'guest'}::text`
    expect(await database.queryArrays(slow, 'light')).toEqual([[false, 1]])
  }
  goOn()
  await done
})

test('a transaction that is given up ends while reads wait for it and in it', async () => {
  const { done, goOn } = await startHold(() => Promise.reject(new Error('cancelled')))
  const inside = Array.from({ length: 5 }, () => readOf('guest'))
  const own = readOf('host')
  goOn()
  await expect(done).rejects.toThrow('cancelled')
  expect(await Promise.all(inside)).toEqual(inside.map(() => [[1]]))
  expect(await own).toEqual([[1]])
})
