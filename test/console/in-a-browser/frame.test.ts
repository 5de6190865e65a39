/** The console's frame in a browser: signing in and out, languages, what goes wrong, the keyboard, the page of the key. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, openPage, violationsOf } from '../../support/browser.ts'

// Where there is no browser, `served.test.ts` still reads the files.
describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({})
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const open = (place = '', width?: number, scheme?: 'light' | 'dark') =>
    openPage(browser, `${origin}/console${place}`, width, scheme)

  async function signIn(page: Page, key: string): Promise<void> {
    await page.locator('#key').fill(key)
    await page.keyboard.press('Enter')
  }

  it('opens with a key, keeps it in the tab only, and forgets it', async () => {
    const { page, asked, complaints } = await open('#/key')
    await signIn(page, api.key.apiKey)
    await page.getByRole('heading', { name: 'This key test' }).waitFor()
    expect(await page.title()).toBe('This key · Izvorul Alb')
    // The key, and when the tab was used.
    expect(
      await page.evaluate('[Object.keys(sessionStorage).sort(), localStorage.length, document.cookie]'),
    ).toEqual([['sojourn-key', 'sojourn-used'], 0, ''])
    await page.reload()
    await page.getByRole('heading', { name: 'This key test' }).waitFor()
    await page.locator('.bar summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('#key').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    const requests = asked.filter((url) => !url.startsWith('data:'))
    expect(requests.map((url) => new URL(url).origin)).toEqual(requests.map(() => origin))
    expect(requests.some((url) => url.includes(api.key.apiKey))).toBe(false)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('the field for the key hides it, can show it, and takes what is pasted or filled in by a manager', async () => {
    const { page } = await open('#/key')
    const field = page.locator('#key')
    await field.waitFor()
    const shown = () =>
      field.evaluate((input) => [input.getAttribute('type'), input.getAttribute('autocomplete')])
    expect(await shown()).toEqual(['password', 'current-password'])
    await page.getByRole('button', { name: 'Show the key' }).click()
    expect(await shown()).toEqual(['text', 'current-password'])
    await page.getByRole('button', { name: 'Show the key' }).click()
    expect(await shown()).toEqual(['password', 'current-password'])
    // Nothing prevents pasting, of a text of any length.
    await field.focus()
    const isTaken = await page.evaluate(
      `document.querySelector('#key').dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }))`,
    )
    expect([isTaken, await field.getAttribute('maxlength')]).toEqual([true, null])
    await page.keyboard.insertText(api.key.apiKey)
    expect(await field.inputValue()).toBe(api.key.apiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This key test' }).waitFor()
    await page.close()
  })

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'is accessible signed out, refused and signed in, %s and %i wide',
    async (scheme, width) => {
      const { page } = await open('#/key', width, scheme)
      await page.locator('#key').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await signIn(page, 'sjn_key_wrong')
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('alert').textContent()).toContain('begins with sjn_key_')
      expect(await violationsOf(page)).toEqual([])
      await signIn(page, api.key.apiKey)
      await page.getByText('no limit').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.locator('.bar summary').click()
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.close()
    },
    120_000,
  )

  it.each([
    ['ro', 'Această cheie', 'Deconectare'],
    ['el', 'Αυτό το κλειδί', 'Αποσύνδεση'],
    ['de', 'Dieser Schlüssel', 'Abmelden'],
  ])(
    'speaks %s: chosen before signing in, stored, and announced to screen readers',
    async (language, heading, signOut) => {
      const { page, complaints } = await open('#/key')
      await page.locator('select').selectOption(language)
      await signIn(page, api.key.apiKey)
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      await page.reload()
      await page.locator('.bar summary').click()
      await page.getByRole('button', { name: signOut }).waitFor()
      expect(await page.locator('.bar select').inputValue()).toBe(language)
      expect(complaints).toEqual([])
      await page.evaluate('localStorage.clear()')
      await page.close()
    },
  )

  it('can be used with the keyboard alone', async () => {
    const { page } = await open('#/key')
    await page.locator('#key').waitFor()
    // The field has the focus already.
    await page.keyboard.type(api.key.apiKey)
    await page.keyboard.press('Enter')
    await page.getByText('no limit').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.locator('body').press('Shift+Tab')
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const isMenu = () => page.evaluate('document.activeElement.matches(".bar summary")')
    const panel = page.locator('.bar .panel')
    expect(await isMenu()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await panel.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect([await panel.isVisible(), await isMenu()]).toEqual([false, true])
    await page.keyboard.press('Enter')
    const passed: string[] = []
    while (passed.at(-1) !== 'Sign out' && passed.length < 20) {
      await page.keyboard.press('Tab')
      passed.push(await focused())
    }
    expect(passed.slice(-3)).toEqual(['This key', expect.stringContaining('English'), 'Sign out'])
    await page.keyboard.press('Enter')
    await page.locator('#key').waitFor()
    await page.close()
  })

  it.each([320, 390, 768, 1024, 1280, 1440, 1920])(
    'the bar is one line at %i pixels, and each page is in it or in its menu',
    async (width) => {
      const everything = await api.createKey()
      for (const language of ['en', 'de', 'el']) {
        const { page } = await open('#/key', width)
        await page.locator('select').selectOption(language)
        await signIn(page, everything.apiKey)
        await page.locator('.bar').waitFor()
        await page.setViewportSize({ width: 1920, height: 900 })
        await page.setViewportSize({ width, height: 900 })
        const height = () => page.locator('.bar').evaluate((bar) => bar.getBoundingClientRect().height)
        await expect.poll(height).toBeLessThan(70)
        await page.locator('.bar summary').click()
        const links = page.locator('.bar nav a')
        expect(await links.count()).toBe(11)
        for (const link of await links.all()) expect(await link.isVisible()).toBe(true)
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
        await page.evaluate('localStorage.clear()')
        await page.close()
      }
    },
    120_000,
  )

  it('says that a key has ended, and that a page does not exist', async () => {
    const key = await api.createKey({ scopes: ['sessions'] })
    const { page } = await open('#/nowhere')
    await signIn(page, key.apiKey)
    await page.getByText('This page does not exist.').waitFor()
    expect(await page.title()).toBe('This page does not exist. · Izvorul Alb')
    await page.locator('.bar summary').click()
    await page.getByRole('link', { name: 'This key' }).click()
    await page.getByText('no limit').waitFor()
    await page.route('**/v1/usage', (route) =>
      route.fulfill({ status: 401, json: { error: { code: 'UNAUTHORIZED', message: '' } } }),
    )
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('This key is no longer valid.').waitFor()
    // What a key that is no longer valid may read is not known any more.
    expect(await page.getByText('no limit').isVisible()).toBe(false)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in with another key' }).click()
    await page.locator('#key').waitFor()
    await page.close()
  })

  it('goes on by itself after a lost connection', async () => {
    const { page } = await open('#/key')
    await signIn(page, api.key.apiKey)
    await page.getByText('no limit').waitFor()
    await page.clock.install()
    await page.route('**/v1/usage', (route) => route.abort())
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('No connection since').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.unroute('**/v1/usage')
    await page.clock.fastForward(15_000)
    await page.getByText('No connection since').waitFor({ state: 'detached' })
    await page.close()
  })
})
