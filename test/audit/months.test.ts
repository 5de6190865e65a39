/** The partitions of the trail: what drops a month drops nothing else, and nobody who reads the trail notices them. */
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { pruneTrail } from '../../src/core/audit/prune-trail.ts'
import { readPruning } from '../../src/core/audit/pruning.ts'
import { compactMonths, detachedMonths } from '../../src/core/audit/trail-months.ts'
import { verifyPeriod, verifyTrail } from '../../src/core/audit/verify/verify-trail.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { allMigrations, migrate } from '../../src/core/database/schema/migrate.ts'
import { clockedDatabase } from '../support/clocked-database.ts'
import { newPostgresDatabase, openTestDatabase } from '../support/database.ts'
import { seededRandom } from '../support/random-center.ts'
import { entriesOf, read, readsInTrail, startAudit } from './reads.ts'

const DAY_MS = 86_400_000

const partitions = async (database: Database) => {
  const rows = await database.query<{ name: string }>(sql`
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass order by 1`)
  return rows.map(({ name }) => name)
}

/** The partition of each entry of a center. */
const monthsOf = async (database: Database, center = 'spa') => {
  const rows = await database.query<{ seq: number; name: string }>(sql`
    select seq, tableoid::regclass::text as name from audit_entries where center_id = ${center} order by seq`)
  return rows.map(({ seq, name }) => [seq, name])
}

const listsOf = async (database: Database) => {
  const rows = await database.query<{ ids: string }>(
    sql`select ids from audit_record_lists where center_id = 'spa'`,
  )
  return rows.map(({ ids }) => ids)
}

/** A trail whose clock shows the time after which months have partitions of their own. */
async function startMonths() {
  const plain = await openTestDatabase()
  const [first] = await plain.query<{ bound: number }>(sql`
    select substring(pg_get_expr(relpartbound, oid) from $$TO \\('([^']+)'\\)$$)::timestamptz as bound
    from pg_class where relname = 'audit_entries_first'`)
  const { audit, time } = startAudit(plain)
  /** the start of the month after so many others, and a day of it */
  const at = (month: number, day = 1) => {
    const start = new Date(first?.bound ?? 0)
    return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month, day)
  }
  const note = async (when: number, fields: { center?: string; ids?: readonly string[] } = {}) => {
    time.now = when
    const { center = 'spa', ids = ['b1'] } = fields
    audit.record(read({ key: { center }, query: `at=${when}`, ids }))
    await audit.flush()
  }
  /** The clock shows this time, and another center was read every other day of the month before, so it is believed. */
  const goTo = async (now: number) => {
    for (let day = 30; day >= 0; day -= 2) {
      time.now = now - day * DAY_MS
      audit.record(read({ key: { center: 'lodge' }, query: `at=${time.now}`, ids: ['l1'] }))
    }
    await audit.flush()
  }
  const database = clockedDatabase(plain, () => time.now)
  const nameOf = (month: number) =>
    `audit_entries_${new Date(at(month)).toISOString().slice(0, 7).replace('-', '_')}`
  const problems = async (center = 'spa') => (await verifyTrail(database, center)).problems
  return { database, time, at, note, goTo, nameOf, problems }
}

describe('the months of the trail', () => {
  it('each entry is in the month of its time, and everything is read as before', async () => {
    const { database, at, note, nameOf, problems } = await startMonths()
    for (const when of [at(-1), at(0), at(1) - 1, at(1), at(30)]) await note(when)
    expect(await monthsOf(database)).toEqual([
      [1, 'audit_entries_first'],
      [2, nameOf(0)],
      [3, nameOf(0)],
      [4, nameOf(1)],
      [5, 'audit_entries_other'],
    ])
    expect(await problems()).toEqual([])
    expect((await readsInTrail(database)).map(({ entry }) => entry)).toEqual([5, 4, 3, 2, 1])
  })

  it('are added by pruning for half a year, except one of which entries are stored elsewhere already', async () => {
    const { database, time, at, note, nameOf } = await startMonths()
    await note(at(12, 5))
    time.now = at(9, 5)
    await pruneTrail(database, { days: 3000 })
    const names = await partitions(database)
    expect(names).toContain(nameOf(11))
    expect(names).not.toContain(nameOf(12))
    expect(names).toContain(nameOf(15))
    expect(names).not.toContain(nameOf(16))
    await note(at(12, 6))
    await note(at(13, 6))
    expect((await monthsOf(database)).map(([, name]) => name)).toEqual([
      'audit_entries_other',
      'audit_entries_other',
      nameOf(13),
    ])
  })

  it('that are old are dropped as a whole, which the trail records, with their lists of records', async () => {
    const { database, at, note, goTo, nameOf, problems } = await startMonths()
    await note(at(-2), { ids: ['old'] })
    await note(at(0, 3), { ids: ['old'] })
    await note(at(0, 4), { ids: ['both'] })
    await note(at(1, 4), { ids: ['both'] })
    await goTo(at(1, 20))
    expect((await pruneTrail(database, { days: 19, deletedMax: 0 })).entries).toBeGreaterThanOrEqual(3)
    expect(await partitions(database)).not.toContain('audit_entries_first')
    expect(await partitions(database)).not.toContain(nameOf(0))
    const entries = (await entriesOf(database)).filter(({ center_id }) => center_id === 'spa')
    expect(entries.map(({ seq, operation }) => [seq, operation])).toEqual([
      [4, 'listGuests'],
      [5, 'pruneTrail'],
      [6, 'pruneTrail'],
    ])
    expect(entries.slice(1).map((entry) => readPruning(entry))).toMatchObject([
      { through: 1, entries: 1, reads: undefined, newest: at(-2) },
      { through: 3, entries: 2, reads: undefined, newest: at(0, 4) },
    ])
    expect(await problems()).toEqual([])
    expect(await listsOf(database)).toEqual(['\nboth\n'])
    expect(await detachedMonths(database)).toEqual([])
  })

  it('leave the newest read of each center behind, and what follows it', async () => {
    const { database, at, note, goTo, problems } = await startMonths()
    for (const center of ['quiet', 'spa'])
      for (const day of [2, 3]) await note(at(0, day), { center, ids: [center] })
    await note(at(1, 3))
    await goTo(at(1, 20))
    await pruneTrail(database, { days: 19 })
    expect((await monthsOf(database)).map(([seq]) => seq)).toEqual([3, 4])
    const [outlived, pruning] = await monthsOf(database, 'quiet')
    expect([outlived, pruning?.[0]]).toEqual([[2, 'audit_entries_other'], 3])
    expect([await problems('quiet'), await problems()]).toEqual([[], []])
    // It goes when the center is read again.
    await note(at(1, 21), { center: 'quiet' })
    await goTo(at(1, 22))
    await pruneTrail(database, { days: 19 })
    expect((await monthsOf(database, 'quiet')).map(([seq]) => seq)).toEqual([3, 4, 5])
    expect(await problems('quiet')).toEqual([])
  })

  it('prune what the rule says, whatever the order of times', async () => {
    const { database, time, at, note, goTo, problems } = await startMonths()
    const random = seededRandom(43)
    const DAYS = 40
    const model: { seq: number; when: number }[] = []
    const ofSpa = async () =>
      (await entriesOf(database)).filter(
        ({ center_id, operation }) => center_id === 'spa' && operation !== 'pruneTrail',
      )
    for (let round = 1; round <= 6; round += 1) {
      const now = at(round * 2, 15)
      time.now = now
      await pruneTrail(database, { days: 3000 })
      const added = Array.from(
        { length: 1 + random.below(6) },
        () => now + random.pick([-95, -80, -60, -50, -41, -39, -10, 0, 50]) * DAY_MS,
      )
      for (const when of added) await note(when, { ids: [`b${random.below(4)}`] })
      const seqs = (await ofSpa()).slice(-added.length).map(({ seq }) => seq)
      model.push(...added.map((when, index) => ({ seq: seqs[index] ?? 0, when })))
      await goTo(now)
      const isOld = ({ when }: { when: number }) => when < now - DAYS * DAY_MS
      const mayGo = (to: number) =>
        isOld(model[to - 1]!) &&
        to < model.length &&
        model.slice(0, to).every((one) => isOld(one) || one.when > now)
      const gone = model.map((_, index) => index + 1).findLast(mayGo) ?? 0
      await pruneTrail(database, { days: DAYS })
      model.splice(0, gone)
      const left = await ofSpa()
      expect([round, left.map((entry) => entry.seq)]).toEqual([round, model.map((one) => one.seq)])
      expect([round, await problems(), await problems('lodge')]).toEqual([round, [], []])
    }
  })

  it('an interrupted drop is no problem of the trail, and the next pruning completes it', async () => {
    const { database, at, note, goTo, problems } = await startMonths()
    await note(at(0, 3), { ids: ['old'] })
    await note(at(1, 4))
    await goTo(at(1, 20))
    const cut: Database = {
      ...database,
      transaction: (work) =>
        database.transaction((tx) =>
          work({
            query: (statement) => {
              if (statement.text.includes('delete from audit_record_lists l\n  using json'))
                throw new Error('cut')
              return tx.query(statement)
            },
          }),
        ),
    }
    await expect(pruneTrail(cut, { days: 19 })).rejects.toThrow('cut')
    expect(await detachedMonths(database)).toHaveLength(2)
    expect(await problems()).toEqual([])
    await pruneTrail(database, { days: 19 })
    expect(await detachedMonths(database)).toEqual([])
    expect(await problems()).toEqual([])
    expect(await listsOf(database)).toEqual(['\nb1\n'])
  })

  it('at most so many entries are deleted one by one, and the result says that others remain', async () => {
    const { database, at, note, goTo } = await startMonths()
    for (let day = 1; day < 5; day += 1) await note(at(1, day))
    await goTo(at(1, 28))
    await pruneTrail(database, { days: 20 })
    expect((await monthsOf(database)).map(([seq]) => seq)).toEqual([4, 5])
    for (let day = 1; day < 5; day += 1) await note(at(2, day))
    await goTo(at(2, 25))
    expect(await pruneTrail(database, { days: 18, deletedMax: 0 })).toMatchObject({ left: true })
    expect((await monthsOf(database)).map(([seq]) => seq)).toEqual([6, 7, 8, 9, 10])
    expect(await pruneTrail(database, { days: 18 })).toMatchObject({ left: false })
    expect((await monthsOf(database)).map(([seq]) => seq)).toEqual([9, 10, 11])
  })

  it('that have ended get smaller indexes, once', async () => {
    const { database, time, at, note, problems } = await startMonths()
    await note(at(0, 3))
    time.now = at(1, 3)
    expect(await compactMonths(database)).toBe(2)
    expect(await compactMonths(database)).toBe(0)
    expect(await problems()).toEqual([])
    const invalid = await database.query(sql`select from pg_index where not indisvalid`)
    expect(invalid).toEqual([])
  })
})

describe('a period', () => {
  it('is verified by itself: what is changed in it is found, and nothing else', async () => {
    const { database, at, note } = await startMonths()
    for (let day = 1; day <= 9; day += 1) await note(at(0, day), { ids: [`b${day}`] })
    const verify = (from: number, to: number) =>
      verifyPeriod(database, 'spa', { since: at(0, from), until: at(0, to) })
    const found = async (from: number, to: number) =>
      (await verify(from, to)).problems.map(({ message }) => message)
    expect(await verify(3, 5)).toMatchObject({
      entries: 3,
      reads: 3,
      first: 3,
      head: { seq: 5, at: at(0, 5) },
      problems: [],
    })
    expect(await verify(1, 9)).toMatchObject({ entries: 9, problems: [] })
    expect(await verifyPeriod(database, 'spa', { since: at(3), until: at(4) })).toMatchObject({
      entries: 0,
      problems: [],
    })
    await database.runScript(`update audit_entries set query = 'other' where seq = 4`)
    expect(await found(3, 5)).toEqual(['Entry 4 was changed after it was written.'])
    expect([await found(1, 3), await found(5, 9)]).toEqual([[], []])
    await database.runScript(`delete from audit_entries where seq in (2, 7)`)
    expect(await found(6, 8)).toEqual(['Entry 7 is missing.'])
    expect(await found(3, 3)).toEqual(['Entry 2 is missing.'])
    await database.runScript(`update audit_record_lists set ids = E'\\nb10\\n' where ids = E'\\nb9\\n'`)
    expect(await found(9, 9)).toEqual(['The list of records of entry 9 was changed after it was written.'])
    await database.runScript(`delete from audit_record_lists where ids = E'\\nb8\\n'`)
    expect(await found(8, 9)).toContain('The list of records of entry 8 is missing.')
  })
})

describe('a trail of before', () => {
  async function openEmpty(): Promise<Database> {
    const connectionString = await newPostgresDatabase('empty')
    return openPostgres({ connection: { connectionString }, poolSize: 2, purpose: 'command' })
  }

  it('is the first partition, without a copy, and has the same head before and after', async () => {
    const database = await openEmpty()
    await migrate(
      database,
      allMigrations().filter(({ version }) => version < 56),
    )
    const { audit, time } = startAudit(database)
    for (let entry = 0; entry < 5; entry += 1) {
      time.now += DAY_MS
      audit.record(read({ ids: [`b${entry}`] }))
    }
    await audit.flush()
    const file = async (table: string) =>
      (
        await database.query<{ file: number }>(sql`select pg_relation_filenode(${table}::regclass) as file`)
      )[0]?.file
    const [before, filed] = [await verifyTrail(database, 'spa'), await file('audit_entries')]
    expect(before).toMatchObject({ entries: 5, problems: [] })
    expect(await migrate(database)).toContain('0058-trail-by-month')
    expect(await verifyTrail(database, 'spa')).toEqual(before)
    expect(await file('audit_entries_first')).toBe(filed)
    time.now = Date.now()
    audit.record(read())
    await audit.flush()
    expect(await verifyTrail(database, 'spa')).toMatchObject({ entries: 6, problems: [] })
    await audit.close()
    await database.close()
  })

  it('of a clock that was ahead is the first partition as a whole', async () => {
    const database = await openEmpty()
    await migrate(
      database,
      allMigrations().filter(({ version }) => version < 56),
    )
    const { audit, time } = startAudit(database)
    time.now = Date.UTC(2050, 5, 5)
    audit.record(read())
    await audit.flush()
    await migrate(database)
    const [bound] = await database.query<{ bound: string }>(sql`
    select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = ${'audit_entries_first'}`)
    expect(bound?.bound).toContain('2050-09-01')
    expect(await verifyTrail(database, 'spa')).toMatchObject({ entries: 1, problems: [] })
    await database.query(raw(`select add_trail_months('2051-01-01')`))
    expect(await partitions(database)).toContain('audit_entries_2051_01')
    await audit.close()
    await database.close()
  })
})
