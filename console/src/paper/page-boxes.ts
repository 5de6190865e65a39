/**
 * In the margins of a printed page: what it is, when it was printed, and which sheet of how many each is. The browser counts
 * them. Lists that are made for paper say it themselves (paper-sheets.ts). Firefox prints no such margins.
 */
import type { Words } from '../../../src/documents/words.ts'

export interface PrintedPage {
  readonly t: Words
  readonly title: string
  /** day and time */
  readonly time: string
}

/** A text as a string of a style sheet. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/["\\\n\r\f]/g, (one) => `\\${one.charCodeAt(0).toString(16)} `)}"`

const NUMBER = '{n}'
const TOTAL = '{total}'

/** @returns the rule for the style sheet of the page */
export function pageBoxes({ t, title, time }: PrintedPage): string {
  const place = t('pageOf', { n: NUMBER, total: TOTAL })
    .split(/(\{n\}|\{total\})/)
    .map((part) => (part === NUMBER ? 'counter(page)' : part === TOTAL ? 'counter(pages)' : quoted(part)))
    .join(' ')
  return `@page of-the-screen {
  font: 8pt sans-serif;
  @top-left { content: ${quoted(title)} }
  @top-right { content: ${quoted(t('printedAt', { time }))} }
  @bottom-right { content: ${place} }
}`
}

let boxes: CSSStyleSheet | undefined

export function writePageBoxes(page: PrintedPage): void {
  if (boxes === undefined) {
    boxes = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, boxes]
  }
  boxes.replaceSync(pageBoxes(page))
}
