/** Which text of a page can be read, on small pages: what the check of all pages relies on. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { differencesOf, endOf, type Fact } from './facts.ts'
import { readPage } from './page-text.ts'

describe('a text in a row', () => {
  it.each([
    ['7', 'vegan 27 3', false],
    ['7', 'vegan 7.5', false],
    ['7', 'vegan −7', false],
    ['7', '1,7', false],
    ['7', 'vegan 7', true],
    ['7', 'L7, 8', true],
    ['Ana', 'Anabel Pop', false],
    ['Ana', 'Pop Ana, 3', true],
    ['חלבי', '3 חלבי', true],
  ])('%s in %s: %s', (text, row, isThere) => {
    expect(endOf(text, row) >= 0).toBe(isThere)
  })
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.newPage({ viewport: { width: 600, height: 400 } })
  })
  afterAll(() => browser?.close())

  /** Why nobody can read the row with `here`; undefined if it can be read. */
  async function reasonIn(html: string, { canScroll = true, texts = ['here'] } = {}) {
    await page.setContent(`<!doctype html><style>body { margin: 0 } p { margin: 0 }</style>${html}`)
    const readable = await readPage(page, { canScroll })
    return readable.find([{ what: 'row', texts }])[0]
  }

  it.each([
    ['a paragraph', '<p>here</p>'],
    ['below the fold', '<div style="height: 5000px"></div><p>here</p>'],
    [
      'in a part that scrolls',
      '<div style="height: 50px; overflow: auto"><div style="height: 900px"></div><p>here</p></div>',
    ],
    [
      'in a wide part that scrolls',
      '<div style="width: 90px; overflow-x: auto"><p style="padding-left: 900px">here</p></div>',
    ],
    ['in a part that hides what is too wide, and fits', '<div style="overflow: hidden"><p>here</p></div>'],
    [
      'behind a positioned ancestor',
      '<div style="position: relative"><div style="overflow: hidden; height: 0"><p style="position: absolute">here</p></div></div>',
    ],
    ['in an open fold', '<details open><summary>More</summary><p>here</p></details>'],
    ['made by the style sheet', '<style>p::before { content: "here" }</style><p></p>'],
    [
      'off-screen and not rendered yet',
      '<div style="height: 3000px"></div><div style="content-visibility: auto; contain-intrinsic-height: 40px"><p>here</p></div>',
    ],
    [
      'in a part that scrolls, not rendered yet and higher than estimated',
      '<div style="height: 50px; overflow: auto"><div style="height: 3000px"></div><div style="content-visibility: auto; contain-intrinsic-height: 40px"><p style="padding-top: 300px">here</p></div></div>',
    ],
    [
      'chosen in a list',
      '<label>By <select><option>no</option><option selected>here</option></select></label>',
    ],
    [
      'in a line that is lower than its letters',
      '<div style="overflow: hidden; line-height: .86; font-size: 60px"><p>here</p></div>',
    ],
  ])('can read %s', async (_, html) => {
    expect(await reasonIn(html)).toBe(undefined)
  })

  it.each([
    ['nothing', '<p>there</p>', 'it is not on the page'],
    ['display: none', '<p style="display: none">here</p>', 'it is not on the page'],
    ['a closed fold', '<details><summary>More</summary><p>here</p></details>', 'it is folded'],
    ['visibility', '<p style="visibility: hidden">here</p>', 'it is invisible'],
    [
      'opacity of an ancestor',
      '<div class="o" style="opacity: .1"><p>here</p></div>',
      'div.o is transparent',
    ],
    ['a transparent colour', '<p style="color: rgba(0, 0, 0, .1)">here</p>', 'it is transparent'],
    [
      'the colour of the background',
      '<div style="background: #123456"><p style="color: #123456">here</p></div>',
      'it has the colour of its background',
    ],
    ['a tiny letter', '<p style="font-size: 1px">here</p>', 'it is too small'],
    ['no size', '<p style="width: 0; height: 0; overflow: hidden">here</p>', 'it is cut off by p'],
    [
      'a cut in the middle of a word',
      '<p class="c" style="overflow: hidden; white-space: nowrap; width: 60px; text-overflow: ellipsis">there is much and here</p>',
      'it is cut off by p.c',
    ],
    [
      'a cut below',
      '<div class="low" style="overflow: hidden; height: 25px"><p>one</p><p>here</p></div>',
      'it is cut off by div.low',
    ],
    [
      'a cut by an ancestor of an ancestor',
      '<div class="a" style="overflow: clip; height: 25px"><div style="overflow: auto"><p>one</p><p>here</p></div></div>',
      'it is cut off by div.a',
    ],
    [
      'beyond the left edge',
      '<p style="position: absolute; left: -900px">here</p>',
      'it is cut off by the page',
    ],
    ['above the page', '<p style="position: absolute; top: -90px">here</p>', 'it is cut off by the page'],
    [
      'a page that does not scroll',
      '<style>body { overflow: hidden }</style><div style="height: 5000px"></div><p>here</p>',
      'it is cut off by the page',
    ],
    [
      'a part too small to scroll in',
      '<div class="s" style="height: 4px; overflow: auto"><div style="height: 90px"></div><p>here</p></div>',
      'div.s is too small to scroll in',
    ],
    [
      'only for screen readers',
      '<p style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">here</p>',
      'p is clipped away',
    ],
  ])('cannot read: %s', async (_, html, reason) => {
    expect(await reasonIn(html)).toContain(reason)
  })

  it('cannot read below the fold of a page that nobody scrolls', async () => {
    const html = '<div style="height: 5000px"></div><p>here</p>'
    expect(await reasonIn(html, { canScroll: false })).toContain('it is cut off by the page')
  })

  it('needs all texts in one row, in their order', async () => {
    const table = '<table><tr><td>vegan<td>3<td>0<td>3</tr><tr><td>low salt<td>1<td>1<td>1</tr></table>'
    expect(await reasonIn(table, { texts: ['vegan', '3', '0', '3'] })).toBe(undefined)
    expect(await reasonIn(table, { texts: ['vegan', '3', '3', '0'] })).toContain('the page has "vegan 3 0 3"')
    expect(await reasonIn(table, { texts: ['vegan', '1'] })).toContain('the page has')
  })

  it('needs the row in the part that it is about', async () => {
    const days =
      '<section><h2>Monday</h2><p>vegan 3</p></section><section><h2>Tuesday</h2><p>vegan 4</p></section>'
    await page.setContent(days)
    const readable = await readPage(page)
    const on = (day: string, n: string): Fact => ({ what: day, texts: ['vegan', n], within: [day] })
    expect(readable.find([on('Monday', '3'), on('Tuesday', '4')])).toEqual([undefined, undefined])
    expect(readable.find([on('Tuesday', '3')])[0]).toContain('the page has')
  })

  it('takes two rows for two equal facts', async () => {
    await page.setContent('<ul><li>Ana Pop</li></ul>')
    const fact = { what: 'guest', texts: ['Ana Pop'] }
    const readable = await readPage(page)
    expect(differencesOf(readable, [{ facts: [fact, fact] }])).toHaveLength(1)
  })

  it('accepts facts of which the page says that they are left out', async () => {
    await page.setContent('<ul><li>Ana Pop</li></ul><p>and 2 more</p>')
    const readable = await readPage(page)
    const facts = ['Ana Pop', 'Bo Li', 'X Y'].map((name) => ({ what: 'guest', texts: [name] }))
    const areLeftOut = (missing: readonly Fact[], says: (text: string) => boolean) =>
      says(`and ${missing.length} more`)
    expect(differencesOf(readable, [{ facts, areLeftOut }])).toEqual([])
    expect(differencesOf(readable, [{ facts: facts.slice(0, 2), areLeftOut }])).toHaveLength(1)
  })
})
