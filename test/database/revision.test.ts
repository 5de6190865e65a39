import sql, { raw } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Queryable } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { emptyDatabase, newPostgresDatabase, openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'

interface Revision {
  readonly revision: number
  readonly profile: number
}

async function revisions(database: Queryable): Promise<Record<string, Revision>> {
  const rows = await database.query<Revision & { center: string }>(sql`
    select center_id as center, revision, profile_revision as profile
    from center_revisions order by center_id`)
  return Object.fromEntries(rows.map(({ center, revision, profile }) => [center, { revision, profile }]))
}

/** Two centers, at revision 1 each, and a customer in each of them. */
async function addCenters(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (const center_id of ['c1', 'c2']) {
      await insertRow(tx, 'centers', { center_id })
      await insertRow(tx, 'customers', { center_id, id: 'ana' })
    }
  })
}

describe('the revision of a center', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  beforeEach(async () => {
    await emptyDatabase(database)
    await addCenters(database)
  })
  /** By how much each center's revision moves while `work` runs. */
  const moves = async (work: () => Promise<unknown>) => {
    const before = await revisions(database)
    await work()
    const after = await revisions(database)
    return Object.fromEntries(
      Object.keys(after).map((center) => [
        center,
        (after[center]?.revision ?? 0) - (before[center]?.revision ?? 0),
      ]),
    )
  }
  const insertMany = sql`
    insert into customers (center_id, id, first_name, last_name)
    select 'c1', 'many' || n, 'A', 'B' from generate_series(1, 1000) as n`

  test('begins at one with the transaction that makes the center', async () => {
    expect(await revisions(database)).toEqual({
      c1: { revision: 1, profile: 1 },
      c2: { revision: 1, profile: 1 },
    })
  })

  test('goes up by one for a statement, however many rows it writes', async () => {
    expect(await moves(() => database.query(insertMany))).toEqual({ c1: 1, c2: 0 })
  })

  test('goes up by one for a transaction, however many statements it has', async () => {
    const work = () =>
      database.transaction(async (tx) => {
        await tx.query(insertMany)
        await tx.query(sql`update customers set first_name = 'C' where center_id = 'c1'`)
        await insertRow(tx, 'bookings', { id: 'b1' })
        await insertRow(tx, 'sessions', { id: 's1' })
        await tx.query(sql`delete from customers where id like 'many%'`)
      })
    expect(await moves(work)).toEqual({ c1: 1, c2: 0 })
  })

  test('goes up once more for the next transaction', async () => {
    expect(await moves(() => database.query(insertMany))).toEqual({ c1: 1, c2: 0 })
    expect(await moves(() => database.query(sql`delete from customers where id = 'many1'`))).toEqual({
      c1: 1,
      c2: 0,
    })
  })

  test('stays while the transaction is open and goes up at its commit', async () => {
    const work = () =>
      database.transaction(async (tx) => {
        const before = await revisions(tx)
        await tx.query(insertMany)
        expect(await revisions(tx)).toEqual(before)
      })
    expect(await moves(work)).toEqual({ c1: 1, c2: 0 })
  })

  test('stays when the transaction is rolled back', async () => {
    const work = () =>
      database
        .transaction(async (tx) => {
          await tx.query(insertMany)
          throw new Error('no')
        })
        .catch(() => {})
    expect(await moves(work)).toEqual({ c1: 0, c2: 0 })
  })

  test('stays when only a savepoint that was rolled back wrote', async () => {
    const work = () =>
      database.transaction(async (tx) => {
        await tx.query(sql`savepoint s`)
        await tx.query(insertMany)
        await tx.query(sql`rollback to savepoint s`)
      })
    expect(await moves(work)).toEqual({ c1: 0, c2: 0 })
  })

  test('stays when a statement finds nothing to change', async () => {
    expect(await moves(() => database.query(sql`delete from customers where id = 'nobody'`))).toEqual({
      c1: 0,
      c2: 0,
    })
  })

  test('goes up in both centers when a transaction writes in two', async () => {
    const work = () => database.query(sql`update customers set first_name = 'C'`)
    expect(await moves(work)).toEqual({ c1: 1, c2: 1 })
  })

  test('goes up in both centers when a row moves from one to the other', async () => {
    const work = () =>
      database.query(sql`update customers set center_id = 'c2', id = 'moved' where center_id = 'c1'`)
    expect(await moves(work)).toEqual({ c1: 1, c2: 1 })
  })

  test('goes up for an upsert that inserts and for one that updates', async () => {
    const upsert = sql`
      insert into customers (center_id, id, first_name, last_name) values ('c1', 'eva', 'Eva', 'Pop')
      on conflict (center_id, id) do update set first_name = 'Eve'`
    expect(await moves(() => database.query(upsert))).toEqual({ c1: 1, c2: 0 })
    expect(await moves(() => database.query(upsert))).toEqual({ c1: 1, c2: 0 })
  })

  test('goes up in every center when a table is truncated', async () => {
    expect(await moves(() => database.query(sql`truncate bookings`))).toEqual({ c1: 1, c2: 1 })
  })

  test('goes up when a center is deleted with all it has', async () => {
    expect(await moves(() => database.query(sql`delete from centers where center_id = 'c1'`))).toEqual({
      c1: 1,
      c2: 0,
    })
  })

  test('goes up once when the rules are checked before the commit, and writing goes on after that', async () => {
    const work = () =>
      database.transaction(async (tx) => {
        await tx.query(insertMany)
        await tx.query(sql`set constraints all immediate`)
        await tx.query(sql`update customers set first_name = 'C' where center_id = 'c1'`)
      })
    expect(await moves(work)).toEqual({ c1: 1, c2: 0 })
  })

  test('goes up once for a booking that arrives and gets its identifier at the commit', async () => {
    await database.query(sql`update centers set automatic_booking_ids = true`)
    await insertRow(database, 'sessions', { id: 's1', number: '3' })
    const work = () => insertRow(database, 'bookings', { id: 'b1', session_ids: ['s1'], status: 'arrived' })
    expect(await moves(work)).toEqual({ c1: 1, c2: 0 })
    expect(await database.query(sql`select booking_id from bookings`)).toEqual([{ booking_id: '25-3-01' }])
  })

  test('keeps no more than one note of a center behind', async () => {
    for (let n = 0; n < 10; n += 1) {
      await database.query(sql`update customers set first_name = ${`name ${n}`}`)
    }
    expect(await database.query(sql`select center_id from center_touches order by 1`)).toEqual([
      { center_id: 'c1' },
      { center_id: 'c2' },
    ])
  })

  test.each([
    ['terms', { term_set: 'programs', id: 't1' }],
    ['sessions', { id: 's1' }],
    ['orders', { uuid: 'o1' }],
    ['customers', { id: 'eva' }],
    ['bookings', { id: 'b1' }],
  ] as const)('goes up for a row of %s put in, changed, taken out; the profile stays', async (table, row) => {
    const change = table === 'terms' ? 'name = name' : 'center_id = center_id'
    const [where] = Object.entries(row).slice(-1)
    const found = raw(`where ${where?.[0]} = '${where?.[1]}'`)
    expect(await moves(() => insertRow(database, table, row))).toEqual({ c1: 1, c2: 0 })
    expect(await moves(() => database.query(sql`update ${raw(table)} set ${raw(change)} ${found}`))).toEqual({
      c1: 1,
      c2: 0,
    })
    expect(await moves(() => database.query(sql`delete from ${raw(table)} ${found}`))).toEqual({
      c1: 1,
      c2: 0,
    })
    expect((await revisions(database)).c1).toEqual({ revision: 4, profile: 1 })
  })

  test('is the profile’s too when the center itself changes', async () => {
    await database.query(insertMany)
    await database.query(sql`update centers set name = 'New' where center_id = 'c1'`)
    expect((await revisions(database)).c1).toEqual({ revision: 3, profile: 3 })
    await database.query(sql`update customers set first_name = 'C' where center_id = 'c1'`)
    expect((await revisions(database)).c1).toEqual({ revision: 4, profile: 3 })
  })

  test('is the profile’s too when a custom field is put in, changed or taken out', async () => {
    await insertRow(database, 'meta_fields', { key: 'diet' })
    expect((await revisions(database)).c1).toEqual({ revision: 2, profile: 2 })
    await database.query(sql`update meta_fields set label = 'Diet'`)
    expect((await revisions(database)).c1).toEqual({ revision: 3, profile: 3 })
    await database.query(sql`delete from meta_fields`)
    expect((await revisions(database)).c1).toEqual({ revision: 4, profile: 4 })
  })

  test('is the profile’s too when the transaction wrote guests first and the center afterwards', async () => {
    await database.transaction(async (tx) => {
      await tx.query(insertMany)
      await tx.query(sql`update centers set name = 'New' where center_id = 'c1'`)
    })
    expect((await revisions(database)).c1).toEqual({ revision: 2, profile: 2 })
  })

  test('is the profile’s too when the center changes after the rules were checked early', async () => {
    await database.transaction(async (tx) => {
      await tx.query(insertMany)
      await tx.query(sql`set constraints all immediate`)
      await tx.query(sql`update centers set name = 'New' where center_id = 'c1'`)
    })
    expect((await revisions(database)).c1).toEqual({ revision: 2, profile: 2 })
  })
})

describe('the revision among many writers', () => {
  async function openMany(): Promise<Database> {
    const database = openPostgres({
      connection: { connectionString: await newPostgresDatabase() },
      poolSize: 20,
      purpose: 'command',
    })
    await addCenters(database)
    return database
  }
  const touch = (tx: Queryable, center: string, name: string) =>
    tx.query(sql`update customers set first_name = ${name} where center_id = ${center} and id = ${name}`)

  test('a long open transaction holds up no other writer, and counts when it commits', async () => {
    const database = await openMany()
    await insertRow(database, 'customers', { id: 'eva' })
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
    const long = database.transaction(async (tx) => {
      await touch(tx, 'c1', 'ana')
      hasWritten()
      await mayCommit
    })
    await written
    await touch(database, 'c1', 'eva')
    expect((await revisions(database)).c1?.revision).toBe(3)
    await touch(database, 'c1', 'eva')
    expect((await revisions(database)).c1?.revision).toBe(4)
    commit()
    await long
    expect((await revisions(database)).c1?.revision).toBe(5)
    await database.close()
  })

  test('many transactions over the same two centers in opposite order all commit, and each counts once', async () => {
    const database = await openMany()
    for (let n = 0; n < 20; n += 1) {
      for (const center_id of ['c1', 'c2']) await insertRow(database, 'customers', { center_id, id: `n${n}` })
    }
    const before = await revisions(database)
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        database.transaction(async (tx) => {
          const centers = n % 2 === 0 ? ['c1', 'c2'] : ['c2', 'c1']
          for (const center of centers)
            await insertRow(tx, 'customers', { center_id: center, id: `${center} ${n}` })
        }),
      ),
    )
    const after = await revisions(database)
    expect(after.c1!.revision - before.c1!.revision).toBe(200)
    expect(after.c2!.revision - before.c2!.revision).toBe(200)
    await database.close()
  })

  test('arrivals and imports over the same centers in any order all commit', async () => {
    const database = await openMany()
    await database.query(sql`update centers set automatic_booking_ids = true`)
    for (const center_id of ['c1', 'c2']) {
      for (const id of ['s1', 's2']) await insertRow(database, 'sessions', { center_id, id, number: id })
    }
    const arrive = (tx: Queryable, center_id: string, session: string, id: string) =>
      insertRow(tx, 'bookings', { center_id, id, session_ids: [session], status: 'arrived' })
    const work = (n: number) =>
      database.transaction(async (tx) => {
        const centers = n % 2 === 0 ? ['c1', 'c2'] : ['c2', 'c1']
        const sessions = n % 4 < 2 ? ['s1', 's2'] : ['s2', 's1']
        // Some write something else first, so that the triggers at their commit fire in another order.
        if (n % 3 === 0) await insertRow(tx, 'customers', { center_id: centers[0], id: `first ${n}` })
        for (const center of centers) {
          for (const session of sessions) await arrive(tx, center, session, `${center} ${session} ${n}`)
        }
      })
    await Promise.all(Array.from({ length: 60 }, (_, n) => work(n)))
    const numbers = await database.query(sql`
    select center_id, session_ids[1] as session, count(distinct booking_number) as given, max(booking_number) as last
    from bookings group by 1, 2 order by 1, 2`)
    expect(numbers).toEqual(
      ['c1', 'c2'].flatMap((center_id) =>
        ['s1', 's2'].map((session) => ({ center_id, session, given: 60, last: 60 })),
      ),
    )
    await database.close()
  })

  test('a revision that can be read says that everything of the revisions before it can be read too', async () => {
    const database = await openMany()
    await database.query(sql`create table writes (n integer primary key, revision bigint)`)
    // Each writer notes its row; the revision it got is known only after its commit.
    let writing = true
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 25; n += 1) {
        await insertRow(database, 'customers', { id: `w${writer} ${n}` })
      }
    })
    const seen: { revision: number; customers: number }[] = []
    const reader = (async () => {
      while (writing) {
        const [row] = await database.query<{ revision: number; customers: number }>(sql`
        select r.revision, (select count(*) from customers where center_id = 'c1' and id like 'w%') as customers
        from center_revisions r where r.center_id = 'c1'`)
        if (row !== undefined) seen.push(row)
      }
    })()
    await Promise.all(writers)
    writing = false
    await reader
    // One row a transaction and one revision a transaction: in one snapshot the two counts move together.
    expect(seen.filter(({ revision, customers }) => revision - 1 !== customers)).toEqual([])
    expect(seen.length).toBeGreaterThan(0)
    await database.close()
  })
})
