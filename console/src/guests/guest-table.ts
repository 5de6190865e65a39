/** The table itself: only rows that are looked at are in the page, so that ten thousand scroll like fifty. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Field } from '../../../client/src/index.ts'
import { language, words } from '../base/signed-in.ts'
import { zone } from '../kitchen/kitchen-reading.ts'
import type { Question } from './question.ts'
import type { RowReader } from './rows.ts'
import { ROW_HEIGHT, rowsInView } from './rows-in-view.ts'
import { orderBy } from './sorting.ts'
import { cellOf, type Row, textOf, valueAt } from './values.ts'

/** What a screen shows before the table knows its own height, in pixels. */
const USUAL_HEIGHT = 740

/** Who scrolls through ten thousand rows does not read a hundred pages, and the key has no more than that in a minute. */
const LOOK_MS = 120
/** Rows whose elements are taken again for others: to fill one is a fraction of making it. More than any screen shows. */
const ROWS_KEPT = 128

export interface GuestTableProps {
  readonly rows: RowReader
  readonly columns: readonly Field[]
  readonly sort: Question['sort']
  readonly onSort: (sort: Question['sort']) => void
}

export function GuestTable({ rows, columns, sort, onSort }: GuestTableProps): ComponentChild {
  const t = words.value
  const { total = 0, row } = rows.state.value
  const scroller = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ rows, top: 0, height: USUAL_HEIGHT })
  // Other rows begin at their first.
  const { first, end } = rowsInView(place.rows === rows ? place.top : 0, place.height, total)
  const look = () => {
    const { current } = scroller
    if (current !== null) setPlace({ rows, top: current.scrollTop, height: current.clientHeight })
  }
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [rows])
  const seen = useRef({ rows, first, end })
  seen.current = { rows, first, end }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const { rows, first, end } = seen.current
      rows.look(first, Math.max(first, end - 1))
    }, LOOK_MS)
  }, [first, end, rows])
  useEffect(() => () => clearTimeout(timer.current), [])
  const space = (height: number) =>
    height > 0 &&
    h(
      'tr',
      { class: 'space', 'aria-hidden': true },
      h('td', { colSpan: columns.length, style: { height: `${height}px` } }),
    )
  return h(
    'div',
    { class: 'rows', ref: scroller, onScroll: look, tabIndex: 0, role: 'region', 'aria-label': t('guests') },
    h('table', { 'aria-rowcount': total + 1 }, [
      h('caption', { class: 'vh' }, t('guests')),
      h(
        'thead',
        null,
        h(
          'tr',
          { 'aria-rowindex': 1 },
          columns.map((field) => h(Heading, { key: field.name, field, sort, onSort })),
        ),
      ),
      h('tbody', null, [
        space(first * ROW_HEIGHT),
        ...Array.from({ length: end - first }, (_, at) =>
          h(GuestRow, { key: (first + at) % ROWS_KEPT, index: first + at, row: row(first + at), columns }),
        ),
        space((total - end) * ROW_HEIGHT),
      ]),
    ]),
  )
}

interface HeadingProps extends Pick<GuestTableProps, 'sort' | 'onSort'> {
  readonly field: Field
}

/** A button where the service sorts by the column; the arrow comes from the style sheet. */
function Heading({ field: { name, label }, sort, onSort }: HeadingProps): ComponentChild {
  const order = orderBy(name, sort)
  if (order === undefined) return h('th', { scope: 'col' }, label)
  return h(
    'th',
    { scope: 'col', 'aria-sort': order.now },
    h('button', { type: 'button', class: 'plain', onClick: () => onSort(order.next) }, label),
  )
}

interface GuestRowProps {
  readonly index: number
  readonly row: Row | undefined
  readonly columns: readonly Field[]
}

/** Who does not come stands back. */
const OUT = ['cancelled', 'voided']

function GuestRow({ index, row, columns }: GuestRowProps): ComponentChild {
  const status = row === undefined ? '' : textOf(valueAt(row, 'ids.status'))
  return h(
    'tr',
    { 'aria-rowindex': index + 2, class: OUT.includes(status) ? 'out' : undefined },
    columns.map((column, at) => {
      const text = row === undefined ? '…' : cellOf(row, column, language.value, zone()) || '–'
      return at === 0 ? h('th', { scope: 'row' }, text) : h('td', null, text)
    }),
  )
}
