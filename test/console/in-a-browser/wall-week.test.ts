/** A week of the wall display, on a clock that is moved: changes, a lost connection, a restart, another key, memory. */
import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateKey } from '../../../src/core/access/keys/rotate-key.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { guest, spa } from '../../support/world.ts'
import { openConsole } from './console.ts'

const START = '2026-11-16T08:00:00Z'
const HOUR_MS = 3_600_000
const stay = { startDate: '2026-11-10T14:00', endDate: '2026-12-20T10:00', status: 'arrived' }
const skipping = (lunch: readonly string[]) => ({
  ...stay,
  skippingMeals: { breakfast: [], lunch, dinner: [] },
})
const RECORDS = [
  spa({ mealRules: { mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' } } }),
  ...guest('b1', stay),
  ...guest('b2', stay),
  ...guest('b3', stay),
]

// Where there is no browser, `kitchen.test.ts` and `reading.test.ts` still hold what the wall computes.
describe.skipIf(!hasBrowser)('in a browser', () => {
  let now = Date.parse(START)
  let api: TestApi
  let browser: Browser
  let port: number
  const clock = () => now
  beforeAll(async () => {
    api = await startTestApi({ records: RECORDS, clock })
    port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port)
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it('a wall shows the right day for days, whatever happens meanwhile, and its memory stays', async () => {
    const key = await api.createKey({ scopes: ['meals'] })
    const origin = `http://127.0.0.1:${port}`
    const { page, complaints } = await openConsole(
      browser,
      { origin, key: key.apiKey, now: START },
      'kitchen/wall',
      { width: 1920 },
    )
    const forward = async (hours: number) => {
      for (let hour = 0; hour < hours; hour += 1) {
        now += HOUR_MS
        await page.clock.fastForward(HOUR_MS)
      }
    }
    const heading = (text: string) => page.getByRole('heading', { name: text })
    const plates = async (wanted: readonly string[]) =>
      expect
        .poll(
          async () => {
            // What waits to be tried again comes sooner.
            await page.clock.fastForward(6000)
            return page.locator('.meals .cook td').allTextContents()
          },
          { timeout: 60_000 },
        )
        .toEqual(wanted)
    const noContact = page.getByText('No connection since')

    await heading('Monday 11/16/2026').waitFor()
    await plates(['3', '3', '3'])
    // After dinner the next day, and past midnight still that one.
    await forward(12)
    await heading('Tuesday 11/17/2026').waitFor()
    await forward(12)
    await plates(['3', '3', '3'])
    expect(await page.locator('h1').textContent()).toBe('Tuesday 11/17/2026')
    const before = await memoryOf(page)

    // A change is seen; then the connection is lost for a night.
    await api.load(guest('b1', skipping(['2026-11-17', '2026-11-18'])))
    await plates(['3', '2', '3'])
    await page.route('**/v1/**', (route) => route.abort())
    await forward(24)
    await noContact.waitFor()
    expect(await page.locator('h1').textContent()).toBe('Wednesday 11/18/2026')
    expect(await page.locator('.meals .cook td').allTextContents()).toEqual(['3', '2', '3'])
    await api.load(guest('b2', skipping(['2026-11-18'])))
    await page.unroute('**/v1/**')
    await plates(['3', '1', '3'])
    await expect.poll(() => noContact.count()).toBe(0)

    // The service is away for a while and comes back as another process would.
    await api.app.close()
    await forward(3)
    api = await startTestApi({ database: api.database, records: RECORDS, clock })
    await api.app.listen({ port, host: '127.0.0.1' })
    await forward(21)
    await heading('Thursday 11/19/2026').waitFor()
    await plates(['3', '3', '3'])

    // Its key is replaced, which it says while the old one still counts.
    await rotateKey(api.database, key.publicKey, {
      now,
      overlapMs: 48 * HOUR_MS,
      random: randomBytes,
    })
    await forward(24)
    await page.getByText('This key: expires on 11/21/2026').waitFor()
    await plates(['3', '3', '3'])
    await forward(30)
    await page.getByText('This key is no longer valid.').waitFor()
    const after = await memoryOf(page)
    expect(after.nodes).toBeLessThan(before.nodes * 1.2)
    expect(after.bytes).toBeLessThan(before.bytes * 1.2)
    // With another key the wall goes on.
    const next = await api.createKey({ scopes: ['meals'] })
    await page.evaluate((text) => sessionStorage.setItem('sojourn-key', text), next.apiKey)
    await page.reload()
    await page.locator('.meals .cook td', { hasText: '3' }).first().waitFor()
    await plates(['3', '3', '3'])
    // Two days more with it, a change among them, to the end of the week.
    const reloaded = await memoryOf(page)
    await forward(24)
    await heading('Sunday 11/22/2026').waitFor()
    await plates(['3', '3', '3'])
    await api.load(guest('b3', skipping(['2026-11-23'])))
    await forward(18)
    await heading('Monday 11/23/2026').waitFor()
    await plates(['3', '2', '3'])
    const last = await memoryOf(page)
    expect(last.nodes).toBeLessThan(reloaded.nodes * 1.2)
    expect(last.bytes).toBeLessThan(before.bytes * 1.2)
    expect(complaints.filter((text) => !text.includes('Failed to load resource'))).toEqual([])
    await page.close()
  })
})

/** What the page holds once everything that nobody needs is gone. */
async function memoryOf(page: Page): Promise<{ readonly bytes: number; readonly nodes: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  await session.detach()
  return { bytes: usedSize, nodes }
}
