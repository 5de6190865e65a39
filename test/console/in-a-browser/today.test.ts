/** The desk's first page and its printed lists, on the service itself. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRESETS, type Scope } from '../../../src/core/access/keys/scopes.ts'
import { createEvaluator } from '../../../src/parts/contradictions/evaluator.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { booking, guest, metaField, order, spa, type TestRecord, term } from '../../support/world.ts'
import { type OpenedConsole, openConsole } from './console.ts'

/** 10:02 in Bucharest. */
const NOW = '2026-11-21T08:02:00Z'
const DAY = '2026-11-21'
/** Actions that a task may take. */
const ACTIONS_MAX = 12
const HOSTILE = '<img src=x onerror=alert(1)>'

const in_ = (roomId: string | undefined, fields: Record<string, unknown> = {}) => ({
  startDate: '2026-11-17T14:00',
  endDate: '2026-11-26T10:30',
  ...(roomId === undefined ? {} : { acc: { roomId } }),
  ...fields,
})

const RECORDS: TestRecord[] = [
  spa({
    mealRules: {
      mealTimes: { breakfast: '07:30', lunch: '12:00', dinner: '18:15' },
      mealEnds: { breakfast: '10:00', lunch: '14:00', dinner: '20:00' },
      standardTimes: { arrival: ['15:00'], departure: ['11:00'] },
      dietFields: [{ field: 'diet', values: [{ value: 'gluten-free' }, { value: 'vegan' }] }],
    },
    orderRules: { orderStatuses: { valid: ['confirmed'] }, paymentStatuses: { open: ['unpaid'] } },
  }),
  metaField('diet', { of: 'booking' }),
  term('room', '2', 'Room 2', { beds: 1 }),
  term('room', '10', 'Room 10', { beds: 2 }),
  term('room', '11', 'Room 11', { beds: 2 }),
  ...guest('ana', in_('2', { meta: { diet: 'gluten-free' } }), {
    firstName: 'Ana',
    lastName: 'Avram',
    dob: '1966-11-21',
  }),
  ...guest('bo', in_('2'), { firstName: 'Bo', lastName: 'Berg', dob: '1980-11-24' }),
  ...guest(
    'cy',
    in_('10', { endDate: '2026-11-21T11:00', financial: { total: 50, deposit: { amount: 20 } } }),
    {
      firstName: 'Cy',
      lastName: 'Cruz',
      dob: '1970-11-23',
    },
  ),
  ...guest('dee', in_('10', { endDate: '2026-11-21T12:30', meta: { diet: 'vegan' } }), {
    firstName: 'Dee',
    lastName: HOSTILE,
  }),
  ...guest(
    'eve',
    in_(undefined, { startDate: '2026-11-21T17:40', orderUuid: 'order-1', isOrderMainGuest: true }),
    { firstName: 'Eve', lastName: 'Ek', dob: '2000-01-01' },
  ),
  ...guest('fay', in_('10', { startDate: '2026-11-21T15:00' }), {
    firstName: 'Fay',
    lastName: 'Fox',
    dob: '1990-11-27',
  }),
  ...guest('gus', in_('10', { status: 'offer' }), { firstName: 'Gus', lastName: 'Offer' }),
  ...guest('hal', in_('10', { status: 'cancelled' }), { firstName: 'Hal', lastName: 'Cancelled' }),
  order('order-1', {
    number: '2026-00212',
    orderDate: '2026-11-05T12:00',
    totalAmount: 10,
    paymentStatus: 'unpaid',
  }),
]
const NAMES = ['Ana Avram', 'Bo Berg', 'Cy Cruz', `Dee ${HOSTILE}`, 'Eve Ek', 'Fay Fox']

describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({ records: RECORDS, now: NOW })
    await evaluate()
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const evaluate = () =>
    createEvaluator({
      database: clockedDatabase(api.database, () => Date.parse(NOW)),
      clock: () => Date.parse(NOW),
      holder: 'test',
      log: { warn: () => {} },
    }).look()
  const open = (place: string, { key = api.key.apiKey, ...options }: OpenedConsole & { key?: string } = {}) =>
    openConsole(browser, { origin, key, now: NOW }, place, options)
  const keyOf = async (...scopes: Scope[]) => (await api.createKey({ scopes })).apiKey
  const ready = (page: Page) => page.getByRole('heading', { name: 'Rooms' }).waitFor()
  const big = (page: Page, title: string) =>
    page
      .locator('.say3 div', { has: page.locator('dt', { hasText: title }) })
      .locator('b')
      .innerText()
  const inHouse = (page: Page) =>
    page
      .locator('.say3 div', { has: page.locator('dt', { hasText: 'In the house' }) })
      .locator('dd')
      .innerText()

  it('ruling 50: the number in the house is the kitchen’s, and who arrives and leaves is named', async () => {
    const { page, complaints } = await open('')
    await ready(page)
    const portions = await api.get(`/v1/meals/portions?startDate=${DAY}&endDate=${DAY}`)
    const [day] = portions.body.days as { guests: number; arriving: number; departing: number }[]
    expect(day).toMatchObject({ guests: 6, arriving: 2, departing: 2 })
    expect([await big(page, 'Arriving'), await big(page, 'Leaving')]).toEqual(['2', '2'])
    // Eve is expected at 17:40; the hour of Fay is not known, so she counts as here.
    expect(await big(page, 'In the house')).toBe('now: 5')
    expect(await inHouse(page)).toMatch(/now: 5\s*tonight: 4[\s\S]*: 6$/)
    const table = (name: string) => page.getByRole('table', { name }).innerText()
    expect(await table('Arriving')).toMatch(
      /Fay Fox\s+Room 10\s+hour not known[\s\S]*Eve Ek\s+no room\s+17:40[\s\S]*2026-00212/,
    )
    expect(await table('Leaving')).toMatch(
      /Cy Cruz\s+Room 10\s+hour not known[\s\S]*Dee <img src=x onerror=alert\(1\)>\s+Room 10\s+12:30/,
    )
    expect(complaints).toEqual([])
    await page.close()
  })

  it('rooms are in their order, with more guests than beds; the list of what to look at says what is withheld', async () => {
    const { page } = await open('today')
    await ready(page)
    const rooms = await page.getByRole('table', { name: 'Rooms' }).innerText()
    expect(rooms).toMatch(/Room 2\s+Ana Avram[\s\S]*guests: 2, beds: 1[\s\S]*Room 10[\s\S]*no room\s+Eve Ek/)
    await page.getByText('taken: 2; free: 1 (Room 11)').waitFor()
    await page.getByText('Guests without a room: 1.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'More people than beds: Room 2' }).waitFor()
    await page.close()
  })

  it('a key that may not read birthdays, contradictions, rooms and meals sees that: not none', async () => {
    const { page } = await open('today', { key: await keyOf('guests') })
    await ready(page)
    await page.getByText('Not shown: this key has no access to dates of birth.').waitFor()
    await page.getByText('Contradictions are not shown: this key has no access to them.').waitFor()
    expect(await page.getByText('free: Room 11').count()).toBe(0)
    expect(await page.getByText('as in the kitchen').count()).toBe(0)
    expect(await inHouse(page)).toMatch(/: 6$/)
    await page.close()
  })

  it('another center sees nobody of this one', async () => {
    const other = await api.newCenter([])
    const { page } = await open('today', { key: other.key.apiKey })
    await page.getByText('No guests on this day.').waitFor()
    for (const name of NAMES) expect(await page.getByText(name).count()).toBe(0)
    await page.close()
  })

  it('follows what others do', async () => {
    const { page } = await open('today')
    await ready(page)
    await api.load(guest('late', in_('11'), { firstName: 'Late', lastName: 'Lee' }))
    await page.getByRole('cell', { name: 'Late Lee' }).waitFor()
    expect(await inHouse(page)).toMatch(/: 7$/)
    await api.load([booking('late', { customerId: 'c-late', status: 'cancelled' })])
    await page.getByRole('cell', { name: 'Late Lee' }).waitFor({ state: 'detached' })
    expect(await inHouse(page)).toMatch(/: 6$/)
    await page.close()
  })

  it('ruling 50: the evacuation list has everybody of the day, marked, and says who is not on it', async () => {
    const { page } = await open('today/evacuation-list')
    await page.getByRole('table', { name: 'Evacuation list' }).waitFor()
    const paper = textOfPdf(await page.pdf({ format: 'A4' })).replaceAll(/\s+/g, ' ')
    // A long name has two lines.
    for (const name of NAMES) expect(paper).toContain(name.split(' <')[0])
    expect(paper).not.toContain('Gus')
    const rowOf = (name: string) => page.getByRole('row', { name }).innerText()
    expect(await rowOf('Eve Ek')).toContain('expected 17:40')
    expect(await rowOf('Fay Fox')).toContain('here (arrives this day, hour not known)')
    expect(await rowOf('Cy Cruz')).toMatch(/leaving\s+this day, hour not known/)
    expect(await rowOf('Ana Avram')).toMatch(/here\s+11\/26\/2026/)
    expect(paper).toContain('Listed: 6 of 6.')
    expect(paper).toContain('Expected: 1. Here: 3. Leaving: 2.')
    expect(paper).toContain('Guests without a room: 1.')
    expect(paper).toContain('hour that is not known: 2.')
    expect(paper).toMatch(/not active, such as [^:]*offers: \d+\./)
    await page.close()
  })

  describe('tasks, with the number of actions', () => {
    /** Counts what somebody presses and fills in. */
    const counted = (page: Page) => {
      let actions = 0
      const press = async (act: () => Promise<unknown>) => {
        actions += 1
        await act()
      }
      return { press, actions: () => actions, page }
    }

    it('print the list of everybody in the house', async () => {
      const { page } = await open('')
      await page.evaluate('globalThis.printed = 0; globalThis.print = () => { globalThis.printed += 1 }')
      const { press, actions } = counted(page)
      await press(() => page.getByRole('link', { name: 'Print the room list' }).click())
      await page.getByRole('table', { name: 'In the house, by room' }).waitFor()
      await page.waitForFunction('globalThis.printed === 1')
      const pdf = await page.pdf({ format: 'A4' })
      const paper = textOfPdf(pdf).replaceAll(/\s+/g, ' ')
      // A long name takes two lines of its column, and the text of a PDF has the next column between them.
      const listed = await page.getByRole('table', { name: 'In the house, by room' }).innerText()
      for (const name of NAMES) {
        expect(listed).toContain(name)
        for (const word of name.split(' ')) expect(paper, name).toContain(word)
      }
      expect(actions()).toBeLessThanOrEqual(ACTIONS_MAX)
      await page.close()
    })

    it('who has birthday this week', async () => {
      const { page } = await open('')
      const { press, actions } = counted(page)
      await press(() => page.getByRole('link', { name: 'Today' }).click())
      const text = await page.getByRole('table', { name: 'Birthdays' }).innerText()
      // Cy leaves before the day, and Fay after it.
      expect(text).toMatch(/this day\s+Ana Avram\s+Room 2\s+60[\s\S]*Tue 11\/24\s+Bo Berg\s+Room 2\s+46/)
      expect(text).not.toContain('Cy Cruz')
      expect(text).not.toContain('Fay Fox')
      await page.getByText('Guests without a date of birth on record: 1.').waitFor()
      expect(actions()).toBeLessThanOrEqual(ACTIONS_MAX)
      await page.close()
    })

    it('which guests eat without gluten at dinner', async () => {
      const { page } = await open('')
      const { press, actions } = counted(page)
      await press(() => page.getByRole('link', { name: 'Kitchen', exact: true }).first().click())
      await press(() => page.getByRole('button', { name: /gluten-free/ }).click())
      const row = page.getByRole('row', { name: /Room 2 Ana Avram/ })
      await row.waitFor()
      expect(await row.getByRole('cell').allInnerTexts()).toEqual(['1', '1', '1'])
      expect(await page.getByRole('row', { name: /Bo Berg/ }).count()).toBe(0)
      expect(actions()).toBeLessThanOrEqual(ACTIONS_MAX)
      await page.close()
    })

    it('the kitchen on another day, by its date field', async () => {
      const { page } = await open('kitchen')
      await page.getByLabel('Another day').fill('2026-11-26')
      await page.getByRole('heading', { name: 'Thursday 11/26/2026' }).waitFor()
      await page.close()
    })
  })

  describe('ruling 49: who has paid', () => {
    it('says which orders of the guests are not paid, and each name leads to its guest', async () => {
      const { page, complaints } = await open('today')
      await ready(page)
      const table = page.getByRole('table', { name: 'Not paid' })
      expect(await table.innerText()).toMatch(/2026-00212\s+Eve Ek\s+11\/26\s+Open/)
      expect(await table.innerText()).not.toContain('Ana Avram')
      await page.getByText('not known whether they have paid: 4.').waitFor()
      const leaving = await page.getByRole('table', { name: 'Leaving' }).innerText()
      expect(leaving).toMatch(/Cy Cruz[\s\S]*Partially paid[\s\S]*Dee[\s\S]*not known/)
      await table.getByRole('link', { name: 'Eve Ek' }).click()
      await page.getByRole('heading', { level: 1, name: /Eve Ek/ }).waitFor()
      expect(complaints).toEqual([])
      await page.close()
    })

    it('a key without the scope sees a message, and nothing looks paid', async () => {
      const { page } = await open('today', { key: await keyOf('guests', 'guests.financial') })
      await ready(page)
      await page.getByText('this key has no access to whether guests have paid').waitFor()
      expect(await page.getByRole('table', { name: 'Not paid' }).count()).toBe(0)
      const leaving = page.getByRole('table', { name: 'Leaving' })
      expect(await leaving.getByText('not permitted').count()).toBe(2)
      await leaving.getByRole('link', { name: 'Cy Cruz' }).click()
      await page.getByRole('heading', { level: 1, name: /Cy Cruz/ }).waitFor()
      await page.getByText('guests.paid', { exact: true }).waitFor()
      expect(await page.locator('main').innerText()).not.toMatch(/\bPaid\s+Paid\b/)
      await page.close()
    })
  })

  it('ruling 49: on a day without guests, a key without the scope reads no sentence that nothing is open', async () => {
    const { page } = await open('today?day=2027-03-01', { key: await keyOf('guests') })
    await page.getByText('this key has no access to whether guests have paid').waitFor()
    await page.close()
  })

  it('every name on the page leads to its guest', async () => {
    const { page } = await open('today')
    await ready(page)
    for (const title of ['Arriving', 'Leaving', 'Rooms', 'Birthdays', 'Not paid']) {
      const links = page.getByRole('table', { name: title }).locator('a[href*="guests/one?id="]')
      expect(await links.count(), title).toBeGreaterThan(0)
    }
    const rooms = page.getByRole('table', { name: 'Rooms' })
    for (const name of NAMES)
      expect(await rooms.getByRole('link', { name, exact: true }).count(), name).toBe(1)
    await page.close()
  })

  it('a key without guests sees names in the kitchen that lead nowhere', async () => {
    const { page } = await open('kitchen', { key: await keyOf('meals') })
    await page.getByText('Who skips').click()
    await page.locator('.names h2').first().waitFor()
    expect(await page.locator('a[href*="guests/one"]').count()).toBe(0)
    await page.close()
  })

  it('the numbers lead to the list behind them, which stays relative to today', async () => {
    const { page } = await open('today')
    await ready(page)
    for (const [title, name, count] of [
      ['In the house', 'inHouse', '6'],
      ['Arriving', 'arriving', '2'],
      ['Leaving', 'departing', '2'],
    ] as const) {
      await page
        .locator('.say3 div', { has: page.locator('dt', { hasText: title }) })
        .getByRole('link')
        .click()
      await page.locator('.count b', { hasText: new RegExp(`^${count}$`) }).waitFor()
      expect(page.url()).toContain(`${name}=today`)
      await page.goBack()
      await ready(page)
    }
    await page.getByRole('link', { name: 'As a list' }).click()
    await page.locator('.count b', { hasText: /^2$/ }).waitFor()
    expect(page.url()).toContain('paid=open%2CpartlyPaid%2CnotDecided')
    await page.close()
  })

  it.each(Object.entries(PRESETS))(
    'ruling 49: the first page of the preset %s is open to it',
    async (name, scopes) => {
      const { page, complaints } = await open('', { key: await keyOf(...scopes) })
      const first = page.locator('.bar nav a[aria-current=page]')
      const titles: Readonly<Record<string, string>> = {
        ...{ kitchen: 'Kitchen', wall: 'Kitchen', finance: 'Orders', housekeeping: 'Rooms' },
        ...{ doctor: 'New guests', laboratory: 'Sessions', administration: 'Administration' },
      }
      expect(await first.textContent()).toBe(titles[name] ?? 'Today')
      expect(await page.getByText('does not give access to this page').count()).toBe(0)
      expect(complaints).toEqual([])
      await page.close()
    },
  )

  it.each([
    ['contradictions', 'Contradictions'],
    ['sources', 'Sources'],
    ['orders', 'Orders'],
  ] as const)('a key with %s alone begins with %s', async (scope, title) => {
    const { page } = await open('', { key: await keyOf(scope) })
    await expect.poll(() => page.locator('.bar nav a[aria-current=page]').textContent()).toBe(title)
    await page.close()
  })

  it.each([320, 390, 768, 1024, 1440, 1920])(
    'fits %i pixels, without findings in light and dark',
    async (width) => {
      for (const scheme of ['light', 'dark'] as const) {
        const { page } = await open('today', { width, scheme })
        await ready(page)
        expect(await violationsOf(page)).toEqual([])
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        if (process.env.PICTURES !== undefined) {
          await page.screenshot({
            path: `${process.env.PICTURES}/today-${width}-${scheme}.png`,
            fullPage: true,
          })
        }
        await page.close()
      }
    },
  )

  it.each(['today/room-list', 'today/evacuation-list'])('%s: no findings', async (place) => {
    const { page } = await open(place)
    await page.getByRole('table').waitFor()
    expect(await violationsOf(page)).toEqual([])
    if (process.env.PICTURES !== undefined) {
      await page.screenshot({
        path: `${process.env.PICTURES}/${place.replace('/', '-')}.png`,
        fullPage: true,
      })
      await page.pdf({ path: `${process.env.PICTURES}/${place.replace('/', '-')}.pdf`, format: 'A4' })
    }
    await page.close()
  })
})
