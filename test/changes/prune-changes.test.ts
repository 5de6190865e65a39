import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { pruneChanges } from '../../src/core/changes/prune-changes.ts'
import type { Database } from '../../src/core/database/database.ts'
import { emptyDatabase, openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

/** Two centers of five commits each, a day apart; the newest is a day old. */
beforeEach(async () => {
  await emptyDatabase(database)
  for (const center_id of ['c1', 'c2']) {
    await insertRow(database, 'centers', { center_id })
    await insertRow(database, 'customers', { center_id, id: 'ana' })
    for (let n = 0; n < 3; n += 1) await insertRow(database, 'bookings', { center_id, id: `b${n}` })
  }
  await database.query(sql`
    update change_commits set committed_at = clock_timestamp() - make_interval(days => (6 - revision)::int)`)
})

const left = () =>
  database.query<{ center: string; revisions: number[]; notes: number }>(sql`
    select r.center_id as center, array_agg(distinct r.revision) as revisions,
      (select count(*) from changes c where c.center_id = r.center_id) as notes
    from change_commits r group by r.center_id order by 1`)

it('takes out what is older in every center, with its notes', async () => {
  expect(await left()).toMatchObject([{ revisions: [1, 2, 3, 4, 5] }, { revisions: [1, 2, 3, 4, 5] }])
  expect(await pruneChanges(database, 3)).toBe(6)
  // The last booking moved the history of those before it.
  expect(await left()).toEqual([
    { center: 'c1', revisions: [4, 5], notes: 5 },
    { center: 'c2', revisions: [4, 5], notes: 5 },
  ])
  expect(await pruneChanges(database, 3)).toBe(0)
})

it('never takes out the newest commit of a center', async () => {
  expect(await pruneChanges(database, 0)).toBe(8)
  expect(await left()).toEqual([
    { center: 'c1', revisions: [5], notes: 3 },
    { center: 'c2', revisions: [5], notes: 3 },
  ])
})

it('takes out more than one piece', async () => {
  await database.query(sql`
    insert into change_commits (center_id, revision, transaction_id, committed_at)
    select 'c3', n, (1000 + n)::text::xid8, now() - interval '9 days' from generate_series(1, 450) n`)
  expect(await pruneChanges(database, 8)).toBe(449)
})

it('leaves notes that another commit shares, as in a database that was restored', async () => {
  await database.query(sql`
    update change_commits set transaction_id = (
      select transaction_id from change_commits where center_id = 'c1' and revision = 5
    ) where center_id = 'c1' and revision = 3`)
  expect(await pruneChanges(database, 3)).toBe(6)
  expect(
    await database.query(sql`
    select c.id from change_commits r join changes c using (center_id, transaction_id)
    where r.center_id = 'c1' and r.revision = 5 order by 1`),
  ).toEqual([{ id: 'b0' }, { id: 'b1' }, { id: 'b2' }])
})
