import sql, { raw } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Queryable } from '../../src/core/database/database.ts'
import { WRITTEN_LINES } from '../../src/core/intake/stage/stage.ts'
import { emptyDatabase, openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'

interface Noted {
  readonly thing: string
  readonly operation: string
  readonly columns: readonly string[]
}

describe('what the database notes of a commit', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase()
  })

  /** Ana with two stays, one of them in an order and in session s1; Eva with one stay in s2. */
  beforeEach(async () => {
    await emptyDatabase(database)
    await database.transaction(async (tx) => {
      await insertRow(tx, 'centers', { center_id: 'c1' })
      await insertRow(tx, 'centers', { center_id: 'c2' })
      await insertRow(tx, 'sessions', { id: 's1' })
      await insertRow(tx, 'sessions', {
        id: 's2',
        start_date: '2025-04-01T12:00Z',
        end_date: '2025-04-10T12:00Z',
      })
      await insertRow(tx, 'customers', { id: 'ana' })
      await insertRow(tx, 'customers', { id: 'eva' })
      await insertRow(tx, 'orders', { uuid: 'o1' })
      await insertRow(tx, 'orders', { uuid: 'o2' })
      await insertRow(tx, 'bookings', { id: 'ana1', session_ids: ['s1'], order_uuid: 'o1' })
      await insertRow(tx, 'bookings', {
        id: 'ana2',
        start_date: '2024-03-01T12:00Z',
        end_date: '2024-03-05T12:00Z',
      })
      await insertRow(tx, 'bookings', { id: 'eva1', customer_id: 'eva', session_ids: ['s2'] })
    })
  })

  const notes = (from: Queryable, after: number) =>
    from.query<Noted>(sql`
      select c.center_id || ' ' || c.kind || ' ' || c.id as thing, c.operation, c.columns
      from change_commits r
      join changes c using (center_id, transaction_id)
      where r.revision > ${after}
      order by 1`)

  /** What is noted of `work`, which is one commit of c1 (or none), by thing. */
  const noted = async (work: (tx: Queryable) => Promise<unknown>) => {
    await database.transaction(work)
    const rows = await notes(database, 1)
    return Object.fromEntries(
      rows.map(({ thing, operation, columns }) => [
        thing,
        // Of what came and what went everything differs; the columns say nothing.
        operation === 'changed' ? [operation, ...new Set(columns.toSorted())] : [operation],
      ]),
    )
  }
  const run = (statement: ReturnType<typeof sql>) => noted((tx) => tx.query(statement))

  test('a booking changed: the columns that differ, and nobody else', async () => {
    expect(
      await run(sql`update bookings set therapist_name = 'T', medical = '{"height": 1}' where id = 'ana2'`),
    ).toEqual({
      'c1 guest ana2': ['changed', 'bookings.medical', 'bookings.therapist_name'],
    })
  })

  test.each(['bookings', 'customers', 'orders', 'sessions'])(
    'of %s: every column there is',
    async (table) => {
      const [row] = await database.query<{ columns: string[]; compared: string }>(sql`
      select array_agg(a.attname::text) as columns,
        pg_get_functiondef(('changed_' || ${table}::text)::regproc) as compared
      from pg_attribute a
      where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped`)
      // A migration that adds one ends with: select compare_all_columns();
      for (const column of row?.columns ?? []) expect(row?.compared).toContain(`'${table}.${column}'`)
      expect(row?.columns.length).toBeGreaterThan(5)
    },
  )

  test('a booking written as it was: nothing', async () => {
    expect(await run(sql`update bookings set therapist_name = therapist_name`)).toEqual({})
  })

  test('a status: the order of the guest and the history of the customer’s stays', async () => {
    expect(await run(sql`update bookings set status = 'arrived' where id = 'ana1'`)).toEqual({
      'c1 guest ana1': ['changed', 'bookings.status'],
      'c1 guest ana2': ['changed', 'guests.history'],
      'c1 order o1': ['changed', 'orders.guests'],
    })
  })

  test('a stay moved: where it was and where it is, in sessions and time', async () => {
    await run(sql`
      update bookings set session_ids = '{s2}', start_date = '2025-04-02T12:00Z', end_date = '2025-04-03T12:00Z'
      where id = 'ana1'`)
    const shows = (day: string) => sql`during @> ${day}::timestamptz`
    const [row] = await database.query(sql`
      select array(select unnest(c.session_ids) order by 1) as sessions, ${shows('2025-03-05T00:00Z')} as before, ${shows('2025-04-02T13:00Z')} as after,
        ${shows('2025-03-20T00:00Z')} as between
      from change_commits r join changes c using (center_id, transaction_id)
      where r.revision > 1 and c.id = 'ana1'`)
    expect(row).toEqual({ sessions: ['s1', 's2'], before: true, after: true, between: false })
  })

  test('two stays of one customer in one statement: each is in the other’s history', async () => {
    expect(
      await run(sql`
        update bookings set status = case id when 'ana1' then 'arrived' else status end, therapist_name = 'T'
        where customer_id = 'ana'`),
    ).toEqual({
      'c1 guest ana1': ['changed', 'bookings.status', 'bookings.therapist_name', 'guests.history'],
      'c1 guest ana2': ['changed', 'bookings.therapist_name', 'guests.history'],
      'c1 order o1': ['changed', 'orders.guests'],
    })
  })

  test('a booking that came and one that went', async () => {
    expect(await noted((tx) => insertRow(tx, 'bookings', { id: 'new', order_uuid: 'o2' }))).toEqual({
      'c1 guest new': ['created'],
      'c1 guest ana1': ['changed', 'guests.history'],
      'c1 guest ana2': ['changed', 'guests.history'],
      'c1 order o2': ['changed', 'orders.guests'],
    })
  })

  test('a booking deleted', async () => {
    expect(await run(sql`delete from bookings where id = 'ana1'`)).toEqual({
      'c1 guest ana1': ['deleted'],
      'c1 guest ana2': ['changed', 'guests.history'],
      'c1 order o1': ['changed', 'orders.guests'],
    })
  })

  test('created and changed in one transaction is created, deleted and created again is changed', async () => {
    const work = async (tx: Queryable) => {
      await insertRow(tx, 'bookings', { id: 'new', customer_id: 'eva' })
      await tx.query(sql`update bookings set doctor_name = 'D' where id = 'new'`)
      await tx.query(sql`delete from bookings where id = 'ana2'`)
      await insertRow(tx, 'bookings', { id: 'ana2' })
    }
    expect(await noted(work)).toMatchObject({
      'c1 guest new': ['created'],
      'c1 guest ana2': ['changed'],
    })
  })

  test('another identifier: one that went, one that came', async () => {
    expect(await run(sql`update bookings set id = 'ana3' where id = 'ana2'`)).toMatchObject({
      'c1 guest ana2': ['deleted'],
      'c1 guest ana3': ['created'],
      'c1 guest ana1': ['changed', 'guests.history'],
    })
  })

  test('a customer’s name: each stay, and the orders they are in', async () => {
    expect(await run(sql`update customers set first_name = 'Anna' where id = 'ana'`)).toEqual({
      'c1 guest ana1': ['changed', 'customers.first_name'],
      'c1 guest ana2': ['changed', 'customers.first_name'],
      'c1 order o1': ['changed', 'orders.guests'],
    })
  })

  test('a customer’s date of birth: each stay, and no order', async () => {
    expect(await run(sql`update customers set dob = '1980-01-15' where id = 'ana'`)).toEqual({
      'c1 guest ana1': ['changed', 'customers.dob'],
      'c1 guest ana2': ['changed', 'customers.dob'],
    })
  })

  test('an order: itself and its guests', async () => {
    expect(await run(sql`update orders set status = 'paid' where uuid = 'o1'`)).toEqual({
      'c1 order o1': ['changed', 'orders.status'],
      'c1 guest ana1': ['changed', 'orders.status'],
    })
  })

  test('a session’s dates: itself, its guests, and the history of their other stays', async () => {
    expect(await run(sql`update sessions set end_date = '2025-03-11T12:00Z' where id = 's1'`)).toEqual({
      'c1 session s1': ['changed', 'sessions.end_date'],
      'c1 guest ana1': ['changed', 'guests.history', 'sessions.end_date'],
      'c1 guest ana2': ['changed', 'guests.history'],
    })
  })

  test('a session’s description: the session alone', async () => {
    expect(await run(sql`update sessions set text = 'Rest' where id = 's1'`)).toEqual({
      'c1 session s1': ['changed', 'sessions.text'],
    })
  })

  test.each([
    ['a term', sql`insert into terms (center_id, term_set, id, name) values ('c1', 'room', 'r1', 'Room 1')`],
    [
      'a custom field',
      sql`insert into meta_fields (center_id, key, type, owner) values ('c1', 'k', 'string', 'booking')`,
    ],
    ['the center’s profile', sql`update centers set currency = 'RON' where center_id = 'c1'`],
  ])('%s: every kind as a whole', async (_, statement) => {
    expect(await run(statement)).toEqual({
      'c1 guest *': ['changed'],
      'c1 order *': ['changed'],
      'c1 session *': ['changed'],
    })
  })

  test('more than a thousand guests in one statement, or in many: the kind as a whole, once', async () => {
    const many = (from: number, to: number) => sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date)
      select 'c1', 'n' || n, 'eva', 'guest', 'confirmed', '2025-05-01', '2025-05-02' from generate_series(${from}::int, ${to}::int) n`
    expect(await noted((tx) => tx.query(many(1, 1001)))).toEqual({
      'c1 guest *': ['changed'],
      'c1 order *': ['changed'],
    })
    const inSteps = async (tx: Queryable) => {
      for (let n = 0; n < 4; n += 1) await tx.query(many(2000 + n * 300, 2299 + n * 300))
      await tx.query(sql`update bookings set doctor_name = 'D' where id = 'ana1'`)
    }
    await database.transaction(inSteps)
    expect(await notes(database, 2)).toEqual(
      ['c1 guest *', 'c1 order *'].map((thing) => ({ thing, operation: 'changed', columns: [] })),
    )
  })

  test('a full statement of an import has more records than are named one by one', async () => {
    const [bound] = await database.query<{ bound: number }>(sql`select changes_bound() as bound`)
    expect(WRITTEN_LINES).toBeGreaterThan(bound?.bound ?? Number.POSITIVE_INFINITY)
  })

  test.each([
    {
      of: 'guests in three statements',
      into: 'bookings (customer_id, role, status, start_date, end_date',
      values: `'eva', 'guest', 'paid', '2025-05-01', '2025-05-02'`,
      key: 'id',
      size: 400,
      next: `update bookings set order_uuid = 'o2' where id = 'ana1'`,
      moves: 'c1 order',
    },
    {
      of: 'orders in three statements',
      into: 'orders (order_date, status, total_amount',
      values: `'2025-05-01', 'new', 1`,
      key: 'uuid',
      size: 400,
      next: `update orders set status = 'paid' where uuid = 'o1'`,
      moves: 'c1 guest',
    },
    {
      of: 'sessions at once',
      into: 'sessions (name, start_date, end_date',
      values: `'S', '2025-05-01', '2025-05-02'`,
      key: 'id',
      size: 1200,
      next: `update customers set last_name = 'L' where id = 'ana'`,
      moves: 'c1 order',
    },
  ])(
    'more than a thousand $of hide nothing of another kind',
    async ({ into, values, key, size, next, moves }) => {
      const work = async (tx: Queryable) => {
        for (let from = 1; from <= 1200; from += size) {
          await tx.query(sql`
          insert into ${raw(into)}, center_id, ${raw(key)})
          select ${raw(values)}, 'c1', 'n' || n from generate_series(${from}::int, ${from + size - 1}::int) n`)
        }
        await tx.query(raw(next))
      }
      const things = Object.keys(await noted(work))
      expect(things.filter((thing) => thing.startsWith(moves))).not.toEqual([])
    },
  )

  test('each statement of two centers: each center its own', async () => {
    await database.transaction(async (tx) => {
      await insertRow(tx, 'customers', { center_id: 'c2', id: 'ana' })
      await insertRow(tx, 'bookings', { center_id: 'c2', id: 'ana1' })
    })
    await database.query(sql`update bookings set doctor_name = 'D' where id = 'ana1'`)
    const rows = await database.query(sql`
      select r.center_id, r.revision, c.id from change_commits r join changes c using (center_id, transaction_id)
      where c.columns = '{bookings.doctor_name}' order by 1`)
    expect(rows).toEqual([
      { center_id: 'c1', revision: 2, id: 'ana1' },
      { center_id: 'c2', revision: 3, id: 'ana1' },
    ])
  })

  test('an identifier given at the commit belongs to the commit', async () => {
    await database.query(sql`update centers set automatic_booking_ids = true`)
    await database.query(sql`update bookings set status = 'arrived' where id = 'eva1'`)
    const rows = await notes(database, 2)
    expect(rows).toContainEqual({
      thing: 'c1 guest eva1',
      operation: 'changed',
      columns: expect.arrayContaining(['bookings.booking_id', 'bookings.booking_number', 'bookings.status']),
    })
  })

  test('what is rolled back leaves nothing', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query(sql`update bookings set doctor_name = 'D'`)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await notes(database, 1)).toEqual([])
    expect(await database.query(sql`select count(*) as n from change_commits where revision > 1`)).toEqual([
      { n: 0 },
    ])
  })

  test('a table emptied: every kind of every center as a whole', async () => {
    await database.query(sql`truncate bookings`)
    expect((await notes(database, 1)).map(({ thing }) => thing)).toEqual([
      'c1 guest *',
      'c1 order *',
      'c1 session *',
      'c2 guest *',
      'c2 order *',
      'c2 session *',
    ])
  })
})
