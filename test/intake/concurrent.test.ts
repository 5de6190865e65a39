/** A center's own system writes SQL while an import runs. */
import sql, { raw, type Sql } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { ImportConflict } from '../../src/core/intake/import-records.ts'
import { openTestDatabase } from '../support/database.ts'
import {
  booking,
  bookingRow,
  center,
  customer,
  customerRow,
  empty,
  everything,
  importAll,
} from './import-lines.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await empty(database)
  await importAll(database, [center(), customer('k', { email: 'old' })])
})

/**
 * The database, with somebody else's statement run just before the import's first one that matches, over another connection.
 */
function disturbed(before: RegExp, statement: Sql): Database {
  let isDone = false
  return {
    ...database,
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          async query<R extends object>(own: Sql) {
            if (!isDone && before.test(own.text)) {
              isDone = true
              await database.query(statement)
            }
            return tx.query<R>(own)
          },
        }),
      ),
  }
}

describe('what another program writes during an import', () => {
  test('in other fields of the same record is stored', async () => {
    const busy = disturbed(
      /for update/,
      sql`update customers set email = 'theirs', gender = 'female' where center_id = 'c' and id = 'k'`,
    )
    await importAll(busy, [{ kind: 'customer', centerId: 'c', id: 'k', phone: '1' }])
    expect(await customerRow(database, 'k')).toMatchObject({ email: 'theirs', gender: 'female', phone: '1' })
  })

  test('in the same object is merged with', async () => {
    await importAll(database, [booking('b', { financial: { total: 1 } })])
    const busy = disturbed(
      /for update/,
      sql`update bookings set financial = '{"total": 2, "subtotal": 3}' where center_id = 'c' and id = 'b'`,
    )
    await importAll(busy, [
      { kind: 'booking', centerId: 'c', id: 'b', financial: { deposit: { amount: 4 } } },
    ])
    expect((await bookingRow(database, 'b')).financial).toEqual({
      total: 2,
      subtotal: 3,
      deposit: { amount: 4 },
    })
  })

  test('as a new record of the same identifier counts as existing', async () => {
    const busy = disturbed(
      /insert into customers/,
      sql`insert into customers (center_id, id, first_name, last_name, email) values ('c', 'new', 'Their', 'Name', 'theirs')`,
    )
    const { summary } = await importAll(busy, [customer('new', { phone: '1' })])
    expect(summary.kinds.customer).toMatchObject({ created: 0, changed: 1 })
    expect(await customerRow(database, 'new')).toMatchObject({
      first_name: 'Ana',
      email: 'theirs',
      phone: '1',
    })
  })

  test('to remove the record, leaves the import to make it anew', async () => {
    const busy = disturbed(/for update/, sql`delete from customers where center_id = 'c' and id = 'k'`)
    const { summary } = await importAll(busy, [customer('k', { phone: '1' })])
    expect(summary.kinds.customer.created).toBe(1)
    expect(await customerRow(database, 'k')).toMatchObject({ email: null, phone: '1' })
  })

  test('to remove a customer that the import refers to, ends the import with nothing done', async () => {
    const busy = disturbed(/set constraints/, sql`delete from customers where center_id = 'c' and id = 'k'`)
    await expect(importAll(busy, [booking('b')])).rejects.toThrow(ImportConflict)
    const after = await everything(database)
    expect(after.filter((found) => 'customer_id' in found)).toEqual([])
  })
})

describe('a conflict', () => {
  test.each([
    ['23503', 'a record that is referred to went away'],
    ['23505', 'the same identifier was added'],
    ['40001', 'another transaction changed the row first'],
    ['40P01', 'two transactions wait for each other'],
  ])(
    'that the database calls %s, because %s, says to run the import again, and nothing is in',
    async (code) => {
      const before = await everything(database)
      const busy = disturbed(
        /for update/,
        sql`${raw(`do $$ begin raise exception 'in the way' using errcode = '${code}'; end $$`)}`,
      )
      const run = importAll(busy, [customer('k', { phone: '1' }), customer('new')])
      await expect(run).rejects.toThrow(ImportConflict)
      expect(await everything(database)).toEqual(before)
    },
  )
})

test('a row that the import leaves as it is, is not locked or written', async () => {
  const statements: string[] = []
  const watched: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          query<R extends object>(statement: Sql) {
            statements.push(statement.text)
            return tx.query<R>(statement)
          },
        }),
      ),
  }
  await importAll(watched, [customer('k', { email: 'old' })])
  expect(statements.filter((text) => /for update|^\s*(update|insert into) customers/.test(text))).toEqual([])
})

test('two imports at the same time wait for each other', async () => {
  const records = Array.from({ length: 1200 }, (_, index) => customer(`k${index}`))
  const [one, other] = await Promise.all([
    importAll(database, records),
    importAll(database, records.toReversed()),
  ])
  expect([one.summary.kinds.customer, other.summary.kinds.customer]).toEqual(
    expect.arrayContaining([
      { created: 1200, changed: 0, unchanged: 0, removed: 0, older: 0 },
      { created: 0, changed: 0, unchanged: 1200, removed: 0, older: 0 },
    ]),
  )
})
