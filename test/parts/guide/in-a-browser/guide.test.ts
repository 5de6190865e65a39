/** The guide at `/docs/guide`, in a browser. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi } from '../../../support/api.ts'
import { hasBrowser, launchBrowser, openPage, violationsOf } from '../../../support/browser.ts'

// Where there is no browser, `guide.test.ts` still reads the pages.
describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    const api = await startTestApi()
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it('finds a section by its words, leads there, and asks no other origin', async () => {
    const { page, asked, complaints } = await openPage(browser, `${origin}/docs/guide/concepts`)
    await page.keyboard.press('/')
    await page.keyboard.type('cursor gone')
    await page.locator('search a').first().waitFor()
    expect(await page.locator('search a', { hasText: 'GONE' }).count()).toBe(1)
    await page.locator('search a', { hasText: 'GONE' }).click()
    await page.waitForURL(`${origin}/docs/guide/errors#gone`)
    const requests = asked.filter((url) => !url.startsWith('data:'))
    expect(requests.map((url) => new URL(url).origin)).toEqual(requests.map(() => origin))
    expect(complaints).toEqual([])
    await page.close()
  })

  it('says so where a search finds nothing, and shows nothing for nothing', async () => {
    const { page } = await openPage(browser, `${origin}/docs/guide`)
    await page.fill('search input', 'xyzzyx')
    await page.getByText('Nothing found.').waitFor()
    await page.fill('search input', ' ')
    expect(
      await page
        .locator('search ol, search .status')
        .evaluateAll((all) => all.map((one) => 'hidden' in one && one.hidden)),
    ).toEqual([true, true])
    await page.close()
  })

  it.each([
    ['/docs/guide', 'light', 1280],
    ['/docs/guide/errors', 'light', 1280],
    ['/docs/guide/fields', 'dark', 360],
    ['/docs/guide/concepts', 'dark', 1280],
  ] as const)(
    'is accessible: axe finds nothing on %s, %s and %i wide',
    async (path, colorScheme, width) => {
      const { page } = await openPage(browser, origin + path, width, colorScheme)
      await page.fill('search input', 'retry')
      await page.locator('search a').first().waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.close()
    },
    120_000,
  )

  it('shows each request with the address of this service, and in the language that is chosen', async () => {
    const { page, complaints } = await openPage(browser, `${origin}/docs/guide/quick-start`)
    const shown = () => page.locator('.request pre:visible').allTextContents()
    const first = `curl -H "Authorization: Bearer $SOJOURN_KEY" "${origin}/v1/me"\n`
    await expect.poll(async () => (await shown())[0]).toBe(first)
    const requests = await page.locator('.request').count()
    await page.getByRole('radio', { name: 'PHP' }).nth(1).check({ force: true })
    const inPhp = await shown()
    expect(inPhp).toHaveLength(requests)
    for (const text of inPhp) expect(text).toMatch(/^<\?php/)
    expect(inPhp[0]).toContain(`'${origin}/v1/me'`)
    expect(await page.locator('body').textContent()).not.toContain('http://127.0.0.1:8080')
    // Keys of the keyboard choose, too.
    await page.getByRole('radio', { name: 'PHP' }).first().press('ArrowLeft')
    expect((await shown())[0]).toContain('from urllib.request import')
    expect(complaints).toEqual([])
    await page.close()
  })

  it.each([360, 768, 1280])('fits a window %i wide', async (width) => {
    for (const path of ['/docs/guide', '/docs/guide/fields', '/docs/guide/contract']) {
      const { page } = await openPage(browser, origin + path, width)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true)
      await page.close()
    }
  })

  it('prints only what is to be read, black on white', async () => {
    const { page } = await openPage(browser, `${origin}/docs/guide/errors`, 800, 'dark')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('main').isVisible()).toBe(true)
    for (const left of ['header', '#contents', '.neighbours', '.code button']) {
      expect(await page.locator(left).first().isVisible(), left).toBe(false)
    }
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    )
    await page.close()
  })
})
