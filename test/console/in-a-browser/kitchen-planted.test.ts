/**
 * Every late arrival and every allergy that something contradicts is on the printed day, on its page and counted on the
 * wall, however many there are; and every guest whose bookings give different allergies is on the printed contradictions.
 */
import { spawnSync } from 'node:child_process'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluatorOf } from '../../routes/contradictions/center.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { booking, guest, metaField, spa, type TestRecord } from '../../support/world.ts'
import { openConsole } from './console.ts'

const hasPdfToText = spawnSync('pdftotext', ['-v']).error === undefined
const NOW = '2026-11-21T08:02:00Z'
const DAY = '2026-11-21'
const LATE = 200
const CONTRADICTIONS = 100

const two = (at: number) => String(at % 60).padStart(2, '0')
/** Each name is one word, so that it is found in the text of the paper. */
const late = Array.from({ length: LATE }, (_, at) => ({ name: `Late${1000 + at}`, time: `22:${two(at)}` }))
/** An allergy next to "none", to an unknown text, to a diet, or spelled in another way. */
const DIETS: readonly Readonly<Record<string, string>>[] = [
  { diet: 'none', allergies: 'nuts' },
  { diet: 'none, NUTS' },
  { diet: 'egg-free; Nüsse' },
  { diet: 'vegan', allergies: 'kosher|nusse' },
  { diet: 'nuts\nnone', allergies: '-' },
]
const contradictory = Array.from({ length: CONTRADICTIONS }, (_, at) => ({
  name: `Allergic${1000 + at}`,
  meta: DIETS[at % DIETS.length]!,
}))
/** Their bookings of this and of next month say different things. */
const differing = Array.from({ length: CONTRADICTIONS }, (_, at) => `Differs${1000 + at}`)
const stay = { startDate: '2026-11-17T14:00', endDate: '2026-11-27T10:00', status: 'arrived' }
const values = [
  { value: 'vegan' },
  { value: 'nuts', otherSpellings: ['Nüsse'], isAllergy: true },
  { value: 'none', otherSpellings: ['-'], isNone: true },
]

const RECORDS: readonly TestRecord[] = [
  spa({
    mealRules: {
      mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' },
      mealEnds: { breakfast: '10:00', lunch: '14:00', dinner: '20:45' },
      dietFields: [
        { field: 'diet', values },
        { field: 'allergies', values },
        { field: 'chosen', values },
      ],
    },
  }),
  metaField('diet'),
  metaField('allergies'),
  metaField('chosen', { of: 'booking' }),
  ...late.flatMap(({ name, time }, at) =>
    guest(
      `l${at}`,
      { ...stay, startDate: `${DAY}T${time}`, status: 'confirmed' },
      { firstName: name, lastName: null },
    ),
  ),
  ...contradictory.flatMap(({ name, meta }, at) =>
    guest(`a${at}`, stay, { firstName: name, lastName: null, meta }),
  ),
  ...differing.flatMap((name, at) => [
    ...guest(`d${at}`, { ...stay, meta: { chosen: 'nuts' } }, { firstName: name, lastName: null }),
    booking(`e${at}`, {
      customerId: `c-d${at}`,
      startDate: '2026-12-17T14:00',
      endDate: '2026-12-20T10:00',
      meta: { chosen: at % 2 === 0 ? 'none' : 'vegan' },
    }),
  ]),
  // Most guests are no exception.
  ...Array.from({ length: 300 }, (_, at) => guest(`o${at}`, stay, { meta: { diet: 'none' } })).flat(),
]

describe.skipIf(!hasBrowser || !hasPdfToText)('the printed day', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({ records: RECORDS, now: NOW })
    await evaluatorOf(api, 'test', NOW).look()
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it(`has ${LATE} late arrivals with their hours, and ${CONTRADICTIONS} contradicted allergies with their sign`, async () => {
    const key = api.key.apiKey
    const { page } = await openConsole(browser, { origin, key, now: NOW }, `kitchen/day-sheet?day=${DAY}`)
    await page.getByText('Allergic1000').waitFor()
    const text = textOfPdf(await page.pdf({ preferCSSPageSize: true }))
    const lines = text.split('\n')
    /** The row that begins with the name, and its next line, if it has one. */
    const rowOf = (name: string) => {
      const at = lines.findIndex((line) => line.includes(name))
      return at < 0 ? '' : `${lines[at]} ${lines[at + 1] ?? ''}`
    }
    const allergic = [...contradictory.map((one) => one.name), ...differing]
    expect(late.filter(({ name, time }) => !rowOf(name).includes(`arrives ${time}`))).toEqual([])
    expect(allergic.filter((name) => !/◆\s*nuts/.test(rowOf(name)))).toEqual([])

    // On the page, what is said of a guest follows the name.
    const said = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')
    const parts = said.split(/(?=\b(?:Late|Allergic|Differs)1\d{3}\b)/)
    const partOf = (name: string) => parts.find((part) => part.startsWith(name)) ?? ''
    expect(late.filter(({ name, time }) => !partOf(name).includes(`arrives ${time}`))).toEqual([])
    expect(allergic.filter((name) => !partOf(name).includes('Allergy or intolerance: nuts'))).toEqual([])
    expect(text).toContain('Others who eat every meal, with no diet on record: 300.')
    expect(text).toContain('asked and have no diet: 300')
  })

  it('the wall counts no plate of a late arrival, and every allergy', async () => {
    const key = api.key.apiKey
    const { page } = await openConsole(browser, { origin, key, now: NOW }, 'kitchen/wall')
    await page.getByText('nuts').first().waitFor()
    const text = await page.locator('main').innerText()
    // 100 and 100 with an allergy, and 300 others.
    expect(text.match(/\b500\b/g)?.length).toBeGreaterThanOrEqual(3)
    const plates = [...text.matchAll(/Allergy or intolerance:\s+nuts\s+(\d+)/g)].map(([, count]) =>
      Number(count),
    )
    expect(plates.reduce((sum, count) => sum + count, 0)).toBe(2 * CONTRADICTIONS)
  })

  it(`the printed contradictions have ${CONTRADICTIONS} guests whose bookings give different allergies`, async () => {
    const key = api.key.apiKey
    const { page } = await openConsole(browser, { origin, key, now: NOW }, 'contradictions')
    await page.getByText('Differs1000').first().waitFor()
    const text = textOfPdf(await page.pdf({ preferCSSPageSize: true }))
    expect(differing.filter((name) => !text.includes(name))).toEqual([])
    expect(text).toContain(`To decide: ${CONTRADICTIONS}`)
  })
})
