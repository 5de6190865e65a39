/** The table itself: every row that was read is in the page, so that print, copy and find have them all. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Field } from '../../../client/src/index.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { language, words } from '../base/signed-in.ts'
import { guestAddress } from '../guest/guest-link.ts'
import { zone } from '../kitchen/kitchen-reading.ts'
import { createDrawing, type Drawing, type DrawnRow } from './drawing.ts'
import type { Question } from './question.ts'
import type { Rows } from './rows.ts'
import { orderBy } from './sorting.ts'
import { cellOf, type Row, textOf, valueAt } from './values.ts'
import { widthsOf } from './widths.ts'

export interface GuestTableProps {
  readonly of: Rows
  readonly columns: readonly Field[]
  readonly sort: Question['sort']
  readonly onSort: (sort: Question['sort']) => void
}

export function GuestTable({ of, columns, sort, onSort }: GuestTableProps): ComponentChild {
  const t = words.value
  const { rows, total = 0, rest } = of
  const scroller = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(undefined)
  const [drawn, setDrawn] = useState(0)
  const rowAt = useMemo(() => {
    const shown = { language: language.value, zone: zone(), words: t }
    return (index: number): DrawnRow => drawnRow(rows[index] ?? {}, columns, shown)
  }, [rows, columns, t])
  const widths = useMemo(
    () =>
      widthsOf(
        columns.map(({ label }) => label),
        rows.slice(0, 100).map((_, at) => rowAt(at).texts),
        measured(),
      ),
    [rowAt],
  )
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    drawing.current ??= createDrawing(current, setDrawn)
    drawing.current.draw(rows.length, rowAt, widths)
  }, [rowAt, widths])
  useWhole(drawing, scroller)
  // Other guests, or another order, begin at their first.
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [sort.join()])
  const n = (count: number) => numberText(count, language.value)
  const there = Math.min(drawn, rows.length)
  return h('div', null, [
    there < total &&
      h('p', { class: 'say chgd', role: 'status' }, [
        h('b', null, t('firstOfAll', { n: n(there), total: n(total) })),
        ' ',
        t(rest === 'tooLong' ? 'restTooLong' : 'restComes'),
      ]),
    h(
      'div',
      { class: 'rows', ref: scroller, tabIndex: 0, role: 'region', 'aria-label': t('guests') },
      h(
        'div',
        {
          class: 'all',
          role: 'table',
          'aria-label': t('guests'),
          'aria-rowcount': total + 1,
          style: { minWidth: `${widths.reduce((sum, width) => sum + width, 0)}px` },
        },
        [
          h('table', { class: 'heads', role: 'presentation' }, [
            h(
              'colgroup',
              null,
              widths.map((width) => h('col', { style: { width: `${width}px` } })),
            ),
            h(
              'thead',
              { role: 'rowgroup' },
              h(
                'tr',
                { role: 'row' },
                columns.map((field) => h(Heading, { key: field.name, field, sort, onSort })),
              ),
            ),
          ]),
          h('div', { class: 'blocks', ref: box }),
        ],
      ),
    ),
  ])
}

/** Before printing and copying, all rows are drawn and laid out: a block of its own takes the browser longer. */
function useWhole(
  drawing: { readonly current: Drawing | undefined },
  scroller: { readonly current: HTMLElement | null },
): void {
  useEffect(() => {
    const finish = () => drawing.current?.finish()
    const copy = () => {
      finish()
      scroller.current?.classList.add('laid-out')
      setTimeout(() => scroller.current?.classList.remove('laid-out'), 0)
    }
    addEventListener('beforeprint', finish)
    document.addEventListener('copy', copy)
    return () => {
      removeEventListener('beforeprint', finish)
      document.removeEventListener('copy', copy)
      drawing.current?.end()
    }
  }, [])
}

interface HeadingProps extends Pick<GuestTableProps, 'sort' | 'onSort'> {
  readonly field: Field
}

/** A button where the service sorts by the column; the arrow comes from the style sheet. */
function Heading({ field: { name, label }, sort, onSort }: HeadingProps): ComponentChild {
  const order = orderBy(name, sort)
  const head = { scope: 'col', role: 'columnheader' }
  if (order === undefined) return h('th', head, label)
  return h(
    'th',
    { ...head, 'aria-sort': order.now },
    h('button', { type: 'button', class: 'plain', onClick: () => onSort(order.next) }, label),
  )
}

/** The first of these columns leads to the page of the guest. */
const NAMES = ['name', 'firstName', 'lastName', 'firstNameCaps', 'lastNameCaps']

/** Who does not come is set back. */
const OUT = ['cancelled', 'voided']

function drawnRow(row: Row, columns: readonly Field[], shown: Parameters<typeof cellOf>[2]): DrawnRow {
  const id = textOf(row.id)
  const at = columns.findIndex(({ name }) => NAMES.includes(name))
  return {
    ...(id === '' || at < 0 ? {} : { link: { at, href: guestAddress(id) } }),
    texts: columns.map((column) => cellOf(row, column, shown) || '–'),
    isOut: OUT.includes(textOf(valueAt(row, 'ids.status'))),
  }
}

/** Lengths in pixels, in the type of the table. */
function measured(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return (text) => text.length * 8
  context.font = `700 15px ${getComputedStyle(document.body).fontFamily}`
  return (text) => context.measureText(text).width
}
