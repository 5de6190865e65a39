/** The administration in a browser, on the service itself: what a person without a terminal does, in how many steps. */
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION } from '../../../src/core/access/keys/scopes.ts'
import { ACTION_APP } from '../../support/action-requests.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { hasBrowser, launchBrowser, openPage, violationsOf } from '../../support/browser.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { metaField } from '../../support/world.ts'
import { openConsole } from './console.ts'

const PICTURES = process.env.PICTURES

/** Accepts every message. */
async function startReceiver() {
  let messages = 0
  const server = createServer((request, response) => {
    messages += 1
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens has an address and a port.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, messages: () => messages, close: () => server.close() }
}

describe.skipIf(!hasBrowser)('in a browser', { timeout: 180_000 }, () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  let administrator: TestKey
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    api = await startTestApi({
      records: twinCenters(),
      app: { ...ACTION_APP, webhooksAllowedAddresses: ['127.0.0.1'] },
    })
    administrator = await api.createKey({ scopes: [ADMINISTRATION] })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    receiver?.close()
    await browser?.close()
  })

  const open = (place: string, options: Parameters<typeof openConsole>[3] = {}) =>
    openConsole(browser, { origin, key: administrator.apiKey, now: new Date().toISOString() }, place, options)

  async function picture(page: Page, name: string): Promise<void> {
    if (PICTURES === undefined) return
    mkdirSync(PICTURES, { recursive: true })
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
  }

  // Such a key follows no changes: its request for their stream is a 403, which the browser reports.
  /** Counts what a person does. */
  function counting() {
    let actions = 0
    return {
      click: (target: Locator) => {
        actions += 1
        return target.click()
      },
      type: (target: Locator, text: string) => {
        actions += 1
        return target.fill(text)
      },
      get actions() {
        return actions
      },
    }
  }

  const wall = () => `/v1/meals/portions?startDate=2025-01-11&endDate=2025-01-11`
  const mayRead = async (key: string) =>
    (await api.as(undefined).get(wall(), { authorization: `Bearer ${key}` })).status

  it('a wall gets its key, and the key is revoked, in at most 12 actions', async () => {
    const { page, complaints } = await open('administration')
    const by = counting()
    // The first page of the service waits for the console to be made.
    await page.getByRole('link', { name: 'New key' }).waitFor({ timeout: 110_000 })
    await by.click(page.getByRole('link', { name: 'New key' }))
    await by.type(page.getByLabel('Who or what uses it'), 'Kitchen wall')
    await by.type(page.getByLabel('Responsible person'), 'Doina, kitchen')
    await by.click(page.getByRole('radio', { name: /^Kitchen/ }))
    await picture(page, 'new-key')
    await by.click(page.getByRole('button', { name: 'Create the key' }))
    const secret = (await page.locator('.once').textContent()) ?? ''
    expect(secret).toMatch(/^sjn_key_/)
    expect(await mayRead(secret)).toBe(200)
    await picture(page, 'ready')
    await by.click(page.getByRole('button', { name: 'The key is stored' }))
    const row = page.getByRole('row', { name: /Kitchen wall/ })
    await row.waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(
      await page.evaluate('JSON.stringify([sessionStorage, localStorage, location.href])'),
    ).not.toContain(secret)
    await by.click(row.getByRole('button', { name: 'Revoke' }))
    await picture(page, 'revoke')
    await by.click(page.locator('form').getByRole('button', { name: 'Revoke' }))
    await page.getByRole('alert').filter({ hasText: 'Kitchen wall is revoked.' }).waitFor()
    await row.waitFor({ state: 'detached' })
    expect(await mayRead(secret)).toBe(401)
    expect(by.actions).toBeLessThanOrEqual(12)
    expect(complaints.filter((one) => !one.includes('403 (Forbidden)'))).toEqual([])
    await page.close()
  })

  it('meal times are set and nuts are marked as an allergy in at most 10 actions from the sign-in', async () => {
    const records = [metaField('food', { label: 'Food' })]
    const center = await api.newCenter(records)
    const own = await api.createKey({ center: center.id, scopes: [ADMINISTRATION] })
    const { page, complaints } = await openPage(browser, `${origin}/console`, 1440)
    const by = counting()
    const key = page.getByRole('textbox').first()
    await key.waitFor({ timeout: 110_000 })
    await by.type(key, own.apiKey)
    await by.click(page.getByRole('button', { name: 'Sign in', exact: true }))
    await by.click(page.getByRole('link', { name: 'Settings of the center' }))
    const meals = page.getByRole('region', { name: 'Meal times' })
    await by.type(meals.getByLabel('Breakfast: Begins'), '07:45')
    await by.type(meals.getByLabel('Lunch: Begins'), '12:20')
    await by.type(meals.getByLabel('Dinner: Begins'), '18:10')
    await by.click(meals.getByRole('button', { name: 'Save' }))
    await page.getByText('Saved.').waitFor()
    const diets = page.getByRole('region', { name: 'Diets and allergies' })
    await by.type(diets.getByLabel('Text on record'), 'nuts')
    await by.click(diets.getByRole('button', { name: 'Save' }))
    await diets.getByRole('listitem').filter({ hasText: 'nuts' }).waitFor()
    expect(by.actions).toBeLessThanOrEqual(10)
    expect(await violationsOf(page)).toEqual([])
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await picture(page, `settings-${width}`)
    }
    const { body } = await api.as(own).get('/v1/administration/settings')
    expect(body.mealRules).toMatchObject({
      mealTimes: { breakfast: '07:45', lunch: '12:20', dinner: '18:10' },
      dietFields: [{ field: 'food', values: [{ value: 'nuts', isAllergy: true }] }],
    })
    // What is refused is said where it was typed, and nothing is changed.
    await meals.getByLabel('Lunch: Begins').fill('06:00')
    await meals.getByRole('button', { name: 'Save' }).click()
    await meals.getByRole('alert').waitFor()
    const after = (await api.as(own).get('/v1/administration/settings')).body.mealRules
    expect(after).toMatchObject({ mealTimes: { lunch: '12:20' } })
    expect(complaints.filter((one) => !/403 \(Forbidden\)|400 \(Bad Request\)/.test(one))).toEqual([])
    await page.close()
  })

  it('a key is handed to a device by a QR code, used there, and revoked, in at most 12 actions', async () => {
    const { page, complaints } = await open('administration')
    const by = counting()
    await by.click(page.getByRole('link', { name: 'New key' }))
    await by.type(page.getByLabel('Who or what uses it'), 'Wall by the oven')
    await by.click(page.getByRole('radio', { name: /^Wall display/ }))
    await by.click(page.getByRole('radio', { name: 'To a device, by a QR code or a link' }))
    await picture(page, 'new-device')
    await by.click(page.getByRole('button', { name: 'Create the key' }))
    await page.getByRole('img', { name: 'QR code of the link for Wall by the oven' }).waitFor()
    const url = (await page.locator('.once').textContent()) ?? ''
    expect(url).toMatch(new RegExp(`^${origin}/console#/device\\?link=sjn_once_`))
    expect(await page.content()).not.toContain('sjn_key_')
    await picture(page, 'device-link')
    expect(await violationsOf(page)).toEqual([])

    // The device, in a browser of its own.
    const context = await browser.newContext()
    const device = await context.newPage()
    await device.goto(url)
    await device.getByText('This device becomes “Wall by the oven”.').waitFor()
    await picture(device, 'device-page')
    await by.click(device.getByRole('button', { name: 'Sign in this device' }))
    await device.getByRole('link', { name: 'Kitchen' }).first().waitFor()
    // The page of the administration says so by itself.
    await page.clock.runFor(4000)
    await page.getByText('A device is signed in with it.').waitFor()
    expect(await page.content()).not.toContain('sjn_once_')
    await by.click(page.getByRole('button', { name: 'Close' }))
    const devices = page.locator('section').filter({ has: page.locator('#adm-devices') })
    await devices.getByText('A device is signed in with it.').waitFor()
    await picture(page, 'devices')
    await by.click(devices.getByRole('button', { name: 'Revoke the key Wall by the oven' }))
    await by.click(devices.locator('form').getByRole('button', { name: 'Revoke' }))
    await page.getByRole('alert').filter({ hasText: 'Wall by the oven is revoked.' }).waitFor()
    await device.reload()
    await device
      .getByText(/This key is no longer valid|API key/)
      .first()
      .waitFor()
    expect(by.actions).toBeLessThanOrEqual(12)
    expect(complaints.filter((one) => !one.includes('403 (Forbidden)'))).toEqual([])
    await context.close()
    await page.close()
  })

  it('a link for a key that exists waits, is listed, and is revoked; nobody can use it then', async () => {
    const desk = await api.createKey({ scopes: ['meals'] })
    const { page } = await open('administration')
    const row = page.getByRole('row').filter({ hasText: desk.appId })
    await row.getByRole('button', { name: 'To a device' }).click()
    await page.locator('form.decide').getByRole('button', { name: 'Make the link' }).click()
    const url = (await page.locator('.once').textContent()) ?? ''
    await page.getByRole('button', { name: 'Revoke the link' }).first().click()
    await page.getByText('The link can no longer be used.').waitFor()
    const context = await browser.newContext()
    const device = await context.newPage()
    await device.goto(url)
    await device.getByText('This link can no longer be used.').waitFor()
    await context.close()
    await page.close()
  })

  it('a link is created, shown once and revoked; a source is set; addresses are written; a report is added', async () => {
    const desk = await api.createKey({ scopes: ['meals', 'sessions'] })
    const { page, complaints } = await open('administration')
    const section = (id: string) => page.locator('section').filter({ has: page.locator(`#${id}`) })
    const links = section('adm-links')
    await links.getByRole('button', { name: 'Add a link' }).click()
    await links.getByLabel('Who uses it').fill('Excel')
    await links.getByLabel('Access of the key').selectOption(desk.appId)
    await links.getByLabel('What it shows').selectOption({ label: 'Portions of seven days, as CSV' })
    await picture(page, 'new-link')
    await links.locator('form').getByRole('button', { name: 'Add a link' }).click()
    const url = (await links.locator('.once').textContent()) ?? ''
    expect((await page.request.get(url)).status()).toBe(200)
    await links.getByRole('button', { name: 'Close' }).click()
    await links.getByRole('button', { name: 'Revoke Excel' }).click()
    await links.locator('form').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('alert').filter({ hasText: 'The link Excel was revoked.' }).waitFor()
    expect((await page.request.get(url)).status()).toBe(404)

    const sources = section('adm-sources')
    await sources.getByText('This service accepts no files.').waitFor()
    await sources.getByRole('button', { name: 'Add a source' }).click()
    await sources.getByLabel('Name of the source').fill('watch')
    await sources.getByLabel(/^When a delivery is expected/).fill('every night by 04:00')
    await sources.getByRole('checkbox', { name: 'Bookings' }).check()
    await sources.locator('form').getByRole('button', { name: 'Save' }).click()
    await sources.getByText('every night by 04:00').first().waitFor()
    await sources.locator('form').waitFor({ state: 'detached' })
    await sources.getByRole('button', { name: 'Change the addresses' }).click()
    await sources.getByLabel('E-mail addresses, separated by commas').fill('it@example.org')
    await sources.locator('form').getByRole('button', { name: 'Save' }).click()
    await sources.getByText(/^Sent to it@example.org/).waitFor()

    const reports = section('adm-reports')
    await reports.getByRole('button', { name: 'Add a report' }).click()
    await reports.getByLabel('Name', { exact: true }).fill('Morning')
    await reports.getByLabel('Access of the key').selectOption(desk.appId)
    await reports.getByLabel(/^Days/).selectOption('week')
    await reports.getByRole('checkbox', { name: 'Wednesday' }).uncheck()
    await reports.getByRole('button', { name: 'Add a time' }).click()
    await reports.getByLabel('Times 2').fill('16:30')
    await reports.getByLabel('E-mail', { exact: true }).fill('kitchen@example.org')
    await reports.getByRole('button', { name: 'Add a destination' }).click()
    await reports.getByLabel('Where it is sent 2').selectOption('folder')
    await reports.getByLabel('Folder', { exact: true }).fill('kitchen')
    await picture(page, 'new-report')
    await reports.locator('form').getByRole('button', { name: 'Add a report' }).click()
    await page.getByRole('alert').filter({ hasText: 'The report Morning was added.' }).waitFor()
    const sentAt = '06:00, 16:30, Monday, Tuesday, Thursday, Friday'
    await reports.getByText(`${sentAt} → mail:kitchen@example.org, folder:kitchen`).waitFor()
    await reports.getByRole('button', { name: 'Send now Morning' }).click()
    await page.getByRole('alert').filter({ hasText: 'Morning is sent within a minute.' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await reports.getByRole('button', { name: 'Remove Morning' }).click()
    await reports.locator('form').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alert').filter({ hasText: 'The report Morning was removed.' }).waitFor()
    expect(complaints.filter((one) => !one.includes('403 (Forbidden)'))).toEqual([])
    await page.close()
  })

  it('says who read a guest last week, in at most 12 actions', async () => {
    const reception = await api.createKey({ scopes: ['guests', 'meals'] })
    await api.as(reception).get('/v1/guests?startDate=2024-01-01&endDate=2025-12-31&project=name')
    const { page } = await open('administration')
    const by = counting()
    const table = page.getByRole('table', { name: 'Who read what' })
    // The trail is written three times a second.
    await expect
      .poll(
        async () => {
          const asked = counting()
          await asked.type(page.getByLabel('Booking number or identifier'), 'b-1')
          await asked.click(page.getByRole('button', { name: 'Show' }))
          await page
            .getByText(/Entries: |Newest entries: |No recorded read/)
            .first()
            .waitFor()
          return table.getByText('listGuests').count()
        },
        { timeout: 60_000, interval: 1500 },
      )
      .toBeGreaterThan(0)
    await by.type(page.getByLabel('Booking number or identifier'), 'b-1')
    await by.click(page.getByRole('button', { name: 'Show' }))
    await table.waitFor()
    expect(await table.textContent()).toContain('startDate=2024-01-01')
    expect(by.actions).toBeLessThanOrEqual(12)
    await picture(page, 'who-read')
    await by.type(page.getByLabel('Booking number or identifier'), 'nobody')
    await by.click(page.getByRole('button', { name: 'Show' }))
    await page.getByText('No recorded read of these days names this guest.').waitFor()
    await page.close()
  })

  it('a webhook is added and tested, in at most 12 actions', async () => {
    const { page, complaints } = await open('administration')
    const by = counting()
    await by.click(page.getByRole('button', { name: 'Add a webhook' }))
    await by.type(page.getByLabel('Who receives the messages'), 'Lab')
    await by.type(page.getByLabel('URL, by https'), receiver.url)
    await by.click(page.getByRole('checkbox', { name: /^guests / }).first())
    await picture(page, 'new-webhook')
    await by.click(page.locator('form.decide').getByRole('button', { name: 'Add a webhook' }))
    expect(await page.locator('.once').textContent()).toMatch(/^whsec_/)
    await by.click(page.getByRole('button', { name: 'The key is stored' }))
    await by.click(page.getByRole('button', { name: 'Send a test Lab' }))
    await page.getByText('Test: accepted (204).').waitFor()
    expect(receiver.messages()).toBe(1)
    expect(by.actions).toBeLessThanOrEqual(12)
    await picture(page, 'webhook-tested')
    expect(complaints.filter((one) => !one.includes('403 (Forbidden)'))).toEqual([])
    await page.close()
  })

  it('does not say that there are no webhooks before they are read', async () => {
    const { page } = await open('administration')
    const read = Promise.withResolvers<void>()
    await page.route('**/webhooks', async (route) => {
      await read.promise
      await route.continue()
    })
    const form = page.locator('#adm-reports').locator('..').locator('form')
    await page.getByRole('button', { name: 'Add a report' }).click()
    await form.getByLabel('Where it is sent 1').selectOption('webhook')
    await form.getByText('Loading').waitFor()
    expect(await form.getByText('This center has no webhooks').count()).toBe(0)
    read.resolve()
    await form.getByText('Loading').waitFor({ state: 'detached' })
    await page.close()
  })

  it('rotates a key and shows its new secret; describes one; leaves those of the administration alone', async () => {
    const lab = await api.createKey({ scopes: ['meals'] })
    const { page } = await open('administration')
    const row = page.getByRole('row').filter({ hasText: lab.appId })
    await row.getByRole('button', { name: 'Describe' }).click()
    await page.locator('form.decide').getByLabel('Responsible person').fill('Ana')
    await page.locator('form.decide').getByRole('button', { name: 'Save' }).click()
    await row.getByText('Ana').waitFor()
    await row.getByRole('button', { name: 'Rotate' }).click()
    await page.locator('form.decide').getByRole('combobox').selectOption('0')
    await page.locator('form.decide').getByRole('button', { name: 'Rotate' }).click()
    const secret = (await page.locator('.once').textContent()) ?? ''
    expect(await mayRead(secret)).toBe(200)
    expect(await mayRead(lab.apiKey)).toBe(401)
    const own = page.getByRole('row').filter({ hasText: administrator.appId })
    expect(await own.getByRole('button').count()).toBe(0)
    await page.close()
  })

  it('runs no script of a name, and frames of other sites cannot hold it', async () => {
    const name = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    const { page } = await open('administration/new-key')
    await page.getByLabel('Who or what uses it').fill(name)
    await page.getByRole('radio', { name: /^Kitchen/ }).check()
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByRole('button', { name: 'The key is stored' }).click()
    await page.getByRole('rowheader').filter({ hasText: 'onerror' }).waitFor()
    expect(await page.title()).toMatch(/^Administration/)
    const served = await page.request.get(`${origin}/console`)
    expect(served.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
    await page.close()
  })

  it.each([
    ['administration', 320, 'light'],
    ['administration', 1440, 'dark'],
    ['administration/new-key', 320, 'dark'],
  ] as const)('%s at %d px is accessible and not wider than the page', async (place, width, scheme) => {
    const { page, complaints } = await open(place, { width, scheme })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page
      .getByRole(place === 'administration' ? 'rowheader' : 'radio')
      .first()
      .waitFor()
    if (place === 'administration') {
      await page.getByRole('button', { name: 'Revoke' }).first().click()
      await page.getByRole('button', { name: 'Show' }).click()
      await page
        .getByText(/ntries: /)
        .first()
        .waitFor()
    } else {
      await page.getByRole('radio', { name: 'Own choice' }).check()
    }
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await picture(page, `${place.replace('/', '-')}-${width}-${scheme}`)
    expect(complaints.filter((one) => !one.includes('403 (Forbidden)'))).toEqual([])
    await page.close()
  })

  it('is printed with every key, and without buttons', async () => {
    const { page } = await open('administration')
    await page.getByRole('rowheader').first().waitFor()
    const names = await page.getByRole('rowheader').allTextContents()
    const text = await textOfPdf(await page.pdf({ format: 'A4' }))
    for (const name of names) expect(text.replaceAll(/\s+/g, '')).toContain(name.replaceAll(/\s+/g, ''))
    expect(text).not.toContain('New key')
    await page.close()
  })

  it('signs out after 15 minutes without use', async () => {
    const { page } = await open('administration')
    await page.getByRole('rowheader').first().waitFor()
    await page.clock.runFor(14 * 60_000)
    await page
      .getByText(/signed out at|sign out at|Nobody/i)
      .first()
      .waitFor()
    await page.clock.runFor(70_000)
    await page.getByLabel('API key').waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('sojourn-key'))).toBeNull()
    await page.close()
  })

  it('a key that reads guests does not open it', async () => {
    const desk = await api.createKey({ scopes: ['guests'] })
    const { page } = await openConsole(
      browser,
      { origin, key: desk.apiKey, now: new Date().toISOString() },
      'administration',
    )
    await page.getByText('This key does not give access to this page.').waitFor()
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await page.close()
  })
})
