/** A key that is revoked, expires, loses scopes or its center while a page of the console is open. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { guest, order, session, spa } from '../../support/world.ts'
import { openConsole } from './console.ts'

const NOW = '2025-01-12T09:00:00Z'
const ORDER = '00000000-0000-4000-8000-000000000001'
const NAME = 'Anamaria'

/** Each page, and what it shows while it may. */
const PLACES = [
  ['guests?sessionId=s1', NAME],
  ['sessions', 'Winter rest'],
  ['orders?startDate=2025-01-01&endDate=2025-01-31', 'PAPER-77'],
  [`orders/one?uuid=${ORDER}`, NAME],
  ['kitchen', 'kosher'],
  ['kitchen/week', 'kosher'],
  ['kitchen/day-sheet?date=2025-01-12', NAME],
  ['kitchen/week-sheet?date=2025-01-12', 'kosher'],
] as const

describe.skipIf(!hasBrowser)('a page of the console', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  let changes = 0
  beforeAll(async () => {
    api = await startTestApi({
      now: NOW,
      // Each invalid key counts, and the clock of the service does not advance.
      app: { failedCredentialsPerMinute: 1000 },
      records: [
        spa({ mealRules: { dietFields: [{ field: 'diet' }] } }),
        { kind: 'metaField', centerId: 'spa', key: 'diet', label: 'Diet', type: 'string', of: 'customer' },
        session('s1', '2025-01-06T12:00', '2025-01-19T12:00', { name: 'Winter rest' }),
        ...guest(
          'b1',
          {
            sessionIds: ['s1'],
            startDate: '2025-01-06T12:00',
            endDate: '2025-01-19T10:00',
            status: 'arrived',
            orderUuid: ORDER,
            isOrderMainGuest: true,
            skippingMeals: { breakfast: [], lunch: ['2025-01-12', '2025-01-13'], dinner: [] },
          },
          { firstName: NAME, meta: { diet: 'kosher' } },
        ),
        order(ORDER, {
          number: 'PAPER-77',
          orderDate: '2025-01-12T08:00',
          totalAmount: 120.5,
          currency: 'EUR',
        }),
      ],
    })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const set = (key: TestKey, what: 'revoked_at' | 'expires_at') =>
    api.database.runScript(
      `update api_keys set ${what} = '2025-01-12T08:59:00Z' where public_key = '${key.publicKey}'`,
    )

  /** Something of each kind changes, so that a page that waits for changes asks again. */
  const changeSomething = async () => {
    changes += 1
    await api.load([
      ...guest(
        'other',
        { startDate: '2025-01-06T12:00', endDate: '2025-01-19T10:00' },
        { firstName: `Other ${changes}` },
      ),
      order('00000000-0000-4000-8000-000000000009', {
        number: `${changes}`,
        orderDate: '2025-01-12T08:00',
        totalAmount: 1,
        currency: 'EUR',
      }),
      session('s9', '2025-03-06T12:00', '2025-03-19T12:00', { name: `${changes}` }),
    ])
  }

  const open = async (place: string, shown: string, key: TestKey) => {
    const opened = await openConsole(browser, { origin, key: key.apiKey, now: NOW }, place)
    const text = () => opened.page.locator('body').innerText()
    await expect.poll(text, { timeout: 60_000 }).toContain(shown)
    return { ...opened, text }
  }
  const stored = (page: Page) => page.evaluate('Object.keys(sessionStorage)')

  it.each(PLACES)(
    'says that its key was revoked, shows nothing of before, and does not ask on and on: %s',
    async (place, shown) => {
      const key = await api.createKey()
      const { page, asked, text } = await open(place, shown, key)
      await set(key, 'revoked_at')
      await changeSomething()
      await expect.poll(text, { timeout: 60_000 }).toContain('This key is no longer valid.')
      expect(await text()).not.toContain(shown)
      await expect.poll(() => stored(page)).toEqual([])
      // The code of other pages is loaded meanwhile, which needs no key.
      const withKey = () => asked.filter((url) => url.includes('/v1/')).length
      const before = withKey()
      // Five minutes, in steps that leave each request the time to be answered.
      for (let step = 0; step < 60; step += 1) {
        await page.clock.fastForward(5000)
        await wait(20)
      }
      expect(await text()).toContain('This key is no longer valid.')
      expect(withKey() - before).toBeLessThanOrEqual(6)
      await page.reload()
      await page.locator('#key').waitFor()
      expect(await text()).not.toContain(shown)
      await page.close()
    },
    60_000,
  )

  it.each([
    ['has expired', 'no longer valid', (key: TestKey) => set(key, 'expires_at')],
    [
      'is gone with its center',
      'no longer valid',
      (key: TestKey) => api.database.runScript(`delete from api_keys where public_key = '${key.publicKey}'`),
    ],
    [
      'has lost its scopes',
      'does not give access to this page',
      (key: TestKey) =>
        api.database.runScript(
          `update api_keys set scopes = '{sessions}' where public_key = '${key.publicKey}'`,
        ),
    ],
  ])('shows nothing of before where its key %s', async (_, said, end) => {
    const key = await api.createKey()
    const { page, text } = await open('guests?sessionId=s1', NAME, key)
    await end(key)
    await changeSomething()
    await expect.poll(text, { timeout: 60_000 }).toContain(said)
    expect(await text()).not.toContain(NAME)
    await page.close()
  })

  it('forgets what was searched for, with the key', async () => {
    const key = await api.createKey()
    const { page, text } = await open('guests?sessionId=s1&q=Anam', NAME, key)
    // The address has no name: the tab has it, under a number.
    expect(await stored(page)).toEqual(
      expect.arrayContaining(['sojourn-key', 'sojourn-guests', expect.stringMatching(/^sojourn-unseen-\d/)]),
    )
    expect(page.url()).not.toContain('Anam')
    expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain('Anam')
    await set(key, 'revoked_at')
    await changeSomething()
    await expect.poll(text, { timeout: 60_000 }).toContain('This key is no longer valid.')
    await expect.poll(() => stored(page)).toEqual([])
    await page.close()
  })
})
