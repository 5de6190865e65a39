/** One store for all pages and one stream for all tabs: what a tour costs, who is informed, and what stays. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi, TestKey } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { anamaria, goTo, NAME, PLACES, startCenter, textOf } from './pages-of-a-center.ts'

const WAIT = { timeout: 60_000 }

describe.skipIf(!hasBrowser)('the console', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  /** what the service was asked for, by key */
  const asked = new Map<string, string[]>()
  beforeAll(async () => {
    api = await startCenter()
    api.app.addHook('onRequest', async ({ raw, headers }) => {
      const of = asked.get(headers.authorization ?? '') ?? []
      asked.set(headers.authorization ?? '', [...of, raw.url ?? ''])
    })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const askedBy = (key: TestKey) => asked.get(`Bearer ${key.apiKey}`) ?? []
  const lists = (key: TestKey) => askedBy(key).filter((url) => !url.includes('/changes'))

  /** A browser of its own, in which the key is typed once. */
  async function signedIn(key: TestKey, place = 'kitchen'): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    return { context, page: await openTab(context, key, place) }
  }
  async function openTab(context: BrowserContext, key: TestKey, place = 'kitchen'): Promise<Page> {
    const page = await context.newPage()
    await page.goto(`${origin}/health/live`)
    await page.clock.install({ time: '2025-01-12T09:00:00Z' })
    await page.evaluate(`sessionStorage.setItem('sojourn-key', ${JSON.stringify(key.apiKey)})`)
    await page.evaluate(`localStorage.setItem('sojourn-language', 'en')`)
    await page.goto(`${origin}/console#/${place}`)
    return page
  }
  const shows = (page: Page, text: string) => expect.poll(() => textOf(page), WAIT).toContain(text)

  it('makes a tour of all pages with at most 18 requests, and a second one with none for what has not changed', async () => {
    const key = await api.createKey()
    const { context, page } = await signedIn(key)
    for (const [place, shown] of PLACES) {
      await goTo(page, place)
      await shows(page, shown)
    }
    expect(askedBy(key).length).toBeLessThanOrEqual(18)
    const before = lists(key).length
    for (const [place, shown] of PLACES) {
      await goTo(page, place)
      await shows(page, shown)
    }
    // How the key was used and what was delivered is not in the stream of changes, and rooms are read whenever the page is opened.
    expect(
      lists(key)
        .slice(before)
        .filter((url) => !/^\/v1\/(?:usage$|sources$|rooms\?)/.test(url)),
    ).toEqual([])
    await context.close()
  }, 300_000)

  it('receives a change through the stream on each of twenty screens of one key', async () => {
    const key = await api.createKey()
    const screens: Awaited<ReturnType<typeof signedIn>>[] = []
    while (screens.length < 20) screens.push(await signedIn(key, 'kitchen/week'))
    for (const { page } of screens) await shows(page, 'The page updates automatically.')
    const streams = () => askedBy(key).filter((url) => url.includes('/changes/stream')).length
    expect(streams()).toBe(20)
    await api.load(anamaria('cancelled'))
    for (const { page } of screens) {
      await expect.poll(() => textOf(page), WAIT).not.toContain('kosher')
      // Reported by the stream: a page without one says so, and asks each minute.
      expect(await textOf(page)).toContain('The page updates automatically.')
    }
    expect(streams()).toBe(20)
    expect(askedBy(key).filter((url) => url.includes('/v1/changes?'))).toEqual([])
    await Promise.all(screens.map(({ context }) => context.close()))
    await api.load(anamaria('arrived'))
  })

  it('has one stream for all tabs of a browser, also when the tab that has it is closed, and all are notified', async () => {
    const key = await api.createKey()
    const { context, page: first } = await signedIn(key, 'sessions')
    await shows(first, 'The page updates automatically.')
    const others = [
      await openTab(context, key, 'guests?sessionId=s1'),
      await openTab(context, key, 'guests?sessionId=s1'),
    ]
    for (const page of others) await shows(page, 'The page updates automatically.')
    const streams = () => askedBy(key).filter((url) => url.includes('/changes/stream')).length
    expect(streams()).toBe(1)
    await api.load(anamaria('paid'))
    for (const page of others) await shows(page, 'Paid')
    await first.close()
    await expect.poll(streams, WAIT).toBe(2)
    await api.load(anamaria('departed'))
    for (const page of others) await shows(page, 'Departed')
    await api.load(anamaria('arrived'))
    await context.close()
  }, 300_000)

  it('signs out in all tabs of the key, and nothing of its data is left in the browser', async () => {
    const key = await api.createKey()
    const other = await api.createKey()
    const { context, page } = await signedIn(key, `guests?sessionId=s1&q=${NAME}`)
    const [second, foreign] = [
      await openTab(context, key, 'kitchen'),
      await openTab(context, other, 'kitchen'),
    ]
    await shows(page, `${NAME}`)
    await shows(second, 'kosher')
    await shows(foreign, 'kosher')
    await page.locator('.bar summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    for (const tab of [page, second]) {
      await tab.locator('#key').waitFor()
      expect(await textOf(tab)).not.toContain(NAME)
      expect(await tab.evaluate('Object.keys(sessionStorage)')).toEqual([])
      expect(await tab.evaluate('Object.keys(localStorage)')).toEqual(['sojourn-language'])
      expect(await tab.evaluate('caches.keys()')).toEqual([])
      expect(await tab.title()).not.toContain(NAME)
    }
    await page.goBack()
    expect(page.url()).not.toContain(NAME)
    expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain(NAME)
    // Another key's tab goes on.
    expect(await textOf(foreign)).toContain('kosher')
    await context.close()
  }, 300_000)

  it('shows nothing if the browser shows a page again whose key was forgotten meanwhile', async () => {
    const { context, page } = await signedIn(await api.createKey(), 'guests?sessionId=s1')
    await shows(page, NAME)
    // What happens to a page that "Back" brings back from the browser's memory; this browser keeps none.
    const shownAgain = `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`
    await page.evaluate(shownAgain)
    expect(await textOf(page)).toContain(NAME)
    await page.evaluate('sessionStorage.clear()')
    await page.evaluate(shownAgain)
    await page.locator('#key').waitFor()
    expect(await textOf(page)).not.toContain(NAME)
    await context.close()
  }, 300_000)

  it('says how often it asks where there is no stream to have', async () => {
    const key = await api.createKey()
    const context = await browser.newContext()
    await context.route('**/v1/changes/stream*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '5', ratelimit: '"burst";r=90;t=60' },
        json: { error: { code: 'RATE_LIMITED', message: 'This center already has 100 streams of changes' } },
      }),
    )
    const page = await openTab(context, key, 'kitchen/week')
    await shows(page, 'The page updates every minute.')
    const before = lists(key).length
    await page.clock.fastForward(60_000)
    await expect.poll(() => lists(key).length, WAIT).toBeGreaterThan(before)
    await context.close()
  }, 300_000)
})
