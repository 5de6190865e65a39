/**
 * Two transactions at the same time do not see each other's rows. A client that reads between their commits must learn from the
 * later one what it changed in a row that only the earlier one has made to show it.
 */
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readChanges } from '../../src/core/changes/read-feed.ts'
import type { Database } from '../../src/core/database/database.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import { emptyDatabase, openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

beforeEach(async () => {
  await emptyDatabase(database)
  await insertRow(database, 'centers', { center_id: 'c1' })
  await insertRow(database, 'sessions', { id: 's1' })
  for (const id of ['ana', 'eva']) await insertRow(database, 'customers', { id })
  for (const uuid of ['o1', 'o2']) await insertRow(database, 'orders', { uuid })
  await insertRow(database, 'bookings', { id: 'b1' })
})

/** The notes of all commits after the cursor. */
async function notesAfter(cursor: string | undefined) {
  const feed = await readChanges(database, centerId('c1'), cursor, 1000)
  if (feed.outcome !== 'read') throw new Error(feed.outcome)
  return { cursor: feed.cursor, notes: feed.notes.map(({ change }) => change) }
}

/** Begins a transaction with a statement, which may have to wait for another one. */
async function begin(statement: Sql) {
  const written = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const done = database.transaction(async (tx) => {
    await tx.query(statement)
    written.resolve()
    await mayCommit.promise
  })
  done.catch(written.reject)
  let isWritten = false
  written.promise.then(
    () => {
      isWritten = true
    },
    () => {},
  )
  await expect.poll(async () => isWritten || (await countWaiting()) > 0).toBe(true)
  return {
    waits: () => !isWritten,
    commit() {
      mayCommit.resolve()
      return done
    },
  }
}

/** Statements of this database that wait for a lock of another transaction. */
async function countWaiting(): Promise<number> {
  const [row] = await database.query<{ waiting: number }>(sql`
    select count(*)::integer as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.waiting ?? 0
}

/**
 * @returns what the feed tells of the later commit, to somebody who has read after the earlier one. If the earlier one has to
 * wait for the later one, they change places.
 */
async function reported(earlier: Sql, later: Sql, first: 'earlier' | 'later') {
  const one = await begin(first === 'earlier' ? earlier : later)
  const other = await begin(first === 'earlier' ? later : earlier)
  const isInPlace = first === 'earlier' || other.waits()
  await (isInPlace ? one : other).commit()
  const { cursor } = await notesAfter(undefined)
  await (isInPlace ? other : one).commit()
  return (await notesAfter(cursor)).notes
}

const book = ({ id, customer } = { id: 'b2', customer: 'eva' }) => sql`
  insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
  values ('c1', ${id}, ${customer}, 'patient', 'confirmed', '2025-03-01T12:00Z', '2025-03-10T12:00Z', '{s1}')`

describe.each(['earlier', 'later'] as const)('of two transactions, the %s one writes first', (first) => {
  it.each([
    [
      'the order of a stay',
      sql`update bookings set order_uuid = 'o1' where id = 'b1'`,
      sql`update orders set status = 'completed' where uuid = 'o1'`,
      { kind: 'guest', id: 'b1', column: 'orders.status' },
    ],
    [
      'the customer of a new stay, who had none',
      book(),
      sql`update customers set last_name = 'Ionescu' where id = 'eva'`,
      { kind: 'guest', id: 'b2', column: 'customers.last_name' },
    ],
    [
      'the session of a new stay',
      book(),
      sql`update sessions set name = 'Autumn' where id = 's1'`,
      { kind: 'guest', id: 'b2', column: 'sessions.name' },
    ],
    [
      'another stay of the same customer',
      book({ id: 'b2', customer: 'ana' }),
      book({ id: 'b3', customer: 'ana' }),
      { kind: 'guest', id: 'b2', column: 'guests.history' },
    ],
    [
      'the name of an order’s new guest',
      sql`update bookings set order_uuid = 'o1' where id = 'b1'`,
      sql`update customers set last_name = 'Ionescu' where id = 'ana'`,
      { kind: 'order', id: 'o1', column: 'orders.guests' },
    ],
  ])('%s is recorded by the later commit', async (_, earlier, later, { kind, id, column }) => {
    const notes = await reported(earlier, later, first)
    const note = notes.find((one) => one.kind === kind && one.id === id)
    // What was created is read whole.
    expect(note?.operation === 'created' ? [column] : note?.columns).toContain(column)
  })

  it('a stay that the earlier one deleted is not recorded again', async () => {
    const notes = await reported(
      sql`delete from bookings where id = 'b1'`,
      sql`update customers set last_name = 'Ionescu' where id = 'eva'`,
      first,
    )
    expect(notes).toEqual([])
  })
})

it('what the earlier one noted as a whole, the later one does too', async () => {
  await insertRow(database, 'terms', { id: 't1' })
  const notes = await reported(
    sql`update terms set name = 'Calm'`,
    sql`update orders set status = 'completed' where uuid = 'o1'`,
    'earlier',
  )
  expect(notes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'guest *',
    'order *',
    'order o1',
    'session *',
  ])
})

it('what is noted again is not handed on to a third transaction', async () => {
  await insertRow(database, 'orders', { uuid: 'o3' })
  const complete = (uuid: string) => sql`update orders set status = 'completed' where uuid = ${uuid}`
  const first = await begin(complete('o1'))
  const second = await begin(complete('o2'))
  await first.commit()
  const third = await begin(complete('o3'))
  await second.commit()
  const { cursor } = await notesAfter(undefined)
  await third.commit()
  const { notes } = await notesAfter(cursor)
  expect(notes.map(({ id }) => id)).toEqual(['o2', 'o3'])
})

it('many overlapping commits are recorded as a whole', async () => {
  const { commit } = await begin(sql`update orders set status = 'completed' where uuid = 'o1'`)
  for (let piece = 0; piece < 6; piece += 1) {
    await database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date)
      select 'c1', 'many-' || ${piece}::integer || '-' || n, 'eva', 'patient', 'confirmed', now(), now()
      from generate_series(1, 200) n`)
  }
  const { cursor } = await notesAfter(undefined)
  await commit()
  const { notes } = await notesAfter(cursor)
  expect(notes.filter(({ kind }) => kind === 'guest').map(({ id }) => id)).toEqual(['*'])
})

it('transactions one after the other note only what they changed', async () => {
  await database.query(book())
  const { cursor } = await notesAfter(undefined)
  await database.query(sql`update orders set status = 'completed' where uuid = 'o1'`)
  const { notes } = await notesAfter(cursor)
  expect(notes.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['order o1'])
})
