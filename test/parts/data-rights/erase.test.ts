/** A person is erased, and then everything that is held is searched for them. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { completeRewrites } from '../../../src/core/database/schema/rewrite-files.ts'
import { exportRecords } from '../../../src/core/intake/export/export-records.ts'
import {
  type Erasure,
  type ErasureInput,
  eraseSubject,
} from '../../../src/parts/data-rights/erase-subject.ts'
import { problemsOf } from '../../audit/reads.ts'
import { type Asker, startTestApi, type TestApi } from '../../support/api.ts'
import { afterwards } from '../../support/database.ts'
import { everyText } from '../../support/every-text.ts'
import { lodge, order, SPA, stay } from '../../support/world.ts'
import { MARKS, NEEDLES, PERSON, person } from './person.ts'

const NOW = Date.parse('2025-01-10T12:00:00Z')
let api: TestApi
beforeEach(async () => {
  api = await startTestApi({ records: person(), now: new Date(NOW).toISOString() })
})

const erase = (input: Partial<ErasureInput> = {}): Promise<Erasure> =>
  eraseSubject(
    api.database,
    { customer: PERSON, retentionMs: 0, ...input },
    { random: randomBytes, now: NOW },
  )
const found = (text: string) => {
  const lower = text.toLowerCase()
  return NEEDLES.filter((needle) => lower.includes(needle.toLowerCase()))
}
const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'
const ORDERS = '/v1/orders?startDate=2015-01-01&endDate=2015-01-31&includeGuestNames=true'
const QUESTIONS = [
  GUESTS,
  `${GUESTS}&project=name,pin,dob,meta.diet,medicalLetter.diagnoses,sessionsAttendedBefore`,
  '/v1/guests?sessionId=s-1&project=firstName,lastName',
  '/v1/guests/meal-skipping?startDate=2025-01-01&endDate=2025-01-31',
  '/v1/meals/portions?startDate=2025-01-10&endDate=2025-01-10&includeNames=true',
  ORDERS,
  '/v1/orders/o-own',
  `${GUESTS}&q=${MARKS.lastName}`,
  `${GUESTS}&email=${encodeURIComponent(MARKS.email)}`,
  '/v1/orders/o-shared',
]
const textsOf = async (asker: Asker) =>
  (await Promise.all(QUESTIONS.map((url) => asker.get(url)))).map(({ text }) => text).join('\n')

describe('after an erasure', () => {
  it('nothing of the person is left: in the database and its statistics, in any instance’s answers, in an export', async () => {
    const other = await buildApp({ database: api.database, logLevel: 'silent' })
    afterwards(() => other.close())
    const otherText = async () => {
      const answers = await Promise.all(
        QUESTIONS.map((url) => other.inject({ url, headers: api.key.headers })),
      )
      return answers.map(({ body }) => body).join('\n')
    }
    // Stored by both instances, on a kitchen sheet, in statistics, and in a refusal.
    expect(found(await textsOf(api)).length).toBeGreaterThan(8)
    expect(await otherText()).toContain(MARKS.lastName)
    expect((await api.get('/v1/meals/sheets/2025-01-10')).status).toBe(200)
    expect((await api.get(`${GUESTS}&status=${MARKS.lastName}`)).status).toBe(400)
    await api.database.runScript('analyze customers, bookings, orders')
    expect(found(await everything(api))).toEqual(NEEDLES)

    expect(await erase()).toMatchObject({ bookings: 2, kitchenSheets: 1, mentions: {} })
    await completeRewrites(api.database)

    expect(found(await textsOf(api))).toEqual([])
    expect(found(await otherText())).toEqual([])
    await Promise.all([api.app.close(), other.close()])
    expect(found(await everything(api))).toEqual([])
  })

  it('orders keep their sums, items and dates, and an address that another guest shares', async () => {
    const sums = async () =>
      api.database.query(sql`
        select uuid, total_amount, order_date, status, jsonb_path_query_array(items, '$[*].price') as prices
        from orders order by uuid`)
    const before = await sums()
    expect((await erase()).orders).toEqual({
      cleared: 2,
      addresses: 1,
      notes: 2,
      names: 1,
      shared: 1,
      retained: 0,
    })
    expect(await sums()).toEqual(before)
    const orders = await api.database.query(sql`
      select uuid, billing_address, notes, jsonb_path_query_array(items, '$[*].name') as names from orders order by uuid`)
    expect(orders).toEqual([
      { uuid: 'o-own', billing_address: null, notes: null, names: ['Complete', 'room'] },
      { uuid: 'o-shared', billing_address: { street: 'Strada Mare 1' }, notes: null, names: [] },
    ])
  })

  it('clients are informed that the guests are gone, by identifier alone', async () => {
    const { cursor } = (await api.get('/v1/changes')).body
    await erase()
    const { body, text } = await api.get(`/v1/changes?after=${cursor}`)
    expect(found(text)).toEqual([])
    expect(body.data).toContainEqual(
      expect.objectContaining({ kind: 'guests', id: 'b-1', operation: 'deleted' }),
    )
    expect(body.data).toContainEqual(
      expect.objectContaining({ kind: 'guests', id: 'b-2', operation: 'deleted' }),
    )
  })

  it('the chain of the trail holds, still says who read the guest, and has the act without the name', async () => {
    await api.get(GUESTS)
    const { digest } = await erase()
    await api.app.close()
    expect(await problemsOf(api.database)).toEqual([])
    const entries = await api.database.query<{ operation: string; query: string }>(sql`
      select operation, query from audit_entries where center_id = ${SPA} order by seq`)
    expect(entries.map(({ operation }) => operation).sort()).toEqual(['eraseGuest', 'listGuests'])
    expect(entries.find(({ operation }) => operation === 'eraseGuest')?.query).toBe(
      `customer=${digest}&bookings=2&orders=2`,
    )
    const [list] = await api.database.query<{ ids: string }>(sql`select ids from audit_record_lists`)
    expect(list?.ids).toContain('\nb-1\n')
  })

  it('a customer of another center with the same identifier stays', async () => {
    await api.load([lodge(), ...stay('x', '2025-01-09', '2025-01-11', { centerId: 'lodge' })])
    await api.database.query(sql`
      insert into customers (center_id, id, first_name, last_name) values ('lodge', ${PERSON}, 'Other', 'Person')`)
    await expect(erase()).rejects.toThrow(`Several centers have a customer "${PERSON}": lodge, spa.`)
    expect((await erase({ center: SPA })).center).toBe(SPA)
    const left = await api.database.query(
      sql`select center_id, last_name from customers where id = ${PERSON}`,
    )
    expect(left).toEqual([{ center_id: 'lodge', last_name: 'Person' }])
    await expect(erase({ center: SPA })).rejects.toThrow(
      `There is no customer "${PERSON}" at the center "spa".`,
    )
  })
})

describe('an erasure', () => {
  it('counts first and changes nothing with dryRun', async () => {
    await api.app.close()
    const before = await everyText(api.database)
    const dry = await erase({ dryRun: true })
    expect(await everyText(api.database)).toBe(before)
    expect({ ...(await erase()), dryRun: true, digest: '' }).toEqual({ ...dry, digest: '' })
  })

  it('is refused while the law may keep orders or medical records, and says how to go on', async () => {
    const tenYears = 3653 * 86_400_000
    await expect(erase({ retentionMs: tenYears })).rejects.toThrow(
      /^Nothing was erased, because the law may require you to keep 1 with medical data in stays, the last one until 2025-01-15\. Use --retention/,
    )
    await expect(erase({ retentionMs: 2 * tenYears })).rejects.toThrow(
      '2 with a billing address or notes in orders, the newest of 2015-01-06, and 1 with medical data',
    )
    await expect(erase({ retentionMs: 2 * tenYears, keepOrders: true })).rejects.toThrow(
      /keep 1 with medical data/,
    )
    expect(await everyText(api.database)).toContain(MARKS.lastName)
    for (const one of [sql`medical = null`, sql`medical = '{}', form = null`]) {
      await api.database.query(sql`update bookings set ${one} where form is not null or medical is not null`)
      await expect(erase({ retentionMs: tenYears })).rejects.toThrow('1 with medical data')
    }
    await api.database.query(sql`update bookings set medical = null, form = null`)
    expect((await erase({ retentionMs: tenYears })).bookings).toBe(2)
  })

  it('is refused for invoices alone, where nothing medical is held', async () => {
    const billingAddress = { street: 'Strada Mare 2' }
    await api.load([order('o-new', { orderDate: '2024-12-01T12:00', billingAddress })])
    await api.load(stay('payer', '2025-01-02', '2025-01-05', { orderUuid: 'o-new' }))
    const input = { customer: 'c-payer', retentionMs: 100 * 86_400_000 }
    await expect(erase(input)).rejects.toThrow(
      'keep 1 with a billing address or notes in orders, the newest of 2024-12-01. Use --retention',
    )
    expect((await erase({ ...input, keepOrders: true })).bookings).toBe(1)
  })

  it('leaves orders as they are with keepOrders', async () => {
    expect((await erase({ keepOrders: true })).orders).toEqual({
      cleared: 0,
      addresses: 0,
      notes: 0,
      names: 0,
      shared: 0,
      retained: 2,
    })
    const [own] = await api.database.query(
      sql`select billing_address, notes from orders where uuid = 'o-own'`,
    )
    expect(own).toEqual({ billing_address: { street: MARKS.billing, city: 'Berlin' }, notes: MARKS.note })
  })

  it('tells where others’ records still name the person', async () => {
    await api.load([
      ...stay('f', '2025-01-09', '2025-01-11', {
        formData: { observations: `Sister of ${MARKS.lastName}, ${MARKS.firstName}` },
      }),
      ...stay('g', '2025-01-09', '2025-01-11', { formData: { observations: `Call ${MARKS.phone}` } }),
      // The family's name alone names somebody else.
      ...stay('h', '2025-01-09', '2025-01-11', { formData: { observations: MARKS.lastName } }),
    ])
    expect((await erase()).mentions).toEqual({ bookings: 2 })
  })
})

/** Every row of every table, what the planner has retained of them, and an export. */
async function everything({ database }: TestApi): Promise<string> {
  const statistics = await database.query(sql`
    select tablename, attname, most_common_vals::text, histogram_bounds::text from pg_stats where schemaname = 'public'`)
  const records = (await Array.fromAsync(exportRecords(database, { keys: true, audit: true }))).flat()
  return [await everyText(database), JSON.stringify(statistics), JSON.stringify(records)].join('\n')
}
