import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import {
  findCenterOfSession,
  NumberingError,
  numberBookings,
} from '../../../src/core/intake/numbering/number-bookings.ts'
import { centerId } from '../../../src/core/records/centers/center.ts'
import { openTestDatabase } from '../../support/database.ts'

const CENTER = centerId('spa')

/** A center with one session, and its bookings with these states, arrived in this order. */
async function withBookings(bookings: Record<string, string>): Promise<Database> {
  const database = await openTestDatabase()
  await database.query(sql`
    insert into centers (center_id, name, timezone, currency, automatic_booking_ids)
    values ('spa', 'Spa', 'Europe/Bucharest', 'RON', true)`)
  await database.query(sql`
    insert into sessions (center_id, id, name, number, start_date, end_date)
    values ('spa', 's', 'Summer', '7', '2025-06-01T10:00Z', '2025-06-10T10:00Z')`)
  await database.query(
    sql`insert into customers (center_id, id, first_name, last_name) values ('spa', 'c', 'Ana', 'Radu')`,
  )
  for (const [id, status] of Object.entries(bookings)) {
    await database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      values ('spa', ${id}, 'c', 'guest', ${status}, '2025-06-01T10:00Z', '2025-06-10T10:00Z', '{s}')`)
  }
  return database
}

const identifiers = async (database: Database) =>
  Object.fromEntries(
    (
      await database.query<{ id: string; booking_id: string | null }>(
        sql`select id, booking_id from bookings where center_id = 'spa' order by id`,
      )
    ).map((row) => [row.id, row.booking_id]),
  )

describe('bookings number', () => {
  it('ruling 39: never gives a number that was freed, also not one that was set by hand', async () => {
    const database = await withBookings({ a: 'arrived', b: 'arrived', c: 'arrived', d: 'confirmed' })
    await database.query(sql`delete from bookings where center_id = 'spa' and id = 'b'`)
    await database.query(sql`update bookings set booking_id = '25-7-04' where center_id = 'spa' and id = 'd'`)
    await database.query(
      sql`update bookings set booking_id = null where center_id = 'spa' and id in ('c', 'd')`,
    )
    const result = await numberBookings(database, CENTER, 's', { dryRun: false })
    expect(result).toMatchObject({ changes: [{ id: 'c', from: null, to: '25-7-05' }], unchanged: 1 })
    await database.query(sql`update bookings set status = 'arrived' where center_id = 'spa' and id = 'd'`)
    expect(await identifiers(database)).toEqual({ a: '25-7-01', c: '25-7-05', d: '25-7-06' })
    expect(await numberBookings(database, CENTER, 's', { dryRun: false })).toMatchObject({ changes: [] })
  })

  it('ruling 39: two sessions that exchange their numbers give no identifier of the other again', async () => {
    const database = await withBookings({ a: 'arrived' })
    await database.query(sql`
      insert into sessions (center_id, id, name, number, start_date, end_date)
      values ('spa', 't', 'Autumn', '8', '2025-09-01T10:00Z', '2025-09-10T10:00Z')`)
    await database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      values ('spa', 'z', 'c', 'guest', 'arrived', '2025-09-01T10:00Z', '2025-09-10T10:00Z', '{t}')`)
    expect(await identifiers(database)).toEqual({ a: '25-7-01', z: '25-8-01' })
    await database.query(sql`
      update sessions set number = case id when 's' then '8' else '7' end where center_id = 'spa'`)
    for (const session of ['s', 't']) await numberBookings(database, CENTER, session, { dryRun: false })
    expect(await identifiers(database)).toEqual({ a: '25-8-02', z: '25-7-02' })
  })

  it('remembers identifiers that were freed as digests, because a person may have typed a name', async () => {
    const database = await withBookings({ a: 'confirmed' })
    await database.query(sql`update bookings set booking_id = 'Radu' where center_id = 'spa'`)
    await database.query(sql`delete from bookings where center_id = 'spa'`)
    const stored = await database.query<{ text: string }>(
      sql`select b::text as text from booking_ids_of_before b`,
    )
    expect(stored).toHaveLength(1)
    expect(stored[0]?.text).not.toContain('Radu')
  })

  it('numbers those who arrived while the center had the setting off', async () => {
    const database = await withBookings({})
    await database.query(sql`update centers set automatic_booking_ids = false`)
    await database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      values ('spa', 'a', 'c', 'guest', 'arrived', '2025-06-01T10:00Z', '2025-06-10T10:00Z', '{s}')`)
    expect(await identifiers(database)).toEqual({ a: null })
    await database.query(sql`update centers set automatic_booking_ids = true`)
    await numberBookings(database, CENTER, 's', { dryRun: false })
    expect(await identifiers(database)).toEqual({ a: '25-7-01' })
  })

  it('ruling 39: leaves a number set by hand, and passes it over', async () => {
    const database = await withBookings({ a: 'arrived', b: 'arrived' })
    await database.query(sql`update bookings set booking_id = '25-7-01' where center_id = 'spa' and id = 'b'`)
    await numberBookings(database, CENTER, 's', { dryRun: false })
    expect(await identifiers(database)).toEqual({ a: '25-7-03', b: '25-7-01' })
  })

  it('the next arrival goes on after the last number', async () => {
    const database = await withBookings({ a: 'arrived', b: 'arrived', c: 'confirmed' })
    await database.query(sql`delete from bookings where center_id = 'spa' and id = 'a'`)
    await numberBookings(database, CENTER, 's', { dryRun: false })
    await database.query(sql`update bookings set status = 'arrived' where center_id = 'spa' and id = 'c'`)
    expect(await identifiers(database)).toEqual({ b: '25-7-02', c: '25-7-03' })
  })

  it('a pattern that changed is applied, and what was automatic stays so', async () => {
    const database = await withBookings({ a: 'arrived' })
    await database.query(sql`update centers set booking_id_format = 'YYSNBN'`)
    await numberBookings(database, CENTER, 's', { dryRun: false })
    expect(await identifiers(database)).toEqual({ a: '25701' })
    await database.query(sql`update centers set booking_id_format = 'YY-SN-BN'`)
    await numberBookings(database, CENTER, 's', { dryRun: false })
    expect(await identifiers(database)).toEqual({ a: '25-7-01' })
  })

  it('a dry run says what would change and changes nothing', async () => {
    const database = await withBookings({ a: 'arrived', b: 'arrived' })
    await database.query(sql`update centers set booking_id_format = 'SN/BN'`)
    const result = await numberBookings(database, CENTER, 's', { dryRun: true })
    expect(result.changes).toEqual([
      { id: 'a', from: '25-7-01', to: '7/01' },
      { id: 'b', from: '25-7-02', to: '7/02' },
    ])
    expect(await identifiers(database)).toEqual({ a: '25-7-01', b: '25-7-02' })
  })

  it('refuses an unknown session, and a center that gives no identifiers', async () => {
    const database = await withBookings({})
    const number = (session: string) => numberBookings(database, CENTER, session, { dryRun: false })
    await expect(number('nope')).rejects.toThrow('Center spa has no session nope.')
    await database.query(sql`update centers set automatic_booking_ids = false`)
    await expect(number('s')).rejects.toThrow(NumberingError)
  })

  it('finds the center of a session by itself, unless several have one of that name', async () => {
    const database = await withBookings({})
    expect(await findCenterOfSession(database, 's')).toBe('spa')
    await expect(findCenterOfSession(database, 'nope')).rejects.toThrow('No center has a session nope.')
    await database.query(
      sql`insert into centers (center_id, name, timezone, currency) values ('other', 'Other', 'Europe/Oslo', 'NOK')`,
    )
    await database.query(sql`
      insert into sessions (center_id, id, name, start_date, end_date)
      values ('other', 's', 'Summer', '2025-06-01T10:00Z', '2025-06-10T10:00Z')`)
    await expect(findCenterOfSession(database, 's')).rejects.toThrow('name one with --center (other, spa)')
  })
})
