import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { importRecords, WritingTooLong } from '../../src/intake/import-records.ts'
import { recordLines } from '../../src/intake/record-line.ts'
import { openTestDatabase, testEngine } from '../support/database.ts'
import { customer, session, spa } from '../support/world.ts'

const lines = async function* (count: number, afterEach: (line: number) => Promise<void> | void) {
  yield { line: 1, text: JSON.stringify(spa()) }
  for (let line = 2; line <= count; line++) {
    yield {
      line,
      text: JSON.stringify(session(`s${line}`, '2025-03-01T12:00Z', '2025-03-10T12:00Z')),
    }
    await afterEach(line)
  }
}

const leftovers = sql`select count(*) as n from pg_class where relname like 'import\_%' and relpersistence = 't'`

test('a reader is served while an import still reads its lines, and sees nothing of it', async () => {
  const database = await openTestDatabase()
  const seen: unknown[] = []
  const summary = await importRecords(
    database,
    lines(3000, async (line) => {
      if (line % 1000 === 0) seen.push(...(await database.queryArrays(sql`select count(*) from centers`)))
    }),
  )
  expect([summary.applied, seen]).toEqual([true, [[0], [0], [0]]])
  expect(await database.queryArrays(sql`select count(*) from sessions`)).toEqual([[2999]])
})

test('two imports that read at once keep their lines apart', async () => {
  const database = await openTestDatabase()
  await importRecords(
    database,
    lines(1, () => {}),
  )
  const [first, second] = await Promise.all([
    importRecords(
      database,
      lines(1200, () => {}),
    ),
    importRecords(
      database,
      lines(1300, () => {}),
      { dryRun: true },
    ),
  ])
  expect([first.kinds.session.created, second.lines]).toEqual([1199, 1300])
  expect(await database.queryArrays(sql`select count(*) from sessions`)).toEqual([[1199]])
})

// On PostgreSQL other connections cannot see the tables of this one, so there is nothing to look for.
if (testEngine() === 'embedded')
  test.each(['succeeds', 'is a dry run', 'is refused', 'breaks off'])(
    'an import that %s leaves nothing in the session',
    async (how) => {
      const database = await openTestDatabase()
      const input = lines(1100, (line) => {
        if (how === 'breaks off' && line > 1050) throw new Error('no more')
      })
      const records = async function* () {
        yield* input
        if (how === 'is refused') yield { line: 9999, text: '{' }
      }
      await importRecords(database, records(), { dryRun: how === 'is a dry run' }).catch(() => {})
      expect(await database.query(leftovers)).toEqual([{ n: 0 }])
    },
  )

test('what an import waits for reads of other centers is no part of how long it may write', async () => {
  const database = await openTestDatabase()
  await importRecords(database, recordLines([spa()]))
  const waiting = (ms: number): Database => ({
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => {
        const sent = work(tx)
        options?.onWait?.(ms)
        return sent
      }),
  })
  const only = { center: 'spa', kinds: new Set(['customer'] as const) }
  const deliver = (ms: number) =>
    importRecords(waiting(ms), recordLines([customer('c-1')]), { only, writeMs: -60_000 })
  await expect(deliver(0)).rejects.toThrow(WritingTooLong)
  expect(await deliver(120_000)).toMatchObject({ applied: true })
})
