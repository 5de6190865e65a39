/** Records, keys and addresses that are written to run in the console of whoever looks at them. */
import type { Browser } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { guest, order, SPA, session, spa } from '../../support/world.ts'
import { openConsole } from './console.ts'

const NOW = '2025-01-12T09:00:00Z'

/** Each says where it stood; what it would do if it ran. */
const markup = (where: string) =>
  `${where}"'><img src=x onerror="window.ran='${where}'"><script>window.ran='${where}'</script><svg onload=window.ran=1>`
describe.skipIf(!hasBrowser)('the console', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  let key: string
  beforeAll(async () => {
    api = await startTestApi({
      now: NOW,
      records: [
        spa({ name: markup('center') }),
        ...['diet', 'allergies'].map((key) => ({
          kind: 'metaField',
          centerId: SPA,
          key,
          label: markup('label'),
          type: 'string',
          of: 'customer',
        })),
        session('s1', '2025-01-06T12:00', '2025-01-19T12:00', {
          name: markup('session'),
          number: markup('number'),
        }),
        ...[1, 2, 3].flatMap((n) =>
          guest(
            `b${n}`,
            {
              sessionIds: ['s1'],
              orderUuid: 'o1',
              isOrderMainGuest: n === 1,
              acc: { roomId: markup('room') },
            },
            {
              firstName: markup('firstName'),
              lastName: markup('lastName'),
              meta: { diet: markup('diet'), allergies: markup('allergies') },
            },
          ),
        ),
        order('o1', {
          number: markup('order'),
          orderDate: '2025-01-12T08:00',
          totalAmount: 120.5,
          currency: 'EUR',
          items: [{ name: markup('item'), quantity: 2, price: 60.25, itemId: 'i1' }],
        }),
      ],
    })
    key = api.key.apiKey
    await api.database.query(sql`update api_keys set name = ${markup('key')}`)
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  // A place, and what its cells show when they are there.
  it.each([
    ['guests?sessionId=s1', 'lastName"'],
    ['guests?startDate=2025-01-01&endDate=2025-01-31&project=name,room,meta.diet', 'lastName"'],
    ['sessions', 'session"'],
    ['orders?startDate=2025-01-01&endDate=2025-01-31', 'order"'],
    [`orders/one?id=${encodeURIComponent(markup('address'))}`, ''],
    [`${encodeURIComponent(markup('address'))}?a=javascript:window.ran=1`, ''],
    ['__proto__?__proto__=1', ''],
  ])('shows what is written to run as text: %s', async (place, shown) => {
    const { page, asked } = await openConsole(browser, { origin, key, now: NOW }, place)
    await page.locator('main').waitFor()
    await expect.poll(() => page.locator('body').textContent(), { timeout: 20_000 }).toContain(shown)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    const made = await page.evaluate(
      `[...document.querySelectorAll('script:not([src]), img[src="x"], [onerror], [onload], iframe, a[href^="javascript:"]')].length`,
    )
    expect(made).toBe(0)
    const elsewhere = asked.filter((url) => !url.startsWith('data:') && new URL(url).origin !== origin)
    expect(elsewhere).toEqual([])
    expect(asked.filter((url) => url.startsWith('http') && new URL(url).pathname.endsWith('/x'))).toEqual([])
    await page.close()
  })
})
