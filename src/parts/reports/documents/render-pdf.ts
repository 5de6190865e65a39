/**
 * A document as a tagged PDF on A4, without a browser: title, language, headings, and tables whose cells are in reading
 * order for those who hear them. Runs in a thread of its own (pdf-thread.ts), which alone loads the library. With
 * pdf-letters.ts the one that knows the library and the fonts.
 */
import type { Paragraph, ReportDocument, Row, Table } from './document.ts'
import {
  codeOf,
  createLetters,
  FONT_FOLDERS,
  FONTS,
  isTurned,
  type Letters,
  type Style,
} from './pdf-letters.ts'

export interface PdfRequest {
  readonly document: ReportDocument
  /** in large type above everything */
  readonly copy: string | undefined
  /** `Characters that cannot be printed: {characters}` */
  readonly missingText: string
}

export interface PdfAnswer {
  readonly bytes: Uint8Array
  readonly missing: readonly string[]
}

/** A document with more pages is read by nobody, and would take the memory of others. */
export const PAGES_MAX = 100
/** More never fit on so many pages, so nothing is rendered in vain. */
const ROWS_MAX = PAGES_MAX * 60
const PT_PER_MM = 72 / 25.4
const MARGIN = 15 * PT_PER_MM
const FOOT = 8 * PT_PER_MM
const PAGE = { width: 595.28, height: 841.89 }
const WIDTH = PAGE.width - 2 * MARGIN
const BOTTOM = PAGE.height - MARGIN - FOOT
const GAP = 9
/** What a page that is not the first begins with, and the headings of a table. */
const RUNNING = 120
/** To be read from two metres. */
const PLATES_PT = 50
/** More than fit on a page in the smallest type. */
const CHARACTERS_MAX = PAGES_MAX * 15_000
/** What is longer than a page begins on this one if there is space for some lines. */
const SOME_LINES = 100

type Pdf = PDFKit.PDFDocument
type Element = PDFKit.PDFStructureElement

/** A document with more pages than are printed. */
export class TooManyPages extends Error {
  override readonly name = 'TooManyPages'
}

/** Names have letters that no font has. */
export class MissingLetters extends Error {
  override readonly name = 'MissingLetters'
  readonly letters: readonly string[]
  constructor(letters: readonly string[]) {
    super()
    this.letters = letters
  }
}

/**
 * @param fontFolders in which fonts are looked for that have what those of the package lack
 * @throws {TooManyPages | MissingLetters}
 */
export async function renderPdf(
  { document, copy, missingText }: PdfRequest,
  fontFolders: readonly string[] = FONT_FOLDERS,
): Promise<PdfAnswer> {
  const rows = document.blocks.reduce(
    (sum, block) => sum + (block.kind === 'table' ? block.rows.length : 1),
    0,
  )
  if (rows > ROWS_MAX || lengthOf(document) > CHARACTERS_MAX) throw new TooManyPages()
  const { default: Document } = await import('pdfkit')
  const options: PDFKit.PDFDocumentOptions = {
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    tagged: true,
    lang: document.language,
    displayTitle: true,
    bufferPages: true,
    font: FONTS.regular,
    info: {
      Title: document.title,
      Creator: 'Sojourn',
      Producer: 'Sojourn',
      CreationDate: new Date(document.asOf),
    },
  }
  // The types do not know this one yet.
  const pdf: Pdf = new Document({ ...options, subset: 'PDF/UA' } as unknown as PDFKit.PDFDocumentOptions)
  const letters = createLetters(pdf, fontFolders)
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => pdf.on('end', () => resolve()))

  const page = createPage(pdf, letters)
  if (copy !== undefined) page.box(copy, 20)
  page.head(document, copy)
  for (const block of document.blocks) {
    if (block.kind === 'table') page.table(block)
    else page.paragraph(block)
  }
  if (letters.missingLetters().length > 0) throw new MissingLetters(letters.missingLetters())
  const missing = letters.missing()
  if (missing.length > 0) page.box(missingText.replace('{characters}', missing.map(codeOf).join(', ')), 10)
  page.end(document.pageText)
  pdf.end()
  await ended
  return { bytes: Buffer.concat(chunks), missing }
}

const lengthOf = ({ blocks }: ReportDocument): number =>
  blocks.reduce(
    (sum, block) =>
      block.kind === 'table'
        ? block.rows.reduce((more, { cells }) => cells.reduce((all, { length }) => all + length, more), sum)
        : sum + block.text.length,
    0,
  )

/** Writes from top to bottom, and begins pages. */
function createPage(pdf: Pdf, letters: Letters) {
  const { printable, use, widthOf, heightOf, linesOf, lineHeight, draw, drawLine } = letters
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  let y = MARGIN
  let pages = 1

  /** Each page repeats report, day and age, so that a single sheet is understood. */
  let running: readonly (readonly [text: string, style: Style])[] = []
  const nextPage = () => {
    pages += 1
    if (pages > PAGES_MAX) throw new TooManyPages()
    pdf.addPage()
    y = MARGIN
    for (const [text, style] of running) {
      const height = heightOf(text, WIDTH, style)
      // For the eye; those who hear the document have read it at its beginning.
      artifact(() => draw(text, { x: MARGIN, y, width: WIDTH }, style, PAGE.height))
      y += height
    }
    y += 8
  }
  const ensure = (height: number) => {
    if (y + height > BOTTOM && y > MARGIN) nextPage()
  }
  const artifact = (draw: () => void) => {
    pdf.markContent('Artifact', { type: 'Layout' })
    draw()
    pdf.endMarkedContent()
  }
  const rule = (at: number, weight: number) =>
    artifact(() => {
      pdf
        .moveTo(MARGIN, at)
        .lineTo(MARGIN + WIDTH, at)
        .lineWidth(weight)
        .stroke(weight < 1 ? '#888888' : '#000000')
    })
  /** Writes a text at a place and makes it part of an element. */
  const write = (
    parent: Element,
    type: string,
    text: string,
    { x, at, width, ...style }: Style & { readonly x: number; readonly at: number; readonly width: number },
  ) => {
    // The letters of such a text are in the file as they stand on the line.
    const element = pdf.struct(type, isTurned(text) ? { actual: text } : {})
    parent.add(element)
    if (text !== '') {
      const content = pdf.markStructureContent(type)
      draw(text, { x, y: at, width }, style, PAGE.height)
      pdf.endMarkedContent()
      element.add(content)
    }
    element.end()
  }

  /**
   * Writes texts that are longer than a page next to each other, on as many pages as they need.
   * @param again what a page begins with
   */
  const flow = (
    parent: Element,
    texts: readonly (Style & {
      readonly type: string
      readonly text: string
      readonly x: number
      readonly width: number
    })[],
    again: () => void = () => {},
  ) => {
    if (BOTTOM - y < SOME_LINES) {
      nextPage()
      again()
    }
    let open = texts.map(({ type, text, width, ...spot }) => {
      const element = pdf.struct(type)
      parent.add(element)
      const lines = linesOf(text, width, spot)
      return { element, type, lines, spot, first: lines[0] ?? '', step: lineHeight(spot) }
    })
    /** What says whose row it is, for the eye. */
    const short: { readonly first: string; readonly spot: Style & { readonly x: number } }[] = []
    for (;;) {
      let lowest = y
      for (const { element, type, lines, spot, step } of open) {
        const part = lines.splice(0, Math.max(1, Math.floor((BOTTOM - y) / step)))
        const content = pdf.markStructureContent(type)
        for (const [at, line] of part.entries()) drawLine(line, spot.x, y + at * step, spot)
        pdf.endMarkedContent()
        element.add(content)
        lowest = Math.max(lowest, y + part.length * step)
      }
      y = lowest
      for (const { element, type, lines, spot, first } of open) {
        if (lines.length > 0) continue
        element.end()
        if (type === 'TH') short.push({ first, spot })
      }
      open = open.filter(({ lines }) => lines.length > 0)
      if (open.length === 0) return
      nextPage()
      again()
      for (const { first, spot } of short) artifact(() => drawLine(first, spot.x, y, spot))
    }
  }
  /** Whether a text has to be divided, because no page has space for it. */
  const isLong = (height: number) => height > BOTTOM - MARGIN - RUNNING

  const head = ({ heading, center, asOfText, ages }: ReportDocument, copy: string | undefined) => {
    const late = ages.filter(({ isLate }) => isLate).map(({ text }) => `! ${text}`)
    running = [
      [printable([heading.join(' '), center, asOfText].join(' · ')), { size: 8.5 }],
      ...[...(copy === undefined ? [] : [copy]), ...late].map(
        (text) => [printable(text), { font: 'bold', size: 10 }] as const,
      ),
    ]
    const [name, day] = heading.map(printable) as [string, string]
    const half = WIDTH * 0.55
    const lines = [center, asOfText].map(printable)
    const right = { x: MARGIN + half + GAP, width: WIDTH - half - GAP, align: 'right' } as const
    let size = 24
    const long = `${name} ${day}`
    while (size > 12 && widthOf(long, { font: 'bold', size }) > half) size -= 1
    const title = { font: 'bold', size } as const
    write(root, 'H1', long, { ...title, x: MARGIN, at: y, width: half })
    let rightY = y
    for (const text of lines) {
      write(root, 'P', text, { ...right, at: rightY, size: 9 })
      rightY += heightOf(text, right.width, { size: 9 })
    }
    for (const { text, isLate } of ages) {
      const style = { font: isLate ? 'bold' : 'regular', size: isLate ? 14 : 9 } as const
      const shown = printable(isLate ? `! ${text}` : text)
      write(root, 'P', shown, { ...right, ...style, at: rightY })
      rightY += heightOf(shown, right.width, style)
    }
    y = Math.max(y + heightOf(long, half, title), rightY) + 5
    rule(y, 1.6)
    y += 10
  }

  const box = (given: string, size: number) => {
    const text = printable(given)
    const style = { font: 'bold', size } as const
    const height = heightOf(text, WIDTH - 20, style) + 16
    if (isLong(height)) {
      flow(root, [{ ...style, type: 'P', text, x: MARGIN + 10, width: WIDTH - 20 }])
      y += 10
      return
    }
    ensure(height)
    artifact(() => pdf.rect(MARGIN, y, WIDTH, height).lineWidth(1.8).stroke('#000000'))
    write(root, 'P', text, { ...style, x: MARGIN + 10, at: y + 8, width: WIDTH - 20 })
    y += height + 10
  }

  const paragraph = ({ text: given, style }: Paragraph) => {
    if (style === 'notice') return box(given, 12)
    const text = printable(given)
    const look: Style =
      style === 'heading' ? { font: 'bold', size: 13 } : { size: style === 'small' ? 8.5 : 10 }
    const type = style === 'heading' ? 'H2' : 'P'
    const height = heightOf(text, WIDTH, look)
    if (isLong(height)) flow(root, [{ ...look, type, text, x: MARGIN, width: WIDTH }])
    else {
      ensure(height + (style === 'heading' ? 60 : 0))
      write(root, type, text, { ...look, x: MARGIN, at: y, width: WIDTH })
      y += height
    }
    y += 6
  }

  /** As large as the longest number allows: 0.4 of a digit is free between two. */
  const platesSize = ({ rows, widths = [] }: Table): number => {
    const [, ...numbers] = rows[0]?.cells ?? []
    const widthAt = (text: string) => widthOf(text, { font: 'bold', size: PLATES_PT })
    const longest = Math.max(...numbers.map(widthAt)) + 0.4 * widthAt('0')
    const share = (widths.at(-1) ?? 0) / widths.reduce((sum, one) => sum + one, 0)
    return PLATES_PT * Math.min(1, (WIDTH * share - GAP) / longest)
  }

  const table = (given: Table) => {
    const { caption, showsCaption, numbers = [], style } = given
    const headings = given.headings.map(printable)
    const rows = given.rows.map((row) => ({ ...row, cells: row.cells.map(printable) }))
    const plates = style === 'plates' ? platesSize(given) : 0
    const lookOf = (row: Row | undefined, at: number, rowAt: number): Style => {
      const align = numbers.includes(at) ? 'right' : 'left'
      if (style === 'plates') {
        if (row === undefined) return { font: 'bold', size: 18, align }
        if (rowAt === 0) return { font: 'bold', size: at === 0 ? 15 : plates, align }
        return {
          font: at > 0 && row.isStrong ? 'bold' : row.isStrong ? 'bold' : 'regular',
          size: row.isStrong ? 15 : 11,
          align,
        }
      }
      if (row === undefined) return { size: 9, align }
      return { font: at === 0 || row.isStrong ? 'bold' : 'regular', size: 10.5, align }
    }
    const widths = columnWidths(given, headings, rows, (text, at, row, rowAt) =>
      widthOf(text, lookOf(row, at, rowAt)),
    )
    const element = pdf.struct('Table', { title: printable(caption) })
    root.add(element)
    if (showsCaption) {
      const look: Style = { font: 'bold', size: 12 }
      ensure(80)
      write(element, 'Caption', printable(caption), { ...look, x: MARGIN, at: y, width: WIDTH })
      y += heightOf(printable(caption), WIDTH, look) + 3
    }
    const line = (row: Row | undefined, cells: readonly string[], rowAt: number, isAgain: boolean) => {
      const spans = row?.isGroup === true
      const places = spans ? [WIDTH] : widths
      const looks = places.map((_, at) =>
        spans ? ({ font: 'bold', size: 11 } as const) : lookOf(row, at, rowAt),
      )
      const heights = places.map((width, at) => heightOf(cells[at] ?? '', width - GAP, looks[at] ?? {}))
      const height = Math.max(...heights) + (spans ? 8 : 3)
      if (row !== undefined && isLong(height)) {
        const tr = pdf.struct('TR')
        element.add(tr)
        const texts = places.map((width, at) => ({
          ...looks[at],
          type: at === 0 ? 'TH' : 'TD',
          text: cells[at] ?? '',
          x: MARGIN + places.slice(0, at).reduce((sum, one) => sum + one, 0),
          width: width - GAP,
        }))
        flow(tr, texts, () => line(undefined, headings, -1, true))
        tr.end()
        rule(y + 3, 0.4)
        y += 5
        return
      }
      if (y + height > BOTTOM && y > MARGIN && !isAgain) {
        nextPage()
        // For the eye; those who hear the table have its headings already.
        if (row !== undefined) line(undefined, headings, -1, true)
      }
      const tr = isAgain ? undefined : pdf.struct('TR')
      if (tr !== undefined) element.add(tr)
      let x = MARGIN
      for (const [at, width] of places.entries()) {
        const look = looks[at] ?? {}
        const isLast = at === places.length - 1
        const inner = isLast && look.align === 'right' ? width : width - GAP
        // Numbers of different sizes stand on one line.
        const down = style === 'plates' ? height - 3 - (heights[at] ?? 0) : spans ? 5 : 0
        const spot = { ...look, x, at: y + down, width: inner }
        const text = cells[at] ?? ''
        if (tr === undefined) artifact(() => draw(text, { x, y: y + down, width: inner }, look, PAGE.height))
        else write(tr, row === undefined || at === 0 ? 'TH' : 'TD', text, spot)
        x += width
      }
      tr?.end()
      y += height
      if (style !== 'plates' || row === undefined || row.isStrong) rule(y, row === undefined ? 1 : 0.4)
      y += 2
    }
    ensure(60)
    line(undefined, headings, -1, false)
    for (const [at, row] of rows.entries()) line(row, row.cells, at, false)
    element.end()
    y += 10
  }

  const end = (pageText: string) => {
    root.end()
    const { count } = pdf.bufferedPageRange()
    for (let at = 0; at < count; at += 1) {
      pdf.switchToPage(at)
      const text = printable(pageText.replace('{n}', String(at + 1)).replace('{total}', String(count)))
      const spot = { width: WIDTH, align: 'right', height: 20, lineBreak: false } as const
      // Below the margin, where the library would begin another page.
      pdf.page.margins.bottom = 0
      artifact(() => {
        use({ size: 8.5 }).text(text, MARGIN, PAGE.height - MARGIN - 4, spot)
      })
    }
  }
  return { head, box, paragraph, table, end }
}

type MeasureCell = (text: string, at: number, row: Row | undefined, rowAt: number) => number

/** As wide as the texts want to be; if that is too wide, the widest give way, down to their longest word. */
function columnWidths(
  { widths }: Table,
  headings: readonly string[],
  rows: readonly Row[],
  measure: MeasureCell,
): number[] {
  if (widths !== undefined) {
    const sum = widths.reduce((total, one) => total + one, 0)
    return widths.map((one) => (one / sum) * WIDTH)
  }
  // Enough rows to know what is in the others.
  const seen = rows.filter(({ isGroup }) => isGroup !== true).slice(0, 300)
  const all = (at: number, of: (text: string) => string) =>
    Math.max(
      measure(of(headings[at] ?? ''), at, undefined, -1),
      ...seen.map((row, rowAt) => measure(of(row.cells[at] ?? ''), at, row, rowAt)),
    ) + GAP
  const wanted = headings.map((_, at) => all(at, (text) => text))
  const least = headings.map((_, at) =>
    Math.min(
      160,
      all(at, (text) => text.split(/[\s/-]+/).reduce((a, b) => (b.length > a.length ? b : a), '')),
    ),
  )
  const sum = wanted.reduce((total, one) => total + one, 0)
  if (sum <= WIDTH) return wanted.map((one) => one + ((WIDTH - sum) * one) / sum)
  const leastSum = least.reduce((total, one) => total + one, 0)
  if (leastSum >= WIDTH) return least.map((one) => (one / leastSum) * WIDTH)
  const over = wanted.map((one, at) => Math.max(0, one - (least[at] ?? 0)))
  const overSum = over.reduce((total, one) => total + one, 0)
  return least.map((one, at) => one + ((WIDTH - leastSum) * (over[at] ?? 0)) / overSum)
}
