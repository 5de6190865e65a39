/** Records, keys and addresses that are written to run in the console of the person who looks at them. */
import type { Browser, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { guest, order, SPA, session, spa, term } from '../../support/world.ts'
import { openConsole } from './console.ts'

const NOW = '2025-01-12T09:00:00Z'

/** Each says where it stood; what it would do if it ran. */
const markup = (where: string) =>
  `${where}"'><img src=x onerror="window.ran='${where}'"><script>window.ran='${where}'</script><svg onload=window.ran=1>`
/** Each would run by another way: out of attributes, templates, links, styles, foreign content, or what a parser corrects. */
const CORPUS: readonly string[] = [
  `javascript:window.ran=1//'"><svg/onload=window.ran=1>`,
  `jaVasCript:/*-/*\`/*\\\`/*'/*"/**/(/* */window.ran=1 )//%0D%0A%0d%0a//</stYle/</titLe/</teXtarEa/</scRipt/--!>\x3csVg/<sVg/oNloAd=window.ran=1//>`,
  `</textarea><script>window.ran=1</script>`,
  `</title><img src=x onerror=window.ran=1>`,
  `--><script>window.ran=1</script>`,
  `]]><script>window.ran=1</script>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.ran=1&gt;">`,
  `<iframe srcdoc="<script>parent.ran=1</script>">`,
  `<a href="javascript:window.ran=1">a</a>`,
  `<object data="data:text/html,<script>parent.ran=1</script>">`,
  `<form action=javascript:window.ran=1><button>x</button></form>`,
  `<style>@import'/x'</style><link rel=stylesheet href=/x>`,
  `<base href="http://127.0.0.1:1/">`,
  `<meta http-equiv=refresh content="0;url=/x">`,
  `<details open ontoggle=window.ran=1>`,
  `{{constructor.constructor('window.ran=1')()}}\${window.ran=1}`,
  `&lt;img src=x onerror=window.ran=1&gt;&#x3c;svg onload=window.ran=1&#x3e;`,
  `" style="animation:x" onanimationstart="window.ran=1" x="`,
  `\u003cimg src=x onerror=window.ran=1\u003e`,
  `\u2028</script><script>window.ran=1</script>`,
]

const ORDERS = '00000000-0000-4000-8000-0000000000'

describe.skipIf(!hasBrowser)('the console', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  let key: string
  beforeAll(async () => {
    api = await startTestApi({
      now: NOW,
      records: [
        spa({
          name: markup('center'),
          mealRules: {
            dietFields: [
              { field: 'diet', allergies: [CORPUS[0], markup('diet')] },
              { field: 'allergies', allergies: CORPUS },
            ],
          },
        }),
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
        ...CORPUS.flatMap((text, n) => [
          term('room', `r${n}`, text),
          session(`t${n}`, `2025-0${(n % 9) + 1}-02T12:00`, `2025-0${(n % 9) + 1}-03T12:00`, { name: text }),
          ...guest(
            `c${n}`,
            {
              sessionIds: ['s1'],
              startDate: '2025-01-06T12:00',
              endDate: '2025-01-19T12:00',
              status: 'arrived',
              skippingMeals: { breakfast: ['2025-01-12'], lunch: [], dinner: ['2025-01-13'] },
              orderUuid: `${ORDERS}${10 + n}`,
              acc: { roomId: n % 2 === 0 ? text : `r${n}` },
            },
            { firstName: text, lastName: text, dob: '1980-01-12', meta: { diet: text, allergies: text } },
          ),
        ]),
        ...CORPUS.map((text, n) =>
          order(`${ORDERS}${10 + n}`, {
            number: text,
            orderDate: '2025-01-11T08:00',
            paymentMethod: text,
            notes: text,
            billingAddress: { street: text, city: text, country: text },
            items: [{ name: text, quantity: 1, price: 100, itemId: text }],
          }),
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

  // A page, and what its cells show when they are there.
  it.each([
    ['guests?sessionId=s1', 'lastName"'],
    ['guests?startDate=2025-01-01&endDate=2025-01-31&project=name,room,meta.diet', 'lastName"'],
    ['sessions', 'session"'],
    ['orders?startDate=2025-01-01&endDate=2025-01-31', 'order"'],
    ...CORPUS.map((text, n): [string, string] => [`orders/one?uuid=${ORDERS}${10 + n}`, text]).slice(0, 6),
    ['kitchen', 'diet"'],
    ['kitchen/week', 'diet"'],
    ['kitchen/wall', 'diet"'],
    ['kitchen/day-sheet?day=2025-01-12', 'onanimationstart'],
    ['kitchen/week-sheet?from=2025-01-12', 'diet"'],
    ['today', 'onanimationstart'],
    ['today/room-list', 'onanimationstart'],
    ['today/evacuation-list', 'onanimationstart'],
    ...CORPUS.map((text, n): [string, string] => [`guests/one?id=c${n}`, text]),
    ['guests/one?id=b1', 'lastName"'],
    ['rooms', 'onanimationstart'],
    ['key', 'key"'],
    [`orders/one?id=${encodeURIComponent(markup('address'))}`, ''],
    [`${encodeURIComponent(markup('address'))}?a=javascript:window.ran=1`, ''],
    ['__proto__?__proto__=1', ''],
  ])('shows what is written to run as text: %s', async (place, shown) => {
    const { page, asked } = await openConsole(browser, { origin, key, now: NOW }, place)
    await page.locator('main').waitFor()
    await expect.poll(() => page.locator('body').textContent(), { timeout: 60_000 }).toContain(shown)
    await nothingRan(page, asked, origin)
    await page.close()
  })

  it.each([
    'window.ran',
    'script',
    'lastName',
    'onanimationstart',
    '{{constructor',
    // What is typed is as hostile as what is found.
    '<img src=x onerror="window.ran=1">',
    '"><svg onload=window.ran=1>',
  ])('shows what was found, and what was typed, as text: %s', async (q) => {
    const { page, asked, complaints } = await openConsole(browser, { origin, key, now: NOW }, 'key')
    await page.locator('#q').fill(q)
    await page.clock.runFor(1000)
    const found = page.locator('#found')
    await expect.poll(() => found.getAttribute('aria-busy')).toBe('false')
    if (!q.includes('<')) expect(await found.locator('[role=option]').count()).toBeGreaterThan(0)
    await nothingRan(page, asked, origin)
    await page.keyboard.press('Enter')
    await page.locator('main h1').waitFor()
    await nothingRan(page, asked, origin)
    expect(complaints).toEqual([])
    await page.close()
  })
})

/** Opens all that is folded: what is in it runs only then. */
async function nothingRan(page: Page, asked: readonly string[], origin: string): Promise<void> {
  // Who skips and what else opens only when it is asked for.
  await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
  expect(await page.evaluate('window.ran')).toBeUndefined()
  const made = await page.evaluate(
    `[...document.querySelectorAll('script:not([src]), img[src="x"], [onerror], [onload], [ontoggle], [srcdoc], iframe, object, base, style, math, meta[http-equiv], [href^="javascript:" i], [action^="javascript:" i]')].length`,
  )
  expect(made).toBe(0)
  const elsewhere = asked.filter((url) => !url.startsWith('data:') && new URL(url).origin !== origin)
  expect(elsewhere).toEqual([])
  expect(asked.filter((url) => url.startsWith('http') && new URL(url).pathname.endsWith('/x'))).toEqual([])
}
