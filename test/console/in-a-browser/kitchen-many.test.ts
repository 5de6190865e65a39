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
      person(at, at >= values.length && at % 4 === 3 ? undefined : values[at % Math.max(1, values.length)]),
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
    expect(heads).toEqual(['Room', 'Guest', 'Diet', 'B', 'L', 'D'])
    const others = Number(
      /no diet on record: (\d+)\./.exec(await page.locator('.end').last().innerText())![1],
    )
    const eating = MEALS.map((_, at) => rows.filter((row) => row[3 + at] === '•').length + others)
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
    const rest = page.locator('.since > details.rest > summary')
    await rest.getByText('More guests with changes: 36').waitFor()
    await rest.click()
    expect(await page.locator('.since > details.rest > ol > li').count()).toBe(7)
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

  /** Texts that are outside of the screen to a side, or cut by an element around them; of a wall, also below it. */
  const cutTexts = (page: Page): Promise<string[]> =>
    page.evaluate(`(() => {
      const cut = []
      const isPage = document.querySelector('.wall') === null
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.textContent.trim() === '' || node.parentElement.closest('.vh, script') !== null) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const { left, right, top, bottom } of range.getClientRects()) {
          let within = left >= -1 && right <= innerWidth + 1 && (isPage || (top >= -1 && bottom <= innerHeight + 1))
          for (let one = node.parentElement; one !== document.body; one = one.parentElement) {
            if (getComputedStyle(one).overflow === 'visible') continue
            const box = one.getBoundingClientRect()
            within &&= left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1
          }
          if (!within) cut.push(node.textContent)
        }
      }
      return cut
    })()`)

  describe('the wall', () => {
    /** Pairs of blocks that overlap: what is below must not be covered. */
    const overlaps = (page: Page): Promise<string[]> =>
      page.evaluate(`(() => {
        const blocks = [...document.querySelectorAll('.top, main > .sized, .say, .diets table, .low, .fresh')]
        const box = (one) => one.getBoundingClientRect()
        return blocks.flatMap((a, at) => blocks.slice(at + 1).flatMap((b) => {
          const [one, two] = [box(a), box(b)]
          const apart = one.bottom <= two.top + 1 || two.bottom <= one.top + 1 || one.right <= two.left + 1
          return apart ? [] : [a.className + ' ' + a.tagName + ' / ' + b.className + ' ' + b.tagName]
        }))
      })()`)
    const names = (page: Page) => page.locator('.diets tbody th').allInnerTexts()
    const openWall = async (allergies: number, diets: number, options: OpenedConsole = {}) => {
      const guests = Math.max(40, (allergies + diets) * 2)
      const spa = await api.newCenter(house(guests, allergies, diets), { mealRules: rules(allergies) })
      const { page } = await open('kitchen/wall', { width: 1920, key: spa.key.apiKey, ...options })
      await page.locator('.diets tbody th, .say').first().waitFor()
      return page
    }

    it.each([
      ['six diets', 3, 3, 1920, 1],
      ['seven diets', 4, 3, 1280, 1],
      ['twelve diets', 5, 7, 1920, 2],
      ['twelve diets', 5, 7, 1280, 2],
      ['twenty diets', 3, 17, 1920, 2],
      ['sixty diets', 6, 54, 1920, 2],
      ['sixty diets', 6, 54, 1024, 2],
    ])(
      'with %s cuts nothing, also without a connection (%i allergies of %i more, %i wide)',
      async (_, allergies, diets, width, columns) => {
        const page = await openWall(allergies, diets, { width })
        await page.setViewportSize({ width, height: Math.round((width * 9) / 16) })
        await expect.poll(() => page.locator('.diets table').count()).toBe(columns)
        const check = async () => {
          // The rows are laid out again in the frame after the size of the window has changed.
          await expect.poll(() => cutTexts(page)).toEqual([])
          await expect.poll(() => overlaps(page)).toEqual([])
          const shown = await names(page)
          for (let at = 0; at < allergies; at += 1) expect(shown.join('|')).toContain(allergy(at))
          const more = shown.find((text) => text.includes('see the sheet'))
          const counted = Number(/: (\d+)$/.exec(more ?? '')?.[1] ?? 0)
          expect(shown.filter((text) => text.startsWith('diet ')).length + counted).toBe(diets)
          expect(shown.join('|')).toMatch(/no diet on record/i)
        }
        await check()
        await page.route('**/v1/**', (route) => route.abort())
        await page.clock.fastForward(180_000)
        await page.locator('.at').getByText('No connection since 10:02').waitFor()
        await page.getByText('They may have changed').waitFor()
        await check()
        await page.close()
      },
      60_000,
    )

    it('with more allergies than fit shows them on alternating pages, and says which page it is', async () => {
      const page = await openWall(50, 4)
      await page.setViewportSize({ width: 1920, height: 1080 })
      const seen = new Set<string>()
      const pageNumber = page.locator('.page-number')
      const total = Number(/1 of (\d+)/.exec(await pageNumber.innerText())![1])
      expect(total).toBeGreaterThan(1)
      for (let at = 1; at <= total; at += 1) {
        await page.locator('.page-number', { hasText: `${at} of ${total}` }).waitFor()
        expect(await cutTexts(page)).toEqual([])
        for (const name of await names(page)) seen.add(name)
        await page.clock.fastForward(12_500)
      }
      for (let at = 0; at < 50; at += 1) expect([...seen].join('|')).toContain(allergy(at))
      await page.locator('.page-number', { hasText: `1 of ${total}` }).waitFor()
      await page.close()
    }, 300_000)
  })

  describe('seven days', () => {
    it.each([320, 390, 768, 1440, 1920])(
      '%i wide: three meals of each day, numbers in the bars, every diet',
      async (width) => {
        const spa = await api.newCenter(house(60, 4, 8), { mealRules: rules(4) })
        const { page } = await open('kitchen/week', { width, key: spa.key.apiKey })
        await page.locator('.week tbody tr.d').nth(6).waitFor()
        expect(await cutTexts(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
        expect(
          await page.evaluate(
            `(() => { const one = document.querySelector('.scroll'); return one.scrollWidth <= one.clientWidth })()`,
          ),
        ).toBe(true)
        const today = await page
          .locator('.week tr.d')
          .first()
          .locator('td.big')
          .evaluateAll((all) =>
            all.map((one) => (one as { firstChild: { textContent: string } }).firstChild.textContent),
          )
        const bars = page.locator('.chart > div').first().locator('.v')
        expect(await bars.allInnerTexts()).toEqual(today)
        for (const bar of await bars.all()) expect(await bar.isVisible()).toBe(true)
        for (let at = 0; at < 4; at += 1) {
          const name = page.locator('.week tr.dl th', { hasText: allergy(at) }).first()
          expect(await name.isVisible()).toBe(true)
        }
        await page.close()
      },
      60_000,
    )

    it('prints the sheet of the week, on which no diet is lost, with names after Ctrl+P', async () => {
      const spa = await api.newCenter(house(60, 4, 8), { mealRules: rules(4) })
      const { page, asked } = await open('kitchen/week', { key: spa.key.apiKey, scheme: 'dark' })
      await page.locator('.week tbody tr.d').nth(6).waitFor()
      await page.emulateMedia({ media: 'print' })
      const printed = async () => (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')
      const text = await printed()
      for (let at = 0; at < 4; at += 1) expect(text).toContain(allergy(at))
      for (let at = 0; at < 8; at += 1) expect(text).toContain(diet(at))
      expect(text).toContain('Without names')
      expect(await page.locator('.chart').isVisible()).toBe(false)
      expect(await cutTexts(page)).toEqual([])
      expect(asked.some((url) => url.includes('includeGuests'))).toBe(false)
      // What is in the page when the browser prints it.
      await page.evaluate('globalThis.print = () => { globalThis.printed = document.body.innerText }')
      await page.keyboard.press('Control+p')
      await expect.poll(() => page.evaluate('globalThis.printed ?? ""')).toContain('G. N5')
      expect(await page.evaluate('globalThis.printed')).not.toContain('Without names')
      await page.close()
    })
  })
})
