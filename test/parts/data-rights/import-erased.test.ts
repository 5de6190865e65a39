/** What an import does with people who were erased: it leaves them out, and takes everybody else. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import { importRecords } from '../../../src/core/intake/import-records.ts'
import type { RecordLine } from '../../../src/core/intake/lines/record-line.ts'
import type { ImportProblem } from '../../../src/core/intake/rejects/problem-report.ts'
import type { RunOptions } from '../../../src/core/intake/run-options.ts'
import { type ErasureInput, eraseSubject } from '../../../src/parts/data-rights/erase-subject.ts'
import { openTestDatabase } from '../../support/database.ts'
import { everyText } from '../../support/every-text.ts'
import { booking, customer, guest, order, type TestRecord } from '../../support/world.ts'
import { MARKS, NEEDLES, PERSON, person } from './person.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeEach(async () => {
  database = await openTestDatabase()
  expect((await load(person())).applied).toBe(true)
  await erase()
})

const erase = (input: Partial<ErasureInput> = {}) =>
  eraseSubject(
    database,
    { customer: PERSON, retentionMs: 0, ...input },
    { random: randomBytes, now: Date.parse('2025-01-10T12:00:00Z') },
  )

const linesOf = (records: readonly TestRecord[]): RecordLine[] =>
  records.map((record, at) => ({ line: at + 1, text: JSON.stringify(record) }))

async function load(records: readonly TestRecord[], options: RunOptions = {}) {
  return loadLines(linesOf(records), options)
}

async function loadLines(lines: readonly RecordLine[], options: RunOptions = {}) {
  const problems: ImportProblem[] = []
  const summary = await importRecords(database, lines, {
    center: 'spa',
    origin: { way: 'command', by: { user: 'test' }, files: () => [] },
    ...options,
    onProblem: (problem) => void problems.push(problem),
  })
  const { applied, erased, rejected, kinds } = summary
  return { applied, erased, rejected, kinds, problems }
}

async function found(): Promise<string[]> {
  const text = (await everyText(database)).toLowerCase()
  return NEEDLES.filter((needle) => text.includes(needle.toLowerCase()))
}

const idsOf = async (table: 'customers' | 'bookings') =>
  (
    await database.query<{ id: string }>(
      table === 'customers'
        ? sql`select id from customers order by id`
        : sql`select id from bookings order by id`,
    )
  ).map(({ id }) => id)

describe('an import after an erasure', () => {
  it('leaves customer, bookings and order out, takes the rest, and writes nothing of the person', async () => {
    const loaded = await load([...person(), ...guest('new')])
    // The customer, two bookings and their own order; the shared one stays.
    expect(loaded).toMatchObject({ applied: true, erased: 4, rejected: 0, problems: [] })
    expect(await idsOf('bookings')).toEqual(['b-3', 'new'])
    expect(await found()).toEqual([])
    const orders = await database.query(sql`
      select uuid, total_amount::float as total, billing_address, notes from orders order by uuid`)
    expect(orders).toEqual([
      { uuid: 'o-own', total: 1234.56, billing_address: null, notes: null },
      { uuid: 'o-shared', total: 500, billing_address: { street: 'Strada Mare 1' }, notes: null },
    ])
    const [line] = await database.query(
      sql`select lines, rejected, erased from imports order by ended_at desc limit 1`,
    )
    expect(line).toEqual({ lines: person().length + 2, rejected: 0, erased: 4 })
  })

  it('knows a booking and an order by themselves, as a system sends them when they change', async () => {
    const partial = [
      { kind: 'booking', id: 'b-1', status: 'departed', formData: { observations: MARKS.observation } },
      { kind: 'order', uuid: 'o-own', notes: MARKS.note },
      { kind: 'order', uuid: 'o-shared', notes: MARKS.note, totalAmount: 501 },
    ]
    expect(await load(partial)).toMatchObject({ applied: true, erased: 2, problems: [] })
    expect(await found()).toEqual([])
    const [shared] = await database.query(
      sql`select total_amount::float as total from orders where uuid = 'o-shared'`,
    )
    expect(shared).toEqual({ total: 501 })
  })

  it('leaves a new stay out, and of a new order that is shared what is the person’s', async () => {
    const ask = `${MARKS.firstName} ${MARKS.lastName}`
    const items = [
      { itemId: 'i-1', name: `Room of ${ask}`, quantity: 1, price: 1 },
      { itemId: 'i-2', name: 'Tea', quantity: 1, price: 1 },
    ]
    const address = { street: MARKS.billing }
    const records = [
      customer(PERSON, { firstName: MARKS.firstName, lastName: MARKS.lastName }),
      booking('b-8', { customerId: PERSON, orderUuid: 'o-8', isOrderMainGuest: true }),
      booking('b-9', { customerId: PERSON, orderUuid: 'o-9', isOrderMainGuest: true }),
      ...guest('sister', { orderUuid: 'o-9' }),
      order('o-8', { notes: MARKS.note, billingAddress: address }),
      order('o-9', { notes: MARKS.note, billingAddress: address, items }),
    ]
    expect(await load(records)).toMatchObject({ applied: true, erased: 4, problems: [] })
    expect(await found()).toEqual([])
    const orders = await database.query(sql`
      select uuid, billing_address, notes, jsonb_path_query_array(items, '$[*].name') as names
      from orders where uuid in ('o-8', 'o-9')`)
    expect(orders).toEqual([{ uuid: 'o-9', billing_address: null, notes: null, names: ['i-1', 'Tea'] }])
  })

  it('leaves an erased booking out whichever person it names now, until it is restored, and takes the removal of an order', async () => {
    const moved = [
      ...guest('b-1'),
      { kind: 'booking', id: 'b-1', status: 'arrived' },
      { kind: 'order', uuid: 'o-own', deleted: true },
    ]
    expect(await load(moved)).toMatchObject({ applied: true, erased: 2, problems: [] })
    expect(await idsOf('bookings')).toEqual(['b-3'])
    expect(await load(moved, { restoreErased: true })).toMatchObject({ applied: true, erased: 0 })
    expect(await load([{ kind: 'booking', id: 'b-1', status: 'departed' }])).toMatchObject({ erased: 0 })
    expect(await idsOf('bookings')).toEqual(['b-1', 'b-3'])
  })

  describe('of an order that is shared, sent alone', () => {
    const name = `Room of ${MARKS.firstName} ${MARKS.lastName}`
    const shared = (uuid: string, more: object = {}) =>
      order(uuid, { totalAmount: 500, items: [{ itemId: 'i-7', name, quantity: 1, price: 500 }], ...more })
    const namesOf = async () =>
      (
        await database.query<{ uuid: string; name: string }>(sql`
          select uuid, items->0->>'name' as name from orders where items->0->>'itemId' = 'i-7' order by uuid`)
      ).map(({ uuid, name: shown }) => `${uuid}: ${shown}`)

    beforeEach(async () => {
      await load([...person(), shared('o-shared')], { restoreErased: true })
      await erase()
      expect(await namesOf()).toEqual(['o-shared: i-7'])
    })

    it('replaces the name again, by its exact text, and no other text', async () => {
      expect(await load([shared('o-shared')])).toMatchObject({ applied: true, erased: 0, problems: [] })
      expect(await namesOf()).toEqual(['o-shared: i-7'])
      expect(await found()).toEqual([])
      const items = [{ itemId: 'i-7', name: 'Room 12', quantity: 1, price: 500 }]
      await load([shared('o-shared', { items })])
      expect(await namesOf()).toEqual(['o-shared: Room 12'])
    })

    it('leaves another person with the same name alone', async () => {
      await load([shared('o-namesake'), ...guest('namesake', { orderUuid: 'o-namesake' })])
      expect(await namesOf()).toEqual([`o-namesake: ${name}`, 'o-shared: i-7'])
    })

    it('hands on no row of it, if it is wrong, and what is left of its record', async () => {
      const lines: RecordLine[] = [
        {
          line: 3,
          file: 'orders.csv',
          rows: [{ number: 3, cells: ['o-shared', name] }],
          value: shared('o-shared', { totalAmount: 'much' }),
        },
      ]
      const { problems, rejected } = await loadLines(lines, { skipInvalid: true })
      expect(rejected).toBe(1)
      expect(problems).toEqual([expect.objectContaining({ id: 'o-shared', field: 'totalAmount' })])
      expect(problems[0]).not.toHaveProperty('rows')
      expect(JSON.stringify(problems)).not.toContain(MARKS.lastName)
      expect(problems[0]?.record).toContain('"name":"i-7"')
    })
  })

  it.each([
    ['truncated JSON', { text: `{"kind":"customer","id":"${PERSON}","lastName":"${MARKS.lastName}` }],
    ['an order that is no JSON', { text: `{"uuid":"o-own" "notes":"${MARKS.note}${MARKS.lastName}"}` }],
    [
      'a row with too many cells',
      {
        problem: { key: 'cellsOfHeader', values: { cells: 3, columns: 2 } } as const,
        rows: [{ number: 1, cells: [PERSON, MARKS.lastName, 'x'] }],
        text: `${PERSON};${MARKS.lastName};x`,
      },
    ],
  ])('hands on nothing of a line that cannot be read and has their identifier: %s', async (_, line) => {
    const { problems } = await loadLines([{ line: 1, ...line }], { skipInvalid: true })
    const english = expect.stringContaining('contains an identifier of a person who was erased')
    expect(problems).toEqual([{ line: 1, message: english, says: { english } }])
  })

  it('hands on other lines that cannot be read', async () => {
    const { problems } = await loadLines([{ line: 1, text: '{"kind":"customer","id":"c-1"' }])
    expect(problems).toEqual([expect.objectContaining({ record: '{"kind":"customer","id":"c-1"' })])
  })

  it('says nothing of what is wrong with their records, and hands none of them on', async () => {
    const rows = [{ number: 7, cells: [MARKS.lastName, 'x'] }]
    const at = { file: 'guests.csv', rows }
    const { kind: _, ...withoutKind } = customer('c-x')
    const lines: RecordLine[] = [
      // A row of which one record can be read, and another cannot.
      { line: 7, ...at, value: { kind: 'booking', id: '', customerId: PERSON, status: 'no' } },
      { line: 7, ...at, value: customer(PERSON, { firstName: MARKS.firstName, lastName: '' }) },
      // An order of several rows, wrong for everybody.
      {
        line: 6,
        ...at,
        rows: [{ number: 6, cells: ['Other'] }, ...rows],
        value: { kind: 'order', uuid: 'o-1' },
      },
      { line: 9, file: 'guests.csv', rows: [{ number: 9, cells: ['c-x'] }], value: withoutKind },
    ]
    const { problems, ...loaded } = await loadLines(lines, { skipInvalid: true })
    expect(loaded).toMatchObject({ applied: true, erased: 2, rejected: 2 })
    expect(JSON.stringify(problems)).not.toContain(MARKS.lastName)
    expect(new Set(problems.map(({ line }) => line))).toEqual(new Set([6, 9]))
    expect(problems.find(({ line }) => line === 6)?.rows).toEqual([{ number: 6, cells: ['Other'] }])
  })

  it('a snapshot counts them neither as missing nor as there', async () => {
    const snapshot = { center: 'spa', kinds: ['customer', 'booking', 'order'] as const }
    expect(await load(person(), { snapshot })).toMatchObject({ applied: true, erased: 4 })
    expect(await idsOf('customers')).toEqual(['c-b-3'])
  })

  it('takes a restored person in any version: none of before the erasure is remembered', async () => {
    const first = person().map((record) => ('version' in record ? { ...record, version: 1 } : record))
    expect(await load(first, { restoreErased: true })).toMatchObject({ applied: true, rejected: 0 })
    expect(await idsOf('bookings')).toEqual(['b-1', 'b-2', 'b-3'])
    expect(await idsOf('customers')).toContain(PERSON)
    const [held] = await database.query<{ text: string | null }>(sql`
      select medical::text as text from bookings where id = 'b-1'`)
    expect(held?.text).toContain(MARKS.diagnosis)
  })

  it('refuses all if it is asked to, and writes no record of the person into the problems', async () => {
    const refused = await load(person(), { refuseErased: true })
    expect(refused).toMatchObject({ applied: false, erased: 0, rejected: 4 })
    expect(refused.problems.map(({ message }) => message)).toEqual(
      Array(4).fill(expect.stringContaining('is of a person who was erased; leave the record out')),
    )
    expect(JSON.stringify(refused.problems)).not.toContain(MARKS.lastName)
  })

  it('takes the person again if it is asked to, and from then on without being asked', async () => {
    expect(await load(person(), { restoreErased: true })).toMatchObject({ applied: true, erased: 0 })
    expect(await load([{ kind: 'booking', id: 'b-1', status: 'departed' }])).toMatchObject({ erased: 0 })
    expect(await load(person())).toMatchObject({ applied: true, erased: 0, problems: [] })
    expect(await idsOf('bookings')).toEqual(['b-1', 'b-2', 'b-3'])
  })

  it('takes stored orders unchanged', async () => {
    await load(person(), { restoreErased: true })
    await erase({ keepOrders: true })
    expect(await load(person())).toMatchObject({ applied: true, erased: 3 })
    const [own] = await database.query(sql`select notes from orders where uuid = 'o-own'`)
    expect(own).toEqual({ notes: MARKS.note })
  })

  it('leaves nobody of another center out', async () => {
    const other = person().map((record) =>
      record.kind === 'center' ? { ...record, id: 'other' } : { ...record, centerId: 'other' },
    )
    expect(await load(other)).toMatchObject({ applied: true, erased: 0 })
    expect(await load(person())).toMatchObject({ erased: 4 })
  })
})
