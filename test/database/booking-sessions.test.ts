/** The copies in the sessions of a booking are equal to what the booking and its customer say, for all writers and orders of writing. */
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, sqlState } from '../../src/core/database/database.ts'
import { emptyDatabase, newPostgresDatabase, openTestDatabase } from '../support/database.ts'
import { type Random, seededRandom } from '../support/random-center.ts'
import { insertRow } from '../support/rows.ts'

const COPIED = `
  select center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
    skipping_meals::text, first_name, last_name, email
  from booking_sessions`
const BY_JOIN = `
  select b.center_id, s.id, b.id, min(s.position), b.start_date, b.end_date, b.customer_id, b.role, b.status, b.session_ids,
    b.skipping_meals::text, c.first_name, c.last_name, c.email
  from bookings b
  join customers c on c.center_id = b.center_id and c.id = b.customer_id
  cross join unnest(b.session_ids) with ordinality as s (id, position)
  group by b.center_id, b.id, s.id, c.center_id, c.id`
const DIFFERENCES = `(${COPIED} except ${BY_JOIN}) union all (${BY_JOIN} except ${COPIED})`

const CENTER = `
  insert into centers (center_id, name, timezone, currency) values ('c1', 'Lakeside', 'UTC', 'EUR');
  insert into sessions (center_id, id, name, start_date, end_date)
    select 'c1', 's' || n, 'Session', '2025-03-01', '2025-03-10' from generate_series(1, 3) n`
const GUESTS = `
  insert into customers (center_id, id, first_name, last_name) values ('c1', 'ana', 'Ana', 'Pop'), ('c1', 'ion', 'Ion', 'Pop');
  insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
    values ('c1', 'b1', 'ana', 'patient', 'paid', '2025-03-01', '2025-03-10', '{s1,s2}'),
      ('c1', 'b2', 'ion', 'patient', 'paid', '2025-03-01', '2025-03-10', '{s1}')`

const book = (id: string, customer: string) => `
  insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
    values ('c1', '${id}', '${customer}', 'patient', 'paid', '2025-03-01', '2025-03-10', '{s2,s3}')`
const create = (id: string, name = 'New') =>
  `insert into customers (center_id, id, first_name, last_name) values ('c1', '${id}', '${name}', 'Pop')`
const rename = (id: string, name: string) =>
  `update customers set first_name = '${name}', email = '${name}@example.com' where id = '${id}'`

describe('by one transaction', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  beforeEach(async () => {
    await emptyDatabase(database)
    await database.runScript(`${CENTER}; ${GUESTS}`)
  })

  const differences = () =>
    database.query({ text: DIFFERENCES, values: [] } as unknown as ReturnType<typeof sql>)

  it.each([
    ['a name changes', rename('ana', 'Anna')],
    ['an e-mail address is removed', `${rename('ana', 'Anna')}; update customers set email = null`],
    ['all customers change', `update customers set last_name = upper(last_name)`],
    ['a booking is made for a customer who was there', book('b3', 'ana')],
    ['a booking comes before its customer', `${book('b3', 'new')}; ${create('new')}`],
    ['… who is named anew at once', `${book('b3', 'new')}; ${create('new')}; ${rename('new', 'Newer')}`],
    ['a booking is given to another customer', `update bookings set customer_id = 'ion' where id = 'b1'`],
    [
      'a booking is given to a customer who comes later',
      `update bookings set customer_id = 'new', session_ids = '{s3}' where id = 'b1'; ${create('new')}`,
    ],
    [
      '… and to another one before that',
      `${book('b3', 'new')}; update bookings set customer_id = 'ana' where id = 'b3'; ${create('new')}`,
    ],
    [
      'a customer is deleted and made anew',
      `delete from customers where id = 'ana'; ${create('ana', 'Other')}`,
    ],
    [
      'two customers change identifiers',
      `update customers set id = 'x' where id = 'ana'; update customers set id = 'ana' where id = 'ion';
       update customers set id = 'ion' where id = 'x'`,
    ],
    [
      'a customer and the bookings get another identifier',
      `update customers set id = 'x' where id = 'ana'; update bookings set customer_id = 'x' where customer_id = 'ana'`,
    ],
    [
      'the bookings get it first',
      `update bookings set customer_id = 'x' where customer_id = 'ana'; update customers set id = 'x' where id = 'ana'`,
    ],
    [
      'a customer is deleted with the bookings',
      `delete from customers where id = 'ana'; delete from bookings where customer_id = 'ana'`,
    ],
    ['meals are skipped', `update bookings set skipping_meals = '{"lunch": ["2025-03-02"]}' where id = 'b1'`],
    ['customers are truncated', `truncate customers cascade`],
  ])('%s', async (_what, statements) => {
    await database.runScript(`begin; ${statements}; commit`)
    expect(await differences()).toEqual([])
    const [{ rows } = { rows: 0 }] = await database.query<{ rows: number }>(
      sql`select count(*)::integer as rows from booking_sessions where first_name is null`,
    )
    expect(rows).toBe(0)
  })

  it('another column of the customer leaves it alone', async () => {
    const rows = () => database.query(sql`select ctid::text, xmin::text from booking_sessions order by 1`)
    const before = await rows()
    await database.query(sql`update customers set phone = '+40', first_name = first_name`)
    expect(await rows()).toEqual(before)
  })

  it('nothing of an erased person is left in it', async () => {
    await insertRow(database, 'customers', { id: 'eva', first_name: 'Eva', last_name: 'Unusual' })
    await database.runScript(book('b9', 'eva'))
    await database.runScript(
      `begin; delete from bookings where customer_id = 'eva'; delete from customers where id = 'eva'; commit`,
    )
    expect(await database.query(sql`select from booking_sessions where last_name = 'Unusual'`)).toEqual([])
  })
})

const RENAMED = [rename('ana', 'Anna')]
const LEVELS = ['read committed', 'repeatable read']

/** Two writers who meet, with the statements of each. */
const MEETINGS: Readonly<Record<string, { one: string[]; other: string[]; level?: string }>> = {
  'one books, one changes the name': { one: [book('b3', 'ana')], other: RENAMED },
  'one books, one changes the name, and they see what was when they began': {
    one: [book('b3', 'ana')],
    other: RENAMED,
    level: 'repeatable read',
  },
  'one books, one makes the customer anew': {
    one: [book('b3', 'ana')],
    other: [`delete from customers where id = 'ana'`, create('ana', 'Other')],
  },
  'one books a customer whom the other one makes': { one: [book('b3', 'new')], other: [create('new')] },
  'one moves bookings to another session, one changes the name': {
    one: [`update bookings set session_ids = '{s3}'`],
    other: RENAMED,
  },
  'one gives a booking to the customer, one changes the name': {
    one: [`update bookings set customer_id = 'ana' where id = 'b2'`],
    other: RENAMED,
  },
  'one gives a booking to somebody else, one changes the name': {
    one: [`update bookings set customer_id = 'ion' where id = 'b1'`],
    other: RENAMED,
  },
  'one changes a status, then books, one changes the name': {
    one: [`update bookings set status = 'departed'`, book('b3', 'ana')],
    other: RENAMED,
  },
}

describe('by two transactions at once', () => {
  const writers: Writer[] = []
  let watcher: pg.Client
  const connect = async (url: string) => {
    // What waits for each other is found at once.
    const client = new pg.Client({ connectionString: url, options: '-c deadlock_timeout=5' })
    await client.connect()
    return client
  }
  beforeAll(async () => {
    const url = await newPostgresDatabase()
    watcher = await connect(url)
    await watcher.query(CENTER)
    for (let at = 0; at < 3; at += 1) writers.push(new Writer(await connect(url), watcher))
  })
  afterAll(async () => {
    await Promise.all([watcher, ...writers.map(({ client }) => client)].map((client) => client.end()))
  })

  const startAnew = () => watcher.query(`delete from bookings; delete from customers; ${GUESTS}`)

  it.each(Object.entries(MEETINGS))('%s, in any interleaving', async (_what, meeting) => {
    const { one, other, level = 'read committed' } = meeting
    const [first, second] = [writers[0]!, writers[1]!]
    for (const rounds of interleavings(one.length + 1, other.length + 1)) {
      await startAnew()
      for (const writer of [first, second]) {
        await writer.say(`begin isolation level ${level}; select from centers`)
      }
      const left = [
        [...one, 'commit'],
        [...other, 'commit'],
      ]
      for (const round of rounds) await writers[round]!.say(left[round]!.shift()!)
      await Promise.all([first.done(), second.done()])
      expect((await watcher.query(DIFFERENCES)).rows, rounds.join('')).toEqual([])
    }
  })

  it('three writers at random, some of whom take back what they did', async () => {
    const random = seededRandom(14)
    await startAnew()
    for (let round = 0; round < 200; round += 1) {
      const writer = random.pick(writers)
      await writer.say(
        writer.isOpen ? randomStatement(random) : `begin isolation level ${random.pick(LEVELS)}`,
      )
      if (round % 25 === 24) {
        for (const each of writers) if (each.isOpen) await each.say('commit')
        await Promise.all(writers.map((each) => each.done()))
        expect((await watcher.query(DIFFERENCES)).rows, `round ${round}`).toEqual([])
      }
    }
  })
})

function randomStatement(random: Random): string {
  const customer = random.pick(['ana', 'ion', 'eva'])
  const booking = random.pick(['b1', 'b2', 'b3', 'b4'])
  return random.pick([
    () =>
      `${book(booking, customer)} on conflict (center_id, id) do update set customer_id = excluded.customer_id`,
    () =>
      `update bookings set session_ids = '{${random.pick(['s1', 's2', 's3', 's1,s3'])}}' where id = '${booking}'`,
    () =>
      `update bookings set status = '${random.pick(['paid', 'departed'])}' where customer_id = '${customer}'`,
    () => `delete from bookings where id = '${booking}'`,
    () => rename(customer, `${customer}${random.below(100)}`),
    () => rename(customer, `${customer}${random.below(100)}`),
    () => `${create(customer)} on conflict do nothing`,
    () => `delete from customers where id = '${customer}'`,
    () => 'commit',
    () => 'commit',
    () => 'rollback',
  ])()
}

/** Every order in which two writers can take so many steps each. */
function interleavings(zeros: number, ones: number): number[][] {
  if (zeros === 0 && ones === 0) return [[]]
  return [
    ...(zeros === 0 ? [] : interleavings(zeros - 1, ones).map((rest) => [0, ...rest])),
    ...(ones === 0 ? [] : interleavings(zeros, ones - 1).map((rest) => [1, ...rest])),
  ]
}

/** A writer of statements, who goes on when one of them waits for somebody else. */
class Writer {
  readonly client: pg.Client
  readonly #watcher: pg.Client
  #said: Promise<unknown> = Promise.resolve()
  #unanswered = 0
  isOpen = false

  constructor(client: pg.Client, watcher: pg.Client) {
    this.client = client
    this.#watcher = watcher
  }

  /** Returns when the statement is answered, or waits for another writer's. */
  async say(statement: string): Promise<void> {
    this.isOpen = !/^(commit|rollback)/.test(statement)
    this.#unanswered += 1
    // One after the other: what follows a statement that failed is refused until the end, as by any writer.
    this.#said = this.#said
      .then(() => this.client.query(statement))
      .catch((error: unknown) =>
        expect(['23503', '23505', '25P02', '40001', '40P01']).toContain(sqlState(error)),
      )
      .finally(() => {
        this.#unanswered -= 1
      })
    while (this.#unanswered > 0 && !(await this.#waits())) {
      // The watcher's answer takes a moment, in which the writer's comes.
    }
  }

  done = () => this.#said

  async #waits(): Promise<boolean> {
    const { processID } = this.client as unknown as { processID: number }
    const { rows } = await this.#watcher.query(`select cardinality(pg_blocking_pids($1)) > 0 as waits`, [
      processID,
    ])
    return rows[0].waits
  }
}
