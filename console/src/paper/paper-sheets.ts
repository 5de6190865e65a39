/**
 * A list on sheets of paper: laid out once, measured, and divided, so that each sheet has its title, its date and its place
 * among the others, and the printer takes as many as they say.
 */
import { type ComponentChild, type ComponentChildren, h, type RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words } from '../base/signed-in.ts'
import { breakSheets, type PaperHeights, type Slice } from './break-sheets.ts'

/** A4 within the margins of the style sheet, without a millimetre for rounding, in CSS pixels. */
const SHEET_PX = ((297 - 2 * 11 - 1) / 25.4) * 96

export interface PaperTable {
  readonly class: string
  readonly style?: Readonly<Record<string, number>>
  readonly caption: string
  /** columns with fixed shares of the width */
  readonly columns?: ComponentChild
  /** a row, which each sheet repeats */
  readonly head: ComponentChild
  /** its columns are those of what is above it, so on the first sheet it needs no head */
  readonly isJoined?: boolean
  /** @param isFirst whether it is the first one of its sheet */
  readonly rows: readonly ((isFirst: boolean) => ComponentChild)[]
}

export interface PaperSheetsProps {
  /** what it is about and of when; on each sheet */
  readonly header: (isFirst: boolean) => ComponentChild
  /** above the tables, on the first sheet and on all others */
  readonly above?: (isFirst: boolean) => ComponentChildren
  readonly tables: readonly PaperTable[]
  /** in the last line of the last sheet, and of each */
  readonly end: ComponentChildren
  readonly note?: ComponentChildren
  /** classes of sizes, the largest first; the largest one of those with the fewest sheets is used */
  readonly sizes?: readonly string[]
  /** it is laid out again when one of these changes */
  readonly of: readonly unknown[]
}

interface Layout {
  readonly about: string
  readonly size: string
  readonly sheets: readonly (readonly Slice[])[]
}

const ONE_SIZE = [''] as const

export function PaperSheets(given: PaperSheetsProps): ComponentChild {
  const props = { ...given, tables: given.tables.filter(({ rows }) => rows.length > 0) }
  const { sizes = ONE_SIZE, tables, of } = props
  const attempt = useRef<HTMLDivElement>(null)
  const [layout, setLayout] = useState<Layout>()
  const about = JSON.stringify(of)
  // Before the browser paints, so that nobody sees the attempts.
  useLayoutEffect(() => {
    if (attempt.current === null || layout?.about === about) return
    setLayout({ about, ...bestOf(attempt.current, sizes) })
  }, [about, layout])
  if (layout?.about !== about) return h(Attempt, { ...props, element: attempt })
  const { size, sheets } = layout
  return sheets.map((slices, at) =>
    h(
      Sheet,
      { ...props, size, at, total: sheets.length },
      slices.map(({ table, from, until }) =>
        h(Table, { table: tables[table]!, from, until, isFirst: at === 0, key: table }),
      ),
    ),
  )
}

function bestOf(element: HTMLElement, sizes: readonly string[]): Pick<Layout, 'size' | 'sheets'> {
  const tried = sizes.map((size) => {
    for (const sheet of element.children) sheet.className = `sheet attempt ${size}`
    return { size, sheets: breakSheets(heightsOf(element)) }
  })
  const fewest = Math.min(...tried.map(({ sheets }) => sheets.length))
  return tried.find(({ sheets }) => sheets.length === fewest)!
}

/** Everything on one sheet, and what is on each other one, to be measured. */
function Attempt({
  element,
  ...props
}: PaperSheetsProps & { readonly element: RefObject<HTMLDivElement | null> }): ComponentChild {
  const { tables } = props
  // Any row may be the first one of its sheet.
  const table = (one: PaperTable, until: number, isFirst: boolean, key: number) =>
    h(Table, { table: one, from: 0, until, isFirst, isEachFirst: true, key })
  return h('div', { ref: element, class: 'attempts', 'aria-hidden': true }, [
    h(
      Sheet,
      { ...props, size: 'attempt', at: 0, total: 1 },
      tables.map((one, at) => table(one, one.rows.length, true, at)),
    ),
    h(
      Sheet,
      { ...props, size: 'attempt', at: 1, total: 3 },
      tables.map((one, at) => table(one, Math.min(1, one.rows.length), false, at)),
    ),
  ])
}

function heightsOf(element: HTMLElement): PaperHeights {
  const [first, further] = [...element.children].map((sheet) => {
    const boxes = [...sheet.children].map((child) => child.getBoundingClientRect())
    const tables = [...sheet.querySelectorAll(':scope > table')].map((table) => {
      const box = table.getBoundingClientRect()
      const rows = [...table.querySelectorAll(':scope > tbody > tr')].map((row) =>
        row.getBoundingClientRect(),
      )
      return { box, rows }
    })
    const { top } = sheet.getBoundingClientRect()
    const last = boxes.at(-1)!
    const bottomBefore = (box: { readonly top: number }) =>
      Math.max(top, ...boxes.filter((one) => one.top < box.top).map(({ bottom }) => bottom))
    return {
      above: bottomBefore(tables[0]?.box ?? last) - top,
      below: last.bottom - bottomBefore(last),
      tables: tables.map(({ box, rows }) => ({
        lead: (rows[0]?.top ?? box.bottom) - bottomBefore(box),
        rows: rows.map(({ height }) => height),
      })),
    }
  })
  return {
    first: SHEET_PX - first!.above - further!.below,
    further: SHEET_PX - further!.above - further!.below,
    end: first!.below - further!.below,
    tables: first!.tables.map(({ lead, rows }, at) => ({
      lead,
      leadAgain: further!.tables[at]!.lead,
      rows,
    })),
  }
}

interface SheetProps extends PaperSheetsProps {
  readonly size: string
  readonly at: number
  readonly total: number
  readonly children?: ComponentChildren
}

function Sheet({ header, above, end, note, size, at, total, children }: SheetProps): ComponentChild {
  return h('section', { class: `sheet ${size}` }, [
    h('header', null, header(at === 0)),
    above?.(at === 0),
    children,
    h('p', { class: 'end' }, [
      h('span', null, [at === total - 1 && end, ' ', note]),
      h('span', null, words.value('pageOf', { n: at + 1, total })),
    ]),
  ])
}

interface TableProps {
  readonly table: PaperTable
  readonly from: number
  readonly until: number
  /** whether it is on the first sheet */
  readonly isFirst: boolean
  readonly isEachFirst?: boolean
}

function Table({ table, from, until, isFirst, isEachFirst = false }: TableProps): ComponentChild {
  const { class: name, style, caption, columns, head, isJoined = false, rows } = table
  return h('table', { class: name, style }, [
    h('caption', { class: 'vh' }, caption),
    columns,
    h('thead', { class: isJoined && isFirst ? 'vh' : undefined }, head),
    h(
      'tbody',
      null,
      rows.slice(from, until).map((row, at) => row(isEachFirst || at === 0)),
    ),
  ])
}
