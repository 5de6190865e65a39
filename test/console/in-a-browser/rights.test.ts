/** A person's rights by page: found and handed out with few actions, and erased only with the full name. */
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ORDINARY_SCOPES } from '../../../src/core/access/keys/scopes.ts'
import { MARKS, PERSON, person } from '../../parts/data-rights/person.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { openConsole } from './console.ts'

const NOW = '2025-01-10T12:00:00Z'
const FULL_NAME = `${MARKS.firstName} ${MARKS.lastName}`

describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({ records: person(), now: NOW })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it('a person is found with a typing error and handed out with at most five actions, then erased', async () => {
    const { apiKey } = await api.createKey({ scopes: ['rights'] })
    // The first page of such a key.
    const { page, complaints } = await openConsole(browser, { origin, key: apiKey, now: NOW }, '', {})
    let actions = 0
    await page.getByRole('searchbox').fill('Quirina Zwiebelhubar')
    actions += 1
    await page.keyboard.press('Enter')
    actions += 1
    await page.getByRole('button', { name: FULL_NAME }).click()
    actions += 1
    await page.getByRole('heading', { level: 2, name: FULL_NAME }).waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as a file' }).click()
    actions += 1
    const saved = await readFile(await (await saving).path(), 'utf8')
    expect(JSON.parse(saved)).toMatchObject({ customerId: PERSON, customer: { lastName: MARKS.lastName } })
    expect(actions).toBeLessThanOrEqual(5)

    const text = (await page.locator('#main').innerText()).replaceAll(/\s+/g, ' ')
    for (const mark of [MARKS.diagnosis, MARKS.street, 'Last name', 'Who read what'])
      expect(text).toContain(mark)
    const stored = await page.evaluate(
      'location.href + JSON.stringify(sessionStorage) + JSON.stringify(localStorage) + JSON.stringify(history.state)',
    )
    expect(stored).not.toContain('Zwiebel')
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width}`).toBe(true)
      expect(await violationsOf(page)).toEqual([])
      const folder = process.env.PICTURES
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/rights-${width}.png`, fullPage: true })
    }

    await page.getByRole('spinbutton').fill('0')
    await page.getByRole('button', { name: 'Check what would be erased' }).click()
    await page.getByText('Nothing is changed yet.').waitFor()
    const confirm = page.getByLabel(/Type the full name/)
    await confirm.fill('Quirina')
    await page.getByRole('button', { name: /Erase, cannot be undone/ }).click()
    await page.getByRole('alert').waitFor()
    await confirm.fill(FULL_NAME)
    await page.getByRole('button', { name: /Erase, cannot be undone/ }).click()
    await page.getByText('The person is erased.').waitFor()
    expect(await page.locator('#main').innerText()).not.toContain(MARKS.lastName)
    expect(complaints.filter((one) => !/400/.test(String(one)))).toEqual([])
    await page.close()
  })

  it('no other key has the page', async () => {
    const { apiKey } = await api.createKey({ scopes: ORDINARY_SCOPES })
    const { page } = await openConsole(browser, { origin, key: apiKey, now: NOW }, 'today', {})
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('link', { name: 'Personal data' }).count()).toBe(0)
    await page.close()
  })
})
