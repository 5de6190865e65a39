/** Every sheet of every list that is printed says what it is, of which day, and its place among as many as there are. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { guest, metaField, spa, term } from '../../support/world.ts'
import { openConsole } from './console.ts'

const TODAY = '2026-11-21'
const NOW = `${TODAY}T08:02:00Z`
const DATE = '11/21/2026'
/** A full house, in which everybody has a diet. */
const GUESTS = 96
const ROOMS = 48
const DIETS = ['vegetarian', 'no lactose', 'no gluten', 'diabetes', 'low salt']

const person = (at: number) =>
  guest(
    `b${at}`,
    {
      startDate: '2026-11-17T14:00',
      endDate: '2026-11-27T10:00',
      status: 'arrived',
      acc: { roomId: `r${at % ROOMS}` },
    },
    { firstName: 'Guest', lastName: `N${at}`, meta: { diet: DIETS[at % DIETS.length] } },
  )

describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    const dietFields = [{ field: 'diet', allergies: ['no gluten'] }]
    api = await startTestApi({
      now: NOW,
      records: [
        spa({ mealRules: { dietFields } }),
        metaField('diet', { label: 'Diet' }),
        ...Array.from({ length: ROOMS }, (_, at) => term('room', `r${at}`, `${101 + at}`)),
        ...Array.from({ length: GUESTS }, (_, at) => person(at)).flat(),
      ],
    })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it.each([
    ['kitchen/day-sheet', 3],
    ['today/room-list', 3],
    ['today/evacuation-list', 4],
    ['today', 4],
    ['guests', 4],
    ['rooms', 3],
  ])('each sheet of %s has title, date and its place', async (place, sheetsMax) => {
    const { page } = await openConsole(browser, { origin, key: api.key.apiKey, now: NOW }, place, {})
    await page
      .getByText(place === 'rooms' ? '148' : 'N95')
      .first()
      .waitFor()
    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true })
    const sheets = textOfPdf(pdf).split('\f').slice(0, -1)
    for (const [at, sheet] of sheets.entries()) {
      const text = sheet.replaceAll(/\s+/g, ' ')
      expect(text).toMatch(new RegExp(`\\b${at + 1} of ${sheets.length}\\b`))
      expect(text).toContain(DATE)
      expect(text).toContain('Izvorul Alb')
    }
    const whole = sheets.join(' ')
    const missing = Array.from({ length: GUESTS }, (_, at) => `N${at}`).filter(
      (name) => !new RegExp(`\\b${name}\\b`).test(whole),
    )
    // The list of rooms has no names.
    expect(missing.length).toBe(place === 'rooms' ? GUESTS : 0)
    expect(sheets.length).toBeGreaterThan(1)
    expect(sheets.length).toBeLessThanOrEqual(sheetsMax)
    await page.close()
  })
})
