/** Guests, sessions and orders in a browser, on the service itself. */

import { readFileSync } from 'node:fs'
import { readXlsx } from 'hucre/xlsx'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, openPage, violationsOf } from '../../support/browser.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { guest, order, session, type TestRecord, term } from '../../support/world.ts'
import { type OpenedConsole, openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const GUESTS = 250
/** One booking is cancelled. */
const ACTIVE = GUESTS - 1
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
  term('paymentType', 'pt-1', 'Bank'),
  order('order-3', {
    number: '2026-3',
    orderDate: '2026-11-07T12:00',
    totalAmount: 500,
    currency: 'RON',
    status: 'completed',
    paymentMethod: 'credit_card',
    paymentStatus: 'paid',
    items: [
      { name: 'Room', quantity: 1, price: 320, itemId: 'i1' },
      { name: 'Massage', quantity: 2, price: 45, itemId: 'i2' },
    ],
  }),
  ...guest('payer', {
    startDate: '2025-01-10T14:00',
    endDate: '2025-01-15T10:00',
    orderUuid: 'order-3',
    isOrderMainGuest: true,
    financial: { deposit: { amount: 150, paidAt: '2026-11-08T10:00:00Z', paymentType: 'pt-1' } },
  }),
  order('order-2', {
    orderDate: '2026-11-06T12:00',
    totalAmount: 10,
    currency: 'EUR',
    status: 'draft',
  }),
]

// Where there is no browser, `desk.test.ts` still holds what the pages compute.
describe.skipIf(!hasBrowser)('in a browser', { timeout: 180_000 }, () => {
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
  const rows = (page: Page) => page.locator('.rows tbody tr')

  it('guests: every row is on the page, for print, copy and find', async () => {
    const { page, complaints } = await open('guests?sessionId=s1')
    await page.getByRole('heading', { name: 'Guests White Spring' }).waitFor()
    await rows(page)
      .nth(ACTIVE - 1)
      .waitFor({ state: 'attached' })
    expect(await page.locator('.count b').textContent()).toBe(String(ACTIVE))
    expect(await page.getByRole('table', { name: 'Guests' }).getAttribute('aria-rowcount')).toBe(
      String(ACTIVE + 1),
    )
    expect(await page.locator('.say').count()).toBe(0)
    const everybody = Array.from({ length: GUESTS }, (_, at) => `Ana ${name(at)}`).filter((_, at) => at !== 3)
    const namesIn = (text: string) => [...text.matchAll(/Ana G\d{3}/g)].map(([found]) => found)
    // What Ctrl+A and Ctrl+C take.
    await page.keyboard.press('Control+A')
    expect(namesIn(await page.evaluate<string>('getSelection().toString()'))).toEqual(everybody)
    expect(namesIn(await page.locator('.rows').innerText())).toEqual(everybody)
    await page.evaluate('getSelection().collapse(document.body, 0)')
    expect(await page.evaluate(`window.find('Ana ${name(GUESTS - 1)}')`)).toBe(true)
    const paper = textOfPdf(await page.pdf({ format: 'A4' }))
    expect(namesIn(paper.replaceAll(/\s+/g, ' ')).sort()).toEqual(everybody)
    // Each page has the headings.
    const pages = paper.split('\f').filter((text) => text.trim() !== '')
    expect(pages.length).toBeGreaterThan(3)
    for (const text of pages) expect(text).toContain('Room')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('ruling 50: guests: says how many bookings are left out, and shows them with one click', async () => {
    const { page } = await open('guests?inHouse=2026-11-21')
    await page.locator('.count b', { hasText: String(ACTIVE) }).waitFor()
    const portions = await api.get('/v1/meals/portions?startDate=2026-11-21&endDate=2026-11-21')
    expect((portions.body.days as { guests: number }[])[0]?.guests).toBe(ACTIVE)
    await page.getByText('left out: 1.').waitFor()
    expect(await page.getByRole('row', { name: 'Ana G003' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByRole('row', { name: 'Ana G003' }).waitFor()
    expect(await rows(page).count()).toBe(1)
    expect(await page.getByRole('row', { name: 'Ana G003' }).getAttribute('class')).toBe('out')
    expect(page.url()).toContain('active=false')
    await page.getByRole('button', { name: 'Show these' }).click()
    await page.locator('.count b', { hasText: String(ACTIVE) }).waitFor()
    await page.close()
  })

  it('guests: says where the table has not all rows', async () => {
    const { page } = await openPage(browser, `${origin}/health/live`)
    await page.route('**/v1/guests?*format=ndjson*', (route) => route.abort())
    await page.evaluate((key) => sessionStorage.setItem('sojourn-key', key), api.key.apiKey)
    await page.goto(`${origin}/console#/guests?startDate=2026-11-20&endDate=2026-11-22`)
    await page.getByText(`The table contains the first 100 of ${ACTIVE}.`).waitFor()
    expect(textOfPdf(await page.pdf())).toContain(`first 100 of ${ACTIVE}`)
    await page.close()
  })

  it.each([
    ['guests?startDate=2026-13-45', 'startDate=2026-13-45'],
    ['guests?inHouse=2026-11-21&status=paid,gone', 'status=paid,gone'],
    ['sessions?year=26', 'year=26'],
  ])('%s: says what of its address is not understood', async (place, part) => {
    const { page } = await open(place)
    await page.getByRole('alert').getByText(part).waitFor()
    await page.close()
  })

  it('the title says what the page shows, and no name that somebody looks for', async () => {
    const { page } = await open('guests?inHouse=2026-11-21')
    const titled = (title: string) => expect.poll(() => page.title()).toBe(`${title} · Izvorul Alb`)
    await titled('Guests in house: 11/21/2026')
    await page.locator('input[name=q]').fill('g24')
    await page.keyboard.press('Enter')
    await page.locator('.count b', { hasText: /^10$/ }).waitFor()
    await titled('Guests in house: 11/21/2026')
    await page.getByRole('link', { name: 'Sessions' }).click()
    await titled('Sessions 2026')
    await page.locator('.bar summary').click()
    await page.getByRole('link', { name: 'This key' }).click()
    await titled('This key')
    await page.close()
  })

  it('guests: filters by several statuses, a session and a name, and remembers it in the tab', async () => {
    const { page } = await open('guests')
    await page.getByText('Ana G000').waitFor()
    const statuses = page.getByRole('group', { name: 'Status' })
    await statuses.locator('summary').click()
    await statuses.getByLabel('Canceled').check()
    await statuses.getByLabel('Voided').check()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.count b', { hasText: /^1$/ }).waitFor()
    expect(await statuses.locator('summary').textContent()).toBe('Canceled, Voided')
    await page.locator('.bar summary').click()
    await page.getByRole('link', { name: 'This key' }).click()
    await page.getByRole('link', { name: 'Guests', exact: true }).click()
    await page.locator('.count b', { hasText: /^1$/ }).waitFor()
    expect(page.url()).toContain('status=cancelled%2Cvoided')
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await page.locator('.count b', { hasText: String(ACTIVE) }).waitFor()
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
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('No guests.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.close()
  })

  it('guests: who is in the house, arrives or leaves on a day', async () => {
    const { page, complaints } = await open('guests?departing=2026-11-27')
    await page.getByRole('heading', { name: 'Guests leaving: 11/27/2026' }).waitFor()
    await page.locator('.count b', { hasText: String(ACTIVE) }).waitFor()
    await page.locator('select[name=by]').selectOption('arriving')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText(/^None on these days\. On all days: \d+\.$/).waitFor()
    await page.locator('select[name=by]').selectOption('inHouse')
    await page.locator('input[name=day]').fill('2026-11-21')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.count b', { hasText: String(ACTIVE) }).waitFor()
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
    // By this one it does not.
    expect(await page.getByRole('columnheader', { name: 'Portions' }).getByRole('button').count()).toBe(0)
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
    await page.getByText(`Download all (${ACTIVE})`).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ])
    expect(await count(readFileSync(await download.path()))).toBe(ACTIVE)
    expect(download.suggestedFilename()).toBe(`guests.${format.toLowerCase()}`)
    await page.close()
  })

  it('guests: a change appears by itself', async () => {
    const { page } = await open('guests?sessionId=s2')
    await page.getByText('No guests.').waitFor()
    await page.getByText('The page updates automatically.').waitFor()
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
    await page.getByRole('heading', { name: 'Orders Nov 2026' }).waitFor()
    const heads = page.locator('.money thead th')
    await expect.poll(() => heads.allTextContents()).toEqual(['Status', 'EUR', 'RON', 'Orders'])
    // What does not fit comes first.
    await page.locator('.wrong tr', { hasText: 'No guests' }).getByRole('link', { name: 'order-2' }).waitFor()
    await page.getByRole('link', { name: '2026-1', exact: true }).last().click()
    await page.getByText('Ana G000, Ana G001').waitFor()
    expect(await page.getByRole('cell', { name: /RON\s60\.25/ }).isVisible()).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('ruling 51: one order: labels in words, line totals, what does not add up, payments, and the way back', async () => {
    const { page, complaints } = await open('orders?startDate=2026-11-01&endDate=2026-11-30', {
      language: 'de',
    })
    await page.getByRole('link', { name: '2026-3', exact: true }).last().click()
    const paper = page.locator('main')
    await paper.getByText('Bank').waitFor()
    const text = (await paper.innerText()).replaceAll('\u00a0', ' ')
    expect(text).toContain('410,00 RON')
    expect(text).toContain('500,00 RON')
    expect(text).toContain('90,00 RON')
    for (const line of ['completed', 'credit_card', 'pt-1', 'true', 'false']) expect(text).not.toContain(line)
    expect(text).toContain('Abgeschlossen')
    expect(text).toContain('150,00 €')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: / 2026$/ })
      .click()
    await expect.poll(() => page.url()).toContain('orders?startDate=2026-11-01&endDate=2026-11-30')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('ruling 51: one order: no payment, and payments that the key may not read, are two sentences', async () => {
    const { page } = await open('orders/one?uuid=order-2')
    await page.getByText('No payment is recorded.').waitFor()
    await page.close()
    const key = await api.createKey({ scopes: ['orders'] })
    const other = await open('orders/one?uuid=order-3', { key: key.apiKey })
    await other.page.getByText('This key has no access to payments.').waitFor()
    await other.page.getByText('The items add up to RON').waitFor()
    expect(await other.page.getByText('No payment is recorded.').count()).toBe(0)
    await other.page.goto(`${origin}/console#/orders/one?uuid=nowhere`)
    await other.page.getByText('There is no order with this identifier.').waitFor()
    await other.page.close()
  })

  it.each([
    ['guests?sessionId=s1', 'dark', 390, 'ro'],
    ['sessions', 'light', 1440, 'el'],
    ['sessions?year=2020', 'dark', 390, 'de'],
    ['rooms', 'dark', 390, 'en'],
    ['rooms', 'light', 1920, 'en'],
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
    // The first page of the desk.
    await page.locator('.bar nav a', { hasText: 'Today' }).waitFor()
    expect(await page.locator('.bar nav a').allTextContents()).toEqual(['Today', 'Guests'])
    await page.getByRole('link', { name: 'Guests', exact: true }).click()
    await page.getByText('Columns: ').click()
    await page.getByRole('searchbox', { name: /^Search / }).fill('birth')
    await page.getByText('None', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
