/** Nobody uses the console for some time, in a browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/core/access/keys/scopes.ts'
import type { AppOptions } from '../../../src/core/app-options.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  interface Opened {
    readonly api: TestApi
    readonly page: Page
  }

  async function open(
    place: string,
    scopes: readonly Scope[],
    options: Partial<AppOptions> = {},
  ): Promise<Opened> {
    const api = await startTestApi({ app: options })
    const origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const page = await browser.newPage()
    await page.clock.install()
    await page.goto(`${origin}/console${place}`)
    const { apiKey } = await api.createKey({ scopes })
    await page.locator('#key').fill(apiKey)
    await page.keyboard.press('Enter')
    return { api, page }
  }
  const later = async (page: Page, minutes: number) => {
    for (let n = 0; n < minutes; n += 1) await page.clock.runFor(60_000)
  }
  const GUESTS: readonly Scope[] = ['guests', 'sessions']
  const KITCHEN: readonly Scope[] = ['meals', 'sessions']

  it('warns, and then shows nothing and asks for the key', async () => {
    const { page } = await open('#/sessions', GUESTS)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    await later(page, 28)
    const warning = page.getByRole('alert')
    await warning.waitFor()
    expect(await warning.textContent()).toMatch(/It will be signed out at \d\d:\d\d\./)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await warning.waitFor({ state: 'detached' })
    await later(page, 30)
    await page.locator('#key').waitFor()
    expect(await page.getByRole('status').textContent()).toBe(
      'You were signed out because nobody used the console for a while.',
    )
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.close()
  })

  it.each([
    [
      'the wall display, also with a key that may read guests',
      '#/kitchen/wall',
      [...KITCHEN, 'guests'],
      {},
      true,
    ],
    ["the kitchen's page with a kitchen's key", '#/kitchen', KITCHEN, {}, true],
    ["the kitchen's page with a key that may read guests", '#/kitchen', [...KITCHEN, 'guests'], {}, false],
    [
      'the wall display of a service that wants it',
      '#/kitchen/wall',
      KITCHEN,
      { consoleKitchenStays: false },
      false,
    ],
    ['a page of a service that signs out nobody', '#/guests', GUESTS, { consoleIdleMinutes: 0 }, true],
  ] as const)('%s: is signed in after two hours where it stays', async (_, place, scopes, options, stays) => {
    const { page } = await open(place, scopes, options)
    await page.locator('#key').waitFor({ state: 'detached' })
    await later(page, 120)
    if (!stays) await page.locator('#key').waitFor()
    expect(await page.locator('#key').count()).toBe(stays ? 0 : 1)
    await page.close()
  })
})
