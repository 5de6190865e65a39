/** Rows become guest records: pure, and compiled once for a projection. */

import { readerOf, type TextRows } from '../database/text-rows.ts'
import { bookingRole, bookingSessions, bookingStatus } from '../fields/booking-fields.ts'
import { asItIs, type GuestField, type ShowContext } from '../fields/field.ts'
import type { Source } from '../fields/source.ts'
import { formOf } from './guest-columns-sql.ts'
import type { Projection } from './projection.ts'
import { type Selection, selectionOf } from './selection-sql.ts'

export interface GuestPresenter {
  /** what must be selected */
  readonly selection: Selection
  /** how many values a row has, its identifier among them */
  readonly width: number
  /** @param rows each the booking's identifier and the selected values */
  present(
    rows: TextRows,
    context: ShowContext,
  ): { readonly data: readonly unknown[]; readonly ids: readonly string[] }
}

type Show = (row: readonly unknown[], context: ShowContext) => unknown

/** What is shown of a row, or of a part of it. */
interface Shown {
  /** the place in the row of what is shown as it was read; -1 for all else */
  readonly at: number
  readonly show: Show
}

/** With the place in the record; a dotted name is nested (ruling 21). */
interface Placed extends Shown {
  readonly path: readonly string[]
}

/** By projection, which lives as long as it is remembered (projection.ts). */
const presenters = new WeakMap<Projection, GuestPresenter>()

/** @returns what a projection needs of the database, and the function that makes records of it; the same each time */
export function presenterOf(projection: Projection): GuestPresenter {
  let presenter = presenters.get(projection)
  if (presenter === undefined) {
    presenter = compilePresenter(projection)
    presenters.set(projection, presenter)
  }
  return presenter
}

function compilePresenter(projection: Projection): GuestPresenter {
  const selected: Source[] = []
  const position = (source: Source) => {
    const at = selected.indexOf(source)
    return at >= 0 ? at : selected.push(source) - 1
  }
  const status = position(bookingStatus)
  const role = position(bookingRole)
  const sessionIds = position(bookingSessions)

  const shown: Placed[] = []
  const raw: Placed[] = []
  for (const field of projection.fields) {
    const at = field.sources.map(position)
    shown.push({ path: field.path, ...compute(field.show, at) })
    // status and role stand in every ids already
    if (projection.named && field.raw !== undefined && field.name !== 'status' && field.name !== 'role') {
      raw.push({ path: field.path, ...compute(field.raw.value, at) })
    }
  }

  // The database's arrays of sessions are never null.
  const sessionsOf = (row: readonly unknown[]) => row[sessionIds] as readonly string[]
  const first: readonly Placed[] = [
    { path: ['role'], ...itself(role) },
    { path: ['status'], ...itself(status) },
    { path: ['sessionId'], ...made((row) => sessionsOf(row)[0]) },
  ]
  const idsOfOne = recordOf([...first, ...raw])
  const idsOfSeveral = recordOf([...first, { path: ['sessionIds'], ...itself(sessionIds) }, ...raw])
  const ids: Show = (row, context) => (sessionsOf(row).length > 1 ? idsOfSeveral : idsOfOne)(row, context)
  const presentRow = recordOf([...shown, { path: ['ids'], ...made(ids) }])
  const forms = selected.map(formOf)
  return {
    selection: selectionOf(selected),
    width: 1 + selected.length,
    present({ count, width, pieces }, context) {
      const readers = forms.map((form) =>
        form.type === 'jsonb' || form.type === 'text[]' ? onceForAText(readerOf(form)) : readerOf(form),
      )
      const row: unknown[] = []
      const data: unknown[] = []
      const ids: string[] = []
      for (let at = 1; at < 1 + count * width; at += width) {
        ids.push(pieces[at] ?? '')
        for (let value = 0; value < readers.length; value += 1) {
          row[value] = readers[value]?.(pieces[at + 1 + value] ?? '')
        }
        data.push(presentRow(row, context))
      }
      return { data, ids }
    },
  }
}

/** What has more values than this in a page is taken not to repeat. */
const REMEMBERED_MAX = 16

/** What is dear to read and the same for many guests of a page, such as no skipped meals, is read once. */
function onceForAText(read: (text: string) => unknown): (text: string) => unknown {
  const known = new Map<string, unknown>()
  return (text) => {
    let value = known.get(text)
    if (value === undefined) {
      value = read(text)
      if (known.size < REMEMBERED_MAX) known.set(text, value)
    }
    return value
  }
}

const itself = (at: number): Shown => ({ at, show: (row) => row[at] })
const made = (show: Show): Shown => ({ at: -1, show })

/** Calls `show` with its sources' values; the arities are spelled out, because this is the hot path. */
function compute(show: GuestField['show'], at: readonly number[]): Shown {
  const [a = 0, b = 0] = at
  if (show === asItIs) return itself(a)
  if (at.length === 1) return made((row, context) => show(context, row[a]))
  if (at.length === 2) return made((row, context) => show(context, row[a], row[b]))
  return made((row, context) => show(context, ...at.map((index) => row[index])))
}

/** Names are added to a record one by one up to this many. Of an object with twenty that were, V8 makes a hash table. */
const ADDED_MAX = 16

/**
 * A record with all of these; a value that is not there is null, never absent.
 *
 * A wide record begins as a copy of one with all its names: a hash table takes twice as long to fill and to write as
 * JSON. For others a copy would cost more than it saves.
 */
function recordOf(placed: readonly Placed[]): Show {
  const below = new Map<string, Placed[]>()
  for (const { path, at, show } of placed) {
    const [name = '', ...rest] = path
    const others = below.get(name)
    if (others === undefined) below.set(name, [{ path: rest, at, show }])
    else others.push({ path: rest, at, show })
  }
  const names = [...below.keys()]
  const values = [...below.values()].map((all): Shown => {
    const [only] = all
    return only !== undefined && only.path.length === 0
      ? { at: only.at, show: only.show }
      : made(recordOf(all))
  })
  const isWide = names.length > ADDED_MAX
  // What is parsed is no hash table.
  const blank: Record<string, unknown> = JSON.parse(
    JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))),
  )
  return (row, context) => {
    const record: Record<string, unknown> = isWide ? { ...blank } : {}
    for (let i = 0; i < names.length; i += 1) {
      const { at, show } = values[i]!
      record[names[i]!] = (at < 0 ? show(row, context) : row[at]) ?? null
    }
    return record
  }
}
