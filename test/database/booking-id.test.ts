import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, type Queryable, type Row, sqlState } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { emptyDatabase, newPostgresDatabase, openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await emptyDatabase(database)
  await addCenter(database)
})

/** A center that gives identifiers by itself, session 7 ("Spring", from 1 March 2025) and a customer. */
async function addCenter(target: Queryable, center: Row = {}): Promise<void> {
  await insertRow(target, 'centers', { automatic_booking_ids: true, ...center })
  await insertRow(target, 'customers', { id: 'ana' })
  await insertRow(target, 'sessions', { id: 's7', number: '7' })
}

const changeCenter = (column: string, value: unknown) =>
  database.query(sql`
    update centers set
      automatic_booking_ids = case when ${column} = 'automatic_booking_ids' then ${String(value)} = 'true' else automatic_booking_ids end,
      booking_id_format = case when ${column} = 'booking_id_format' then ${String(value)} else booking_id_format end,
      booking_id_session = case when ${column} = 'booking_id_session' then ${String(value)} else booking_id_session end,
      timezone = case when ${column} = 'timezone' then ${String(value)} else timezone end`)

const book = (id: string, values: Row = {}, target: Queryable = database) =>
  insertRow(target, 'bookings', { id, session_ids: ['s7'], ...values })

const arrive = (id: string, target: Queryable = database) =>
  target.query(sql`update bookings set status = 'arrived' where id = ${id}`)

async function identifiers(target: Queryable = database): Promise<Record<string, string | null>> {
  const rows = await target.query<{ id: string; booking_id: string | null }>(
    sql`select id, booking_id from bookings order by id`,
  )
  return Object.fromEntries(rows.map((row) => [row.id, row.booking_id]))
}

describe('ruling 39: a booking identifier is given', () => {
  test('when a booking’s status becomes arrived, as YY-SN-BN', async () => {
    await book('b1')
    expect(await identifiers()).toEqual({ b1: null })
    await arrive('b1')
    expect(await identifiers()).toEqual({ b1: '25-7-01' })
  })

  test('when a booking is put in as arrived', async () => {
    await book('b1', { status: 'arrived' })
    expect(await identifiers()).toEqual({ b1: '25-7-01' })
  })

  test('when an upsert makes it arrived', async () => {
    await book('b1')
    await database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date)
      values ('c1', 'b1', 'ana', 'patient', 'arrived', '2025-03-01', '2025-03-10')
      on conflict (center_id, id) do update set status = excluded.status`)
    expect(await identifiers()).toEqual({ b1: '25-7-01' })
  })

  test('1, 2, 3 … in the order of arrival, in the order of the statements within a transaction', async () => {
    for (const id of ['b1', 'b2', 'b3', 'b4']) await book(id)
    await arrive('b3')
    await database.transaction(async (tx) => {
      await arrive('b4', tx)
      await arrive('b1', tx)
    })
    await arrive('b2')
    expect(await identifiers()).toEqual({ b1: '25-7-03', b2: '25-7-04', b3: '25-7-01', b4: '25-7-02' })
  })

  test('with at least two digits, and with three from 100', async () => {
    await database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      select 'c1', lpad(n::text, 3, '0'), 'ana', 'patient', 'arrived', '2025-03-01', '2025-03-10', '{s7}'
      from generate_series(1, 120) as n`)
    const given = await identifiers()
    expect(given['001']).toBe('25-7-01')
    expect(given['099']).toBe('25-7-99')
    expect(given['100']).toBe('25-7-100')
    expect(given['120']).toBe('25-7-120')
    expect(new Set(Object.values(given)).size).toBe(120)
  })

  test('counting each session for itself, by the booking’s main session', async () => {
    await insertRow(database, 'sessions', { id: 's8', number: '8' })
    await book('b1', { status: 'arrived' })
    await book('b2', { status: 'arrived', session_ids: ['s8', 's7'] })
    await book('b3', { status: 'arrived', session_ids: ['s7', 's8'] })
    expect(await identifiers()).toEqual({ b1: '25-7-01', b2: '25-8-01', b3: '25-7-02' })
  })

  test('counting each center for itself', async () => {
    await insertRow(database, 'centers', { center_id: 'c2', automatic_booking_ids: true })
    await insertRow(database, 'customers', { center_id: 'c2', id: 'ana' })
    await insertRow(database, 'sessions', { center_id: 'c2', id: 's7', number: '7' })
    await book('b1', { status: 'arrived' })
    await book('b2', { status: 'arrived', center_id: 'c2' })
    expect(await identifiers()).toEqual({ b1: '25-7-01', b2: '25-7-01' })
  })

  test('also when the session comes later in the same transaction', async () => {
    await database.transaction(async (tx) => {
      await book('b1', { status: 'arrived', session_ids: ['s9'] }, tx)
      await insertRow(tx, 'sessions', { id: 's9', number: '9' })
    })
    expect(await identifiers()).toEqual({ b1: '25-9-01' })
  })
})

describe('ruling 39: no booking identifier is given', () => {
  test('where the center has not enabled it, and enabling it later changes nothing by itself', async () => {
    await changeCenter('automatic_booking_ids', false)
    await book('b1', { status: 'arrived' })
    await book('b2')
    await arrive('b2')
    await changeCenter('automatic_booking_ids', true)
    expect(await identifiers()).toEqual({ b1: null, b2: null })
    await database.query(sql`update bookings set doctor_name = 'Dr. Ionescu'`)
    expect(await identifiers()).toEqual({ b1: null, b2: null })
  })

  test('to a booking without a session', async () => {
    await book('b1', { status: 'arrived', session_ids: [] })
    expect(await identifiers()).toEqual({ b1: null })
  })

  test.each(['registered', 'waitingList', 'confirmed', 'paid', 'departed', 'cancelled'])(
    'to a booking that is %s',
    async (status) => {
      await book('b1', { status })
      await book('b2')
      await database.query(sql`update bookings set status = ${status} where id = 'b2'`)
      expect(await identifiers()).toEqual({ b1: null, b2: null })
    },
  )
})

describe('ruling 39: a number set by hand', () => {
  test('is never overwritten by an arrival', async () => {
    await book('b1', { booking_id: 'VIP' })
    await arrive('b1')
    await book('b2', { booking_id: 'VIP 2', status: 'arrived' })
    expect(await identifiers()).toEqual({ b1: 'VIP', b2: 'VIP 2' })
  })

  test('is not overwritten when it is set in the same transaction as the arrival', async () => {
    await book('b1')
    await database.transaction(async (tx) => {
      await arrive('b1', tx)
      await tx.query(sql`update bookings set booking_id = 'VIP' where id = 'b1'`)
    })
    expect(await identifiers()).toEqual({ b1: 'VIP' })
  })

  test('is passed over by the ones given automatically', async () => {
    await book('b1', { booking_id: '25-7-01' })
    await book('b2', { booking_id: '25-7-03' })
    for (const id of ['b3', 'b4']) await book(id, { status: 'arrived' })
    expect(await identifiers()).toEqual({ b1: '25-7-01', b2: '25-7-03', b3: '25-7-02', b4: '25-7-04' })
  })

  test('replaces an automatic one, which then differs from it and is not given again', async () => {
    await book('b1', { status: 'arrived' })
    expect(await database.query(sql`select booking_number from bookings`)).toEqual([{ booking_number: 1 }])
    await database.query(sql`update bookings set booking_id = 'VIP' where id = 'b1'`)
    expect(await database.query(sql`select booking_number from bookings`)).toEqual([{ booking_number: null }])
    await book('b2', { status: 'arrived' })
    expect(await identifiers()).toEqual({ b1: 'VIP', b2: '25-7-02' })
  })

  test('to the one it has already stays automatic', async () => {
    await book('b1', { status: 'arrived' })
    await database.query(sql`update bookings set booking_id = '25-7-01', doctor_name = 'Dr. Ionescu'`)
    expect(await database.query(sql`select booking_number from bookings`)).toEqual([{ booking_number: 1 }])
  })
})

describe('ruling 39: an identifier once given', () => {
  test('stays through departure, another arrival, another session and another pattern', async () => {
    await insertRow(database, 'sessions', { id: 's8', number: '8' })
    await book('b1', { status: 'arrived' })
    await database.query(sql`update bookings set status = 'departed'`)
    await arrive('b1')
    await database.query(sql`update bookings set session_ids = '{s8}'`)
    await changeCenter('booking_id_format', 'BN/SN')
    expect(await identifiers()).toEqual({ b1: '25-7-01' })
  })

  test('is never given again, not even after its booking is deleted', async () => {
    await book('b1', { status: 'arrived' })
    await database.query(sql`delete from bookings`)
    await book('b2', { status: 'arrived' })
    expect(await identifiers()).toEqual({ b2: '25-7-02' })
  })
})

describe('ruling 39: the parts of the identifier', () => {
  test.each([
    ['YYSNBN', '25701'],
    ['BN/SN/YY', '01/7/25'],
    ['R-YY.SN.BN', 'R-25.7.01'],
    ['BN', '01'],
  ])('follow the center’s pattern %s', async (format, given) => {
    await changeCenter('booking_id_format', format)
    await book('b1', { status: 'arrived' })
    expect(await identifiers()).toEqual({ b1: given })
  })

  test('must include the booking’s number: a pattern without BN is refused', async () => {
    const refused = await changeCenter('booking_id_format', 'YY-SN').catch((error: unknown) => error)
    expect(sqlState(refused)).toBe('23514')
  })

  test('take the session’s name where the center says so, letters of the pattern in it or not', async () => {
    await changeCenter('booking_id_session', 'name')
    await book('b1', { status: 'arrived' })
    await insertRow(database, 'sessions', { id: 's8', name: 'YY SN BN \\1 &', number: '8' })
    await book('b2', { status: 'arrived', session_ids: ['s8'] })
    expect(await identifiers()).toEqual({ b1: '25-Spring-01', b2: '25-YY SN BN \\1 &-01' })
  })

  test.each([[null], ['']])('take the session’s name where its number is %j', async (number) => {
    await insertRow(database, 'sessions', { id: 's8', name: 'Autumn', number })
    await book('b1', { status: 'arrived', session_ids: ['s8'] })
    expect(await identifiers()).toEqual({ b1: '25-Autumn-01' })
  })

  test.each([
    ['UTC', '2024-12-31T23:30:00Z', '24'],
    ['Europe/Bucharest', '2024-12-31T23:30:00Z', '25'],
    ['America/New_York', '2025-01-01T03:00:00Z', '24'],
    ['Pacific/Kiritimati', '2024-12-31T10:00:00Z', '25'],
    ['UTC', '2009-06-01T12:00:00Z', '09'],
  ])('have the year of the session’s first day in %s: %s is in %s', async (timezone, start, year) => {
    await changeCenter('timezone', timezone)
    await insertRow(database, 'sessions', { id: 's8', number: '8', start_date: start })
    await book('b1', { status: 'arrived', session_ids: ['s8'] })
    expect(await identifiers()).toEqual({ b1: `${year}-8-01` })
  })
})

test('ruling 39: an arrival that is rolled back leaves no gap', async () => {
  await book('b1')
  const failing = database.transaction(async (tx) => {
    await arrive('b1', tx)
    await tx.query(sql`set constraints all immediate`)
    expect(await identifiers(tx)).toEqual({ b1: '25-7-01' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const broken = await book('b2', { status: 'arrived', customer_id: 'nobody' }).catch(
    (error: unknown) => error,
  )
  expect(sqlState(broken)).toBe('23503')
  await book('b3', { status: 'arrived' })
  expect(await identifiers()).toEqual({ b1: null, b3: '25-7-01' })
})

describe('ruling 39: among many at once', () => {
  const expected = Array.from({ length: 50 }, (_, n) => `25-7-${String(n + 1).padStart(2, '0')}`)

  async function openMany(): Promise<Database> {
    const opened = openPostgres({
      connection: { connectionString: await newPostgresDatabase() },
      poolSize: 50,
      purpose: 'command',
    })
    await addCenter(opened)
    return opened
  }

  test('fifty arrivals get 01 to 50, without gaps or repeats', async () => {
    const opened = await openMany()
    const ids = Array.from({ length: 50 }, (_, n) => `b${n}`)
    for (const id of ids) await book(id, {}, opened)
    await Promise.all(ids.map((id) => arrive(id, opened)))
    expect(Object.values(await identifiers(opened)).sort()).toEqual(expected)
    await opened.close()
  })

  test('fifty arrivals of which others fail get 01 to 50 all the same', async () => {
    const opened = await openMany()
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        if (n % 2 === 0) return book(`b${n}`, { status: 'arrived' }, opened)
        const failing = book(`b${n}`, { status: 'arrived', customer_id: 'nobody' }, opened)
        expect(sqlState(await failing.catch((error: unknown) => error))).toBe('23503')
      }),
    )
    expect(Object.values(await identifiers(opened)).sort()).toEqual(expected)
    await opened.close()
  })
})

describe('the bookings of a session', () => {
  const sessions = async (target: Queryable = database) => {
    const rows = await target.query<{ text: string }>(sql`
      select session_id || ' ' || booking_id || ' ' || position || ' ' || to_char(start_date, 'MM-DD') as text
      from booking_sessions order by session_id, position, booking_id`)
    return rows.map((row) => row.text)
  }
  beforeEach(() => insertRow(database, 'sessions', { id: 's8' }))

  test('follow a booking that is put in, with its start and the position of each session', async () => {
    await book('b1', { session_ids: ['s8', 's7'] })
    expect(await sessions()).toEqual(['s7 b1 2 03-01', 's8 b1 1 03-01'])
  })

  test('follow many bookings put in by one statement, and name a session given twice once', async () => {
    await database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      values ('c1', 'b1', 'ana', 'patient', 'paid', '2025-03-01', '2025-03-10', '{s7,s7,s8}'),
             ('c1', 'b2', 'ana', 'patient', 'paid', '2025-03-02', '2025-03-10', '{}'),
             ('c1', 'b3', 'ana', 'patient', 'paid', '2025-03-03', '2025-03-10', '{s8}')`)
    expect(await sessions()).toEqual(['s7 b1 1 03-01', 's8 b3 1 03-03', 's8 b1 3 03-01'])
  })

  test('follow a change of a booking’s sessions, its start or its own identifier', async () => {
    await book('b1')
    await book('b2')
    await database.query(sql`update bookings set session_ids = '{s8,s7}' where id = 'b1'`)
    expect(await sessions()).toEqual(['s7 b2 1 03-01', 's7 b1 2 03-01', 's8 b1 1 03-01'])
    await database.query(sql`update bookings set start_date = '2025-03-05' where id = 'b1'`)
    expect(await sessions()).toEqual(['s7 b2 1 03-01', 's7 b1 2 03-05', 's8 b1 1 03-05'])
    await database.query(sql`update bookings set id = id || 'x', session_ids = session_ids[1:1]`)
    expect(await sessions()).toEqual(['s7 b2x 1 03-01', 's8 b1x 1 03-05'])
    await database.query(sql`update bookings set session_ids = '{}'`)
    expect(await sessions()).toEqual([])
  })

  test('follow two bookings that exchange positions in one statement', async () => {
    await book('b1', { session_ids: ['s7'] })
    await book('b2', { session_ids: ['s8'] })
    await database.query(sql`
      update bookings set session_ids = case id when 'b1' then '{s8}'::text[] else '{s7}'::text[] end`)
    expect(await sessions()).toEqual(['s7 b2 1 03-01', 's8 b1 1 03-01'])
  })

  test('carry what lists ask of their booking, whatever changes it', async () => {
    const carried = sql`
      select booking_id, session_id, start_date, end_date, customer_id, role, status, session_ids, skipping_meals::text
      from booking_sessions`
    const expected = sql`
      select b.id, s.id, b.start_date, b.end_date, b.customer_id, b.role, b.status, b.session_ids, b.skipping_meals::text
      from bookings b, unnest(b.session_ids) as s (id)`
    const differences = () =>
      database.query(sql`(${carried} except ${expected}) union all (${expected} except ${carried})`)
    await book('b1', { session_ids: ['s8', 's7'] })
    await book('b2', { status: 'paid' })
    expect(await differences()).toEqual([])
    await insertRow(database, 'customers', { id: 'ion' })
    for (const change of [
      sql`status = 'departed'`,
      sql`role = 'companion', end_date = end_date + interval '1 day'`,
      sql`customer_id = 'ion', session_ids = '{s7,s8}'`,
      sql`start_date = start_date - interval '1 day', skipping_meals = '{"breakfast": ["2025-03-02"]}'`,
      sql`id = id || 'x', status = 'cancelled'`,
    ]) {
      await database.query(sql`update bookings set ${change}`)
      expect(await differences(), change.text).toEqual([])
    }
    expect(await sessions()).toHaveLength(4)
  })

  test('are left alone by a change of anything else', async () => {
    await book('b1')
    const [before] = await database.query(sql`select ctid::text, xmin::text from booking_sessions`)
    await database.query(sql`update bookings set status = status, doctor_name = 'Dr. Ionescu'`)
    const [after] = await database.query(sql`select ctid::text, xmin::text from booking_sessions`)
    expect(after).toEqual(before)
  })

  test('follow an upsert that inserts and one that updates', async () => {
    const upsert = (session: string) =>
      database.query(sql`
        insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
        values ('c1', 'b1', 'ana', 'patient', 'paid', '2025-03-01', '2025-03-10', ${[session]})
        on conflict (center_id, id) do update set session_ids = excluded.session_ids`)
    await upsert('s7')
    expect(await sessions()).toEqual(['s7 b1 1 03-01'])
    await upsert('s8')
    expect(await sessions()).toEqual(['s8 b1 1 03-01'])
  })

  test('follow a deletion and a truncation', async () => {
    for (const id of ['b1', 'b2', 'b3']) await book(id)
    await database.query(sql`delete from bookings where id = 'b2'`)
    expect(await sessions()).toEqual(['s7 b1 1 03-01', 's7 b3 1 03-01'])
    await database.query(sql`truncate bookings`)
    expect(await sessions()).toEqual([])
  })

  test('follow COPY', async () => {
    const [folder] = await database.query<{ path: string }>(
      sql`select current_setting('data_directory') as path`,
    )
    const file = `${folder?.path}/bookings.copy`
    const columns = 'center_id, id, customer_id, role, status, start_date, end_date, session_ids'
    await database.runScript(`
      copy (select 'c1', 'b' || n, 'ana', 'patient', 'arrived', '2025-03-01', '2025-03-10', '{s7}'
            from generate_series(1, 3) as n) to '${file}';
      copy bookings (${columns}) from '${file}'`)
    expect(await sessions()).toEqual(['s7 b1 1 03-01', 's7 b2 1 03-01', 's7 b3 1 03-01'])
    expect(await identifiers()).toEqual({ b1: '25-7-01', b2: '25-7-02', b3: '25-7-03' })
  })

  test('must exist: a booking of an unknown session is refused at the commit', async () => {
    const refused = await book('b1', { session_ids: ['nowhere'] }).catch((error: unknown) => error)
    expect(sqlState(refused)).toBe('23503')
  })
})
