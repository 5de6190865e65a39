/** Why guests do not eat, who has which diet, and what nobody knows yet: on the page, on the wall and on paper. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { guest, metaField, spa, term } from '../../support/world.ts'
import { openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const here = { startDate: '2026-11-17T14:00', endDate: '2026-11-27T10:00', status: 'arrived' }
const person = (id: string, name: string, diet: string | undefined, stay: object = {}) =>
  guest(
    id,
    { ...here, acc: { roomId: id }, ...stay },
    { firstName: name, lastName: 'Pop', ...(diet === undefined ? {} : { meta: { diet } }) },
  )

const RECORDS = [
  spa({
    mealRules: {
      mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' },
      mealEnds: { breakfast: '10:00', lunch: '14:00', dinner: '20:45' },
      standardTimes: { arrival: ['15:00'] },
      dietFields: [
        {
          field: 'diet',
          values: [{ value: 'vegan' }, { value: 'nuts', isAllergy: true }, { value: 'none', isNone: true }],
        },
      ],
    },
  }),
  metaField('diet', { label: 'Diet' }),
  term('package', 'half', 'Half board', { meals: ['breakfast', 'dinner'] }),
  ...person('101', 'Ana', 'vegan; Nuts'),
  ...person('102', 'Mihai', 'egg-free'),
  ...person('103', 'Olivia', 'none'),
  ...person('104', 'Luca', undefined, {
    meals: [{ from: '2026-11-21', until: '2026-11-21', guests: 30 }],
  }),
  ...person('105', 'Rosa', 'none', { startDate: '2026-11-21T22:30', status: 'confirmed' }),
  ...person('106', 'Emil', 'none', { packageId: 'half' }),
]

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
  const open = async (place: string, waitsFor: string) => {
    const opened = await openConsole(browser, { origin, key: api.key.apiKey, now: NOW }, place)
    await opened.page.getByText(waitsFor).first().waitFor()
    return opened
  }
  const tidy = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())

  it('shows what nobody knows first, and tells those who have none from those who were not asked', async () => {
    const { page, complaints } = await open('kitchen', 'egg-free')
    const rows = await page.locator('table.meals').first().locator('tbody tr').allTextContents()
    const diets = tidy(rows).slice(-5)
    expect(diets.map((text) => text.replace(/[\d–]+$/, ''))).toEqual([
      'Unknown: egg-free',
      'Allergy or intolerance: nuts',
      'vegan',
      'Asked and has none',
      'Diet not asked',
    ])
    expect(tidy(rows)).toContain('People without a name303030')
    expect(await violationsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('the name of a diet opens the guests who have it, with rooms and meals; nobody is named before', async () => {
    const { page } = await open('kitchen', 'egg-free')
    expect(await page.getByText('Mihai Pop').count()).toBe(0)
    const opened = async (name: string | RegExp) => {
      await page.getByRole('button', { name }).click()
      await page.locator('tr.who th').first().waitFor()
      const lines = tidy(await page.locator('tr.who').allTextContents())
      await page.getByRole('button', { name }).click()
      return lines
    }
    expect(await opened('Unknown: egg-free')).toEqual(['102 Mihai Pop111'])
    expect(await opened('vegan')).toEqual(['101 Ana Pop111'])
    expect(await opened('Asked and has none')).toEqual([
      '103 Olivia Pop111',
      '105 Rosa Pop000',
      '106 Emil Pop101',
    ])
    expect(await opened('Diet not asked')).toEqual([
      '104 Luca Pop111',
      '104 Luca Pop, without a name: +30303030',
    ])
    expect(await page.locator('tr.who').count()).toBe(0)
  })

  it('says who does not eat, and why', async () => {
    const { page } = await open('kitchen', 'egg-free')
    await page.getByText('Who does not eat, and why').click()
    await page.getByText('Rosa Pop').waitFor()
    expect(tidy(await page.locator('.names li').allTextContents())).toEqual([
      '105Rosa Pop: arrives 22:30, after dinner',
      '106Emil Pop: package without lunch',
    ])
    expect(await page.getByText('Guests who arrive are served until: breakfast 10:00').isVisible()).toBe(true)
    expect(await page.getByText('These hours count as unknown: 15:00.').isVisible()).toBe(true)
  })

  it('prints each of them: the late arrival, the allergy, what nobody knows, and the group', async () => {
    const { page } = await open('kitchen/day-sheet?day=2026-11-21', 'Ana Pop')
    const lines = tidy(await page.locator('table.people tbody tr').allInnerTexts())
    expect(lines).toEqual([
      '101 Ana Pop Allergy or intolerance: nuts, vegan • • •',
      '102 Mihai Pop Unknown: egg-free • • •',
      '104 Luca Pop without a name: +30 • • •',
      '105 Rosa Pop arrives 22:30, after dinner – – –',
      '106 Emil Pop package without lunch • – •',
    ])
    const end = await page.locator('p.end').innerText()
    expect(end).toContain('Of them, asked and have no diet: 1. Not asked: 0.')
    // The portions and the diets are tables of their own.
    const table = (await page.locator('table.meals').allInnerTexts()).join('\n')
    for (const text of ['Unknown: egg-free', 'Asked and has none', 'Diet not asked', 'without a name: 30']) {
      expect(table).toContain(text)
    }
    // What nobody knows is before the allergies.
    expect(table.indexOf('Unknown: egg-free')).toBeLessThan(table.indexOf('nuts'))
  })

  it('the wall and the week say what nobody knows, too', async () => {
    for (const place of ['kitchen/wall', 'kitchen/week', 'kitchen/week-sheet']) {
      const { page } = await open(place, 'egg-free')
      const text = await page.locator('body').innerText()
      expect(text, place).toContain('Unknown: egg-free')
      expect(text, place).toContain('Asked and has none')
    }
  })
})
