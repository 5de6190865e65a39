import { describe, expect, it } from 'vitest'
import { verifyTrail } from '../../src/audit/verify-trail.ts'
import type { Database } from '../../src/database/database.ts'
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
    expect(await report(database, 'elsewhere')).toMatchObject({ entries: 0, problems: [] })
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
