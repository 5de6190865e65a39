/** The page of sources in a browser: late, with a problem, in order, and not known are four things. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guests, HOUR, NOW, type SourcesWorld, startSourcesWorld } from '../../routes/sources/deliver.ts'
import { hasBrowser, launchBrowser, violationsOf } from '../../support/browser.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { openConsole } from './console.ts'

const set = (name: string, schedule: string) => [
  'sources',
  'set',
  '--center',
  'spa',
  name,
  '--kinds',
  'bookings',
  '--schedule',
  schedule,
]

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function serve(world: SourcesWorld) {
    const origin = await world.api.app.listen({ port: 0, host: '127.0.0.1' })
    const now = new Date(world.now).toISOString()
    return (place: string, key = world.api.key.apiKey, width = 1440) =>
      openConsole(browser, { origin, key, now }, place, { width })
  }

  it('shows each source with its schedule, what is wrong since when, and what was received', async () => {
    const world = await startSourcesWorld()
    await world.run(set('hourly', 'hourly'))
    await world.run(set('nightly', 'every night by 04:00'))
    await world.deliver('hourly', guests(3))
    await world.deliver('nightly', guests(3))
    await world.deliver('by-hand', guests(4))
    world.now = NOW + 3 * HOUR
    const open = await serve(world)
    const { page, complaints } = await open('sources')
    await page.getByText('Sources: 3').waitFor()
    expect(await page.locator('.count').innerText()).toMatch(
      /Late: 1[\s\S]*With a problem: 1[\s\S]*Without a schedule: 1/,
    )
    const late = page.locator('section', { hasText: 'hourly Expected: hourly' })
    expect(await late.locator('.say.bad').innerText()).toMatch(/^Data is late\. It was due by \d\d:\d\d\.$/)
    expect(await late.locator('.problems').innerText()).toMatch(/Nothing that counts .* \(since \d\d:\d\d\)/)
    expect(await late.innerText()).toMatch(/Bookings\s+10:00, 3 h ago\s+Yes/)
    const fine = page.locator('section', { hasText: 'every night by 04:00' })
    expect(await fine.innerText()).toMatch(/No problem\. The next delivery is due by/)
    expect(await fine.innerText()).toMatch(/by command\s+imported\s+Bookings: .*\d/)
    const unknown = page.locator('section', { hasText: 'by-hand' })
    expect(await unknown.innerText()).toContain('it is not known whether a delivery is missing')
    expect(await violationsOf(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('is read again each minute, because a source becomes late without a change of a record', async () => {
    const world = await startSourcesWorld()
    await world.run(set('hourly', 'hourly'))
    await world.deliver('hourly', guests(3))
    const open = await serve(world)
    const { page } = await open('sources')
    await page.getByText('No problem.').waitFor()
    world.now = NOW + 3 * HOUR
    await page.clock.runFor(61_000)
    await page.getByText('Data is late.').waitFor()
    await page.close()
  })

  it('without any source it says that none is known, and a key without the scope that it may not see them', async () => {
    const world = await startSourcesWorld()
    const open = await serve(world)
    const { page } = await open('sources')
    await page.getByText('No source is known').waitFor()
    await page.close()
    const { apiKey } = await world.api.createKey({ scopes: ['guests'] })
    const other = (await open('sources', apiKey)).page
    await other.getByText('This key does not give access').first().waitFor()
    expect(await other.getByRole('navigation').first().innerText()).not.toContain('Sources')
    await other.close()
  })

  it('fits on a phone, and is printed whole', async () => {
    const world = await startSourcesWorld()
    await world.run(set('a-source-with-a-very-long-name-that-a-person-has-chosen', 'hourly 06:00–22:00'))
    for (let at = 0; at < 3; at += 1)
      await world.deliver('a-source-with-a-very-long-name-that-a-person-has-chosen', guests(at + 1))
    const open = await serve(world)
    const { page } = await open('sources', undefined, 320)
    await page.getByText('Sources: 1').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
    const paper = textOfPdf(await page.pdf({ format: 'A4' }))
    expect(paper.match(/imported/g)).toHaveLength(3)
    expect(paper).toContain('SHA-256')
    await page.close()
  })

  it('a page that says that data is late leads there, for keys that may read it', async () => {
    const world = await startSourcesWorld()
    await world.run(set('hourly', 'hourly'))
    await world.deliver('hourly', guests(3))
    world.now = NOW + 3 * HOUR
    const open = await serve(world)
    const { page } = await open('kitchen')
    await page.locator('.say.chgd').getByRole('link', { name: 'Sources' }).click()
    await page.getByText('Data is late.').waitFor()
    await page.close()
    const { apiKey } = await world.api.createKey({ scopes: ['meals'] })
    const cook = (await open('kitchen', apiKey)).page
    await cook.locator('.say.chgd').waitFor()
    expect(await cook.getByRole('link', { name: 'Sources' }).count()).toBe(0)
    await cook.close()
  })
})
