import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { type Entry, entryHash } from '../../src/audit/entry.ts'
import { pruneTrail } from '../../src/audit/prune-trail.ts'
import { verifyTrail } from '../../src/audit/verify-trail.ts'
import { selectEntries } from '../../src/audit/verify-trail-sql.ts'
import type { Database } from '../../src/database/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { entriesOf, problemsOf, read, report, START, startAudit } from './reads.ts'

const DAY_MS = 86_400_000

/** A trail of nine entries, one a day. */
async function trail(entries = 9): Promise<Database> {
  const database = await openTestDatabase()
  const { audit, time } = startAudit(database)
  for (let entry = 1; entry <= entries; entry++) {
    audit.record(read({ query: `start=${entry}`, ids: [`b${entry}`] }))
    time.now += DAY_MS
  }
  await audit.flush()
  return database
}

describe('verifying a trail', () => {
  it('finds nothing where nothing was touched', async () => {
    const database = await trail()
    expect(await report(database)).toEqual({
      center: 'spa',
      entries: 9,
      reads: 9,
      head: { seq: 9, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      pruned: 0,
      problems: [],
    })
    expect(await report(database, 'elsewhere')).toMatchObject({ entries: 0, problems: [] })
  })

  const changes: Record<string, Sql> = {
    'the moment': sql`update audit_entries set at = at + interval '1 microsecond' where seq = 4`,
    'the key': sql`update audit_entries set public_key = 'other' where seq = 4`,
    'the application': sql`update audit_entries set app_id = 'other' where seq = 4`,
    'the name of the key': sql`update audit_entries set key_name = 'other' where seq = 4`,
    'the endpoint': sql`update audit_entries set operation = 'listSessions' where seq = 4`,
    'the filters': sql`update audit_entries set query = '' where seq = 4`,
    'the scopes': sql`update audit_entries set scopes = '' where seq = 4`,
    'the count': sql`update audit_entries set records = 0 where seq = 4`,
    'which records': sql`update audit_entries set record_list = null where seq = 4`,
    'the revision': sql`update audit_entries set revision = 2 where seq = 4`,
    'the number of reads': sql`update audit_entries set reads = 0 where seq = 4`,
    'the requests': sql`update audit_entries set requests = '0 200 x' where seq = 4`,
    'the batch': sql`update audit_entries set batch = 'x' where seq = 4`,
    'the hash': sql`update audit_entries set hash = decode(repeat('11', 32), 'hex') where seq = 4`,
    'the hash of the one before': sql`
      update audit_entries set previous_hash = decode(repeat('11', 32), 'hex') where seq = 4`,
  }
  it.each(Object.keys(changes))('finds an entry in which %s was changed', async (what) => {
    const database = await trail()
    await database.query(changes[what]!)
    expect(await problemsOf(database)).toEqual(['Entry 4 was changed after it was written.'])
  })

  it.each([
    ['one', 'seq = 4', 'Entry 4 is missing.'],
    ['several', 'seq between 4 and 6', 'Entries 4 to 6 are missing.'],
    ['the first', 'seq <= 2', 'Entries 1 to 2 are missing.'],
    ['the last', 'seq >= 8', 'Entries 8 to 9 are missing.'],
    ['all', 'true', 'Entries 1 to 9 are missing.'],
  ])('finds that %s of the entries is missing', async (_, which, message) => {
    const database = await trail()
    await database.runScript(`delete from audit_entries where ${which}`)
    expect(await problemsOf(database)).toEqual([message])
  })

  it('finds entries that changed places, and says where they stood', async () => {
    const database = await trail()
    await database.runScript(`
      update audit_entries set seq = -3 where seq = 3;
      update audit_entries set seq = 3 where seq = 9;
      update audit_entries set seq = 9 where seq = -3;`)
    expect(await problemsOf(database)).toEqual(
      expect.arrayContaining(['Entry 3 was moved: it was entry 9.', 'Entry 9 was moved: it was entry 3.']),
    )
  })

  it('finds an entry that was put in place of another, with a hash of its own', async () => {
    const database = await trail()
    await forge(database, 4)
    expect(await problemsOf(database)).toEqual([
      'Entry 5 does not follow entry 4: that one was put in place of another.',
    ])
    const last = await trail()
    await forge(last, 9)
    expect(await problemsOf(last)).toEqual(['Entry 9 is not the one that the head of the trail was made of.'])
  })

  it('finds entries that were put in before the beginning or after the end', async () => {
    const database = await trail()
    await database.runScript('update audit_entries set seq = 10 where seq = 9')
    expect(await problemsOf(database)).toEqual([
      'Entry 9 is missing.',
      'Entries from 10 stand after the end of the trail: they were put in, or the head was set back.',
    ])
    await database.runScript('update audit_entries set seq = 0 where seq = 10')
    expect(await problemsOf(database)).toEqual([
      'Entry 0 stands before the beginning of the trail: it was put in.',
      'Entry 9 is missing.',
    ])
  })

  it('finds a head that was taken away or set back', async () => {
    const database = await trail()
    await database.runScript("update audit_heads set hash = decode(repeat('00', 32), 'hex')")
    expect(await problemsOf(database)).toEqual([
      'Entry 9 is not the one that the head of the trail was made of.',
    ])
    await database.runScript('delete from audit_heads')
    expect(await problemsOf(database)).toEqual(['The head of the trail is missing.'])
  })

  it('finds a list of records that was changed or taken away', async () => {
    const database = await trail()
    await database.runScript("update audit_record_lists set ids = E'\\nnobody\\n' where ids like '%b4%'")
    expect(await problemsOf(database)).toEqual([
      'The list of records of entry 4 was changed after it was written.',
    ])
    await database.runScript("delete from audit_record_lists where ids like '%nobody%' or ids like '%b7%'")
    expect(await problemsOf(database)).toEqual(['The list of records of entries 4, 7 is missing.'])
  })

  it('finds with a head that was noted elsewhere that the whole trail was written anew', async () => {
    const database = await trail()
    const { head } = await report(database)
    const { audit } = startAudit(database)
    audit.record(read())
    await audit.flush()
    expect((await verifyTrail(database, 'spa', head)).problems).toEqual([])

    await database.runScript('delete from audit_entries; delete from audit_heads')
    const forger = startAudit(database).audit
    for (let entry = 1; entry <= 12; entry++) forger.record(read({ query: `start=${entry}` }))
    await forger.flush()
    expect(await problemsOf(database)).toEqual([])
    expect((await verifyTrail(database, 'spa', head)).problems).toMatchObject([{ kind: 'head', seq: 9 }])
  })

  it('says nothing of entries that are added while it goes through them', async () => {
    const database = await trail(1500)
    const { audit } = startAudit(database)
    const adding = (async () => {
      for (let round = 0; round < 20; round++) {
        audit.record(read({ query: `round=${round}` }))
        await audit.flush()
      }
    })()
    for (let round = 0; round < 5; round++) expect(await problemsOf(database)).toEqual([])
    await adding
  })
})

describe('pruning a trail', () => {
  it('takes out what is older than the days it is kept, and leaves a trail that is whole', async () => {
    const database = await trail()
    const now = START + 8 * DAY_MS
    expect(await pruneTrail(database, { days: 5, now })).toBe(3)
    expect((await entriesOf(database)).map(({ seq }) => seq)).toEqual([4, 5, 6, 7, 8, 9])
    expect(await report(database)).toMatchObject({ entries: 6, pruned: 3, problems: [] })
    const lists = await database.query<{ ids: string }>(sql`select ids from audit_record_lists`)
    expect(lists).toHaveLength(6)
    expect(await pruneTrail(database, { days: 5, now })).toBe(0)
  })

  it('leaves an empty trail that goes on where it ended', async () => {
    const database = await trail()
    expect(await pruneTrail(database, { days: 1, now: START + 100 * DAY_MS })).toBe(9)
    expect(await report(database)).toMatchObject({ entries: 0, pruned: 9, head: { seq: 9 }, problems: [] })
    const { audit } = startAudit(database)
    audit.record(read())
    await audit.flush()
    expect((await entriesOf(database)).map(({ seq }) => seq)).toEqual([10])
    expect(await problemsOf(database)).toEqual([])
  })

  it('keeps lists of records that later entries still have', async () => {
    const database = await openTestDatabase()
    const { audit, time } = startAudit(database)
    audit.record(read())
    time.now += 10 * DAY_MS
    audit.record(read())
    await audit.flush()
    expect(await pruneTrail(database, { days: 5, now: time.now })).toBe(1)
    expect(await report(database)).toMatchObject({ entries: 1, problems: [] })
  })

  it('still finds what is missing after it, and entries that were put back', async () => {
    const database = await trail()
    const [third] = await database.query<{ text: string }>(
      sql`select row_to_json(e)::text as text from audit_entries e where seq = 3`,
    )
    await pruneTrail(database, { days: 5, now: START + 8 * DAY_MS })
    await database.runScript('delete from audit_entries where seq = 4')
    expect(await problemsOf(database)).toEqual(['Entry 4 is missing.'])
    await database.query(sql`
      insert into audit_entries select (json_populate_record(null::audit_entries, ${third?.text}::json)).*`)
    expect(await problemsOf(database)).toContain(
      'Entry 3 stands before the beginning of the trail: it was put in.',
    )
  })

  it('goes through many entries in pieces, and is shared by instances that prune at once', async () => {
    const database = await trail(4100)
    const options = { days: 1, now: START + 4099 * DAY_MS }
    const counts = await Promise.all([pruneTrail(database, options), pruneTrail(database, options)])
    expect(counts[0] + counts[1]).toBeLessThanOrEqual(4098)
    await pruneTrail(database, options)
    expect(await report(database)).toMatchObject({ entries: 2, pruned: 4098, problems: [] })
  })

  it('begins at the beginning: an entry whose clock was behind waits for those before it', async () => {
    const database = await openTestDatabase()
    const { audit, time } = startAudit(database)
    time.now = START + 9 * DAY_MS
    audit.record(read({ query: 'first=1' }))
    time.now = START
    audit.record(read({ query: 'second=1' }))
    await audit.flush()
    expect(await pruneTrail(database, { days: 5, now: START + 10 * DAY_MS })).toBe(0)
  })
})

/** An entry with other content, and a hash that fits it and the entry before. */
async function forge(database: Database, seq: number): Promise<void> {
  const [entry] = await database.query<Entry>(selectEntries('spa', { seq: seq - 1, limit: 1 }))
  const forged = entryHash({ ...entry!, key_name: 'Somebody else' }, entry!.previous_hash)
  await database.query(sql`
    update audit_entries set key_name = 'Somebody else', hash = decode(${forged}, 'hex') where seq = ${seq}`)
}
