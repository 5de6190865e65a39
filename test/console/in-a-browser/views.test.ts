/** Saved views of the lists of guests and orders, in a browser, with the keyboard alone. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { guest, order } from '../../support/world.ts'
import { type OpenedConsole, openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'

describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({
      now: NOW,
      records: [
        ...guest(
          'ana',
          { startDate: '2026-11-17T14:00', endDate: '2026-11-27T10:00', status: 'arrived' },
          { firstName: 'Ana', lastName: 'Avram' },
        ),
        order('o1', { number: '2026-1', orderDate: '2026-10-05T12:00', totalAmount: 10 }),
      ],
    })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const open = (place: string, { key = api.key.apiKey, ...options }: OpenedConsole & { key?: string } = {}) =>
    openConsole(browser, { origin, key, now: NOW }, place, options)
  const menu = (page: Page) => page.locator('.views summary')

  /** With keys alone. */
  async function save(page: Page, name: string, isRelative = false) {
    await menu(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type(name)
    if (isRelative) {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
    }
    await page.keyboard.press('Enter')
    await page.locator('.views').getByText('Saved.').waitFor()
  }

  it('saves, opens, renames and deletes a view of guests with the keyboard, relative to today', async () => {
    const { page, complaints } = await open('guests?inHouse=2026-11-21&role=patient')
    await page.getByText('Ana Avram').waitFor()
    await save(page, 'Patients here', true)
    const link = page
      .getByRole('navigation', { name: 'Saved views' })
      .getByRole('link', { name: 'Patients here' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe('#/guests?inHouse=today&role=patient')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.goto(`${origin}/console#/guests?departing=2026-11-30`)
    await page.getByText(/^None on these days\. On all days: \d+\.$/).waitFor()
    await link.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Guests in house: 11/21/2026' }).waitFor()
    expect(page.url()).toContain('inHouse=today')
    expect(await link.getAttribute('aria-current')).toBe('true')
    await menu(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name: Patients here' }).fill('Patients')
    await page.keyboard.press('Enter')
    const renamed = page
      .getByRole('navigation', { name: 'Saved views' })
      .getByRole('link', { name: 'Patients' })
    await renamed.waitFor()
    await page.reload()
    await renamed.waitFor()
    await menu(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete: Patients' }).focus()
    await page.keyboard.press('Enter')
    await renamed.waitFor({ state: 'detached' })
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Patients')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('has the columns, and neither the key nor a name that was searched for; it stays after signing out', async () => {
    const { page } = await open('guests?inHouse=2026-11-21')
    await page.getByText('Ana Avram').waitFor()
    await page.locator('input[name=q]').fill('avr')
    await page.keyboard.press('Enter')
    await page.locator('.count b', { hasText: /^1$/ }).waitFor()
    await page.getByText('Columns: ').click()
    await page.getByRole('searchbox', { name: /^Search / }).fill('e-mail')
    await page.getByLabel('E-mail', { exact: true }).check()
    await page.keyboard.press('Escape')
    await save(page, 'With e-mail')
    const stored = await page.evaluate<string>('JSON.stringify(localStorage)')
    expect(stored).toContain('email')
    expect(stored).not.toContain('avr')
    expect(stored).not.toContain(api.key.apiKey)
    await page.locator('.bar summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).toContain('With e-mail')
    // Another key in this browser does not see it.
    const other = await api.createKey({ scopes: ['guests'] })
    await page.evaluate((key) => sessionStorage.setItem('sojourn-key', key), other.apiKey)
    await page.goto(`${origin}/console?again#/guests?inHouse=today`)
    await page.getByText('Ana Avram').waitFor()
    expect(await page.getByText('With e-mail').count()).toBe(0)
    await page.close()
  })

  it('last month of orders is another month next month', async () => {
    const { page } = await open('orders?startDate=2026-10-01&endDate=2026-10-31')
    await page.getByRole('heading', { name: 'Orders Oct 2026' }).waitFor()
    await save(page, 'Last month', true)
    const link = page
      .getByRole('navigation', { name: 'Saved views' })
      .getByRole('link', { name: 'Last month' })
    expect(await link.getAttribute('href')).toBe('#/orders?startDate=month-start-1m&endDate=month-end-1m')
    await page.keyboard.press('Escape')
    await page.goto(`${origin}/console#/orders`)
    await page.getByRole('heading', { name: 'Orders Nov 2026' }).waitFor()
    await link.click()
    await page.getByRole('heading', { name: 'Orders Oct 2026' }).waitFor()
    await page.getByRole('link', { name: '2026-1', exact: true }).last().waitFor()
    await page.close()
  })

  it.each([
    ['guests?inHouse=today', 320, 'light', 'de'],
    ['guests?inHouse=today', 1920, 'dark', 'en'],
    ['orders?startDate=month-start-1m&endDate=month-end-1m', 390, 'dark', 'el'],
  ] as const)(
    '%s fits %i pixels in %s with views and their menu open, without findings',
    async (place, width, scheme, language) => {
      const { page } = await open(place, { width, scheme, language })
      await menu(page).waitFor()
      for (const name of ['A', 'Ein sehr langer Name, der in keine Zeile eines Telefons pa']) {
        await menu(page).focus()
        await page.keyboard.press('Enter')
        await page.locator('.views input[name=name]').fill(name)
        await page.keyboard.press('Enter')
        await page.locator('.views nav li', { hasText: name }).waitFor()
        await page.keyboard.press('Escape')
      }
      await menu(page).focus()
      await page.keyboard.press('Enter')
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      if (process.env.PICTURES !== undefined) {
        await page.screenshot({
          path: `${process.env.PICTURES}/views-${width}-${scheme}.png`,
          fullPage: true,
        })
      }
      await page.close()
    },
  )
})
