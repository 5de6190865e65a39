/** A file that is the whole truth: what the center has and the file does not hold is removed, within a bound. */
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { sojourn } from '../commands/sojourn.ts'
import { openTestDatabase } from '../support/database.ts'
import { booking, center, customer, importAll, metaField, order, session } from './import-lines.ts'

let database: Database

beforeEach(async () => {
  database = await openTestDatabase()
  const { summary } = await importAll(database, [
    center(),
    center({ id: 'other' }),
    { ...customer('k'), centerId: 'other' },
    metaField('m'),
    { kind: 'term', centerId: 'c', set: 'room', id: 'r1', name: 'One' },
    { kind: 'term', centerId: 'c', set: 'unit', id: 'r1', name: 'One' },
    session('s1'),
    session('s2'),
    order('o'),
    customer('k'),
    customer('k2'),
    booking('b1', { sessionIds: ['s1'] }),
    booking('b2', { sessionIds: ['s1', 's2'] }),
    booking('b3', { customerId: 'k2', sessionIds: ['s2'] }),
  ])
  expect(summary.applied).toBe(true)
})

const run = (options: string, records: readonly unknown[]) =>
  sojourn(
    `import --center c ${options} -`.split(' '),
    {},
    {
      database,
      stdin: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    },
  )

const ids = async () => {
  const rows = await database.query<{ id: string }>(sql`
    select id || array_to_string(session_ids, '+') as id from bookings where center_id = 'c' order by id`)
  return rows.map(({ id }) => id).join(' ')
}

const ALL = 'b1s1 b2s1+s2 b3s2'

describe('import --snapshot', () => {
  it('removes what the file does not hold, and nothing of other kinds and centers', async () => {
    const ran = await run('--snapshot booking --remove-at-most 2', [booking('b1', { sessionIds: ['s1'] })])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/booking +0 +0 +1 +2\n/)
    expect(ran.stdout).toContain('Removed 2 records that the files do not hold (2 booking).')
    expect(await ids()).toBe('b1s1')
    const [left] = await database.query(sql`
      select (select count(*) from customers) as customers, (select count(*) from terms) as terms,
        (select counts from imports order by ended_at desc limit 1) as counts`)
    expect(left).toEqual({ customers: 3, terms: 2, counts: { booking: { unchanged: 1, removed: 2 } } })
  })

  it('imports nothing where more would be removed than allowed, and says what', async () => {
    for (const [bound, count] of [
      ['', 2],
      [' --remove-at-most 1', 2],
    ] as const) {
      const ran = await run(`--snapshot booking${bound}`, [booking('b1', { status: 'paid' })])
      expect(ran).toMatchObject({ code: 1, stderr: '' })
      expect(ran.stdout).toContain('Nothing was imported.')
      expect(ran.stdout).toContain(`It would remove ${count} records that the files do not hold (2 booking).`)
      expect(ran.stdout).toContain('booking b2, booking b3\n')
      expect(ran.stdout).toContain('run the import with --remove-at-most 2.')
    }
    expect(await ids()).toBe(ALL)
    expect(await database.query(sql`select status from bookings where id = 'b1'`)).toEqual([
      { status: 'confirmed' },
    ])
    const empty = await run('--snapshot booking,customer,order,session,term,metaField', [])
    expect(empty.code).toBe(1)
    expect(empty.stdout).toContain('It would remove 11 records')
  })

  it('tells in a dry run what would be removed, whatever is allowed, and removes nothing', async () => {
    const ran = await run('--snapshot booking --dry-run', [])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('It would remove 3 records that the files do not hold (3 booking).')
    expect(await ids()).toBe(ALL)
  })

  it('passes where the file holds everything, without a bound', async () => {
    const records = [booking('b1'), booking('b2'), booking('b3', { customerId: 'k2' })]
    expect((await run('--snapshot booking', records)).code).toBe(0)
  })

  it('covers one session: a booking that attends another one too leaves this one and stays', async () => {
    const ran = await run('--snapshot booking --session s1 --remove-at-most 2', [])
    expect(ran.code).toBe(0)
    expect(await ids()).toBe('b2s2 b3s2')
  })

  it('keeps references: what a record that stays refers to cannot be removed', async () => {
    const ran = await run('--snapshot customer --remove-at-most 9', [customer('k')])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(
      'not in the file (customer k2): cannot remove the customer: booking "b3" still refers to it',
    )
    // With its booking it can.
    const both = await run('--snapshot customer,booking --remove-at-most 9', [
      customer('k'),
      booking('b1', { sessionIds: ['s1'] }),
    ])
    expect(both).toMatchObject({ code: 0, stderr: '' })
    expect(await ids()).toBe('b1s1')
  })

  it('takes terms by set and identifier, and a removal in the file as held', async () => {
    const ran = await run('--snapshot term,metaField --remove-at-most 1', [
      { kind: 'term', centerId: 'c', set: 'unit', id: 'r1', deleted: true },
      metaField('m'),
    ])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(await database.query(sql`select 1 from terms`)).toEqual([])
  })

  it.each([
    ['--snapshot guest', 'expected some of metaField'],
    ['--snapshot center', 'expected some of metaField'],
    ['--snapshot booking --skip-invalid', 'cannot be combined with --skip-invalid'],
    ['--snapshot customer --session s1', '--session goes with --snapshot booking alone'],
    ['--session s1', '--session is given without --snapshot'],
    ['--remove-at-most 1', '--remove-at-most is given without --snapshot'],
    ['--snapshot booking --remove-at-most x', 'Expected a whole number'],
  ])('refuses %s', async (options, sentence) => {
    const ran = await run(options, [])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain(sentence)
  })

  it('needs a center', async () => {
    const ran = await sojourn(['import', '--snapshot', 'booking', '-'], {}, { database })
    expect(ran).toMatchObject({ code: 2 })
    expect(ran.stderr).toContain('--snapshot needs --center')
  })
})
