/** docs/writing-with-sql.md: a role that writes records, what it cannot see, and what the database keeps by itself. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { importAll } from '../intake/import-lines.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { pageText } from '../support/doc-examples.ts'

const [grants = '', example = ''] = [
  ...pageText('docs/writing-with-sql.md').matchAll(/```sql\n(.*?)```/gs),
].map(([, text = '']) => text)

test('the page has a role and an example', () => {
  expect(grants).toContain('create role booking_system')
  expect(example).toContain('insert into bookings')
})

describe('the role of the page', () => {
  // Roles are of the whole server.
  const role = `booking_system_${randomBytes(4).toString('hex')}`
  let owner: pg.Client
  let writer: pg.Client

  const state = async (text: string): Promise<string | undefined> => {
    try {
      await writer.query(text)
      return undefined
    } catch (error) {
      await writer.query('rollback')
      return error instanceof pg.DatabaseError ? error.code : String(error)
    }
  }

  beforeAll(async () => {
    const url = await newPostgresDatabase()
    const database = openPostgres({
      connection: { connectionString: url },
      poolSize: 1,
      purpose: 'command',
    })
    const { summary } = await importAll(database, [
      {
        kind: 'center',
        id: 'my-center',
        name: 'My Center',
        timezone: 'Europe/Bucharest',
        currency: 'EUR',
        automaticBookingIds: true,
      },
      {
        kind: 'session',
        centerId: 'my-center',
        id: 'spring',
        name: 'Spring',
        number: '7',
        startDate: '2026-03-01',
        endDate: '2026-03-10',
      },
    ])
    expect(summary.applied).toBe(true)
    await database.close()
    owner = new pg.Client({ connectionString: url })
    writer = new pg.Client({ connectionString: url })
    await owner.connect()
    await writer.connect()
    await owner.query(grants.replaceAll('booking_system', role))
    await writer.query(`set role ${role}`)
  })

  afterAll(async () => {
    await writer.end()
    await owner.query(`drop owned by ${role}`)
    await owner.query(`drop role ${role}`)
    await owner.end()
  })

  const revision = async () =>
    Number(
      (await owner.query(`select revision from center_revisions where center_id = 'my-center'`)).rows[0]
        ?.revision,
    )

  it('writes records; the database numbers, notes and counts', async () => {
    const before = await revision()
    expect(await state(example)).toBeUndefined()
    expect(
      await state(`update bookings set status = 'arrived' where center_id = 'my-center'`),
    ).toBeUndefined()
    expect(await revision()).toBe(before + 2)
    const { rows } = await owner.query(`
      select b.booking_id, s.status, (select count(*)::integer from changes where kind = 'guest' and id = 'b-2') as notes
      from bookings b join booking_sessions s on s.booking_id = b.id`)
    expect(rows).toEqual([{ booking_id: '26-7-01', status: 'arrived', notes: 2 }])
    expect(
      await state(`
      begin;
      insert into orders (center_id, uuid, order_date, total_amount, status) values ('my-center', 'o', now(), 1, 'paid');
      insert into terms (center_id, term_set, id, name) values ('my-center', 'room', 'r', 'One');
      insert into meta_fields (center_id, key, type, owner) values ('my-center', 'm', 'string', 'booking');
      update sessions set name = 'Spring 2' where center_id = 'my-center';
      update customers set last_name = 'Popa' where center_id = 'my-center';
      update bookings set order_uuid = 'o' where center_id = 'my-center';
      commit`),
    ).toBeUndefined()
    expect(
      await state(`
      begin;
      delete from customers where center_id = 'my-center';
      delete from bookings where center_id = 'my-center';
      delete from orders where center_id = 'my-center';
      delete from terms where center_id = 'my-center';
      delete from meta_fields where center_id = 'my-center';
      delete from sessions where center_id = 'my-center' and id <> 'spring';
      commit`),
    ).toBeUndefined()
    expect(await revision()).toBe(before + 4)
  })

  it('sees neither keys nor the trail, nor any other table of the service', async () => {
    const granted = new Set(grants.match(/\b[a-z_]+\b/g))
    const { rows } = await owner.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
    const others = rows.map(({ name }) => name).filter((name) => !granted.has(name))
    expect(others).toEqual(
      expect.arrayContaining(['api_keys', 'audit_entries', 'links', 'imports', 'webhooks']),
    )
    for (const table of others) {
      expect([table, await state(`select from ${table} limit 1`)]).toEqual([table, '42501'])
      expect([table, await state(`delete from ${table}`)]).toEqual([table, '42501'])
    }
    expect(await state(`update centers set api_access = false`)).toBe('42501')
    expect(await state(`create table mine ()`)).toBe('42501')
  })

  const stay = (more: string) =>
    `insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
     values ('my-center', 'x', ${more})`

  it.each([
    [
      'a customer that is not there',
      stay(`'none', 'guest', 'paid', '2026-03-01', '2026-03-02', '{}'`),
      '23503',
    ],
    [
      'a session that is not there',
      stay(`'c', 'guest', 'paid', '2026-03-01', '2026-03-02', '{none}'`),
      '23503',
    ],
    ['a center that is not there', `insert into terms values ('none', 'room', 'r', 'One')`, '23503'],
    ['an end before its start', stay(`'c', 'guest', 'paid', '2026-03-02', '2026-03-01', '{}'`), '23514'],
    ['an infinite moment', stay(`'c', 'guest', 'paid', '2026-03-02', 'infinity', '{}'`), '23514'],
    ['an unknown status', stay(`'c', 'guest', 'here', '2026-03-01', '2026-03-02', '{}'`), '23514'],
    ['an unknown role', stay(`'c', 'king', 'paid', '2026-03-01', '2026-03-02', '{}'`), '23514'],
    [
      'the same identifier twice',
      `insert into sessions (center_id, id, name, start_date, end_date)
      values ('my-center', 'spring', 'S', '2026-03-01', '2026-03-02')`,
      '23505',
    ],
    [
      'no session, while a booking names it',
      `begin;
      insert into customers (center_id, id, first_name, last_name) values ('my-center', 'c', 'A', 'B');
      ${stay(`'c', 'guest', 'paid', '2026-03-01', '2026-03-02', '{spring}'`)};
      delete from sessions where id = 'spring'; commit`,
      '23503',
    ],
  ])('cannot write %s', async (_what, text, code) => {
    expect(await state(text)).toBe(code)
  })
})
