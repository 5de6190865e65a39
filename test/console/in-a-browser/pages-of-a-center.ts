/** A small center whose every page of the console has something to show, and the way through them. */
import type { Page } from 'playwright-core'
import { importRecords } from '../../../src/core/intake/import-records.ts'
import { evaluatorOf } from '../../routes/contradictions/center.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { guest, order, session, spa } from '../../support/world.ts'

export const NOW = '2025-01-12T09:00:00Z'
const ORDER = '00000000-0000-4000-8000-000000000001'
export const NAME = 'Anamaria'

/** Each page, and what it shows when all is well. */
export const PLACES = [
  ['kitchen', 'kosher'],
  ['kitchen/week', 'kosher'],
  ['kitchen/wall', 'kosher'],
  ['kitchen/day-sheet', NAME],
  ['kitchen/week-sheet', 'kosher'],
  ['guests?sessionId=s1', NAME],
  ['sessions', 'Winter rest'],
  ['orders?startDate=2025-01-01&endDate=2025-01-31', 'PAPER-77'],
  [`orders/one?uuid=${ORDER}`, NAME],
  ['rooms', 'Garden room'],
  ['contradictions', 'Paid, but no payment'],
  ['sources', 'Sources: 1'],
  ['key', 'Requests by day'],
] as const

export async function startCenter(): Promise<TestApi> {
  const api = await startTestApi({
    now: NOW,
    // Each invalid key counts, and the clock of the service does not advance.
    // Time passes for its streams: a page opens one again that gives no sign of life for 45 seconds.
    app: { failedCredentialsPerMinute: 1000, monotonic: () => performance.now() },
    records: [
      spa({ mealRules: { dietFields: [{ field: 'diet' }] } }),
      { kind: 'metaField', centerId: 'spa', key: 'diet', label: 'Diet', type: 'string', of: 'customer' },
      session('s1', '2025-01-06T12:00', '2025-01-19T12:00', { name: 'Winter rest' }),
      ...anamaria('arrived'),
      order(ORDER, {
        number: 'PAPER-77',
        orderDate: '2025-01-12T08:00',
        totalAmount: 120.5,
        currency: 'EUR',
        paymentStatus: 'paid',
      }),
    ],
  })
  // What the page of sources shows: a record of the center again, as somebody delivers it.
  const again = JSON.stringify(session('s1', '2025-01-06T12:00', '2025-01-19T12:00', { name: 'Winter rest' }))
  const origin = { way: 'command', by: { user: 'test' }, files: () => [] } as const
  const database = clockedDatabase(api.database, () => Date.parse(NOW))
  await importRecords(database, [{ file: 'sessions', line: 1, text: again }], { origin })
  await evaluatorOf(api, 'test', NOW).look()
  return api
}

/** The guest, with a lunch more or less. */
export const anamaria = (status: string, skips: readonly string[] = ['2025-01-13']) =>
  guest(
    'b1',
    {
      sessionIds: ['s1'],
      startDate: '2025-01-06T12:00',
      endDate: '2025-01-19T10:00',
      status,
      acc: { roomId: 'Garden room' },
      orderUuid: ORDER,
      isOrderMainGuest: true,
      skippingMeals: { breakfast: [], lunch: [...skips], dinner: [] },
    },
    { firstName: NAME, meta: { diet: 'kosher' } },
  )

export const textOf = (page: Page): Promise<string> => page.locator('body').innerText()

/** Opens another page in the same tab, as its links do. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`)
}
