import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts'
import { type EmbeddedLimits, openEmbedded } from '../../src/database/embedded.ts'
import { newFolder } from '../commands/sojourn.ts'

/** A database in a folder, and what it said of its engine's ends. */
async function open(limits?: Partial<EmbeddedLimits>) {
  const said: string[] = []
  const database = await openEmbedded({
    folder: join(newFolder(), 'database'),
    limits: { answerMs: 20_000, readMs: 20_000, writeMs: 20_000, ...limits },
    onChange: (sentence) => said.push(sentence),
  })
  onTestFinished(() => database.close())
  await database.runScript('create table notes (note text)')
  return { database, said, note: (text: string) => note(database, text), notes: () => notes(database) }
}

const note = (database: Database, text: string) => database.query(sql`insert into notes values (${text})`)
const notes = async (database: Database) => (await database.queryArrays(sql`select note from notes`)).flat()

/** Never ends, and takes no memory. */
const ENDLESS = sql`with recursive r as (select 1 as n union all select 1 from r) select count(*) from r`

test('an endless statement stops nobody but those who ask the database, and not for long', async () => {
  const { database, said, note, notes } = await open({ answerMs: 300, readMs: 1000 })
  await note('acknowledged')
  // Looked at together: the one that fails first must not be nobody's meanwhile.
  const [endless, other] = await Promise.allSettled([database.query(ENDLESS), database.query(sql`select 1`)])
  for (const { status, ...outcome } of [endless, other]) {
    expect(status).toBe('rejected')
    expect(outcome).toMatchObject({ reason: expect.any(DatabaseUnavailable) })
  }
  expect(other).toMatchObject({
    reason: { message: expect.stringContaining('did not answer within 300 ms') },
  })
  await vi.waitFor(async () => expect(await notes()).toEqual(['acknowledged']), { timeout: 20_000 })
  expect(said).toEqual([
    'The embedded database has ended and is opened again: a statement took longer than 1 s.',
    'The embedded database is open again.',
  ])
})

test('a read that nobody waits for any more is not run when its turn comes', async () => {
  const { database, note, notes } = await open({ answerMs: 300 })
  const transaction = database.transaction(async (tx) => {
    await expect(note('too late')).rejects.toThrow('did not answer within 300 ms')
    await tx.query(sql`insert into notes values ('in time')`)
  })
  await transaction
  expect(await notes()).toEqual(['in time'])
})

describe('when the engine ends within a transaction', () => {
  const endIn = async (database: Database) => {
    await database.transaction(async (tx) => {
      await tx.query(sql`insert into notes values ('not committed')`)
      await tx.query(ENDLESS)
    })
  }

  test('the transaction fails as one that may be tried again, and nothing of it is kept', async () => {
    const { database, note, notes } = await open({ writeMs: 1000 })
    await note('acknowledged')
    const failed = endIn(database)
    await expect(failed).rejects.toThrow(DatabaseUnavailable)
    await vi.waitFor(async () => expect(await notes()).toEqual(['acknowledged']), { timeout: 20_000 })
  })

  test('what the transaction asks afterwards never reaches the engine that comes after', async () => {
    const { database, said, notes } = await open({ writeMs: 1000 })
    const failed = database.transaction(async (tx) => {
      await tx.query(ENDLESS).catch(() => {})
      await vi.waitFor(() => expect(said).toHaveLength(2), { timeout: 20_000 })
      await tx.query(sql`insert into notes values ('stray')`)
    })
    await expect(failed).rejects.toThrow(DatabaseUnavailable)
    await vi.waitFor(async () => expect(await notes()).toEqual([]), { timeout: 20_000 })
  })
})

test('statements that come together are answered each with its own rows', async () => {
  const { database } = await open()
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
  const { database } = await open()
  const [row] = await database.query<{ text: string }>(sql`select repeat('ă', 10000000) as text`)
  expect(row?.text).toBe('ă'.repeat(10_000_000))
})

test('a statement that fails is an error of its own, and those beside it are answered', async () => {
  const { database } = await open()
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

test('a statement whose columns were changed is prepared anew', async () => {
  const { database } = await open()
  expect(await database.query(sql`select * from notes`)).toEqual([])
  await database.runScript("alter table notes add column author text; insert into notes values ('a', 'b')")
  await database.query(sql`select * from notes`).catch(() => {})
  expect(await database.query(sql`select * from notes`)).toEqual([{ note: 'a', author: 'b' }])
})

test('more different statements than are kept prepared are all answered', async () => {
  const { database } = await open()
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 600; n++) {
      const statement = { text: `select ${n} as n`, values: [] } as unknown as ReturnType<typeof sql>
      expect(await database.query(statement)).toEqual([{ n }])
    }
  }
  const [prepared] = await database.query<{ n: number }>(
    sql`select count(*) as n from pg_prepared_statements`,
  )
  expect(prepared?.n).toBeLessThanOrEqual(500)
})

test('a folder that cannot be opened is refused with the reason, and its thread is gone', async () => {
  const folder = join(newFolder(), 'database')
  const before = await openEmbedded({ folder })
  await before.close()
  writeFileSync(join(folder, 'global', 'pg_control'), '')
  await expect(openEmbedded({ folder })).rejects.toThrow(/pg_control/)
})
