/** The kitchen's pages in a browser, on the service itself: numbers, names, changes, sheets, the wall. */
import type { Browser, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ORDINARY_SCOPES } from '../../../src/core/access/keys/scopes.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { guest, metaField, session, spa, term } from '../../support/world.ts'
import { type OpenedConsole, openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const stay = {
  startDate: '2026-11-17T14:00',
  endDate: '2026-11-27T10:00',
  sessionIds: ['s1'],
  status: 'arrived',
}
const lunchSkipped = { breakfast: [], lunch: ['2026-11-21'], dinner: [] }

const RECORDS = [
  spa({
    mealRules: {
      mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' },
      dietFields: [{ field: 'diet', allergies: ['uten nøtter'] }],
    },
  }),
  metaField('diet', { label: 'Diet' }),
  term('room', 'r-101', '101'),
  session('s1', '2026-11-17T15:00', '2026-11-27T11:00'),
  ...guest(
    'b1',
    { ...stay, acc: { roomId: 'r-101' }, skippingMeals: lunchSkipped },
    { firstName: 'Ana', lastName: 'Văleanu', meta: { diet: 'uten nøtter' } },
  ),
  ...guest(
    'b2',
    { ...stay, role: 'companion' },
    { firstName: 'Mihai', lastName: 'Radu', meta: { diet: 'low salt' } },
  ),
  ...guest('b3', stay, { firstName: 'Olivia', lastName: 'Tarr' }),
  ...guest('b4', { ...stay, status: 'voided' }, { firstName: 'Nobody', lastName: 'Cooked' }),
]

// Where there is no browser, `kitchen.test.ts` still holds what the pages compute.
describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({ records: RECORDS, now: NOW })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const open = (place: string, { key = api.key.apiKey, ...options }: OpenedConsole & { key?: string } = {}) =>
    openConsole(browser, { origin, key, now: NOW }, place, options)
  const plates = (page: Page) => page.locator('.meals .cook td').allTextContents()
  const row = (page: Page, name: string) =>
    page.locator('.meals tr', { hasText: name }).first().locator('td').allTextContents()

  it('shows the plates of today first, then diets, and moves nothing while it loads', async () => {
    const { page, complaints } = await open('kitchen')
    await page.evaluate(
      `new PerformanceObserver((list) => { globalThis.moved = (globalThis.moved ?? 0) + list.getEntries().reduce((sum, one) => sum + one.value, 0) }).observe({ type: 'layout-shift', buffered: true })`,
    )
    await page.getByText('3', { exact: true }).first().waitFor()
    expect(await page.locator('h1').textContent()).toBe('Saturday 11/21/2026')
    expect(await plates(page)).toEqual(['3', '2', '3'])
    expect(await row(page, 'uten nøtter')).toEqual(['1', '0', '1'])
    expect(await row(page, 'Skipping')).toEqual(['0', '1', '0'])
    expect(await page.getByText('Not included in the portions: Voided 1.').isVisible()).toBe(true)
    expect(await page.evaluate('globalThis.moved ?? 0')).toBe(0)
    // Nobody is named until somebody asks.
    expect(await page.getByText('Văleanu').count()).toBe(0)
    await page.getByText('Who skips meals, by room').click()
    await page.getByText('Ana Văleanu').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  const COUNT_PRINTS = 'globalThis.print = () => { globalThis.prints = (globalThis.prints ?? 0) + 1 }'
  const dinner = (isSkipped: boolean) =>
    api.load([
      ...guest(
        'b3',
        { ...stay, skippingMeals: { breakfast: [], lunch: [], dinner: isSkipped ? ['2026-11-21'] : [] } },
        { firstName: 'Olivia', lastName: 'Tarr' },
      ),
    ])

  it('ruling 48: a cancelled print leaves all marks, and a confirmed one resets them on every screen', async () => {
    const own = await api.newCenter(RECORDS.slice(1), {
      mealRules: { dietFields: [{ field: 'diet', allergies: ['uten nøtter'] }] },
    })
    const skips = (isSkipped: boolean) =>
      api.database.query(sql`
        update bookings set skipping_meals = ${JSON.stringify({ breakfast: [], lunch: [], dinner: isSkipped ? ['2026-11-21'] : [] })}::jsonb
        where center_id = ${own.id} and id = 'b3'`)
    const scopes = ['meals', 'meals.confirm'] as const
    const kitchen = await api.createKey({ center: own.id, scopes, customFields: ['diet'] })
    const { page, asked } = await open('kitchen', { key: kitchen.apiKey })
    const { page: second } = await open('kitchen', { key: own.key.apiKey })
    for (const screen of [page, second]) await screen.getByText('No sheet printed yet').waitFor()
    await page.evaluate(COUNT_PRINTS)
    const prints = () => page.evaluate('globalThis.prints')
    // The dialog opens at once, with the number on the paper.
    await page.getByRole('link', { name: 'Print the day' }).click()
    await page.getByText('Sheet 1 was sent to the printer. Is it on the wall?').waitFor()
    expect(await prints()).toBe(1)
    expect(await page.locator('.sheet header').textContent()).toContain('Sheet 1 · ')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Not printed' }).click()
    await page.getByText('Is it on the wall?').waitFor({ state: 'detached' })
    // A number that was not printed is no sheet on the wall.
    await second.reload()
    await second.getByRole('heading', { name: 'No sheet is on the wall' }).waitFor()
    await page.keyboard.press('Control+p')
    await page.getByRole('button', { name: 'Yes, it is on the wall' }).click()
    for (const screen of [page, second])
      await screen.locator('.since .sheet-number').getByText('Sheet 1').waitFor()
    expect(await prints()).toBe(2)

    await skips(true)
    for (const screen of [page, second]) await screen.getByText('−1 · was 3').waitFor()
    await page.getByRole('link', { name: 'Print again' }).click()
    await page.getByText('Sheet 2 was sent to the printer.').waitFor()
    expect(await page.locator('.ask').textContent()).toContain('changes are marked against sheet 1, of')
    await page.getByRole('button', { name: 'Not printed' }).click()
    await page.getByRole('link', { name: 'Back' }).click()
    for (const screen of [page, second]) await screen.getByText('−1 · was 3').waitFor()
    await second.reload()
    await second.getByText('−1 · was 3').waitFor()

    await page.getByRole('link', { name: 'Print again' }).click()
    await page.getByRole('button', { name: 'Yes, it is on the wall' }).click()
    for (const screen of [page, second])
      await screen.locator('.since .sheet-number').getByText('Sheet 2').waitFor()
    for (const screen of [page, second]) expect(await screen.getByText('−1 · was 3').count()).toBe(0)
    // The older one was hung up again.
    await second.getByText('Which sheet is on the wall?').first().click()
    await second.getByRole('radio', { name: 'Sheet 1' }).click()
    for (const screen of [page, second]) await screen.getByText('−1 · was 3').waitFor()
    await second.getByRole('radio', { name: 'No sheet is on the wall' }).click()
    for (const screen of [page, second])
      await screen.getByRole('heading', { name: 'No sheet is on the wall' }).waitFor()
    expect(await violationsOf(second)).toEqual([])
    // No request of the console stores a sheet by GET.
    expect(asked.filter((url) => /\/sheets\/[^?]*$/.test(url))).toEqual([])
    await page.close()
    await second.close()
  })

  it('a key that may not confirm prints without a number, says so, and changes nothing', async () => {
    const own = await api.newCenter(RECORDS.slice(1), {})
    const reader = await api.createKey({ center: own.id, scopes: ['meals'] })
    const { page, asked } = await open('kitchen', { key: reader.apiKey })
    await page.evaluate(COUNT_PRINTS)
    await page.getByRole('link', { name: 'Print the day' }).click()
    await expect.poll(() => page.evaluate('globalThis.prints')).toBe(1)
    expect(await page.getByText('This key cannot confirm printed sheets.').isVisible()).toBe(true)
    expect(await page.locator('.sheet header').textContent()).not.toContain('Sheet 1')
    expect(await page.getByText('Is it on the wall?').count()).toBe(0)
    expect(asked.filter((url) => url.includes('/actions/'))).toEqual([])
    const stored = await api.database.query(sql`select from meal_sheets where center_id = ${own.id}`)
    expect(stored).toEqual([])
    await page.close()
  })

  it('a sheet that cannot be numbered is printed all the same, and says so', async () => {
    const own = await api.newCenter(RECORDS.slice(1), {})
    const { page } = await open('kitchen', { key: own.key.apiKey })
    await page.evaluate(COUNT_PRINTS)
    await page.route('**/v1/actions/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Print the day' }).click()
    await page.getByText('The service could not number this sheet.').waitFor()
    expect(await page.evaluate('globalThis.prints')).toBe(1)
    await page.unroute('**/v1/actions/**')
    await page.getByRole('button', { name: 'Print' }).first().click()
    await page.getByText('Sheet 1 was sent to the printer.').waitFor()
    await page.route('**/v1/actions/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Yes, it is on the wall' }).click()
    await page.getByText('This could not be saved.').waitFor()
    await page.unroute('**/v1/actions/**')
    await page.getByRole('button', { name: 'Yes, it is on the wall' }).click()
    await page.locator('.since .sheet-number').getByText('Sheet 1').waitFor()
    await page.close()
  })

  it('marks what changes since the sheet by meal and room, and says it once', async () => {
    const scopes = ['meals', 'meals.confirm'] as const
    const kitchen = await api.createKey({ scopes, customFields: ['diet'] })
    const { page, asked } = await open('kitchen', { key: kitchen.apiKey })
    await page.evaluate(COUNT_PRINTS)
    await page.getByRole('link', { name: 'Print the day' }).click()
    await page.getByRole('button', { name: 'Yes, it is on the wall' }).click()
    await page.getByText('Since the sheet of').waitFor()
    expect(await page.locator('.meals .mark td').allTextContents()).toEqual([
      '',
      'no change',
      'no change',
      'no change',
    ])
    // It follows, although it may not follow guests.
    await expect.poll(() => asked.some((url) => url.includes('/v1/changes'))).toBe(true)
    await dinner(true)
    await page.getByText('−1 · was 3').waitFor()
    expect(await plates(page)).toEqual(['3', '2', '2'])
    expect(await page.locator('.since li').textContent()).toMatch(/\d\d:\d\d.*Dinner −1no room$/)
    expect(await page.locator('[role=status].vh').textContent()).toBe('Breakfast 3, Lunch 2, Dinner 2')
    expect(await page.getByText('Tarr').count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    const wall = await open('kitchen/wall', { key: kitchen.apiKey, width: 1920 })
    await wall.page.locator('.wall-since').getByText('no room: dinner −1').waitFor()
    await wall.page.locator('.mark').getByText('−1 · was 3').waitFor()
    expect(await violationsOf(wall.page)).toEqual([])
    await wall.page.close()
    await dinner(false)
    await page.getByText('−1 · was 3').waitFor({ state: 'detached' })
    expect(await page.locator('.since li').count()).toBe(0)
    await page.close()
  })

  it.each([
    ['kitchen', 'light', 1440, 'en'],
    ['kitchen', 'dark', 390, 'ro'],
    ['kitchen/week', 'dark', 1440, 'de'],
    ['kitchen/week', 'light', 390, 'is'],
    ['kitchen/wall', 'dark', 1920, 'el'],
    ['kitchen/day-sheet', 'light', 1440, 'ro'],
    ['kitchen/week-sheet', 'light', 1440, 'pl'],
  ] as const)(
    '%s is accessible and fits, %s and %i wide, in %s',
    async (place, scheme, width, language) => {
      const { page, complaints } = await open(place, { scheme, width, language })
      await page.locator('.cook td, .week td, .w td').getByText('3').first().waitFor()
      for (const summary of await page.locator('main details > summary').all()) await summary.click()
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(complaints).toEqual([])
      await page.close()
    },
    120_000,
  )

  it('the wall names nobody, knows the next meal, and changes to tomorrow after dinner', async () => {
    // One of the administration would be signed out after 15 minutes.
    const { apiKey: key } = await api.createKey({ scopes: ORDINARY_SCOPES })
    const { page, asked } = await open('kitchen/wall', { key, width: 1920 })
    await page.locator('.meals th.next').getByText('Lunch').waitFor()
    expect(await page.locator('.meals .past').count()).toBeGreaterThan(2)
    await page.clock.setSystemTime('2026-11-21T18:30:00Z')
    await page.clock.fastForward(30_000)
    await page.getByRole('heading', { name: 'Sunday 11/22/2026' }).waitFor()
    expect(asked.some((url) => url.includes('includeGuests'))).toBe(false)
    await page.close()
  })

  it('the wall says how long it has received nothing, and continues', async () => {
    const { page } = await open('kitchen/wall')
    await page.locator('.meals th.next').waitFor()
    await page.route('**/v1/**', (route) => route.abort())
    await page.clock.fastForward(180_000)
    await page.getByText('No connection since').waitFor()
    expect(await plates(page)).toEqual(['3', '2', '3'])
    await page.unroute('**/v1/**')
    await page.clock.fastForward(60_000)
    await page.getByText('No connection since').waitFor({ state: 'detached' })
    await page.close()
  })

  it('a sheet is black on white, one page, with names by room and those without one', async () => {
    const { page } = await open('kitchen/day-sheet', { scheme: 'dark' })
    await page.locator('.people').waitFor()
    expect(await page.locator('.people tbody tr').allTextContents()).toEqual([
      '101Ana VăleanuAllergy or intolerance: uten nøtter•×•',
      'no roomMihai Radulow salt•••',
    ])
    expect(await page.getByText('with no diet on record: 1').isVisible()).toBe(true)
    const pages = async () =>
      (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length
    expect(await pages()).toBe(1)
    await page.goto(`${origin}/console#/kitchen/week-sheet`)
    await page.locator('.w').waitFor()
    expect(await pages()).toBe(1)
    await page.close()
  })

  it('tells a key what it may not read, and one that may not read meals that it has no kitchen', async () => {
    const kitchen = await api.createKey({ scopes: ['meals'] })
    const { page, complaints } = await open('kitchen', { key: kitchen.apiKey })
    await page.getByText('This key has no access to diets.').waitFor()
    expect(await plates(page)).toEqual(['3', '2', '3'])
    expect(complaints).toEqual([])
    await page.close()
    const orders = await api.createKey({ scopes: ['orders'] })
    const other = await open('kitchen', { key: orders.apiKey })
    await other.page.getByText('This key does not give access to this page.').waitFor()
    expect(await other.page.getByRole('link', { name: 'Kitchen' }).count()).toBe(0)
    await other.page.close()
  })

  it('can be used with the keyboard alone', async () => {
    const { page } = await open('kitchen')
    await page.getByText('Who skips meals, by room').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Ana Văleanu').waitFor()
    await page.getByRole('link', { name: 'Sunday' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sunday 11/22/2026', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Seven days' }).first().focus()
    await page.keyboard.press('Enter')
    await page.locator('.week tbody tr.d').nth(6).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.close()
  })

  it.each([
    ['no guests', '2027-03-01', 'No guests on this day.'],
    ['a day that is none', '2027-02-30', 'Saturday'],
  ])('is designed for %s', async (_, day, text) => {
    const { page } = await open(`kitchen?day=${day}`)
    await page.getByText(text).first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.close()
  })
})
