/** What somebody with a phone on a slow line waits for: from the address to the field for the key, and from the key to the numbers. */
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../test/support/browser.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { makeFolder, smallRecords } from '../support/folder-data.ts'
import { FIRST_DAY } from '../support/make-data-sql.ts'
import { figure } from '../support/rounds.ts'
import { startService } from '../support/service.ts'

/** Chromium's emulation: each request waits, and all of them share the line. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
/** A day with a session of forty guests. */
const DAY = Temporal.PlainDate.from(FIRST_DAY).add({ days: 4 }).toString()
/** Three sessions of forty guests. */
const RECORDS = 300
const SIGN_IN_MS = 2500
const NUMBERS_MS = 4000
const REQUESTS_MAX = 12
const BYTES_MAX = 200_000
const WAIT_MS = 60_000

interface Opening {
  /** until the field is there */
  readonly signInMs: number
  /** from the key to the first number of the page */
  readonly numbersMs: number
  /** until the numbers, without data and what comes later */
  readonly requests: number
  readonly bytes: number
}

export const slowPhone: Measurement = {
  name: 'slow-phone',
  title:
    'the console on a phone with 50 kB/s and 400 ms: from its address to the field for the key, and from the key to the numbers',

  async run(bench: Bench): Promise<Figure[]> {
    const folder = await makeFolder(bench, await smallRecords(bench, RECORDS))
    const browser = await launchBrowser()
    bench.afterwards(() => browser.close())
    const openings: Opening[] = []
    for (let round = 0; round < bench.rounds; round += 1) {
      const service = await startService(bench, { dataDir: folder.dataDir })
      // The first reader of a service that has just started waits for the console to be made, which no line changes.
      await (await fetch(`${service.url}/console`)).text()
      openings.push(await opening(browser, service.url, folder.apiKey))
      await service.stop()
    }
    const of = (what: string, name: keyof Opening, unit: string, atMost: number) => ({
      ...figure(
        what,
        openings.map((opening) => opening[name]),
      ),
      unit,
      target: { atMost },
    })
    return [
      of('from the address to the field for the key', 'signInMs', 'ms', SIGN_IN_MS),
      of('from the key to the numbers of today', 'numbersMs', 'ms', NUMBERS_MS),
      of('requests for the console until then', 'requests', '', REQUESTS_MAX),
      of('bytes of the console until then', 'bytes', 'bytes', BYTES_MAX),
    ]
  },
}

async function opening(browser: Browser, url: string, key: string): Promise<Opening> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const line = await context.newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', LINE)
  const names = new Map<string, string>()
  let requests = 0
  let bytes = 0
  line.on('Network.requestWillBeSent', ({ requestId, request }) => names.set(requestId, request.url))
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!names.get(requestId)?.includes('/console')) return
    requests += 1
    bytes += encodedDataLength
  })
  const began = performance.now()
  await page.goto(`${url}/console#/today?day=${DAY}`, { waitUntil: 'commit' })
  const field = page.locator('#key')
  await field.waitFor({ timeout: WAIT_MS })
  const signInMs = performance.now() - began
  await field.fill(key)
  const sent = performance.now()
  await field.press('Enter')
  await page.locator('.say3 b').first().getByText(/\d/).waitFor({ timeout: WAIT_MS })
  const numbersMs = performance.now() - sent
  await context.close()
  if (requests === 0) throw new BenchFailed('the console was not loaded')
  return { signInMs, numbersMs, requests, bytes }
}
