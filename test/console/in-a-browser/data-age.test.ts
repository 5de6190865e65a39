/** How old the data is, on the pages of the console and on paper: a late source is amber, a silent one red. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, NOW, startSourcesWorld } from '../../routes/sources/deliver.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { guest } from '../../support/world.ts'
import { openConsole } from './console.ts'

const STAY = { startDate: '2026-11-17T14:00', endDate: '2026-11-27T10:00', status: 'arrived' }
const PAPER = ['kitchen/day-sheet', 'kitchen/week-sheet']
const PAGES = ['kitchen', 'kitchen/week', 'kitchen/wall', ...PAPER, 'guests']

// Where there is no browser, `received.test.ts` still holds what the pages compute.
describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  /** @param laterMs after the last delivery of an hourly source; undefined: nothing is known of any */
  async function world(laterMs: number | undefined) {
    const made = await startSourcesWorld()
    if (laterMs !== undefined) {
      const set = [
        'sources',
        'set',
        '--center',
        'spa',
        'system',
        '--kinds',
        'bookings',
        '--schedule',
        'hourly',
      ]
      await made.run(set)
      await made.deliver('system', guest('g0', STAY))
      made.now = NOW + laterMs
    }
    const origin = await made.api.app.listen({ port: 0, host: '127.0.0.1' })
    const now = new Date(made.now).toISOString()
    return (place: string) => openConsole(browser, { origin, key: made.api.key.apiKey, now }, place)
  }

  it('is on every page and sheet, with what is expected', async () => {
    const open = await world(HOUR / 2)
    for (const place of PAGES) {
      const { page } = await open(place)
      const age = page.getByText('Bookings last received 30 min ago; expected every hour').first()
      await age.waitFor({ state: 'attached' })
      if (place === 'kitchen') expect(await page.locator('.say').count()).toBe(0)
      await page.close()
    }
    // Six pages, on a machine that is busy.
  })

  it('is amber when a delivery is missing, above the plates and next to the clock of the wall', async () => {
    const open = await world(3 * HOUR)
    const { page } = await open('kitchen')
    await page
      .locator('.say.chgd')
      .getByText('Bookings last received 3 h ago; expected every hour.')
      .waitFor()
    await page.getByText('This page shows what was known at 10:00.').waitFor()
    await page.close()
    const wall = (await open('kitchen/wall')).page
    await wall.locator('.at .chg').getByText('Bookings last received 3 h ago; expected every hour').waitFor()
    await wall.close()
  })

  it('is red as soon as a night lies between', async () => {
    const open = await world(20 * HOUR)
    const { page } = await open('kitchen')
    await page.locator('.say.bad').getByText('Bookings last received 20 h ago').waitFor()
    expect(await page.locator('.say.bad').getAttribute('role')).toBe('alert')
    await page.close()
    const wall = (await open('kitchen/wall')).page
    await wall.locator('.at .silent').getByText('Bookings last received 20 h ago').waitFor()
    await wall.close()
  })
})
