/**
 * A tour of all pages while the connection is lost, the key is limited, revoked or expired, and a new version is served:
 * each sentence must be true then. With `TOUR_FOLDER`, a picture of each page and a table of the sentences are written there.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ORDINARY_SCOPES } from '../../../src/core/access/keys/scopes.ts'
import type { TestApi, TestKey } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { proxyTo, type TcpProxy } from '../../support/tcp-proxy.ts'
import { goTo, NAME, NOW, PLACES, startCenter, textOf } from './pages-of-a-center.ts'

const WAIT = { timeout: 60_000 }
const FOLDER = process.env.TOUR_FOLDER

/** Opened before something goes wrong; the others are opened for the first time then. */
const OPENED = [
  'kitchen',
  'kitchen/wall',
  'guests?sessionId=s1',
  'orders?startDate=2025-01-01&endDate=2025-01-31',
]

/** The sentences of the states, of which each page may say only those that are true. */
const SAID = {
  offline: /No connection since/,
  limited: /This key has reached its request limit\. The page continues automatically at/,
  ended: /This key is no longer valid/,
  expired: /This key expired at/,
  newVersion: /A new version of the console is available/,
  notLoaded: /This page has not been loaded in this tab before/,
  lastData: /What you see is from|These are the portions of/,
  updates: /The page updates automatically/,
  noSheet: /No sheet printed yet/,
} as const
type Said = keyof typeof SAID

describe.skipIf(!hasBrowser)('on a tour of all pages', () => {
  let api: TestApi
  let browser: Browser
  let proxy: TcpProxy
  let origin: string
  beforeAll(async () => {
    api = await startCenter()
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  /** Opens some pages, and waits until all code is there. */
  async function begin(key: TestKey): Promise<{ context: BrowserContext; page: Page }> {
    proxy = await proxyTo(origin)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const at = proxy.url.replace(/\/$/, '')
    await page.goto(`${at}/health/live`)
    await page.clock.install({ time: NOW })
    await page.evaluate(`sessionStorage.setItem('sojourn-key', ${JSON.stringify(key.apiKey)})`)
    await page.evaluate(`localStorage.setItem('sojourn-language', 'en')`)
    await page.goto(`${at}/console`)
    for (const place of OPENED) {
      await goTo(page, place)
      await expect.poll(() => textOf(page), WAIT).toContain(PLACES.find(([name]) => name === place)?.[1])
    }
    const loaded = page.waitForResponse('**/key-key-page.js').catch(() => undefined)
    await page.clock.runFor(6000)
    await loaded
    await page.waitForLoadState('networkidle').catch(() => undefined)
    return { context, page }
  }

  /** @param shows what is waited for on each page, where all of it must come: on a busy machine that takes longer than two looks */
  async function tour(
    page: Page,
    state: string,
    shows: (place: string) => string = () => '',
  ): Promise<Map<string, { text: string; said: Said[] }>> {
    const seen = new Map<string, { text: string; said: Said[] }>()
    const rows: string[] = []
    for (const [place] of PLACES) {
      await goTo(page, place)
      await expect.poll(() => textOf(page), WAIT).not.toMatch(/Loading…/)
      // What is asked for has been answered when two looks see the same.
      let text = ''
      await expect
        .poll(
          async () => {
            const before = text
            text = await textOf(page)
            return { place, isStill: text === before, text }
          },
          { ...WAIT, interval: 300 },
        )
        .toEqual({ place, isStill: true, text: expect.stringContaining(shows(place)) })
      const said = Object.keys(SAID).filter((name): name is Said => SAID[name as Said].test(text))
      seen.set(place, { text, said })
      // The title names what it shows, and nobody.
      const title = await page.title()
      expect(title).toMatch(/ · Izvorul Alb$/)
      expect(title).not.toContain(NAME)
      if (FOLDER === undefined) continue
      const name = `${state}-${place.replaceAll(/[^a-z]+/g, '-')}`
      await page.screenshot({ path: join(FOLDER, `${name}.png`) })
      const sentences = text.split('\n').filter((line) => /[.…]$|^As of|–/.test(line.trim()))
      rows.push(`| ${state} | ${place.slice(0, 20)} | ${title} | ${sentences.join(' / ').slice(0, 600)} |`)
    }
    if (FOLDER !== undefined) writeFileSync(join(FOLDER, `${state}.md`), `${rows.join('\n')}\n`)
    return seen
  }

  const isOpened = (place: string) => OPENED.includes(place)
  /** What each page says: of data that is in memory, and of none. */
  const check = (
    seen: Map<string, { text: string; said: Said[] }>,
    { withData, without }: { withData: Said[]; without: Said[] },
  ) => {
    const found: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [place, { text, said }] of seen) {
      const shown = PLACES.find(([name]) => name === place)?.[1] ?? ''
      const has = isOpened(place) || place === 'kitchen/week'
      found[place] = { said: said.filter((one) => one !== 'noSheet').sort(), shows: text.includes(shown) }
      expected[place] = { said: [...(has ? withData : without)].sort(), shows: has }
    }
    expect(found).toEqual(expected)
  }

  it('without a connection each says so, with the data that it has and its time, or that it was not loaded', async () => {
    const { context, page } = await begin(await api.createKey({ scopes: ORDINARY_SCOPES }))
    proxy.leadTo('http://127.0.0.1:9')
    proxy.cut()
    await page.clock.runFor(5000)
    const seen = await tour(page, 'offline')
    check(seen, { withData: ['offline', 'lastData'], without: ['offline', 'notLoaded'] })
    // Whether a sheet was printed is known where it was read.
    expect(seen.get('kitchen/week')?.said).not.toContain('noSheet')
    // It goes on by itself.
    proxy.leadTo(origin)
    await goTo(page, 'sessions')
    await expect
      .poll(async () => {
        await page.clock.runFor(5000)
        return textOf(page)
      }, WAIT)
      .toContain('Winter rest')
    await context.close()
    await proxy.close()
  })

  it('with a key that has reached its limit each says until when', async () => {
    const key = await api.createKey({ scopes: ORDINARY_SCOPES, perMinute: 30 })
    const { context, page } = await begin(key)
    // Somebody else uses it up.
    while ((await api.as(key).get('/v1/me')).status !== 429);
    await goTo(page, 'key')
    await expect.poll(() => textOf(page), WAIT).toMatch(SAID.limited)
    const seen = await tour(page, 'limited')
    for (const [place, { text, said }] of seen) {
      const shown = PLACES.find(([name]) => name === place)?.[1] ?? ''
      const isKnown = text.includes(shown)
      expect([
        place,
        said.includes('offline') || said.includes('ended') || said.includes('newVersion'),
      ]).toEqual([place, false])
      // What is right because nothing has changed needs no request, and no message.
      expect([place, said.includes('limited') || isKnown]).toEqual([place, true])
      if (!isKnown) expect([place, said.includes('notLoaded')]).toEqual([place, true])
    }
    expect(seen.get('sessions')?.said).toContain('limited')
    await context.close()
    await proxy.close()
  })

  it.each([
    ['revoked', `revoked_at = '2025-01-12T08:59:00Z'`, 'ended'],
    ['expired', `expires_at = '2025-01-12T08:59:00Z'`, 'expired'],
  ] as const)(
    'with a key that was %s each says so and shows nothing of before',
    async (state, sets, said) => {
      const key = await api.createKey({ scopes: ORDINARY_SCOPES })
      if (state === 'expired') {
        await api.database.runScript(
          `update api_keys set expires_at = '2025-01-12T09:00:01Z' where public_key = '${key.publicKey}'`,
        )
      }
      const { context, page } = await begin(key)
      await goTo(page, 'kitchen')
      await api.database.runScript(`update api_keys set ${sets} where public_key = '${key.publicKey}'`)
      await expect.poll(() => textOf(page), WAIT).toMatch(SAID[said])
      const seen = await tour(page, state)
      for (const [place, { text, said: all }] of seen) {
        expect([place, all.filter((one) => one !== 'lastData')]).toEqual([place, [said]])
        const shown = PLACES.find(([name]) => name === place)?.[1] ?? ''
        expect([place, text.includes(shown) || text.includes(NAME)]).toEqual([place, false])
      }
      await context.close()
      await proxy.close()
    },
    180_000,
  )

  it('with a new version each page works on and says so', async () => {
    const { context, page } = await begin(await api.createKey({ scopes: ORDINARY_SCOPES }))
    await context.route('**/console', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(/console\/[0-9a-f]{16}/g, 'console/00000000deadbeef')
      await route.fulfill({ response, body })
    })
    await context.route(/\/console\/[0-9a-f]{16}\//, (route) => route.fulfill({ status: 404 }))
    // The service is started anew.
    proxy.cut()
    await goTo(page, 'kitchen')
    await expect
      .poll(async () => {
        await page.clock.runFor(3000)
        return textOf(page)
      }, WAIT)
      .toMatch(SAID.newVersion)
    const shownOn = (place: string) => PLACES.find(([name]) => name === place)?.[1] ?? ''
    const seen = await tour(page, 'new-version', shownOn)
    for (const [place, { text, said }] of seen) {
      expect([place, text.includes(shownOn(place))]).toEqual([place, true])
      expect([place, said.includes('newVersion')]).toEqual([place, place !== 'kitchen/wall'])
      expect([place, said.filter((one) => !['newVersion', 'updates', 'noSheet'].includes(one))]).toEqual([
        place,
        [],
      ])
    }
    await context.close()
    await proxy.close()
  })
})
