/** Rows become guest records: pure, and compiled once for a projection. */

import { readerOf, type TextRows } from '../database/text-rows.ts'
import { bookingRole, bookingSessions, bookingStatus } from '../fields/booking-fields.ts'
import type { GuestField, ShowContext } from '../fields/field.ts'
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

type Step = (into: Record<string, unknown>, row: readonly unknown[], context: ShowContext) => void

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

  const steps: Step[] = []
  const idSteps: Step[] = []
  for (const field of projection.fields) {
    const at = field.sources.map(position)
    steps.push(assign(field.path, compute(field.show, at)))
    // status and role stand in every ids already
    if (projection.named && field.raw !== undefined && field.name !== 'status' && field.name !== 'role') {
      idSteps.push(assign(field.path, compute(field.raw.value, at)))
    }
  }

  const presentRow = (row: readonly unknown[], context: ShowContext) => {
    const record: Record<string, unknown> = {}
    for (const step of steps) step(record, row, context)
    // The database's arrays of sessions are never null.
    const sessions = row[sessionIds] as readonly string[]
    const ids: Record<string, unknown> = {
      role: row[role],
      status: row[status],
      sessionId: sessions[0] ?? null,
    }
    if (sessions.length > 1) ids.sessionIds = sessions
    for (const step of idSteps) step(ids, row, context)
    record.ids = ids
    return record
  }
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

type Show = GuestField['show']

/** Calls `show` with its sources' values; the arities are spelled out, because this is the hot path. */
function compute(show: Show, at: readonly number[]) {
  const [a = 0, b = 0] = at
  if (at.length === 1) {
    return (row: readonly unknown[], context: ShowContext) => show(context, row[a])
  }
  if (at.length === 2) {
    return (row: readonly unknown[], context: ShowContext) => show(context, row[a], row[b])
  }
  return (row: readonly unknown[], context: ShowContext) => show(context, ...at.map((index) => row[index]))
}

/** A dotted name comes back nested (ruling 21); a value that is not there is null, never absent. */
function assign(path: readonly string[], value: ReturnType<typeof compute>): Step {
  const last = path[path.length - 1] ?? ''
  const parents = path.slice(0, -1)
  return (into, row, context) => {
    let target = into
    for (const parent of parents) {
      target[parent] ??= {}
      target = target[parent] as Record<string, unknown>
    }
    target[last] = value(row, context) ?? null
  }
}
