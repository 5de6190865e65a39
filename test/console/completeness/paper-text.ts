/**
 * The text of a printout, read twice. The file that the browser prints says which words are on the paper, and where. The
 * page with the styles of paper says which of them belong to a row, and what a style cuts off, which the file still has.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { type Fact, plain, type Readable } from './facts.ts'
import { type PageText, readPage } from './page-text.ts'

/**
 * Prints the page as the browser does with Ctrl+P, and reads it.
 * @param placeOf `2 of 4`, as a sheet must say it
 */
export async function printPage(
  page: Page,
  placeOf: (n: number, total: number) => string,
): Promise<Readable> {
  const pdf = await page.pdf({ preferCSSPageSize: true })
  const paper = new PaperText(await outputOf('pdftotext', ['-bbox', '-', '-'], pdf))
  const count = Number(/^Pages:\s+(\d+)$/m.exec(await outputOf('pdfinfo', ['-'], pdf))?.[1])
  const rows = await readForPaper(page, paper.contentWidth)
  const uncounted = Array.from({ length: count }, (_, at) => placeOf(at + 1, count)).filter(
    (place, at) => !paper.saysOn(at + 1, place),
  )
  return {
    faults: [
      ...rows.faults,
      ...uncounted.map((place) => ({ what: 'a sheet', texts: [place], why: 'it does not say so' })),
    ],
    find(facts) {
      const reasons = rows.find(facts)
      const shown = facts.filter((_, at) => reasons[at] === undefined)
      const onPaper = paper.find(shown)
      return facts.map((fact, at) => reasons[at] ?? onPaper[shown.indexOf(fact)])
    },
    says: (text) => rows.says(text) && paper.says(text),
  }
}

/** @param width of the paper inside its margins, in CSS pixels */
async function readForPaper(page: Page, width: number): Promise<PageText> {
  const size = page.viewportSize()
  await page.setViewportSize({ width, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  const read = await readPage(page)
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  await page.emulateMedia({ media: null })
  if (size !== null) await page.setViewportSize(size)
  return read
}

/** @param pdf the file itself; a program complains about an empty page, which is none of ours */
async function outputOf(name: string, args: readonly string[], pdf: Buffer): Promise<string> {
  const program = spawn(name, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  program.stdin.end(pdf)
  return text(program.stdout)
}

interface Word {
  readonly text: string
  readonly page: number
  /** of its middle, in points */
  readonly y: number
}

/** Points between the first and the last line of a row, and more for each word beyond the usual number. */
const ROW_HEIGHT = 80
const MORE_HEIGHT = 12
/** Letters of a word that may be broken. */
const LONG_WORD = 6
/** Words of a text that may be divided between pages. */
const LONG = 24
/** Both margins of a page, in points, as the style sheet sets them. */
const MARGINS = 68
const PX_PER_PT = 4 / 3

/** Where each word is on the paper. */
export class PaperText implements Omit<Readable, 'faults'> {
  readonly contentWidth: number
  /** the text of each sheet */
  readonly #sheets: string[] = []
  readonly #words = new Map<string, Word[]>()
  readonly #text: string

  /** @param boxes as `pdftotext -bbox` writes them */
  constructor(boxes: string) {
    let page = 0
    let width = 0
    const found: string[] = []
    for (const [, , size, top, bottom, word = ''] of boxes.matchAll(BOX)) {
      if (size !== undefined) {
        page += 1
        width ||= Number(size)
        continue
      }
      const y = (Number(top) + Number(bottom)) / 2
      for (const text of wordsOf(unescaped(word))) {
        found.push(text)
        this.#sheets[page - 1] = `${this.#sheets[page - 1] ?? ''} ${text}`
        this.#words.set(text, [...(this.#words.get(text) ?? []), { text, page, y }])
      }
    }
    this.contentWidth = Math.round((width - MARGINS) * PX_PER_PT)
    this.#text = ` ${found.join(' ')} `
  }

  says(text: string): boolean {
    return this.#text.includes(` ${wordsOf(text).join(' ')} `)
  }

  /** @param sheet by its number */
  saysOn(sheet: number, text: string): boolean {
    return `${this.#sheets[sheet - 1] ?? ''} `.includes(` ${wordsOf(text).join(' ')} `)
  }

  find(facts: readonly Fact[]): (string | undefined)[] {
    const taken = new Set<Word>()
    const words = facts.map(({ texts }) =>
      texts.flatMap((text) => this.#wordsIn(text)).flatMap((word) => this.#partsOf(word)),
    )
    const reasons = words.map((of) => {
      const missing = of.find((word) => !this.#words.has(word))
      if (missing !== undefined) return `the paper has no ${JSON.stringify(missing)}`
      return this.#isInRow(of, taken) ? undefined : 'the paper has its words, but not in one row'
    })
    const short = this.#shortOf(words.flat())
    // Nobody knows whose it is: the last ones are reported.
    for (let at = facts.length - 1; at >= 0; at -= 1) {
      const word = words[at]!.find((one) => (short.get(one) ?? 0) > 0)
      if (word === undefined || reasons[at] !== undefined) continue
      short.set(word, short.get(word)! - 1)
      reasons[at] = `the paper has ${JSON.stringify(word)} too few times`
    }
    return reasons
  }

  /** Words that all facts together have more often than the paper. */
  #shortOf(words: readonly string[]): Map<string, number> {
    const short = new Map<string, number>()
    for (const word of words) short.set(word, (short.get(word) ?? -(this.#words.get(word)?.length ?? 0)) + 1)
    return short
  }

  /** Some fonts have no soft hyphen: a word that is not broken there is one word. */
  #wordsIn(text: string): readonly string[] {
    return text.split(' ').flatMap((word) => {
      const parts = wordsOf(word)
      const isDivided = parts.every((part) => this.#words.has(part))
      return isDivided ? parts : wordsOf(word.replaceAll('\u00ad', ''))
    })
  }

  /** A long word may be broken at the end of a line, and at letters that another font has. */
  #partsOf(word: string, isPart = false): readonly string[] {
    if (this.#words.has(word) || (!isPart && word.length < LONG_WORD)) return [word]
    for (let length = word.length - 1; length > 0; length -= 1) {
      const part = word.slice(0, length)
      if (!this.#words.has(part)) continue
      const rest = this.#partsOf(word.slice(length), true)
      if (rest.every((one) => this.#words.has(one))) return [part, ...rest]
    }
    return [word]
  }

  /** Whether all words are near the rarest of them, which belongs to no other row yet. */
  #isInRow(words: readonly string[], taken: Set<Word>): boolean {
    // A long text may go on on the next page; its words are counted all the same.
    if (words.length === 0 || words.length > LONG) return true
    const on = (word: string) => this.#words.get(word) ?? []
    const [rarest = []] = words
      .map((word) => on(word).filter((one) => !taken.has(one)))
      .sort((a, b) => a.length - b.length)
    const height = ROW_HEIGHT + MORE_HEIGHT * words.length
    const needed = Map.groupBy(words, (word) => word)
    // Of several rows that have the words near them, the one that has them nearest.
    const spreadOf = ({ page, y }: Word) =>
      Math.max(
        ...[...needed].map(([word, { length }]) => {
          const near = on(word)
            .filter((one) => one.page === page)
            .map((one) => Math.abs(one.y - y))
            .sort((a, b) => a - b)
          return near[length - 1] ?? Number.POSITIVE_INFINITY
        }),
      )
    const [nearest] = rarest
      .map((word) => ({ word, spread: spreadOf(word) }))
      .sort((a, b) => a.spread - b.spread)
    const anchor = nearest !== undefined && nearest.spread < height ? nearest.word : undefined
    if (anchor !== undefined) taken.add(anchor)
    return anchor !== undefined
  }
}

const BOX = /<(page) width="([\d.]+)"|<word [^>]*?yMin="(-?[\d.]+)"[^>]*?yMax="(-?[\d.]+)"[^>]*>([^<]*)</g

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/

/** A line may end between any two of these characters, so each of them is a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** A sign of an allergy, and a hyphen, at which a line may end, are between words; so is punctuation. */
function wordsOf(text: string): string[] {
  // A line may also end at a soft hyphen.
  return plain(text.replaceAll('\u00ad', ' '))
    .replaceAll(/([◆·]|[+−](?=\d))/gu, ' $1')
    .replaceAll(/◆/gu, '◆ ')
    .replaceAll(UNSPACED, ' $& ')
    .split(/[ \-\u2010\u05be|]+/)
    .map((word) => word.replaceAll(/^[,.;:()]+|[,.;:()]+$/g, ''))
    .filter(Boolean)
    .map((word) => (RIGHT_TO_LEFT.test(word) ? [...word].sort().join('') : word))
}
