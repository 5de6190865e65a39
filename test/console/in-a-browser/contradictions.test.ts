/** Contradictions in a browser, on the service itself: what is listed, withheld and not evaluated, and what people decide. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/core/access/keys/scopes.ts'
import type { Evaluator } from '../../../src/parts/contradictions/evaluator.ts'
import { createEvaluator } from '../../../src/parts/contradictions/evaluator.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { booking, customer, guest, lodge, order, spa, type TestRecord, term } from '../../support/world.ts'
import { openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const twice = (id: string, lastName: string): TestRecord[] => [
  customer(`c-${id}`, { firstName: 'Ana', lastName }),
  booking(`${id}1`, { customerId: `c-${id}`, startDate: '2026-11-10T14:00', endDate: '2026-11-20T10:00' }),
  booking(`${id}2`, { customerId: `c-${id}`, startDate: '2026-11-12T14:00', endDate: '2026-11-22T10:00' }),
]
const RECORDS: TestRecord[] = [
  spa(),
  lodge(),
  ...twice('p', 'Popescu'),
  ...twice('q', 'Querulant'),
  ...twice('r', 'Renamed'),
  term('room', '101', 'Room 101', { beds: 1 }),
  ...['x', 'y', 'z'].flatMap((id) =>
    guest(
      id,
      { startDate: '2026-12-10T14:00', endDate: '2026-12-12T10:00', acc: { roomId: '101' } },
      { firstName: 'Guest', lastName: id.toUpperCase() },
    ),
  ),
  order('order-1', {
    number: '2026-1',
    orderDate: '2026-11-05T12:00',
    totalAmount: 100,
    currency: 'RON',
    items: [{ name: 'Room', quantity: 1, price: 90, itemId: 'i1' }],
  }),
]

describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  let evaluator: Evaluator
  beforeAll(async () => {
    api = await startTestApi({ records: RECORDS, now: NOW })
    const clock = () => Date.parse(NOW)
    evaluator = createEvaluator({
      database: clockedDatabase(api.database, clock),
      clock,
      holder: 'test',
      log: { warn: () => {} },
    })
    await evaluator.look()
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const open = (options: Parameters<typeof openConsole>[3] = {}, key = api.key.apiKey) =>
    openConsole(browser, { origin, key, now: NOW }, 'contradictions', options)
  const keyOf = async (...scopes: Scope[]) => (await api.createKey({ scopes })).apiKey
  const entry = (page: Page, text: string) => page.locator('.contra', { hasText: text })
  const said = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()
  async function decide(page: Page, name: string, button: string, reason?: string): Promise<void> {
    const of = entry(page, name)
    await of.getByRole('button', { name: button }).click()
    if (reason !== undefined) await of.getByLabel('Reason').fill(reason)
    await of.getByLabel('Your name').fill('Maria')
    await page.keyboard.press('Enter')
  }

  it('are listed by kind with their numbers, the severe ones first, with what was compared', async () => {
    const { page, complaints } = await open()
    await page.getByText('All changes have been evaluated.').waitFor()
    expect(await page.locator('.contras h2').allTextContents()).toEqual([
      'More people than beds 1 · serious',
      'Overlapping stays of one guest 3 · serious',
      'Order does not add up 1 · medium',
    ])
    const room = entry(page, 'Room 101')
    expect(await room.innerText()).toContain('Guest X, Guest Y, Guest Z')
    expect(await room.getByRole('row', { name: 'Beds' }).innerText()).toMatch(/1$/)
    expect(await room.getByRole('row', { name: 'Nights' }).innerText()).toContain('12/10/2026 – 12/11/2026')
    const stays = await entry(page, 'Popescu').innerText()
    expect(stays).toContain('11/20/2026')
    expect(stays).toContain('11/12/2026')
    expect(stays).toContain('Found: 11/21/2026')
    await entry(page, 'The total differs from the items: 90').getByRole('link', { name: '2026-1' }).waitFor()
    expect(textOfPdf(await page.pdf())).toContain('Popescu')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('ruling 49: a key sees its kinds, the number of the others with the missing scope, and nothing else of them', async () => {
    const { page } = await open({}, await keyOf('contradictions', 'orders'))
    await page.getByRole('heading', { name: 'Not shown, because this key has no access: 4' }).waitFor()
    const row = page.getByRole('row', { name: 'More people than beds' })
    expect(await row.innerText()).toMatch(/1\s.*guests.*rooms/s)
    const text = await page.locator('main').innerText()
    expect(text).toContain('Order does not add up')
    expect(text).toContain(
      'Not reported, as set for this center: Guest without an order, Order without guests.',
    )
    for (const hidden of ['Popescu', 'Guest X']) expect(text).not.toContain(hidden)
    await page.close()
  })

  it('ruling 49: none, not permitted and no page are three things', async () => {
    const none = await open({}, await keyOf('contradictions', 'sessions', 'guests', 'guests.financial'))
    await none.page.getByText('Overlapping stays of one guest').first().waitFor()
    await none.page.close()
    const nothing = await open({}, await keyOf('contradictions'))
    await nothing.page.getByText('This key has no access to any kind of contradiction.').waitFor()
    expect(await nothing.page.locator('main').innerText()).toContain('To decide: –')
    await nothing.page.close()
    const keyOfLodge = await api.createKey({ center: 'lodge' })
    await evaluator.look()
    const lodge = await open({}, keyOfLodge.apiKey)
    await lodge.page.getByText('No contradictions of the kinds that are reported.').waitFor()
    await lodge.page.close()
    const other = await open({}, await keyOf('guests'))
    await other.page.getByText('This key does not give access to this page.').waitFor()
    expect(await other.page.locator('.bar nav a').allTextContents()).not.toContain('Contradictions')
    await other.page.close()
  })

  it('ruling 48: one is dismissed with a reason and a name, listed apart, and taken back', async () => {
    const { page, complaints } = await open()
    await decide(page, 'Querulant', 'Dismiss', 'Two rooms, on purpose')
    await said(page, 'The contradiction was dismissed.')
    await page.getByRole('heading', { name: 'Dismissed: 1' }).waitFor()
    const text = await entry(page, 'Querulant').innerText()
    expect(text).toMatch(/Dismissed by Maria, .*2026.*: Two rooms, on purpose/)
    await page.getByRole('heading', { name: 'Overlapping stays of one guest 2' }).waitFor()
    await decide(page, 'Querulant', 'Take back')
    await said(page, 'The dismissal was taken back.')
    await page.getByRole('heading', { name: 'Overlapping stays of one guest 3' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Dismissed: 1' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('one whose values have changed in the meantime is not dismissed, and is read again', async () => {
    const { page } = await open()
    const of = entry(page, 'Renamed')
    await of.getByRole('button', { name: 'Dismiss' }).click()
    await of.getByLabel('Reason').fill('Fine')
    await of.getByLabel('Your name').fill('Maria')
    await api.load([
      booking('r2', { customerId: 'c-r', startDate: '2026-11-12T14:00', endDate: '2026-11-25T10:00' }),
    ])
    await evaluator.look()
    await page.keyboard.press('Enter')
    await said(page, 'It has changed or ended in the meantime. Nothing was saved. Look again.')
    await of.getByText('11/25/2026').waitFor()
    expect((await api.get('/v1/contradictions?dismissed=true')).body.total).toBe(0)
    await page.close()
  })

  it('says that not everything is evaluated, and follows what is', async () => {
    const { page } = await open()
    await page.getByText('All changes have been evaluated.').waitFor()
    await api.load(twice('s', 'Streamed'))
    await page.getByText('Not everything is evaluated yet').waitFor()
    await evaluator.look()
    await entry(page, 'Streamed').waitFor()
    await page.getByText('All changes have been evaluated.').waitFor()
    await page.close()
  })

  it.each([
    ['light', 320, 'en'],
    ['dark', 320, 'de'],
    ['dark', 768, 'en'],
    ['light', 1440, 'fr'],
    ['dark', 1920, 'en'],
  ] as const)(
    'the page is accessible and fits, %s and %i wide, in %s',
    async (scheme, width, language) => {
      const { page } = await open({ scheme, width, language })
      await page.locator('.contra button').first().click()
      await page.locator('.decide').waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.close()
    },
    120_000,
  )
})
