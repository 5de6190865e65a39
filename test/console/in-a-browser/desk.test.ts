/** Guests, sessions and orders in a browser, on the service itself. */

import { readFileSync } from 'node:fs'
import { readXlsx } from 'hucre/xlsx'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { guest, order, session, type TestRecord } from '../../support/world.ts'
import { type OpenedConsole, openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const GUESTS = 250
const name = (at: number) => `G${String(at).padStart(3, '0')}`

const RECORDS: TestRecord[] = [
  session('s1', '2026-11-17T15:00', '2026-11-27T11:00', { name: 'White Spring', number: '8' }),
  session('s2', '2026-12-01T15:00', '2026-12-10T11:00', { name: 'Forest Air', number: '9' }),
  ...Array.from({ length: GUESTS }, (_, at) =>
    guest(
      `b${name(at)}`,
      {
        startDate: '2026-11-17T14:00',
        endDate: '2026-11-27T10:00',
        sessionIds: ['s1'],
        status: at === 3 ? 'cancelled' : 'paid',
        ...(at < 2 ? { orderUuid: 'order-1', isOrderMainGuest: at === 0 } : {}),
      },
      { firstName: 'Ana', lastName: name(at) },
    ),
  ).flat(),
  order('order-1', {
    number: '2026-1',
    orderDate: '2026-11-05T12:00',
    totalAmount: 120.5,
    currency: 'RON',
    items: [{ name: 'Room', quantity: 2, price: 60.25, itemId: 'i1' }],
  }),
  order('order-2', {
    orderDate: '2026-11-06T12:00',
    totalAmount: 10,
    currency: 'EUR',
    status: 'draft',
  }),
]

// Where there is no browser, `desk.test.ts` still holds what the pages compute.
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
  const rows = (page: Page) => page.locator('.rows tbody tr:not(.space)')

  it('guests: shows the true number, and rows where somebody scrolls', async () => {
    const { page, asked, complaints } = await open('guests?sessionId=s1')
    await page.getByRole('heading', { name: 'Guests White Spring' }).waitFor()
    await page.getByText('Ana G000').waitFor()
    expect(await page.locator('.count b').textContent()).toBe(String(GUESTS))
    expect(await page.locator('.rows table').getAttribute('aria-rowcount')).toBe(String(GUESTS + 1))
    expect(await rows(page).count()).toBeLessThan(80)
    expect(await page.getByRole('row', { name: 'Ana G003' }).getAttribute('class')).toBe('out')
    await page.locator('.rows').evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await page.getByText(`Ana ${name(GUESTS - 1)}`).waitFor()
    expect(asked.some((url) => url.includes('start=3'))).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('guests: filters by several statuses, a session and a name, and remembers it in the tab', async () => {
    const { page } = await open('guests')
    await page.getByText('Ana G000').waitFor()
    const statuses = page.getByRole('group', { name: 'Status' })
    await statuses.locator('summary').click()
    await statuses.getByLabel('Canceled').check()
    await statuses.getByLabel('Voided').check()
    await page.getByRole('button', { name: 'Show' }).click()
    await page.locator('.count b', { hasText: /^1$/ }).waitFor()
    expect(await statuses.locator('summary').textContent()).toBe('Canceled, Voided')
    await page.getByRole('link', { name: 'This key' }).click()
    await page.getByRole('link', { name: 'Guests', exact: true }).click()
    await page.locator('.count b', { hasText: /^1$/ }).waitFor()
    expect(page.url()).toContain('status=cancelled%2Cvoided')
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await page.locator('.count b', { hasText: String(GUESTS) }).waitFor()
    await page.locator('input[name=q]').fill('g24 ana')
    await page.keyboard.press('Enter')
    await page.locator('.count b', { hasText: /^10$/ }).waitFor()
    // Browsers keep addresses, so the name is in none, but the page knows it after a reload.
    expect(page.url()).not.toContain('g24')
    await page.reload()
    await page.locator('.count b', { hasText: /^10$/ }).waitFor()
    await page.getByText('Copy as').click()
    await page.getByRole('button', { name: 'curl' }).click()
    await page.getByText('q=g24+ana').or(page.getByText('Copied.')).waitFor()
    await page.locator('select[name=by]').selectOption('session')
    await page.locator('select[name=sessionId]').selectOption('s2')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('No guests.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.close()
  })

  it('guests: who is in the house, arrives or leaves on a day', async () => {
    const { page, complaints } = await open('guests?departing=2026-11-27')
    await page.getByRole('heading', { name: 'Guests leaving: 11/27/2026' }).waitFor()
    await page.locator('.count b', { hasText: String(GUESTS) }).waitFor()
    await page.locator('select[name=by]').selectOption('arriving')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('No guests.').waitFor()
    await page.locator('select[name=by]').selectOption('inHouse')
    await page.locator('input[name=day]').fill('2026-11-21')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.locator('.count b', { hasText: String(GUESTS) }).waitFor()
    expect(page.url()).toContain('inHouse=2026-11-21')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('guests: sorts by a column as the service sorts, with the keyboard', async () => {
    const { page } = await open('guests?sessionId=s1')
    await page.getByText('Ana G000').waitFor()
    const heading = page.getByRole('columnheader', { name: 'Name', exact: true })
    await heading.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.locator('th[aria-sort=ascending]', { hasText: 'Name' }).waitFor()
    // The focus stays where it was.
    await page.keyboard.press('Enter')
    await page.locator('th[aria-sort=descending]', { hasText: 'Name' }).waitFor()
    await rows(page)
      .first()
      .getByText(`Ana ${name(GUESTS - 1)}`)
      .waitFor()
    expect(await page.getByRole('columnheader', { name: 'Room' }).getByRole('button').count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    await page.close()
  })

  it('guests: chooses columns by search, and remembers them', async () => {
    const { page } = await open('guests?sessionId=s1')
    await page.getByText('Columns: ').click()
    await page.getByRole('searchbox', { name: /^Search / }).fill('e-mail')
    await page.getByLabel('E-mail', { exact: true }).check()
    await page.getByRole('columnheader', { name: 'E-mail' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('searchbox', { name: /^Search / }).isVisible()).toBe(false)
    await page.reload()
    await page.getByRole('columnheader', { name: 'E-mail' }).waitFor()
    await page.close()
  })

  it.each([
    ['CSV', (file: Buffer) => file.toString().trim().split('\r\n').length - 1],
    [
      'NDJSON',
      (file: Buffer) =>
        file
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter((record) => record.manifest === undefined).length,
    ],
    ['XLSX', async (file: Buffer) => ((await readXlsx(file)).sheets[0]?.rows.length ?? 0) - 1],
  ])('guests: downloads all of them as %s', async (format, count) => {
    const { page } = await open('guests?sessionId=s1')
    await page.getByText(`Download all (${GUESTS})`).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ])
    expect(await count(readFileSync(await download.path()))).toBe(GUESTS)
    expect(download.suggestedFilename()).toBe(`guests.${format.toLowerCase()}`)
    await page.close()
  })

  it('guests: a change appears by itself', async () => {
    const { page, asked } = await open('guests?sessionId=s2')
    await page.getByText('No guests.').waitFor()
    await expect.poll(() => asked.some((url) => url.includes('wait=30')), { timeout: 30_000 }).toBe(true)
    await api.load(
      guest(
        'late',
        { startDate: '2026-12-01T14:00', endDate: '2026-12-10T10:00', sessionIds: ['s2'] },
        { firstName: 'Late', lastName: 'Comer' },
      ),
    )
    await page.getByText('Late Comer').waitFor()
    await page.close()
  })

  it('sessions: a year in time, with guests, and the way to them', async () => {
    const { page, complaints } = await open('sessions')
    await page.getByRole('cell', { name: String(GUESTS - 1), exact: true }).waitFor()
    expect(await page.locator('.year .bar2').count()).toBe(2)
    expect(await page.locator('tr.today th').textContent()).toBe('White Spring')
    await page.getByRole('link', { name: 'Guests: White Spring' }).click()
    await page.getByRole('heading', { name: 'Guests White Spring' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('orders: each currency by itself, and one order in full with its guests', async () => {
    const { page, complaints } = await open('orders')
    await page.getByRole('heading', { name: 'RON' }).waitFor()
    expect(await page.locator('.cols h2').allTextContents()).toEqual(['EUR €10.00', 'RON RON\u00a0120.50'])
    // What does not fit comes first.
    await page.locator('.wrong tr', { hasText: 'No guests' }).getByRole('link', { name: 'order-2' }).waitFor()
    await page.getByRole('link', { name: '2026-1', exact: true }).last().click()
    await page.getByText('Ana G000, Ana G001').waitFor()
    expect(await page.getByRole('cell', { name: /RON\s60\.25/ }).isVisible()).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  it.each([
    ['guests?sessionId=s1', 'dark', 390, 'ro'],
    ['sessions', 'light', 1440, 'el'],
    ['sessions?year=2020', 'dark', 390, 'de'],
    ['orders', 'dark', 1440, 'fr'],
    ['orders', 'light', 390, 'pl'],
    ['orders/one?uuid=order-1', 'light', 390, 'en'],
    ['orders/one?uuid=00000000-0000-4000-8000-000000000000', 'light', 1440, 'no'],
  ] as const)(
    '%s is accessible and fits, %s and %i wide, in %s',
    async (place, scheme, width, language) => {
      const { page } = await open(place, { scheme, width, language })
      await page.locator('h1').waitFor()
      await page.locator('.rows th, .ses, .order dl, .say').first().waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.close()
    },
    120_000,
  )

  it('shows a key only its pages and its columns', async () => {
    const key = await api.createKey({ scopes: ['guests'] })
    const { page, complaints } = await open('', { key: key.apiKey })
    await page.getByRole('heading', { name: 'Guests' }).waitFor()
    expect(await page.locator('.bar nav a').allTextContents()).toEqual(['Guests', 'This key'])
    await page.getByText('Columns: ').click()
    await page.getByRole('searchbox', { name: /^Search / }).fill('birth')
    await page.getByText('None', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
