/** That the check of all pages can fail: each test makes one thing wrong, and the check reports exactly that. */
import { spawnSync } from 'node:child_process'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { openTestDatabase } from '../../support/database.ts'
import { guest, metaField, SPA, spa, term } from '../../support/world.ts'
import type { Case } from './cases.ts'
import { Checker } from './checker.ts'
import { type CheckedService, startService } from './service.ts'

const hasPdfToText = spawnSync('pdftotext', ['-v']).error === undefined

describe.skipIf(!hasBrowser || !hasPdfToText)('one thing wrong', { timeout: 240_000 }, () => {
  let service: CheckedService
  let browser: Browser
  beforeAll(async () => {
    service = await startService(await openTestDatabase())
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.app.close()
  })

  const day = { startDate: '2026-11-17T14:00', endDate: '2026-11-27T10:00', status: 'arrived' }
  const diet = (text: string) => ({ meta: { diet: text } })
  beforeAll(() =>
    service.load([
      spa({ mealRules: { dietFields: [{ field: 'diet', allergies: ['uten nøtter'] }] } }),
      metaField('diet', { label: 'Diet' }),
      term('room', 'r1', '101'),
      ...guest('b1', { ...day, acc: { roomId: 'r1' } }, { lastName: 'Văleanu', ...diet('uten nøtter') }),
      ...guest('b2', day, { lastName: 'Radu', ...diet('low salt') }),
      ...guest('b3', day, { lastName: 'Tarr', ...diet('low salt') }),
    ]),
  )

  const CASE = {
    at: 0,
    query: {},
    width: 1280,
    height: 900,
    scheme: 'light',
    language: 'en',
    font: undefined,
    scopes: ['meals', 'guests', 'sources'],
    customFields: ['diet'],
    columns: undefined,
  } as const

  /**
   * What the check reports if one row of a page has been made wrong.
   * @param text of the row
   * @param act evaluated in the page, with `row`; none: the page stays as it is
   */
  async function reported(page: Case['page'], medium: Case['medium'], text: string, act: string) {
    let isWrong = false
    const tamper = async (opened: Page) => {
      if (isWrong) return
      await opened.locator('tr', { hasText: text }).first().waitFor()
      // Evaluated as text, because it is written for browsers.
      await opened.evaluate(`(() => {
          const row = [...document.querySelectorAll('tr')].find((one) => one.textContent.includes('${text}'))
          ${act}
        })()`)
      isWrong = true
    }
    const checker = new Checker({ service, browser, seed: 1, tamper })
    const differences = await checker.differencesIn({ ...CASE, page, medium }, SPA)
    await checker.close()
    return differences.map(({ what, texts, why }) => [what, texts.join(' '), why])
  }

  it('finds nothing where nothing is wrong', async () => {
    expect(await reported('kitchen', 'screen', 'low salt', '')).toEqual([])
    expect(await reported('guests', 'screen', 'Radu', '')).toEqual([])
    expect(await reported('kitchen/day-sheet', 'paper', 'low salt', '')).toEqual([])
  })

  it('reports a row that is missing, and nothing else', async () => {
    expect(await reported('kitchen', 'screen', 'uten nøtter', 'row.remove()')).toEqual([
      ['a diet', '◆ uten nøtter 1 1 1', 'it is not on the page'],
    ])
    expect(await reported('guests', 'screen', 'Radu', 'row.remove()')).toEqual([
      ['a guest', expect.stringContaining('Ana Radu'), 'it is not on the page'],
    ])
  })

  it('reports a row that is cut off, and by what', async () => {
    const cut = `row.querySelector('th span').style = 'display: inline-block; overflow: hidden; white-space: nowrap; width: 2em'`
    expect(await reported('kitchen', 'screen', 'low salt', cut)).toEqual([
      ['a diet', 'low salt 2 2 2', '"low salt": it is cut off by span'],
    ])
  })

  it('reports a number that is wrong', async () => {
    const wrong = `row.querySelector('td').textContent = '3'`
    expect(await reported('kitchen', 'screen', 'low salt', wrong)).toEqual([
      ['a diet', 'low salt 2 2 2', 'the page has "low salt 3 2 2"'],
    ])
  })

  it.each(['screen', 'paper'] as const)(
    'reports a delivery of a source that is missing, on %s',
    async (medium) => {
      expect(await reported('sources', medium, 'by command', '')).toEqual([])
      expect(await reported('sources', medium, 'by command', 'row.remove()')).toEqual([
        ['a delivery', expect.stringContaining('by command imported'), expect.any(String)],
      ])
    },
  )

  it.each([
    ['missing', 'row.remove()', 'it is not on the page'],
    [
      'left out by a style of paper',
      `row.className = 'gone'; document.styleSheets[0].insertRule('@media print { .gone { display: none } }')`,
      'it is not on the page',
    ],
    [
      'cut off',
      `row.children[1].style = 'display: inline-block; overflow: hidden; height: 3px'`,
      'it is cut off by td',
    ],
  ])('reports a row of a printout that is %s, and nothing else', async (_, act, why) => {
    expect(await reported('kitchen/day-sheet', 'paper', 'Radu', act)).toEqual([
      ['a guest', 'no room Ana Radu low salt • • •', expect.stringContaining(why)],
    ])
  })
})
