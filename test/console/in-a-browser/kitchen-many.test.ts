/** The kitchen's pages and printouts of a full house: many diets, groups that arrive and leave. Nothing is cut or lost. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { guest, metaField, spa, type TestRecord, term } from '../../support/world.ts'
import { type OpenedConsole, openConsole } from './console.ts'

const TODAY = '2026-11-21'
const NOW = `${TODAY}T08:02:00Z`
const MEALS = ['Breakfast', 'Lunch', 'Dinner'] as const
const ROOMS = 20

const diet = (at: number) => `diet ${at}`
const allergy = (at: number) => `without ${at}`

/** Of every seven guests one leaves today and one arrives; others skip meals. */
const person = (at: number, value: string | undefined): TestRecord[] =>
  guest(
    `b${at}`,
    {
      startDate: at % 7 === 5 ? `${TODAY}T14:00` : '2026-11-17T14:00',
      endDate: at % 7 === 3 ? `${TODAY}T10:00` : '2026-11-27T10:00',
      status: 'arrived',
      ...(at % 3 === 0 ? {} : { acc: { roomId: `r${at % ROOMS}` } }),
      skippingMeals: {
        breakfast: at % 9 === 0 ? [TODAY] : [],
        lunch: at % 5 === 0 ? [TODAY] : [],
        dinner: at % 8 === 0 ? [TODAY] : [],
      },
    },
    { firstName: `Guest`, lastName: `N${at}`, meta: value === undefined ? {} : { diet: value } },
  )

/** A house with so many diets, allergies first. */
function house(guests: number, allergies: number, diets: number): TestRecord[] {
  const values = [
    ...Array.from({ length: allergies }, (_, at) => allergy(at)),
    ...Array.from({ length: diets }, (_, at) => diet(at)),
  ]
  return [
    metaField('diet', { label: 'Diet' }),
    ...Array.from({ length: ROOMS }, (_, at) => term('room', `r${at}`, `${101 + at}`)),
    ...Array.from({ length: guests }, (_, at) =>
      person(at, at % 4 === 3 ? undefined : values[at % Math.max(1, values.length)]),
    ).flat(),
  ]
}

const rules = (allergies: number) => ({
  mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' },
  dietFields: [{ field: 'diet', allergies: Array.from({ length: allergies }, (_, at) => allergy(at)) }],
})

// Where there is no browser, `kitchen.test.ts` still holds what the pages compute.
describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({
      now: NOW,
      records: [spa({ mealRules: rules(3) }), ...house(40, 3, 3)],
    })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const open = (place: string, { key = api.key.apiKey, ...options }: OpenedConsole & { key?: string } = {}) =>
    openConsole(browser, { origin, key, now: NOW }, place, options)

  /** The cells of a row without what only screen readers get. */
  const cells = async (page: Page, row: string): Promise<string[][]> => {
    const rows = await page.locator(row).all()
    return Promise.all(rows.map((one) => one.locator('> *').allTextContents()))
  }

  it('for each meal, the names on the sheet of a day that eat it are as many as its portions', async () => {
    const { page } = await open('kitchen/day-sheet')
    await page.locator('.people').first().waitFor()
    const plates = (await cells(page, '.sheet .cook'))[0]!.slice(1).map(Number)
    const heads = (await cells(page, '.people thead tr'))[0]!
    const rows = await cells(page, '.people tbody tr')
    expect(heads).toEqual(['Room', 'Guest', 'Diet', 'Here', 'Skips'])
    expect(new Set(rows.map((row) => row[3]))).toEqual(new Set(['', 'until breakfast', 'from dinner']))
    const others = Number(
      /no diet on record: (\d+)\./.exec(await page.locator('.end').last().innerText())![1],
    )
    const eating = MEALS.map((meal) => {
      const named = rows.filter(([, , , here, skips]) => {
        if (here === 'until breakfast' && meal !== 'Breakfast') return false
        if (here === 'from dinner' && meal !== 'Dinner') return false
        return !skips!.split(', ').includes(meal.toLowerCase())
      })
      return named.length + others
    })
    expect(eating).toEqual(plates)
    await page.close()
  })

  it('a group that arrives is one line that opens, hides no other change, and what is left out can be opened', async () => {
    const spa = await api.newCenter(house(12, 2, 2), { mealRules: rules(2) })
    await spa.get(`/v1/meals/sheets/${TODAY}`)
    const load = (records: readonly TestRecord[]) =>
      api.load(records.map((record) => ({ ...record, centerId: spa.id })))
    const skipsDinner = (at: number) =>
      person(at, undefined).map((record) =>
        record.kind === 'booking'
          ? { ...record, skippingMeals: { breakfast: [], lunch: [], dinner: [TODAY] } }
          : record,
      )
    const group = Array.from({ length: 30 }, (_, at) =>
      guest(`n${at}`, {
        startDate: `${TODAY}T15:00`,
        endDate: '2026-11-27T10:00',
        status: 'arrived',
        acc: { roomId: `r${at % ROOMS}` },
      }),
    ).flat()
    for (const at of [1, 2, 4]) await load(skipsDinner(at))
    await load(group)
    const { page } = await open('kitchen', { key: spa.key.apiKey })
    const lines = page.locator('.since > ol > li')
    await lines.first().waitFor()
    expect(await lines.count()).toBe(4)
    expect(await lines.first().innerText()).toMatch(/Dinner \+30\s+new guests: 30\s+All 30, by room/)
    await lines.first().getByText('All 30, by room').click()
    expect(await lines.first().locator('li').count()).toBe(30)
    expect(await lines.first().locator('li').last().innerText()).toMatch(/Room 120 · new guest/)
    // More lines than a person reads are folded, and can be opened.
    for (let at = 30; at < 45; at += 1) {
      await load(guest(`m${at}`, { startDate: '2026-11-19', endDate: '2026-11-27', status: 'arrived' }))
    }
    const rest = page.locator('.since > details > summary')
    await rest.getByText('More guests with changes: 36').waitFor()
    await rest.click()
    expect(await page.locator('.since > details > ol > li').count()).toBe(7)
    const wall = await open('kitchen/wall', { key: spa.key.apiKey, width: 1920 })
    await wall.page.locator('.wall-since .others').waitFor()
    const text = await wall.page.locator('.wall-since').innerText()
    const shown = [...text.matchAll(/new guest, /g)].length
    const others = Number(/More guests with changes: (\d+)\./.exec(text)![1])
    expect(shown).toBeGreaterThan(0)
    expect(shown + others).toBe(48)
    await wall.page.close()
    await page.close()
  })
})
