/** Kitchen pages and printouts of keys that may not read every diet, and of a center without diets: none looks complete. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter, type TestKey } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { guest, metaField, spa, type TestRecord } from '../../support/world.ts'
import { openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const stay = { startDate: '2026-11-17T14:00', endDate: '2026-11-27T10:00', status: 'arrived' }
const GUESTS: readonly TestRecord[] = [
  ...guest('b1', stay, { firstName: 'Ana', lastName: 'Văleanu', meta: { allergy: 'nuts' } }),
  ...guest('b2', stay, { firstName: 'Mihai', lastName: 'Radu', meta: { diet: 'low salt' } }),
  ...guest('b3', stay, { firstName: 'Olivia', lastName: 'Tarr' }),
]
const PAGES = ['kitchen', 'kitchen/wall', 'kitchen/week', 'kitchen/day-sheet', 'kitchen/week-sheet'] as const

// Where there is no browser, `kitchen.test.ts` and `portions.test.ts` still hold what the pages compute.
describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let unset: TestCenter
  let browser: Browser
  let origin: string
  const keys: Record<'all' | 'some' | 'none', TestKey> = Object.create(null)
  beforeAll(async () => {
    api = await startTestApi({
      now: NOW,
      records: [
        spa({ mealRules: { dietFields: [{ field: 'diet' }, { field: 'allergy', allergies: ['nuts'] }] } }),
        metaField('diet', { label: 'Diet' }),
        metaField('allergy', { label: 'Allergies' }),
        ...GUESTS,
      ],
    })
    unset = await api.newCenter(
      GUESTS.filter(({ kind }) => kind === 'booking' || kind === 'customer').map(
        ({ meta: _, ...record }) => record as TestRecord,
      ),
    )
    keys.all = await api.createKey({ scopes: ['meals'], customFields: ['diet', 'allergy'] })
    keys.some = await api.createKey({ scopes: ['meals'], customFields: ['diet'] })
    keys.none = await api.createKey({ scopes: ['meals'] })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const open = async (place: string, key: TestKey): Promise<Page> => {
    const { page } = await openConsole(browser, { origin, key: key.apiKey, now: NOW }, place, { width: 1920 })
    await page.locator('.cook td, .week td, .w td').getByText('3').first().waitFor()
    return page
  }
  /** What can be read without scrolling and without opening anything. */
  const textOf = (page: Page) => page.locator('body').innerText()

  it.each(PAGES)('%s says first that diets are withheld, and never that there are none', async (place) => {
    const page = await open(place, keys.none)
    const said = page
      .getByText(/This key has no access to diets\.|Diets and allergies are not on this/)
      .first()
    await said.waitFor()
    const above = await said.boundingBox()
    const sheet = place.includes('sheet')
    // On paper it is where the diets would be, elsewhere above the numbers or where they would be.
    if (!sheet) expect(above!.y).toBeLessThan(place === 'kitchen/wall' ? 900 : 400)
    const text = await textOf(page)
    expect(text).not.toMatch(/no diet/i)
    expect(text).toMatch(/may be for an allergy/)
    expect(await violationsOf(page)).toEqual([])
    await page.close()
  })

  it.each(PAGES)('%s says which diets are missing if the key may read some', async (place) => {
    const page = await open(place, keys.some)
    const text = await textOf(page)
    expect(text).toMatch(/allerg(y|ies)\./i)
    expect(text).toMatch(/does not have access to all diets|Not all diets and allergies are on this/)
    expect(text).toContain('low salt')
    expect(text).not.toMatch(/no diet/i)
    await page.close()
  })

  it.each(PAGES)('%s of a key that may read all diets says none of it', async (place) => {
    const page = await open(place, keys.all)
    const text = await textOf(page)
    expect(text).toContain('nuts')
    expect(text).toMatch(/no diet on record/i)
    expect(text).not.toMatch(/may be for an allergy|no access|not shown/i)
    await page.close()
  })

  it.each(PAGES)('%s of a center that has set no diet fields says so', async (place) => {
    const page = await open(place, unset.key)
    const text = await textOf(page)
    expect(text).toContain('your center has not set which fields')
    expect(text).not.toMatch(/no diet on record|no access/i)
    await page.close()
  })

  it('the printouts say it too', async () => {
    for (const place of PAGES.filter((one) => one !== 'kitchen/wall')) {
      const page = await open(place, keys.none)
      await page.emulateMedia({ media: 'print' })
      expect(await textOf(page), place).toMatch(
        /This key has no access to diets\.|Diets and allergies are not on this sheet\./,
      )
      await page.close()
    }
  })
})
