/** What a cook waits for: from opening the console's kitchen to the plates, in a browser, signed in. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext } from 'playwright-core'
import { launchBrowser } from '../../test/support/browser.ts'
import { type Bench, BenchFailed, type Finding, type Measurement } from '../support/bench.ts'
import { makeFolder, smallRecords } from '../support/embedded-data.ts'
import { figure } from '../support/rounds.ts'
import { startService } from '../support/service.ts'

/** By then the service has made the console. */
const PREPARED_MS = 4000
const WAIT_MS = 20_000

interface View {
  /** milliseconds from the navigation to the number of portions */
  readonly ms: number
  readonly shift: number
}

export const consoleView: Measurement = {
  name: 'console',
  title:
    'the kitchen page from its address to its plates, at the first visit and later, and what moves meanwhile',

  async run(bench: Bench): Promise<Finding[]> {
    const folder = await makeFolder(bench, await smallRecords(bench))
    const browser = await launchBrowser()
    bench.afterwards(() => browser.close())
    const first: View[] = []
    const again: View[] = []
    const other: View[] = []
    for (let round = 0; round < bench.rounds; round += 1) {
      const service = await startService(bench, { dataDir: folder.dataDir })
      await sleep(PREPARED_MS)
      const visitor = await signedIn(browser, folder.apiKey)
      first.push(await view(visitor, service.url))
      again.push(await view(visitor, service.url))
      await visitor.close()
      const second = await signedIn(browser, folder.apiKey)
      other.push(await view(second, service.url))
      await second.close()
      await service.stop()
    }
    const time = (what: string, views: readonly View[]) => ({
      ...figure(
        what,
        views.map(({ ms }) => ms),
      ),
      unit: 'ms',
      target: { atMost: 1000 },
    })
    return [
      time('first visit of a service that has just started', first),
      time('first visit of another browser', other),
      time('visit of a browser that knows it', again),
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

async function view(context: BrowserContext, url: string): Promise<View> {
  const page = await context.newPage()
  await page.goto(`${url}/console#/kitchen`)
  await page.locator('.meals .cook td').first().getByText(/\d/).waitFor({ timeout: WAIT_MS })
  // What comes after the plates may move them.
  await sleep(500)
  const { ms, shift } = JSON.parse(String(await page.evaluate('JSON.stringify(seen)')))
  await page.close()
  if (typeof ms !== 'number' || ms === 0) throw new BenchFailed('the plates never came')
  return { ms, shift: Number(shift) }
}
