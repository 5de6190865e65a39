import { describe, expect, it } from 'vitest'
import { pruneTrail } from '../../src/core/audit/prune-trail.ts'
import { verifyTrail } from '../../src/core/audit/verify/verify-trail.ts'
import type { Database } from '../../src/core/database/database.ts'
import { clockedDatabase } from '../support/clocked-database.ts'
import { openTestDatabase } from '../support/database.ts'
import { problemsOf, read, report, START, startAudit } from './reads.ts'

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
      head: { seq: 9, hash: expect.stringMatching(/^[0-9a-f]{64}$/), at: START + 8 * DAY_MS },
      pruned: 0,
      problems: [],
    })
    const nothing = { seq: 0, hash: '', at: undefined }
    expect(await report(database, 'elsewhere')).toEqual({
      center: 'elsewhere',
      entries: 0,
      reads: 0,
      head: nothing,
      pruned: 0,
      problems: [],
    })
    expect((await verifyTrail(database, 'elsewhere', { known: nothing })).problems).toEqual([])
  })

  it('tells each problem with its kind and the first entry it concerns, in the order of the entries', async () => {
    const database = await trail()
    await database.runScript(`
      update audit_entries set seq = -3 where seq = 1;
      update audit_entries set key_name = 'other' where seq = 3;
      delete from audit_entries where seq = 6;
      insert into audit_entries
        select (json_populate_record(e, '{"seq": 10}')).* from audit_entries e where seq = 9;
      update audit_heads set hash = decode(repeat('11', 32), 'hex')`)
    const found = (await report(database)).problems.map(({ kind, seq }) => [kind, seq])
    expect(found).toEqual([
      ['inserted', -3],
      ['records', 0],
      ['missing', 1],
      ['changed', 3],
      ['missing', 6],
      ['head', 9],
      ['inserted', 10],
    ])
    await database.runScript('delete from audit_heads')
    expect((await report(database)).problems).toContainEqual({
      kind: 'head',
      seq: 10,
      message: 'The head of the trail is missing.',
    })
  })

  it('says nothing of the oldest entries that are pruned while it begins, and tells what was missing before', async () => {
    /** Entries 1 to 3 are pruned once so many of its statements were answered: the first reads the head, the second entries. */
    const verifiedWhilePruned = async (database: Database, statements: number) => {
      let answered = 0
      const query: Database['query'] = async (statement) => {
        const rows = await database.query<never>(statement)
        answered += 1
        if (answered === statements)
          await pruneTrail(
            clockedDatabase(database, () => START + 8 * DAY_MS),
            { days: 5 },
          )
        return rows
      }
      return (await verifyTrail({ ...database, query }, 'spa')).problems
    }
    expect(await verifiedWhilePruned(await trail(), 1)).toEqual([])

    const cut = await trail()
    await cut.runScript('delete from audit_entries where seq = 2')
    expect(await verifiedWhilePruned(cut, 2)).toContainEqual({
      kind: 'missing',
      seq: 2,
      message: 'Entry 2 is missing.',
    })
  })

  it('finds with a head that was noted elsewhere that the whole trail was written anew', async () => {
    const database = await trail()
    const { head } = await report(database)
    const { audit } = startAudit(database)
    audit.record(read())
    await audit.flush()
    expect((await verifyTrail(database, 'spa', { known: head })).problems).toEqual([])

    await database.runScript('truncate audit_entries, audit_heads, audit_record_lists')
    const forger = startAudit(database).audit
    for (let entry = 1; entry <= 12; entry++) forger.record(read({ query: `start=${entry}` }))
    await forger.flush()
    expect(await problemsOf(database)).toEqual([])
    expect((await verifyTrail(database, 'spa', { known: head })).problems).toMatchObject([
      { kind: 'head', seq: 9 },
    ])
  })

  it('finds what was moved and changed wherever it was, in more places than it looks into at once', async () => {
    const database = await trail(1500)
    await database.runScript(`
      update audit_entries set seq = -3 where seq = 3;
      update audit_entries set seq = 3 where seq = 1400;
      update audit_entries set seq = 1400 where seq = -3;
      update audit_entries set key_name = 'other' where seq not in (3, 1400)`)
    const found = (await report(database)).problems
    expect(found.filter(({ kind }) => kind === 'changed')).toHaveLength(1498)
    expect(found.filter(({ kind }) => kind === 'moved').map(({ message }) => message)).toEqual([
      'Entry 3 was moved: it was entry 1400.',
      'Entry 1400 was moved: it was entry 3.',
    ])
  })

  it('counts no list of records of another center, and no entry of one', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    for (const center of ['spa', 'lodge']) audit.record(read({ key: { center }, ids: ['b1'] }))
    audit.record(read({ key: { center: 'lodge' }, ids: ['b2'] }))
    await audit.flush()
    await database.runScript(`
      delete from audit_record_lists where center_id = 'spa';
      insert into audit_record_lists select 'spa', hash, ids from audit_record_lists where ids like '%b2%'`)
    expect(await problemsOf(database, 'lodge')).toEqual([])
    expect(await problemsOf(database)).toEqual([
      expect.stringMatching(/^1 list of records belongs to no entry/),
      'The list of records of entry 1 is missing.',
    ])
  })

  it('reads a few long lists of records at a time, and every one of them', async () => {
    const database = await trail()
    await database.runScript(`
      insert into audit_record_lists (center_id, hash, ids)
      select 'spa', sha256(convert_to(ids, 'UTF8')), ids
      from generate_series(1, 6) n, lateral (select chr(10) || repeat('x', 1500000) || n || chr(10) as ids) l;
      update audit_record_lists set ids = ids || 'z' where length(ids) > 1000000`)
    let most = 0
    const query: Database['query'] = async (statement) => {
      const rows = await database.query<never>(statement)
      most = Math.max(most, JSON.stringify(rows).length)
      return rows
    }
    const { problems } = await verifyTrail({ ...database, query }, 'spa')
    expect(problems.filter(({ message }) => message.includes('of no entry was changed'))).toHaveLength(6)
    expect(most).toBeGreaterThan(3_000_000)
    expect(most).toBeLessThan(6_000_000)
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
