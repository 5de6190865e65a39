/** Everything that is held of a person, for the person. */
import { beforeAll, describe, expect, it } from 'vitest'
import { importRecords } from '../../../src/core/intake/import-records.ts'
import { exportSubject, type SubjectExport } from '../../../src/parts/data-rights/export-subject.ts'
import { subjectPage } from '../../../src/parts/data-rights/subject-page.ts'
import { readsInTrail } from '../../audit/reads.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { MARKS, NEEDLES, PERSON, person } from './person.ts'

const FORM = { language: 'de', zone: 'Europe/Bucharest', currency: 'RON', centerName: 'Spa' } as const

let api: TestApi
let held: SubjectExport

beforeAll(async () => {
  api = await startTestApi({ records: person(), now: '2025-01-10T12:00:00Z' })
  await api.get('/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=name,pin')
  await api.get('/v1/meals/sheets/2025-01-10')
  await api.app.close()
  held = await exportSubject(api.database, PERSON, {
    center: undefined,
    now: Date.parse('2025-01-10T12:00:00Z'),
  })
})

describe('an export of a person', () => {
  it('has every value, and nobody else', () => {
    const text = JSON.stringify(held)
    expect(NEEDLES.filter((needle) => !text.includes(needle))).toEqual([])
    // With its quotes, because the identifiers of keys and entries are random and may hold these characters.
    expect(text).not.toContain('"b-3"')
    expect(held.bookings.map(({ id }) => id)).toEqual(['b-2', 'b-1'])
    expect(held.sessions.map(({ id }) => id)).toEqual(['s-1'])
    expect(held.kitchenSheets).toMatchObject([{ day: '2025-01-10', number: 1, guests: [{ id: 'b-1' }] }])
  })

  it('says who has read it, when and what for', () => {
    expect(held.reads).toMatchObject([
      { operation: 'mealSheet', scopes: ['guests.personal', 'meals'], recordIds: ['b-1'] },
      {
        operation: 'listGuests',
        key: { name: 'test', appId: api.key.appId },
        scopes: ['guests', 'guests.personal'],
        recordIds: ['b-1'],
      },
    ])
  })

  it('is an entry of the trail itself, with every kind of data that is in it', async () => {
    const entry = { center: 'spa', operations: ['exportGuest'] }
    expect(await readsInTrail(api.database, entry)).toMatchObject([
      {
        key: { name: 'command line' },
        filters: { bookings: '2', orders: '2' },
        scopes: ['guests', 'guests.personal', 'guests.medical', 'guests.financial', 'orders'],
        recordIds: ['b-1', 'b-2'],
      },
    ])
  })

  it('holds records that an import takes', async () => {
    const records = [
      ...person().filter(({ kind }) => kind === 'center' || kind === 'metaField'),
      ...held.sessions,
      ...held.orders,
      held.customer,
      ...held.bookings,
    ]
    const lines = records.map((record, at) => ({ line: at + 1, text: JSON.stringify(record) }))
    const problems: string[] = []
    const { applied } = await importRecords(await openTestDatabase(), lines, {
      onProblem: ({ field, message }) => void problems.push(`${field} ${message}`),
    })
    expect([applied, problems]).toEqual([true, []])
  })

  it('is a page without scripts, in which what a center wrote is text', () => {
    const page = subjectPage(
      {
        ...held,
        customer: { ...held.customer, firstName: '<script>alert(1)</script>' },
      },
      FORM,
      new Set(),
    )
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('<script')
    expect(page).toContain("default-src 'none'")
    for (const text of [MARKS.lastName, MARKS.diagnosis, MARKS.pin, MARKS.diet, 'List guests'])
      expect(page).toContain(text)
  })

  it('calls things what the person does, in local time, and leaves items of other guests out', () => {
    const item = { itemId: 'b-3', name: 'Room of somebody else', quantity: 1, price: 5 }
    const orders = held.orders.map((order) => ({
      ...order,
      items: [...(Array.isArray(order.items) ? order.items : []), item],
    }))
    const page = subjectPage({ ...held, orders }, FORM, new Set(['b-3']))
    expect(page).toContain(`<title>Spa: ${MARKS.firstName} ${MARKS.lastName}</title>`)
    for (const text of [
      'Vorname',
      'Nachname',
      '29. Februar 1984',
      '5. Januar 2025 um 14:00',
      '1.234,56\u00a0',
      '<th scope="row">Auftragsstatus</th><td>Bestätigt</td>',
    ])
      expect(page).toContain(text)
    expect(page).not.toMatch(/formData\.|total_amount|start_date|T\d\d:\d\d:|somebody else/)
    expect(page).toContain('Items of other guests of this order are left out.')
  })

  it('is refused for a customer that is not there', async () => {
    await expect(exportSubject(api.database, 'c-none', { center: undefined, now: 0 })).rejects.toThrow(
      'There is no customer "c-none".',
    )
    // The identifier of a stay is what people know.
    await expect(exportSubject(api.database, 'b-3', { center: undefined, now: 0 })).rejects.toThrow(
      'There is no customer "b-3". It is a booking: give it with --booking b-3.',
    )
  })
})
