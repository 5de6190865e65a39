/** The text of a page that somebody can read, by rows. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { erased } from '../../../src/parts/console/erase-types.ts'
import { type Difference, endOf, type Fact, plain, type Readable } from './facts.ts'

/** As `in-page/read-text.ts` makes them. */
export interface ReadText {
  readonly tag: string
  readonly kids: readonly (ReadText | ReadPiece)[]
}
interface ReadPiece {
  readonly text: string
  readonly hidden?: string
}

/** Elements whose text belongs together. */
const ROWS = /^(?:tr|li|p|dl|dt|dd|h[1-6]|summary|caption|label|header|legend|button|a|option|select)$/
/** Any other element is a row if its text is short, in characters: a line of notes is often made of spans. */
const SHORT = 240
/** Ancestors that say what their rows are about. */
const PARTS = /^(?:tbody|table|section|article|ul|ol|details|div|main|body)$/

/** A piece of a long text, from a place to the one behind it. */
interface Range {
  readonly from: number
  readonly to: number
}
interface Row {
  readonly tag: string
  /** in what can be read, and in all text */
  readonly seen: Range
  readonly all: Range
  /** the parts of the page that it is in, the innermost last */
  readonly parts: readonly { seen: Range }[]
}

const scriptOf = (name: string) => erased(readFileSync(new URL(`in-page/${name}`, import.meta.url), 'utf8'))
const READ_TEXT = scriptOf('read-text.ts')
const NEAR_NUMBERS = scriptOf('near-numbers.ts')

interface ReadOptions {
  /** whether a reader can scroll the page itself */
  readonly canScroll?: boolean
}

/** What is on the page now, with all that scrolling reaches. */
export async function readTree(page: Page, { canScroll = true }: ReadOptions = {}): Promise<ReadText> {
  // Evaluated as text, because it is written for browsers; the result is what its own types say.
  return (await page.evaluate(
    `(() => { ${READ_TEXT}; return readText({ canScroll: ${canScroll} }) })()`,
  )) as ReadText
}

/** Numbers that read as one. */
export async function nearNumbers(page: Page): Promise<Difference[]> {
  const near = (await page.evaluate(
    `(() => { ${NEAR_NUMBERS}; return nearNumbers() })()`,
  )) as readonly string[]
  return near.map((texts) => ({ what: 'two numbers', texts: [texts], why: 'nothing is between them' }))
}

export const readPage = async (page: Page, options?: ReadOptions): Promise<PageText> =>
  new PageText([await readTree(page, options)], await nearNumbers(page))

export class PageText implements Readable {
  /** inner ones before those that contain them */
  readonly #rows: Row[] = []
  #seen = ''
  #all = ''
  readonly #hidden: { readonly at: number; readonly text: string; readonly why: string }[] = []

  readonly faults: readonly Difference[]

  /** @param trees what is shown one after the other: a display alternates between its pages */
  constructor(trees: readonly ReadText[], faults: readonly Difference[] = []) {
    this.faults = faults
    for (const tree of trees) this.#add(tree, [])
  }

  /** @returns whether there are rows of a table or a list in it */
  #add({ tag, kids }: ReadText, parts: Row['parts']): boolean {
    const seenFrom = this.#seen.length
    const allFrom = this.#all.length
    const part = { seen: { from: seenFrom, to: seenFrom } }
    let hasRows = tag === 'tr' || tag === 'li'
    const inner = PARTS.test(tag) ? [...parts, part] : parts
    for (const kid of joined(kids)) {
      if ('tag' in kid) hasRows = this.#add(kid, inner) || hasRows
      else this.#addPiece(kid)
    }
    part.seen = { from: seenFrom, to: this.#seen.length }
    const all = { from: allFrom, to: this.#all.length }
    if (ROWS.test(tag) || (!hasRows && all.to - all.from <= SHORT))
      this.#rows.push({ tag, seen: part.seen, all, parts })
    return hasRows
  }

  #addPiece({ text, hidden }: ReadPiece): void {
    const one = plain(text)
    if (hidden === undefined) this.#seen += `${one} `
    else this.#hidden.push({ at: this.#all.length, text: one, why: hidden })
    this.#all += `${one} `
  }

  says(text: string): boolean {
    return endOf(plain(text), this.#seen) >= 0
  }

  find(facts: readonly Fact[]): (string | undefined)[] {
    // No two facts have the same letters.
    const taken = new Uint8Array(this.#seen.length)
    let next = 0
    return facts.map((fact) => {
      const texts = fact.texts.map(plain)
      const within = (fact.within ?? []).map(plain)
      const match = (at: number) => {
        const row = this.#rows[at]!
        const ranges = rangesOf(texts, this.#seen, row.seen, taken)
        return ranges !== undefined && this.#isWithin(row, within) ? { at, ranges } : undefined
      }
      // Most facts are in the order of their rows.
      for (let step = 0; step < this.#rows.length; step += 1) {
        const outer = match((next + step) % this.#rows.length)
        if (outer === undefined) continue
        // A row within that one uses no letters of the others.
        const { at, ranges } = this.#inside(outer.at).map(match).find(isFound) ?? outer
        for (const { from, to } of ranges) taken.fill(1, from, to)
        next = at
        return undefined
      }
      return this.#reason(texts)
    })
  }

  /** The rows that a row contains: they are the ones just before it. */
  #inside(at: number): number[] {
    const { from } = this.#rows[at]!.seen
    let first = at
    while (first > 0 && this.#rows[first - 1]!.seen.from >= from) first -= 1
    return Array.from({ length: at - first }, (_, step) => first + step)
  }

  /** Whether a part of the page that contains the row, other than the page itself, has all texts. */
  #isWithin({ parts }: Row, texts: readonly string[]): boolean {
    if (texts.length === 0) return true
    return parts
      .slice(1)
      .some(({ seen }) => texts.every((text) => rangesOf([text], this.#seen, seen) !== undefined))
  }

  #reason(texts: readonly string[]): string {
    const row = this.#rows.find(({ all }) => rangesOf(texts, this.#all, all) !== undefined)
    if (row !== undefined) {
      const reasons = this.#hidden
        .filter(({ at }) => at >= row.all.from && at < row.all.to)
        .map(({ text, why }) => `${JSON.stringify(text)}: ${why}`)
      return reasons.length === 0 ? 'the page has it too few times' : [...new Set(reasons)].join('; ')
    }
    let near: Row | undefined
    let most = 0
    for (const row of this.#rows.filter(({ tag }) => ROWS.test(tag))) {
      const count = texts.findIndex(
        (_, at) => rangesOf(texts.slice(0, at + 1), this.#seen, row.seen) === undefined,
      )
      if (count > most) [near, most] = [row, count]
    }
    if (near === undefined) return 'it is not on the page'
    return `the page has ${JSON.stringify(this.#seen.slice(near.seen.from, near.seen.to).trim().slice(0, 200))}`
  }
}

/** A marked part of a word does not end the word. What cannot be read stays apart. */
function joined(kids: ReadText['kids']): ReadText['kids'] {
  const all: (ReadText | ReadPiece)[] = []
  for (const kid of kids) {
    const [only] = 'tag' in kid && kid.tag === 'mark' && kid.kids.length === 1 ? kid.kids : [kid]
    const last = all.at(-1)
    if (only === undefined || 'tag' in only) all.push(kid)
    else if (last === undefined || 'tag' in last || last.hidden !== only.hidden) all.push(only)
    else all[all.length - 1] = { ...last, text: last.text + only.text }
  }
  return all
}

const isFound = <T>(found: T | undefined): found is T => found !== undefined

/** @returns where the texts are, in their order, inside a range; undefined if one is not there, or only where it is taken */
function rangesOf(
  texts: readonly string[],
  whole: string,
  { from, to }: Range,
  taken?: Uint8Array,
): Range[] | undefined {
  const found: Range[] = []
  let at = from
  for (const text of texts) {
    if (text === '') continue
    let end = endOf(text, whole, at)
    while (end >= 0 && end <= to && taken?.subarray(end - text.length, end).includes(1)) {
      end = endOf(text, whole, end - text.length + 1)
    }
    if (end < 0 || end > to) return undefined
    found.push({ from: end - text.length, to: end })
    at = end
  }
  return found
}
