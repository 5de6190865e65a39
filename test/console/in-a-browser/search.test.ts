/** One search and the page of one guest in a browser: what the desk does with them, and what must not happen. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/core/access/keys/scopes.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { booking, guest, metaField, order, spa, type TestRecord, term } from '../../support/world.ts'
import { type OpenedConsole, openConsole } from './console.ts'

const NOW = '2026-11-21T08:02:00Z'
const HOSTILE = '<img src=x onerror="window.hacked=1">'

const HERE = { startDate: '2026-11-17T14:00', endDate: '2026-11-26T10:00' }

const RECORDS: TestRecord[] = [
  spa({
    currency: 'RON',
    orderRules: { orderStatuses: { valid: ['confirmed'] }, paymentStatuses: { open: ['partially_paid'] } },
    mealRules: { dietFields: [{ field: 'diet' }, { field: 'allergies', allergies: ['nuts'] }] },
  }),
  metaField('diet', { label: 'Diet' }),
  metaField('allergies', { label: 'Allergies' }),
  term('room', 'r-205', 'Room 205'),
  order('o-171', {
    number: '2026-00171',
    orderDate: '2026-11-05T12:00',
    totalAmount: 3735,
    currency: 'RON',
    paymentStatus: 'partially_paid',
  }),
  ...guest(
    'jasper',
    {
      ...HERE,
      acc: { roomId: 'r-205' },
      orderUuid: 'o-171',
      isOrderMainGuest: true,
      skippingMeals: { lunch: ['2026-11-21'] },
      financial: { deposit: { amount: 1735, paidAt: '2026-10-30T10:00:00Z' } },
      medicalConditions: 'secret condition',
    },
    {
      firstName: 'Jasper',
      lastName: 'Merrowdale',
      phone: '+47 555 01 342',
      dob: '1958-03-14',
      meta: { allergies: 'nuts' },
    },
  ),
  booking('jasper-before', {
    customerId: 'c-jasper',
    startDate: '2026-04-08T14:00',
    endDate: '2026-04-17T10:00',
    status: 'departed',
  }),
  ...guest(
    'fiona',
    { ...HERE, acc: { roomId: 'r-205' }, orderUuid: 'o-171' },
    { firstName: 'Fiona', lastName: 'Merrowdale' },
  ),
  order('o-172', {
    number: '2026-00172',
    orderDate: '2026-11-05T12:00',
    totalAmount: 500,
    currency: 'EUR',
    paymentStatus: 'partially_paid',
  }),
  ...guest(
    'gerda',
    {
      ...HERE,
      orderUuid: 'o-172',
      isOrderMainGuest: true,
      financial: { deposit: { amount: 900, paidAt: '2026-10-30T10:00:00Z' } },
    },
    { firstName: 'Gerda', lastName: 'Groen' },
  ),
  ...guest('hostile', { ...HERE, acc: { roomId: HOSTILE } }, { firstName: HOSTILE, lastName: 'Hostile' }),
].map(({ medicalConditions: _, ...record }) => record as TestRecord)

describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({ records: RECORDS, now: NOW })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function open(place: string, scopes?: readonly Scope[], how: OpenedConsole = {}) {
    const key = scopes === undefined ? api.key : await api.createKey({ scopes })
    return openConsole(browser, { origin, key: key.apiKey, now: NOW }, place, how)
  }

  /** Keys and filled fields, as a person counts them. */
  async function ask(page: Page, words: string): Promise<number> {
    const field = page.locator('#q')
    await field.waitFor()
    // The page listens for the key only after it has painted the field.
    const focused = async () => {
      await page.keyboard.press('/')
      return page.evaluate('document.activeElement?.id')
    }
    await expect.poll(focused).toBe('q')
    await page.keyboard.type(words)
    await page.clock.runFor(1000)
    await page.locator('#found [role=option]').first().waitFor()
    return 2
  }

  it('finds a guest by half a phone number with three actions', async () => {
    const { page, complaints } = await open('guests')
    let actions = await ask(page, '01 342')
    await page.keyboard.press('Enter')
    actions += 1
    await page.getByRole('heading', { level: 1, name: /Jasper Merrowdale/ }).waitFor()
    expect(actions).toBeLessThanOrEqual(12)
    expect(await page.title()).toBe('Jasper Merrowdale · Izvorul Alb')
    // The words are nowhere: not in the address, the history, or what the browser stores.
    const stored = await page.evaluate(
      'location.href + JSON.stringify(sessionStorage) + JSON.stringify(localStorage) + JSON.stringify(history.state)',
    )
    expect(stored).not.toContain('342')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('answers whether room 205 has paid with three actions', async () => {
    const { page } = await open('guests')
    const actions = (await ask(page, '205')) + 1
    expect(await page.locator('#found [role=option]').allTextContents()).toEqual([
      expect.stringContaining('Fiona Merrowdale'),
      expect.stringContaining('Jasper Merrowdale'),
    ])
    await page.keyboard.press('Enter')
    const own = page.locator('section', { has: page.getByRole('heading', { name: /^Order 2026-00171/ }) })
    await own.getByText('Partially paid').waitFor()
    expect((await own.textContent())?.replaceAll(/\s/g, ' ')).toContain('OpenRON 2,000.00')
    expect(actions).toBeLessThanOrEqual(12)
    await page.close()
  })

  it('answers whether room 205 has paid without amounts, with three actions, for each guest in it', async () => {
    const { page, complaints } = await open('today', ['guests', 'guests.paid'])
    const actions = (await ask(page, '205')) + 1
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Fiona Merrowdale/ }).waitFor()
    const paid = page.locator('section', { has: page.getByRole('heading', { name: /^Order/ }) })
    await expect.poll(() => paid.locator('dl').first().innerText()).toMatch(/Paid\s+Partially paid/)
    const room = page.locator('section', { has: page.getByRole('heading', { name: /^Room Room 205/ }) })
    await expect.poll(() => room.innerText()).toMatch(/Jasper Merrowdale[\s\S]*Partially paid/)
    expect(await page.locator('main').innerText()).not.toMatch(/1,735|3,735|2,000|RON/)
    await room.getByRole('link', { name: 'Jasper Merrowdale' }).click()
    await page.getByRole('heading', { level: 1, name: /Jasper Merrowdale/ }).waitFor()
    expect(actions).toBeLessThanOrEqual(12)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('how much is open of an order in another currency than its payments is not known', async () => {
    const { page } = await open('guests/one?id=gerda')
    const own = page.locator('section', { has: page.getByRole('heading', { name: /^Order 2026-00172/ }) })
    const text = async () => (await own.innerText()).replaceAll(/\s+/g, ' ')
    await expect.poll(text).toContain('Total €500.00')
    expect(await text()).toContain('Paid RON 900.00')
    expect(await text()).toContain('Open not known: the payments are in RON')
    expect(await text()).not.toMatch(/[-−]?€?400/)
    await page.close()
  })

  it('a key that may not know who has paid reads that it is not permitted, never that it is paid', async () => {
    const { page } = await open('guests/one?id=jasper', ['guests', 'guests.financial'])
    const own = page.locator('section', { has: page.getByRole('heading', { name: /^Order 2026-00171/ }) })
    await expect.poll(() => own.locator('dl').first().innerText()).toMatch(/Paid\s+not permitted/)
    await page.close()
  })

  it('arrows choose, Enter opens, Escape leaves, and a listed result of older words is not opened', async () => {
    const { page } = await open('guests')
    await ask(page, 'merrow')
    const selected = () => page.locator('[aria-selected=true]').textContent()
    expect(await selected()).toContain('Fiona')
    await page.keyboard.press('ArrowDown')
    expect(await selected()).toContain('Jasper')
    expect(await page.locator('#q').getAttribute('aria-activedescendant')).toBe('found-1')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await selected()).toContain('2026-00171')
    await page.keyboard.type('zzz')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('location.hash')).toBe('#/guests')
    await page.keyboard.press('Escape')
    expect(await page.locator('#q').inputValue()).toBe('')
    expect(await page.locator('#q').getAttribute('aria-expanded')).toBe('false')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.close()
  })

  it('says what was not searched, and keys without guests and orders have no search', async () => {
    const { page } = await open('guests', ['guests'])
    await ask(page, 'merrow')
    await page.getByText('Not searched, because this key may not read it: Orders').waitFor()
    await page.close()
    const kitchen = await open('kitchen', ['meals'])
    await kitchen.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await kitchen.page.locator('#q').count()).toBe(0)
    await kitchen.page.close()
  })

  it('the page of a guest has stays, diets, meals, room, order and contact', async () => {
    const { page, complaints } = await open('guests/one?id=jasper')
    const text = async () => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
    await page.getByText('Shares with').waitFor()
    const own = page.locator('section', { has: page.getByRole('heading', { name: /^Order 2026-00171/ }) })
    await own.getByText('Partially paid').waitFor()
    await expect.poll(text).toContain('nuts')
    const shown = await text()
    for (const part of [
      'Patient, Room 205',
      'Born 03/14/1958, age 68',
      'Diet Not asked',
      'Fiona Merrowdale 11/17/2026 – 11/26/2026, same order',
      '04/08/2026 – 04/17/2026',
      '+47 555 01 342',
      'Second phone none on record',
      'They are read when you open them, and the reading is in the audit trail.',
    ])
      expect(shown).toContain(part)
    const lunch = page.locator('tr.today td').nth(1)
    expect(await lunch.textContent()).toBe('skips')
    await page.getByRole('link', { name: '04/08/2026 – 04/17/2026' }).click()
    await page.getByText('was here from').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('the page of a guest says what its key may not see, and never that there is none', async () => {
    const { page } = await open('guests/one?id=jasper', ['guests'])
    await page.getByText('Shares with').waitFor()
    const shown = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
    for (const part of [
      'this key has no access to meals and diets. There may be an allergy.',
      'this key has no access to orders',
      'Contradictions are not shown',
      'guests.personal',
      'guests.medical',
      'this key cannot tell',
    ])
      expect(shown).toContain(part)
    expect(shown).not.toMatch(/Not asked|1958|RON/)
    await page.close()
  })

  it('the page of a guest has no number of contradictions that are not counted for its key: not none', async () => {
    const { page } = await open('guests/one?id=jasper', ['guests', 'contradictions'])
    await page.getByText('Not shown, because this key has no access: –').waitFor()
    await page.close()
  })

  it('scripts in names and values stay text', async () => {
    const { page, complaints } = await open('guests')
    await ask(page, 'hostile')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).getByText('onerror').waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('a guest who does not exist, or of another center, is unknown', async () => {
    const { page } = await open('guests/one?id=nobody')
    await page.getByRole('alert').getByText('There is no guest with this identifier.').waitFor()
    await page.close()
  })

  it.each([
    ['light', 1440],
    ['dark', 390],
    ['dark', 1920],
    ['light', 320],
  ] as const)('is accessible and never wider than the window, %s and %i wide', async (scheme, width) => {
    const { page } = await open('guests/one?id=jasper', undefined, { scheme, width })
    await page.getByText('Shares with').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await ask(page, 'merrow')
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await page.close()
  })
})
