import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createPruner, pruneTrail } from '../../src/core/audit/prune-trail.ts'
import { verifyTrail } from '../../src/core/audit/verify/verify-trail.ts'
import type { Database } from '../../src/core/database/database.ts'
import { clockedDatabase } from '../support/clocked-database.ts'
import { openTestDatabase } from '../support/database.ts'
import { entriesOf, problemsOf, read, report, START, startAudit, testLog } from './reads.ts'

const DAY_MS = 86_400_000

interface Trail {
  /** the same, with the clock that `time` shows */
  readonly database: Database
  readonly time: { now: number }
  /** a read of a center at the moment that `time` shows */
  readonly note: (query: string, center?: string) => Promise<void>
}

/** A trail of so many entries, one a day; the time of the clock is that of the last one. */
async function trail(entries = 9): Promise<Trail> {
  const plain = await openTestDatabase()
  const { audit, time } = startAudit(plain)
  for (let entry = 1; entry <= entries; entry++) {
    time.now = START + (entry - 1) * DAY_MS
    audit.record(read({ query: `start=${entry}`, ids: [`b${entry}`] }))
  }
  await audit.flush()
  const note = async (query: string, center = 'spa') => {
    audit.record(read({ query, key: { center } }))
    await audit.flush()
  }
  return { database: clockedDatabase(plain, () => time.now), time, note }
}

const seqs = async (database: Database) => (await entriesOf(database)).map(({ seq }) => seq)

describe('pruning a trail', () => {
  it('removes what is older than the retention in days, and says so in the trail', async () => {
    const { database, time } = await trail()
    expect(await pruneTrail(database, { days: 5 })).toEqual({
      entries: 3,
      left: false,
      daysAhead: 0,
      daysBehind: 0,
    })
    expect(await seqs(database)).toEqual([4, 5, 6, 7, 8, 9, 10])
    const pruning = (await entriesOf(database)).at(-1)
    expect(pruning).toEqual({
      center_id: 'spa',
      seq: 10,
      at: time.now,
      public_key: '',
      app_id: '',
      key_name: '',
      operation: 'pruneTrail',
      query: expect.any(String),
      scopes: '',
      records: 0,
      ids: null,
      revision: 0,
      reads: 0,
      requests: '',
    })
    expect(Object.fromEntries(new URLSearchParams(pruning?.query))).toEqual({
      through: '3',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      entries: '3',
      reads: '3',
      days: '5',
      before: '2025-01-04T00:00:00.000Z',
      newest: '2025-01-03T00:00:00.000Z',
    })
    expect(await report(database)).toMatchObject({ entries: 7, reads: 6, pruned: 3, problems: [] })
    const lists = await database.query<{ ids: string }>(sql`select ids from audit_record_lists`)
    expect(lists).toHaveLength(6)
    expect(await pruneTrail(database, { days: 5 })).toMatchObject({ entries: 0 })
    expect(await seqs(database)).toHaveLength(7)
  })

  it('goes on from one pruning to the next, and verifies after each', async () => {
    const { database, time, note } = await trail()
    await pruneTrail(database, { days: 5 })
    time.now += 3 * DAY_MS
    await note('later=1')
    expect(await pruneTrail(database, { days: 5 })).toMatchObject({ entries: 3 })
    expect(await seqs(database)).toEqual([7, 8, 9, 10, 11, 12])
    // An older head than what is left is no problem where its moment was noted too.
    const known = { seq: 2, hash: 'a'.repeat(64), at: START + DAY_MS }
    const verified = await verifyTrail(database, 'spa', { known, days: 5 })
    expect(verified.problems).toEqual([])
  })

  it('says when entries were removed that the present setting retains', async () => {
    const { database } = await trail()
    await pruneTrail(database, { days: 5 })
    const found = await verifyTrail(database, 'spa', { days: 30 })
    expect(found.problems).toEqual([
      {
        kind: 'pruning',
        seq: 10,
        message: expect.stringMatching(/older than 5 days .* entries are to be stored for 30\.$/),
      },
    ])
  })

  it('never empties a trail: the newest read stays, and the trail goes on behind it', async () => {
    const { database, time, note } = await trail()
    // Another center is read every day, so the clock is believed.
    for (let day = 0; day < 100; day++) {
      time.now += DAY_MS
      await note(`day=${day}`, 'lodge')
    }
    await pruneTrail(database, { days: 10 })
    const left = (await entriesOf(database)).filter(({ center_id }) => center_id === 'spa')
    expect(left.map(({ seq, operation }) => [seq, operation])).toEqual([
      [9, 'listGuests'],
      [10, 'pruneTrail'],
    ])
    expect(await report(database)).toMatchObject({ entries: 2, reads: 1, pruned: 8, problems: [] })
    expect(await pruneTrail(database, { days: 10 })).toMatchObject({ entries: 0 })
    await note('again=1')
    expect(await report(database)).toMatchObject({ entries: 3, reads: 2, head: { seq: 11 }, problems: [] })
  })

  it('keeps lists of records that later entries still have', async () => {
    const { database, time, note } = await trail(1)
    await note('start=1')
    time.now += 10 * DAY_MS
    await note('start=2')
    expect(await pruneTrail(database, { days: 10 })).toMatchObject({ entries: 0 })
    time.now += DAY_MS
    await note('start=3')
    expect(await pruneTrail(database, { days: 10 })).toMatchObject({ entries: 2 })
    expect(await report(database)).toMatchObject({ reads: 2, problems: [] })
    expect(await database.query(sql`select ids from audit_record_lists`)).toEqual([{ ids: '\nb1\nb2\n' }])
  })

  it('still finds what is missing after it, and entries that were put back', async () => {
    const { database } = await trail()
    await database.query(sql`
      insert into audit_record_lists (center_id, hash, ids)
      values ('spa', sha256(E'\\x0a6e6f626f64790a'::bytea), E'\nnobody\n')`)
    const [third] = await database.query<{ text: string }>(
      sql`select row_to_json(e)::text as text from audit_entries e where seq = 3`,
    )
    await pruneTrail(database, { days: 5 })
    await database.runScript('delete from audit_entries where seq = 4')
    expect(await problemsOf(database)).toContain('Entry 4 is missing.')
    await database.query(sql`
      insert into audit_entries select (json_populate_record(null::audit_entries, ${third?.text}::json)).*`)
    expect(await problemsOf(database)).toContain(
      'Entry 3 is before the beginning of the trail: it was inserted.',
    )
    // A pruning takes out the lists of the entries that go, and so covers up no other.
    expect(await problemsOf(database)).toContainEqual(
      expect.stringMatching(/^\d lists? of records belongs? to no entry/),
    )
  })

  it('goes through many entries in pieces, and is shared by instances that prune at once', async () => {
    const { database } = await trail(4100)
    expect(await pruneTrail(database, { days: 2050 })).toMatchObject({ entries: 2049 })
    const prune = () => pruneTrail(database, { days: 1 })
    const counts = await Promise.all([prune(), prune()])
    expect(counts[0].entries + counts[1].entries).toBeLessThanOrEqual(2049)
    await prune()
    expect(await report(database)).toMatchObject({ reads: 2, pruned: 4098, problems: [] })
  })

  it('begins at the beginning: an entry whose clock was behind waits for those before it', async () => {
    const { database, time, note } = await trail(1)
    await database.runScript('truncate audit_entries, audit_heads, audit_record_lists')
    time.now = START + 9 * DAY_MS
    await note('first=1')
    time.now = START
    await note('second=1')
    await note('third=1')
    time.now = START + 10 * DAY_MS
    expect(await pruneTrail(database, { days: 5 })).toMatchObject({ entries: 0 })
  })

  it('is not held up by an entry from the future, which is as old as what follows it', async () => {
    const { database, time, note } = await trail(2)
    time.now = START + 800 * DAY_MS
    await note('ahead=1')
    for (let day = 2; day < 12; day++) {
      time.now = START + day * DAY_MS
      await note(`day=${day}`)
    }
    expect(await pruneTrail(database, { days: 5 })).toEqual({
      entries: 7,
      left: false,
      daysAhead: 0,
      daysBehind: 789,
    })
    expect(await seqs(database)).toEqual([8, 9, 10, 11, 12, 13, 14])
    expect(await problemsOf(database)).toEqual([])
  })
})

describe('a database whose clock is wrong', () => {
  it('prunes nothing where it is 800 days ahead, also once the trail has entries of its making', async () => {
    const { database, time, note } = await trail(60)
    time.now += 800 * DAY_MS
    const refused = { entries: 0, left: false, daysAhead: 800, daysBehind: 0 }
    expect(await pruneTrail(database, { days: 30 })).toEqual(refused)
    await note('ahead=1')
    await note('of=another', 'lodge')
    expect(await pruneTrail(database, { days: 30 })).toEqual(refused)
    expect(await seqs(database)).toHaveLength(62)
  })

  it('prunes nothing where it is ahead of a trail of a few days', async () => {
    const { database, time } = await trail(3)
    time.now += 800 * DAY_MS
    expect(await pruneTrail(database, { days: 30 })).toEqual({
      entries: 0,
      left: false,
      daysAhead: 800,
      daysBehind: 0,
    })
    expect(await seqs(database)).toEqual([1, 2, 3])
  })

  it('is believed once the trail has gone on by it for as long as a trail ever pauses', async () => {
    const { database, time, note } = await trail(60)
    time.now += 100 * DAY_MS
    for (let day = 0; day < 16; day++) {
      expect(await pruneTrail(database, { days: 30 })).toMatchObject(
        day < 15 ? { entries: 0, left: false, daysAhead: 100 + day } : { entries: 60, daysAhead: 0 },
      )
      await note(`day=${day}`)
      time.now += DAY_MS
    }
  })

  it('prunes nothing where it is 800 days back, and is noticed', async () => {
    const { database, time, note } = await trail(60)
    time.now -= 800 * DAY_MS
    expect(await pruneTrail(database, { days: 30 })).toEqual({
      entries: 0,
      left: false,
      daysAhead: 0,
      daysBehind: 800,
    })
    await note('back=1')
    expect(await pruneTrail(database, { days: 30 })).toEqual({
      entries: 0,
      left: false,
      daysAhead: 0,
      daysBehind: 800,
    })
    expect(await seqs(database)).toHaveLength(61)
  })

  it('is reported in the log and in the metrics', async () => {
    const { database, time } = await trail(60)
    const log = testLog()
    const { numbers, prune } = createPruner({ database, days: 30, log })
    time.now += 800 * DAY_MS
    await prune()
    expect(numbers).toEqual({ pruned: 0, refused: 1, clockImplausible: true })
    time.now -= 1600 * DAY_MS
    await prune()
    expect(numbers).toEqual({ pruned: 0, refused: 1, clockImplausible: true })
    time.now += 800 * DAY_MS
    await prune()
    expect(numbers).toEqual({ pruned: 29, refused: 1, clockImplausible: false })
    expect(log.lines).toEqual([
      'the audit trail was not pruned: the database’s clock is too far ahead of the newest entries; check it',
      'the audit trail has entries from the future: the database’s clock is behind, or was ahead; check it',
      'pruned old entries of the audit trail',
    ])
    expect(log.fields).toEqual([{ daysAhead: 800 }, { daysBehind: 800 }, { entries: 29, days: 30 }])
  })

  it('is not judged where the database does not answer', async () => {
    const { database } = await trail()
    const log = testLog()
    const failing = { ...database, query: () => Promise.reject(new TypeError('no')) }
    const { numbers, prune } = createPruner({ database: failing, days: 5, log })
    await expect(prune()).rejects.toThrow('no')
    expect(log.lines).toEqual([])
    expect(numbers).toEqual({ pruned: 0, refused: 0, clockImplausible: false })
  })

  it('is believed over the holidays', async () => {
    const { database, time } = await trail(60)
    time.now += 14 * DAY_MS
    expect(await pruneTrail(database, { days: 30 })).toMatchObject({ entries: 43, left: false, daysAhead: 0 })
  })
})
