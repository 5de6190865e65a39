/** Statements that PostgreSQL prepares for us: those that repeat, and never more than a backend has room for. */
import sql, { raw } from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { PREPARED_MAX } from '../../src/core/database/postgres/repeated-statements.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { servedPostgres } from '../support/served-postgres.ts'
import { guest } from '../support/world.ts'

/** Over one connection, so that what is asked of the backend is asked of the one that did the work. */
async function openOne(): Promise<Database> {
  const opened = openPostgres({
    connection: { connectionString: await newPostgresDatabase('empty') },
    poolSize: 1,
    purpose: 'serve',
  })
  onTestFinished(() => opened.close())
  return opened
}

/** Asked by text alone, so that it is never prepared itself. */
async function prepared(database: Database): Promise<string[]> {
  const unique = `select statement from pg_prepared_statements order by prepare_time -- ${Math.random()}`
  const rows = await database.query<{ statement: string }>(raw(unique))
  return rows.map((row) => row.statement)
}

test('a heavy read of a request may take 2.5 seconds, and one of a command as long as it takes', async () => {
  const limitOf = async (purpose: 'serve' | 'command') => {
    const connection = { connectionString: await newPostgresDatabase('empty') }
    const database = openPostgres({ connection, poolSize: 2, purpose })
    onTestFinished(() => database.close())
    return database.queryArrays(sql`select current_setting('statement_timeout')`, 'heavy')
  }
  expect(await limitOf('serve')).toEqual([['2500ms']])
  expect(await limitOf('command')).toEqual([['0']])
})

describe('a statement', () => {
  test('is prepared when it comes again, and not before', async () => {
    const database = await openOne()
    await database.query(sql`select ${1}::integer as n`)
    expect(await prepared(database)).toEqual([])
    await database.query(sql`select ${2}::integer as n`)
    await database.query(sql`select ${3}::integer as n`)
    expect(await prepared(database)).toEqual(['select $1::integer as n'])
  })

  test('that is used the longest ago is closed for a new one, and prepared anew when it comes back', async () => {
    const database = await openOne()
    const shape = (n: number) => raw(`select ${n} as n`)
    const askTwice = async (n: number) => {
      for (let round = 0; round < 2; round += 1) expect(await database.query(shape(n))).toEqual([{ n }])
    }
    for (let n = 0; n < PREPARED_MAX; n += 1) await askTwice(n)
    expect(await prepared(database)).toHaveLength(PREPARED_MAX)
    // Asked again, so that the next one is the oldest.
    await database.query(shape(0))
    await askTwice(PREPARED_MAX)
    const held = await prepared(database)
    expect(held).toHaveLength(PREPARED_MAX)
    expect(held).toContain('select 0 as n')
    expect(held).not.toContain('select 1 as n')
    expect(await database.query(shape(1))).toEqual([{ n: 1 }])
    expect(await prepared(database)).toContain('select 1 as n')
    expect(await prepared(database)).not.toContain('select 2 as n')
  })

  test('is closed for another one in an aborted transaction too', async () => {
    const database = await openOne()
    for (let n = 0; n < 2 * PREPARED_MAX; n += 1) await database.query(raw(`select ${n % PREPARED_MAX} as n`))
    await database.query(sql`select 'one more'`)
    const failing = database.transaction(async (tx) => {
      await tx.query(raw('select 1 / 0')).catch(() => {})
      await tx.query(sql`select 'one more'`).catch(() => {})
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect((await prepared(database)).length).toBeLessThanOrEqual(PREPARED_MAX)
    expect(await database.query(sql`select 'one more' as text`)).toEqual([{ text: 'one more' }])
  })

  test('that is wrong takes no room', async () => {
    const database = await openOne()
    for (let n = 0; n < 3 * PREPARED_MAX; n += 1) {
      await database.query(raw(`select nothing_${n >> 1}`)).catch(() => {})
    }
    for (let round = 0; round < 3; round += 1) await database.query(sql`select 'right' as text`)
    expect(await prepared(database)).toEqual(["select 'right' as text"])
  })
})

test('200 different projections leave a backend as many statements as it has room for', async () => {
  const { serve } = await servedPostgres({ records: guest('b1') })
  const instance = await serve({ poolSize: 1, app: { answerCacheMb: 0 } })
  const used = async () => {
    const [memory] = await instance.database.query<{ bytes: number }>(
      raw(`select sum(total_bytes) as bytes from pg_backend_memory_contexts -- ${Math.random()}`),
    )
    return memory?.bytes ?? 0
  }
  // All fields but two: 200 of the pairs.
  const names = PROJECTABLE_NAMES.filter(
    (name) => !['financial.deposit', 'financial.fullPayment'].includes(name),
  )
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]))
  const projections = pairs
    .slice(0, 200)
    .map((pair) => names.filter((name) => !pair.includes(name)).join(','))
  const before = await used()
  for (const project of projections) {
    const url = `/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=${project}`
    for (let round = 0; round < 2; round += 1) expect((await instance.get(url)).status).toBe(200)
  }
  expect(await prepared(instance.database)).toHaveLength(PREPARED_MAX)
  const grown = ((await used()) - before) / 1e6
  // In megabytes: 54 with the 32 that stay, half of it for the payments that `paid` needs; all 192 would be 320.
  expect(grown).toBeLessThan(70)
}, 300_000)
