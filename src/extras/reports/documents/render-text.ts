/** A document as plain text: for printers without PDF, and for reading in a mail. */
import type { ReportDocument, Table } from './document.ts'

const WIDTH = 78

/** Lines end with `\n`; columns are aligned with spaces. */
export function renderText(document: ReportDocument, copy?: string): string {
  const { heading, center, asOfText, ages, blocks } = document
  const head = [
    ...(copy === undefined ? [] : ['*'.repeat(WIDTH), copy, '*'.repeat(WIDTH), '']),
    `${heading.join(' ')}`.trim(),
    `${center} · ${asOfText}`,
    ...ages.map(({ text, isLate }) => (isLate ? `! ${text}` : text)),
  ]
  const parts = blocks.map((block) => {
    if (block.kind === 'table') return tableText(block)
    if (block.style === 'notice') return [`! ${block.text}`]
    return [block.text]
  })
  return `${[head, ...parts].map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function tableText({ caption, showsCaption, headings, rows, numbers = [] }: Table): string[] {
  const cellRows = [headings, ...rows.filter(({ isGroup }) => !isGroup).map(({ cells }) => cells)]
  const widths = headings.map((_, at) => Math.max(...cellRows.map((cells) => lengthOf(cells[at] ?? ''))))
  const line = (cells: readonly string[]) =>
    headings
      .map((_, at) => {
        const cell = cells[at] ?? ''
        const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(cell)))
        return numbers.includes(at) ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd()
  const lines = rows.map(({ cells, isGroup }) => (isGroup ? `-- ${cells[0] ?? ''}` : line(cells)))
  return [...(showsCaption ? [caption] : []), line(headings), ...lines]
}

const segmenter = new Intl.Segmenter()
const lengthOf = (text: string) => [...segmenter.segment(text)].length
