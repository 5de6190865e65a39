/** A document as plain text: for printers without PDF, and for reading in a mail. */
import { readable } from '../../../core/errors/visible.ts'
import type { ReportDocument, Table } from './document.ts'

const WIDTH = 78

/** Lines end with `\n`; columns are aligned with spaces. */
export function renderText(given: ReportDocument, givenCopy?: string): string {
  const copy = givenCopy === undefined ? undefined : readable(givenCopy)
  // Some printers take control characters for commands.
  const document = JSON.parse(JSON.stringify(given), (_, value) =>
    typeof value === 'string' ? readable(value) : value,
  ) as ReportDocument
  const { heading, center, asOfText, ages, blocks } = document
  const head = [
    ...(copy === undefined ? [] : ['*'.repeat(WIDTH), copy, '*'.repeat(WIDTH), '']),
    `${heading.join(' ')}`.trim(),
    `${center} · ${asOfText}`,
    ...ages.map(({ text, isLate }) => (isLate ? `! ${text}` : text)),
  ]
  const parts = blocks.map((block) => {
    if (block.kind === 'table') return tableText(block)
    return wrap(block.style === 'notice' ? `! ${block.text}` : block.text, WIDTH)
  })
  const text = [head.flatMap((line) => wrap(line, WIDTH)), ...parts]
    .map((lines) => lines.join('\n'))
    .join('\n\n')
  return `${text}\n`
}

/** A word that is longer may be divided. */
const WORD_MAX = 20
const BETWEEN = '  '

/** Lines of at most so many characters: cells of wide columns take several. */
function tableText({ caption, showsCaption, headings, rows, numbers = [] }: Table): string[] {
  const texts = [headings, ...rows.filter(({ isGroup }) => !isGroup).map(({ cells }) => cells)]
  const room = WIDTH - BETWEEN.length * (headings.length - 1)
  const wantedBy = (of: (cell: string) => number) =>
    headings.map((_, at) => Math.max(...texts.map((cells) => of(cells[at] ?? ''))))
  const isWide = sumOf(wantedBy(lengthOf)) > room
  // Three numbers in a cell of a wide table are closer to each other.
  const shown = (cell: string) => (isWide ? closer(cell) : cell)
  const least = wantedBy((cell) => Math.min(WORD_MAX, Math.max(...wordsOf(shown(cell)).map(lengthOf))))
  const above = showsCaption ? wrap(caption, WIDTH) : []
  if (sumOf(least) > room) return [...above, ...listText(headings, rows)]
  const widths = narrowed(
    wantedBy((cell) => lengthOf(shown(cell))),
    least,
    room,
  )
  const lines = (cells: readonly string[]) => {
    const wrapped = widths.map((width, at) => wrap(shown(cells[at] ?? ''), width))
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      wrapped
        .map((cell, at) => {
          const text = cell[line] ?? ''
          const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(text)))
          return numbers.includes(at) ? space + text : text + space
        })
        .join(BETWEEN)
        .trimEnd(),
    )
  }
  const body = rows.flatMap(({ cells, isGroup }) =>
    isGroup ? wrap(`-- ${cells[0] ?? ''}`, WIDTH) : lines(cells),
  )
  return [...above, ...lines(headings), ...body]
}

/** Of more columns than a line has room for: a line for each value, with the name of its column, and a gap between two rows. */
const listText = (headings: readonly string[], rows: Table['rows']): string[] =>
  rows.flatMap(({ cells, isGroup }, row) => [
    ...(row === 0 ? [] : ['']),
    ...(isGroup
      ? wrap(`-- ${cells[0] ?? ''}`, WIDTH)
      : headings.flatMap((heading, at) => wrap(`${heading}: ${cells[at] || '–'}`, WIDTH))),
  ])

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

/** The widest column that may be narrower gives way until all fit. */
function narrowed(wanted: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...wanted]
  for (let over = sumOf(widths) - room; over > 0; over -= 1) {
    const spare = widths.map((width, at) => (width > (least[at] ?? 0) ? width : 0))
    const widest = spare.indexOf(Math.max(...spare))
    if ((spare[widest] ?? 0) === 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/** Without the spaces around a dot between numbers. */
const closer = (cell: string): string =>
  cell
    .split(' · ')
    .reduce((joined, part) =>
      /\d$/.test(joined) && /^\d/.test(part) ? `${joined}·${part}` : `${joined} · ${part}`,
    )

/** What a line may end behind: a word, or a number before a dot between numbers. */
const partsOf = (text: string): string[] => text.match(/[^ ·]+[ ·]?|[ ·]/g) ?? [text]
const wordsOf = (text: string): string[] => partsOf(text).map((part) => part.trimEnd())

/** Divided between words; a word that is longer than a line, within it. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of partsOf(text)) {
    if (lengthOf((line + part).trimEnd()) <= width) {
      line += part
      continue
    }
    if (line !== '') lines.push(line.trimEnd())
    const letters = lettersOf(part.trimEnd())
    while (letters.length > width) lines.push(letters.splice(0, width).join(''))
    line = part.endsWith(' ') ? `${letters.join('')} ` : letters.join('')
  }
  return [...lines, line.trimEnd()]
}

const segmenter = new Intl.Segmenter()
const lettersOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment)
const lengthOf = (text: string) => lettersOf(text).length
