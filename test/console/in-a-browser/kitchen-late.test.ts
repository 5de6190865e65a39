/** Changes after the cut-off of a meal, on the page and on the wall, until the cook has seen them. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCutOffTaker } from '../../../src/parts/kitchen/take-cut-offs.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { guest, spa } from '../../support/world.ts'
import { openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const stay = { startDate: '2026-11-17T14:00', endDate: '2026-11-27T10:00', status: 'arrived' }
const skips = (id: string) => ({
  kind: 'booking',
  centerId: 'spa',
  id,
  skippingMeals: { dinner: ['2026-11-21'] },
})

describe.skipIf(!hasBrowser)('in a browser', { timeout: 180_000 }, () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({
      now: NOW,
      records: [
        spa({ mealRules: { cutOffs: { dinner: { daysBefore: 1, time: '10:00' } } } }),
        ...guest('b1', { ...stay, acc: { roomId: '101' } }),
        ...guest('b2', stay),
      ],
    })
    const clock = () => Date.parse('2026-11-20T08:00:30Z')
    await createCutOffTaker(clockedDatabase(api.database, clock), clock).take()
    await api.load([skips('b1')])
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  const open = (place: string, key = api.key.apiKey) => openConsole(browser, { origin, key, now: NOW }, place)

  it('counts them by meal and room; a wall says how many', async () => {
    const { page, complaints } = await open('kitchen')
    await page.getByText('These came after the cut-off: dinner 1.').waitFor()
    expect(await page.locator('.late li').allTextContents()).toEqual(['dinner: Room 101'])
    expect(await violationsOf(page)).toEqual([])
    expect(complaints).toEqual([])
    const wall = await open('kitchen/wall')
    await wall.page.getByText('Late changes: These came after the cut-off: dinner 1.').waitFor()
  })

  it('a key without meals.confirm sees them and cannot acknowledge them', async () => {
    const { apiKey } = await api.createKey({ scopes: ['meals'] })
    const { page } = await open('kitchen', apiKey)
    await page.getByText('These came after the cut-off: dinner 1.').waitFor()
    expect(await page.getByRole('button', { name: 'I have seen them' }).count()).toBe(0)
  })

  it('the cook acknowledges what is shown, and nothing that came in the meantime', async () => {
    const { page } = await open('kitchen')
    const button = page.getByRole('button', { name: 'I have seen them' })
    await button.waitFor()
    // The page learns of it after the click.
    let isFirst = true
    await page.route('**/v1/actions/store-sheet', async (route) => {
      if (isFirst) await api.load([skips('b2')])
      isFirst = false
      await route.continue()
    })
    await button.click()
    await page.getByText('More has changed in the meantime. Look again.').waitFor()
    await page.getByText('These came after the cut-off: dinner 2.').waitFor()
    await button.click()
    await page.getByText('Acknowledged at').waitFor()
    expect(await button.count()).toBe(0)
    const { body } = await api.get('/v1/meals/sheets/2026-11-21?sheet=newest')
    expect(body.late).toMatchObject({ meals: { dinner: { changes: 0 } }, guests: [] })
  })
})
