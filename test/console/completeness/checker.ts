/** Opens pages and prints them, and compares what can be read there with what the API answers to the same key. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Field } from '../../../client/src/openapi.ts'
import { type Case, centerAt, centerOf, makeCase, type PageName } from './cases.ts'
import { administration } from './expected/administration.ts'
import { withAge } from './expected/data-age.ts'
import * as desk from './expected/desk.ts'
import { type Expectation, type Expecting, sayIn } from './expected/expecting.ts'
import { oneGuest } from './expected/guest.ts'
import * as kitchen from './expected/kitchen.ts'
import { newGuests } from './expected/new-guests.ts'
import { rights } from './expected/rights.ts'
import { search } from './expected/search.ts'
import { sources } from './expected/sources.ts'
import * as today from './expected/today.ts'
import { type Difference, differencesOf, type Readable } from './facts.ts'
import { nearNumbers, PageText, readPage, readTree } from './page-text.ts'
import { printPage } from './paper-text.ts'
import { type MadeCenter, NOW, TODAY } from './random-center.ts'
import { type CheckedService, readApi } from './service.ts'
import { writtenIn } from './written.ts'

const EXPECTED: Readonly<Record<PageName, Expectation>> = {
  today: withAge('bookings', today.deskToday),
  'today/room-list': withAge('bookings', today.houseList),
  'today/evacuation-list': withAge('bookings', today.houseList),
  kitchen: withAge('bookings', kitchen.kitchenToday),
  'kitchen/week': withAge('bookings', kitchen.kitchenWeek),
  'kitchen/wall': withAge('bookings', kitchen.wall),
  'kitchen/day-sheet': withAge('bookings', kitchen.daySheet),
  'kitchen/week-sheet': withAge('bookings', kitchen.weekSheet),
  guests: withAge('bookings', desk.guests),
  'new-guests': withAge('bookings', newGuests),
  'guests/one': withAge('bookings', oneGuest),
  sessions: withAge('sessions', desk.sessions),
  rooms: withAge('bookings', desk.rooms),
  orders: withAge('orders', desk.orders),
  'orders/one': withAge('orders', desk.oneOrder),
  contradictions: withAge('bookings', desk.contradictions),
  administration,
  rights,
  sources,
  key: desk.thisKey,
  search,
}

/** A page that is still loading is looked at again after so many milliseconds; then a difference is one. */
const LOOK_AGAIN_MS = [50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800] as const

export interface Checked {
  readonly case: Case
  readonly center: MadeCenter
  readonly differences: readonly Difference[]
}

export interface CheckerOptions {
  readonly service: CheckedService
  readonly browser: Browser
  readonly seed: number
  /** what a test does to the page before it is looked at, to show that the check sees it */
  readonly tamper?: (page: Page) => Promise<void>
}

export class Checker {
  readonly #options: CheckerOptions
  readonly #centers = new Map<number, Promise<MadeCenter>>()
  readonly #keys = new Map<string, Promise<string>>()
  #context: Promise<BrowserContext> | undefined
  /** how many facts of each kind were compared */
  readonly compared = new Map<string, number>()
  #page: Promise<Page> | undefined

  constructor(options: CheckerOptions) {
    this.#options = options
  }

  /** Opens or prints one page. */
  async check(at: number, medium: Case['medium']): Promise<Checked> {
    const center = await this.#center(centerOf(at))
    const of = await this.caseAt(at, medium)
    return { case: of, center, differences: await this.differencesIn(of, center.id) }
  }

  /** What would be opened or printed. */
  async caseAt(at: number, medium: Case['medium']): Promise<Case> {
    return makeCase(this.#options.seed, at, medium, await this.#center(centerOf(at)))
  }

  /** @param center its identifier */
  async differencesIn(of: Case, center: string): Promise<Difference[]> {
    const { service, tamper } = this.#options
    const key = await this.#key(center, of.scopes, of.customFields)
    const api = readApi(service.origin, key, of.language)
    const [me, fields] = await Promise.all([
      api.get<{ center: { timezone: string } }>('/me'),
      api.get<{ data: readonly Field[] }>('/fields'),
    ])
    const written = writtenIn(of.language, me.center.timezone)
    const say = sayIn(of.language, written)
    const expecting: Expecting = { api, of, written, say, fields: fields.data }
    const expected = await EXPECTED[of.page](expecting)
    for (const { what } of expected.flatMap(({ facts }) => facts)) {
      // Without the day that it is about.
      const kind = what.replace(/ \d{4}-.*/, ' a day')
      this.compared.set(kind, (this.compared.get(kind) ?? 0) + 1)
    }
    const page = await this.#open(of, key)
    let differences: Difference[] = []
    for (const ms of LOOK_AGAIN_MS) {
      await page.waitForTimeout(ms)
      await unfold(page)
      await tamper?.(page)
      differences = differencesOf(await read(page, of, say), expected)
      if (differences.length === 0) break
    }
    return differences
  }

  /** The page of a case, as it is now: for a picture of a difference. */
  async page(): Promise<Page> {
    this.#context ??= this.#options.browser.newContext()
    this.#page ??= this.#context.then(async (context) => {
      const page = await context.newPage()
      await page.addInitScript(FASTER)
      await page.addInitScript(OTHER_FONT)
      // A page that takes long on a busy machine leaves nothing out.
      page.setDefaultTimeout(120_000)
      return page
    })
    return this.#page
  }

  async close(): Promise<void> {
    await (await this.#context)?.close()
  }

  async #open(
    { page: name, query, width, height, scheme, language, columns, font }: Case,
    key: string,
  ): Promise<Page> {
    const { origin } = this.#options.service
    const page = await this.page()
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme, media: null })
    await page.goto(`${origin}/health/live`)
    await page.clock.setFixedTime(NOW)
    await page.evaluate(
      ([key, language, columns, font]) => {
        sessionStorage.clear()
        localStorage.clear()
        sessionStorage.setItem('sojourn-key', key ?? '')
        localStorage.setItem('sojourn-language', language ?? '')
        if (columns) localStorage.setItem('sojourn-columns', columns)
        if (font) localStorage.setItem('font-of-the-check', font)
      },
      [key, language, columns === undefined ? '' : JSON.stringify(columns), font],
    )
    if (name === 'search') {
      // The page below it has nothing that is found.
      await page.goto(`${origin}/console#/key`)
      await page.locator('#q').fill(query.q ?? '')
    } else if (name === 'rights') {
      await page.goto(`${origin}/console#/rights`)
      await page
        .locator('main')
        .getByRole('searchbox')
        .fill(query.name ?? '')
      await page.keyboard.press('Enter')
      await page.locator('.entry button').first().click()
      await page.locator('h2:focus').waitFor()
    } else {
      await page.goto(`${origin}/console#/${name}?${new URLSearchParams(query)}`)
    }
    return page
  }

  #center(at: number): Promise<MadeCenter> {
    const { service, seed } = this.#options
    const known = this.#centers.get(at)
    if (known !== undefined) return known
    const load = async () => {
      const center = centerAt(seed, at)
      await service.load(center.records)
      for (const source of center.sources) await service.deliver(center.id, source)
      await service.takeCutOffs()
      if (center.changes.length > 0) {
        const key = await this.#key(center.id, ['meals'], [])
        // Stores the sheet that the kitchen printed in the morning.
        await readApi(service.origin, key, 'en').get(`/meals/sheets/${TODAY}`)
        await service.load(center.changes)
      }
      await service.evaluate()
      return center
    }
    const loading = load()
    this.#centers.set(at, loading)
    loading.catch(() => this.#centers.delete(at))
    return loading
  }

  #key(center: string, scopes: readonly string[], customFields: readonly string[]): Promise<string> {
    const name = JSON.stringify([center, scopes, customFields])
    const known = this.#keys.get(name) ?? this.#options.service.keyFor(center, scopes, customFields)
    this.#keys.set(name, known)
    return known
  }
}

/** Opens what is folded, as a reader does who wants to see all of it. */
const unfold = (page: Page) =>
  page.evaluate(`for (const fold of document.querySelectorAll('main details:not(.menu)')) fold.open = true`)

async function read(page: Page, { medium, page: name }: Case, say: Expecting['say']): Promise<Readable> {
  if (medium === 'paper') return printPage(page, (n, total) => say('pageOf', { n, total }))
  return name === 'kitchen/wall' ? readWall(page) : readPage(page)
}

/** Nobody scrolls a wall. Where not all diets fit, it alternates between pages. */
async function readWall(page: Page): Promise<Readable> {
  const trees = [await readTree(page, { canScroll: false })]
  const rounds = (await page.locator('.page-number').count()) > 0 ? PAGES_MAX : 0
  for (let round = 0; round < rounds; round += 1) {
    await page.waitForTimeout(SENDING_MS)
    trees.push(await readTree(page, { canScroll: false }))
  }
  return new PageText(trees, await nearNumbers(page))
}

/** A display that alternates does it this fast in the check, and between so many pages at most. */
const SENDING_MS = 300
const PAGES_MAX = 9
const FASTER = `(() => {
  const real = setInterval
  globalThis.setInterval = (act, ms, ...more) => real(act, ms > 5000 && ms < 20000 ? ${SENDING_MS} : ms, ...more)
})()`
/** Machines have other fonts; the page is laid out with the chosen one from its beginning. */
const OTHER_FONT = `(() => {
  const font = localStorage.getItem('font-of-the-check')
  if (font === null) return
  const set = () => {
    document.documentElement?.style.setProperty('--font', JSON.stringify(font))
    return document.documentElement !== null
  }
  if (!set()) new MutationObserver((_, observer) => set() && observer.disconnect()).observe(document, { childList: true })
})()`
