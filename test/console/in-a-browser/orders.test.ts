/** Closing a month in a browser: the task of an accountant, with its clicks counted, and what three keys see (ruling 51). */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { openedIn } from '../../support/libreoffice.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { guest, order, spa, type TestRecord } from '../../support/world.ts'
import { type OpenedConsole, openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const OCTOBER = 'startDate=2026-10-01&endDate=2026-10-31'
const HOSTILE = '<img src=x onerror=alert(1)>'

const october = (uuid: string, fields = {}): TestRecord =>
  order(uuid, {
    orderDate: '2026-10-05T12:00',
    items: [{ itemId: 'i', name: 'Stay', quantity: 1, price: 100 }],
    ...fields,
  })
const payer = (orderUuid: string, deposit: number) =>
  guest(
    `g-${orderUuid}`,
    {
      startDate: '2026-10-10T14:00',
      endDate: '2026-10-17T10:00',
      orderUuid,
      isOrderMainGuest: true,
      financial: { deposit: { amount: deposit } },
    },
    { firstName: HOSTILE, lastName: `Payer-${orderUuid}` },
  )

const RECORDS = [
  spa({
    orderRules: {
      orderStatuses: { valid: ['completed', 'confirmed'], void: ['cancelled'] },
      paymentStatuses: { valid: ['paid'], open: ['partially_paid'], refunded: ['refunded'] },
    },
  }),
  october('done', { number: '0000123', status: 'completed', paymentStatus: 'paid' }),
  ...payer('done', 100),
  october('part', { number: '0000124', status: 'confirmed', paymentStatus: 'partially_paid' }),
  ...payer('part', 30),
  october('wrong', { number: '0000125', status: 'completed', paymentStatus: 'paid', totalAmount: 150.5 }),
  ...payer('wrong', 150.5),
  october('odd', { status: 'on_hold', currency: 'NOK' }),
  ...payer('odd', 0),
  october('gone', { number: '0000127', status: 'cancelled', paymentStatus: 'refunded' }),
  order('september', { number: 'S-1', orderDate: '2026-09-30T12:00' }),
]

describe.skipIf(!hasBrowser)('orders in a browser', () => {
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
  const textOf = async (page: Page) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')

  it('close October and open the CSV in LibreOffice: at most 12 actions', async () => {
    const { page, complaints } = await open('')
    let actions = 0
    const act = async (action: Promise<unknown>) => {
      actions += 1
      await action
    }
    await act(page.getByRole('link', { name: 'Orders', exact: true }).click())
    await act(page.getByRole('link', { name: 'Last month' }).click())
    await page.getByRole('heading', { name: 'Orders Oct 2026' }).waitFor()
    await page.locator('.wrong tr', { hasText: '0000125' }).waitFor()
    const text = await textOf(page)
    expect(text).toContain('Mismatches: 2')
    expect(text).toContain('Valid and open, together 350.50 0.00 3')
    expect(text).toContain('of it open 70.00 0.00 1')
    expect(text).toContain('paid back -100.00 –')
    expect(text).toContain('On hold – 100.00 1')
    expect(text).not.toContain('S-1')
    await act(page.locator('summary', { hasText: 'Download' }).click())
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      act(page.getByRole('button', { name: 'One row per item, CSV' }).click()),
    ])
    const folder = makeTemporaryFolder()
    const name = download.suggestedFilename()
    expect(name).toBe('order-items-2026-10-01-2026-10-31.csv')
    await download.saveAs(join(folder, name))
    // Its first sheet, in English, as when somebody opens it with a double click.
    if (spawnSync('soffice', ['--version']).error === undefined) {
      actions += 1
      const sheet = await openedIn(folder, name, [
        '--infilter=Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true,false,false,false,-1',
      ])
      expect(sheet).toContain('<text:p>0000123</text:p>')
      expect(sheet).toContain('office:value-type="float" office:value="150.5"')
      expect(sheet).toContain('office:value-type="date" office:date-value="2026-10-05"')
      expect(sheet).toContain('Line total')
    }
    expect(actions).toBeLessThanOrEqual(12)
    expect(complaints).toEqual([])
    await page.close()
  }, 300_000)

  it('filters by status and payment are in the address, and “Back” keeps them', async () => {
    const { page } = await open(`orders?${OCTOBER}`)
    const rows = page.locator('.rows').last().locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(5)
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Open' })
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('link', { name: '0000124' }).click()
    await page.getByRole('heading', { name: 'Order 0000124' }).waitFor()
    await page.getByRole('link', { name: 'Back: Orders Oct 2026' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(page.url()).toContain('group=open')
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'All' })
    await page.getByRole('combobox', { name: 'Payment' }).selectOption({ label: 'Paid' })
    await expect.poll(() => rows.count()).toBe(2)
    await page.close()
  })

  it('ruling 51: without guests.financial payments are not permitted, which is not 0; scripts in names are text', async () => {
    const key = await api.createKey({ scopes: ['orders'] })
    const { page, complaints } = await open(`orders?${OCTOBER}`, { key: key.apiKey })
    await page.locator('.money').waitFor()
    const text = await textOf(page)
    expect(text).toContain('of it open not permitted')
    expect(text).toContain('Payments were not checked')
    expect(text).toContain(HOSTILE)
    expect(await page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
    const meals = await api.createKey({ scopes: ['meals'] })
    const other = await open(`orders?${OCTOBER}`, { key: meals.apiKey })
    await other.page.locator('main').waitFor()
    expect(await other.page.locator('.money').count()).toBe(0)
    expect(await other.page.content()).not.toContain('0000123')
    await other.page.close()
  })

  it.each([
    ['light', 320],
    ['dark', 768],
    ['light', 1440],
    ['dark', 1920],
  ] as const)(
    'is accessible and fits, %s and %i wide',
    async (scheme, width) => {
      const { page } = await open(`orders?${OCTOBER}`, { scheme, width })
      await page.locator('.money').waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      if (process.env.SHOTS !== undefined) {
        await page.screenshot({ path: `${process.env.SHOTS}/orders-${width}.png`, fullPage: true })
        await page.pdf({ path: `${process.env.SHOTS}/orders-${width}.pdf`, format: 'A4' })
      }
      await page.close()
    },
    120_000,
  )
})
