/** What people wait for in a browser, signed in: from opening the console to its numbers, and from one page to the next. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../test/support/browser.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { makeFolder, smallRecords } from '../support/folder-data.ts'
import { FIRST_DAY } from '../support/make-data-sql.ts'
import { figure } from '../support/rounds.ts'
import { startService } from '../support/service.ts'

/** By then the service has made the console. */
const PREPARED_MS = 4000
const WAIT_MS = 20_000
/** After it, the code of all pages is in the tab. */
const LOADED_MS = 7000
/** A day with a session of forty guests. */
const DAY = Temporal.PlainDate.from(FIRST_DAY).add({ days: 4 }).toString()
const DAYS = `startDate=${FIRST_DAY}&endDate=${FIRST_DAY.slice(0, 8)}31`

/** Pages, one after the other, with what is there when they are. */
const PAGES = [
  [`today?day=${DAY}`, '.say3 b'],
  [`guests?inHouse=${DAY}`, '[role=table][aria-rowcount] [role=row]:nth-child(2)'],
  ['guests/one?id=1', '.guest .tri'],
  [`orders?${DAYS}`, '.money tbody td'],
  ['orders/one?uuid=order-0-0', '.order tfoot td'],
  [`sessions?year=${FIRST_DAY.slice(0, 4)}`, '.ses tbody td'],
  [`kitchen?day=${DAY}`, '.meals .cook td'],
] as const

interface View {
  /** milliseconds from the navigation to the number of portions */
  readonly ms: number
  readonly shift: number
}

export const consoleView: Measurement = {
  name: 'console',
  title:
    'the kitchen page from its address to its plates, the first time and later, what moves meanwhile, and from page to page',

  async run(bench: Bench): Promise<Figure[]> {
    const folder = await makeFolder(bench, await smallRecords(bench))
    const browser = await launchBrowser()
    bench.afterwards(() => browser.close())
    const first: View[] = []
    const again: View[] = []
    const other: View[] = []
    const unread: number[] = []
    const read: number[] = []
    for (let round = 0; round < bench.rounds; round += 1) {
      const service = await startService(bench, { dataDir: folder.dataDir })
      await sleep(PREPARED_MS)
      const reader = await signedIn(browser, folder.apiKey)
      first.push(await view(reader, service.url))
      again.push(await view(reader, service.url))
      await reader.close()
      const second = await signedIn(browser, folder.apiKey)
      other.push(await view(second, service.url))
      const page = await opened(second, service.url)
      await sleep(LOADED_MS)
      for (const places of [unread, read]) {
        for (const [place, selector] of PAGES) places.push(await switchTo(page, place, selector))
      }
      await second.close()
      await service.stop()
    }
    const time = (what: string, views: readonly View[]) => ({
      ...figure(
        what,
        views.map(({ ms }) => ms),
      ),
      unit: 'ms',
      target: { atMost: 800 },
    })
    const switching = (what: string, times: readonly number[]) => ({
      ...figure(what, times),
      unit: 'ms',
      target: { atMost: 140 },
    })
    return [
      time('first page of a service that has just started', first),
      time('first page of another browser', other),
      time('page of a browser that knows it', again),
      switching('another page, which was not read before', unread),
      switching('another page, which was read before', read),
      {
        ...figure(
          'layout shift',
          [...first, ...again, ...other].map(({ shift }) => shift),
        ),
        target: { atMost: 0 },
      },
    ]
  },
}

async function signedIn(browser: Browser, key: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(WATCH.replace('SOJOURN_KEY', JSON.stringify(key)))
  return context
}

/** Runs in the page before it does: when the plates stand, and what moved. */
const WATCH = `
  sessionStorage.setItem('sojourn-key', SOJOURN_KEY)
  globalThis.seen = { ms: 0, shift: 0 }
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) seen.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  const look = () => {
    const plates = document.querySelector('.meals .cook td')?.textContent ?? ''
    if (/\\d/.test(plates)) seen.ms = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

async function opened(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/console#/kitchen`)
  await page.locator('.meals .cook td').first().getByText(/\d/).waitFor({ timeout: WAIT_MS })
  return page
}

/** @returns milliseconds from the changed address to the frame in which the page has a number */
async function switchTo(page: Page, place: string, selector: string): Promise<number> {
  const ms = await page.evaluate(`new Promise((resolve) => {
    const began = performance.now()
    const look = () => {
      const now = performance.now()
      if (/\\d/.test(document.querySelector(${JSON.stringify(selector)})?.textContent ?? '')) resolve(now - began)
      else if (now - began > ${WAIT_MS}) resolve(0)
      else requestAnimationFrame(look)
    }
    location.hash = ${JSON.stringify(`#/${place}`)}
    requestAnimationFrame(look)
  })`)
  if (typeof ms !== 'number' || ms === 0) throw new BenchFailed(`${place} has no number`)
  return ms
}

async function view(context: BrowserContext, url: string): Promise<View> {
  const page = await opened(context, url)
  // What comes after the plates may move them.
  await sleep(500)
  const { ms, shift } = JSON.parse(String(await page.evaluate('JSON.stringify(seen)')))
  await page.close()
  if (typeof ms !== 'number' || ms === 0) throw new BenchFailed('the plates never came')
  return { ms, shift: Number(shift) }
}
