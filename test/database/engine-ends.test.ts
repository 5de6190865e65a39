/** What becomes of those who ask when the engine ends: by a statement without an end, alone or in a transaction. */
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
  await vi.waitFor(async () => expect(await notes()).toEqual(['acknowledged']), { timeout: 60_000 })
  expect(said).toEqual([
    'The embedded database has ended and is opened again: a statement took longer than 1 s.',
    'The embedded database is open again.',
  ])
})

test('a read that nobody waits for any more is not run', async () => {
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

  test('the transaction fails as one that may be tried again, and nothing of it is stored', async () => {
    const { database, note, notes } = await open({ writeMs: 1000 })
    await note('acknowledged')
    const failed = endIn(database)
    await expect(failed).rejects.toThrow(DatabaseUnavailable)
    await vi.waitFor(async () => expect(await notes()).toEqual(['acknowledged']), { timeout: 60_000 })
  })

  test('a read of another center that never ends takes the transaction with it, and later reads are answered', async () => {
    const { database, note, notes } = await open({ readMs: 1000 })
    await note('acknowledged')
    const failed = database.transaction(
      async (tx) => {
        await tx.query(sql`insert into notes values ('not committed')`)
        const endless = database.queryArrays(ENDLESS, 'light', 'guest')
        const meanwhile = database.queryArrays(sql`select note from notes`, 'light', 'guest')
        await expect(endless).rejects.toThrow(DatabaseUnavailable)
        await tx.query(sql`insert into notes values ('stray')`).catch(() => {})
        return meanwhile
      },
      { center: 'host' },
    )
    await expect(failed).rejects.toThrow(DatabaseUnavailable)
    await vi.waitFor(async () => expect(await notes()).toEqual(['acknowledged']), { timeout: 60_000 })
  })

  test('what the transaction asks afterwards never reaches the engine that comes after', async () => {
    const { database, said, notes } = await open({ writeMs: 1000 })
    const failed = database.transaction(async (tx) => {
      await tx.query(ENDLESS).catch(() => {})
      await vi.waitFor(() => expect(said).toHaveLength(2), { timeout: 60_000 })
      await tx.query(sql`insert into notes values ('stray')`)
    })
    await expect(failed).rejects.toThrow(DatabaseUnavailable)
    await vi.waitFor(async () => expect(await notes()).toEqual([]), { timeout: 60_000 })
  })
})
