/** The engine in its thread, and the one session that it has. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
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

test('a statement that fails is an error of its own, and those beside it are answered', async () => {
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
  await database.runScript('create table notes (note text)')
  expect(await database.query(sql`select * from notes`)).toEqual([])
  await database.runScript("alter table notes add column author text; insert into notes values ('a', 'b')")
  await database.query(sql`select * from notes`).catch(() => {})
  expect(await database.query(sql`select * from notes`)).toEqual([{ note: 'a', author: 'b' }])
})

test('more different statements than are kept prepared are all answered', async () => {
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
