/** Makes the JSON of guest records from rows. Pure, and compiled once for each projection. */

import { readerOf, type TextForm, type TextRows } from '../../database/text-rows.ts'
import { bookingRole, bookingSessions, bookingStatus } from '../../records/fields/booking-fields.ts'
import { asItIs, asMoment, type GuestField, nameOrId, type ShowContext } from '../../records/fields/field.ts'
import type { GuestSource } from '../../records/fields/source.ts'
import { sharedJson as into } from '../../request/json-bytes.ts'
import { partsOfRecord } from '../../request/record-parts.ts'
import { formOf } from './guest-columns-sql.ts'
import type { Projection } from './projection.ts'
import { type Selection, selectionOf } from './selection-sql.ts'

export interface GuestPresenter {
  /** what must be selected */
  readonly selection: Selection
  /** the number of values in a row, including its identifier */
  readonly width: number
  /**
   * @param rows each with the booking's identifier and the selected values @param around JSON before and after the
   * records
   */
  present(
    rows: TextRows,
    context: ShowContext,
    around?: readonly [before: string, after: string],
  ): { readonly json: Buffer; readonly ids: readonly string[] }
}

/** A value of a record. */
interface Shown {
  readonly path: readonly string[]
  /** positions of its sources' values in a row */
  readonly sources: readonly number[]
  readonly show: GuestField['show']
  /** whether a page is expected to have few different values */
  readonly repeats?: boolean
  /** writes the shown value; by default as its JSON */
  readonly add?: (value: unknown) => void
}

/** Writes a value of a row. @param row where the row's values begin */
type Write = (rows: TextRows, row: number) => void

/** By projection, which lives as long as it is cached (projection.ts). */
const presenters = new WeakMap<Projection, GuestPresenter>()

/**
 * @returns what a projection reads from the database, and the function that makes records from it; the same object each
 * time
 */
export function presenterOf(projection: Projection): GuestPresenter {
  let presenter = presenters.get(projection)
  if (presenter === undefined) {
    presenter = compilePresenter(projection)
    presenters.set(projection, presenter)
  }
  return presenter
}

function compilePresenter(projection: Projection): GuestPresenter {
  const selected: GuestSource[] = []
  const position = (source: GuestSource) => {
    const at = selected.indexOf(source)
    return at >= 0 ? at : selected.push(source) - 1
  }
  const shown: Shown[] = []
  const raws = projection.isUnderPseudonyms ? [] : alwaysInIds(position)
  for (const { name, path, sources: of, show, raw, labels } of projection.fields) {
    const sources = of.map(position)
    shown.push({ path, sources, show, repeats: labels !== undefined })
    // status and role stand in every ids already
    if (projection.named && raw !== undefined && name !== 'status' && name !== 'role') {
      raws.push({ path: ['ids', ...path], sources, show: raw.value })
    }
  }

  if (raws.length === 0) raws.push({ path: ['ids'], sources: [], show: () => NOTHING })
  const forms = selected.map(formOf)
  const all = [...shown, ...raws]
  const { values, end } = partsOfRecord(all.map(({ path }) => path))
  const writers = values.map(({ before, of }) => writerOf(before, all[of] as Shown, forms))
  return {
    selection: selectionOf(selected),
    width: 1 + selected.length,
    present(rows, context, [before, after] = ['', '']) {
      const writes = writers.map((writer) => writer(context))
      const ids: string[] = []
      into.begin()
      into.add(Buffer.from(`${before}[`))
      const { count, width } = rows
      for (let row = 1; row < 1 + count * width; row += width) {
        ids.push(rows.piece(row))
        if (row > 1) into.add(COMMA)
        for (const write of writes) write(rows, row + 1)
        into.add(end)
      }
      into.add(Buffer.from(`]${after}`))
      return { json: into.end(), ids }
    },
  }
}

/** @param position of a source's value in a row */
function alwaysInIds(position: (source: GuestSource) => number): Shown[] {
  const status = position(bookingStatus)
  const role = position(bookingRole)
  const sessions = position(bookingSessions)
  return [
    { path: ['ids', 'role'], sources: [role], show: asItIs },
    { path: ['ids', 'status'], sources: [status], show: asItIs },
    { path: ['ids', 'sessionId'], sources: [sessions], show: asItIs, add: addSessions },
  ]
}

const NOTHING = {}
const COMMA = Buffer.from(',')
const SEVERAL = Buffer.from(',"sessionIds":')

const addValue = (value: unknown) => into.addValue(value)

/** The main session, and all sessions if there are several. */
function addSessions(value: unknown): void {
  // The database's arrays of sessions are never null.
  const sessions = value as readonly string[]
  into.addValue(sessions[0])
  if (sessions.length <= 1) return
  into.add(SEVERAL)
  into.addValue(sessions)
}

/**
 * @param before the JSON before the value in the record @returns a function that makes the writer of a page's values
 */
function writerOf(
  before: Buffer,
  { sources, show, repeats = false, add = addValue }: Shown,
  forms: readonly TextForm[],
): (context: ShowContext) => Write {
  const values = sources.map((position) => ({ position, form: forms[position] as TextForm }))
  const copied = add === addValue ? copierOf(show, values) : undefined
  if (copied !== undefined) {
    const write: Write = (rows, row) => {
      into.add(before)
      copied(rows, row)
    }
    return () => write
  }
  const isExpensive = repeats || values.some(({ form }) => EXPENSIVE.has(form.type))
  const shownOf = shownBy(show, values)
  return (context) => {
    const write: Write = (rows, row) => {
      into.add(before)
      add(shownOf(rows, row, context))
    }
    return isExpensive ? onceForAText(sources, write) : write
  }
}

interface Value {
  /** in the row */
  readonly position: number
  readonly form: TextForm
}

/** @returns a function that writes a value without making a string from it; undefined if it has to be made */
function copierOf(show: GuestField['show'], values: readonly Value[]): Write | undefined {
  const [value, name] = values
  if (value === undefined) return undefined
  const { position, form } = value
  if (show === asMoment && form.type === 'timestamptz') {
    return (rows, row) => {
      const at = rows.milliseconds(row + position)
      if (at === null) into.addValue(null)
      else into.addMoment(at)
    }
  }
  const copy = copied(value)
  if (show === asItIs) return copy
  if (show !== nameOrId || name === undefined) return undefined
  const copyName = copied(name)
  if (copy === undefined || copyName === undefined) return undefined
  return (rows, row) => {
    const at = row + name.position
    if (rows.begin(at) === rows.end(at)) copy(rows, row)
    else copyName(rows, row)
  }
}

type ShownOf = (rows: TextRows, row: number, context: ShowContext) => unknown

/** Calls `show` with its sources' values; the arities are spelled out, because this is the hot path. */
function shownBy(show: GuestField['show'], values: readonly Value[]): ShownOf {
  const read = values.map(({ position, form }): ((rows: TextRows, row: number) => unknown) => {
    if (form.type === 'timestamptz') return (rows, row) => rows.milliseconds(row + position)
    const reader = readerOf(form)
    return (rows, row) => reader(rows.piece(row + position))
  })
  const [a, b] = read
  if (a !== undefined && read.length === 1) return (rows, row, context) => show(context, a(rows, row))
  if (a !== undefined && b !== undefined && read.length === 2) {
    return (rows, row, context) => show(context, a(rows, row), b(rows, row))
  }
  return (rows, row, context) => show(context, ...read.map((one) => one(rows, row)))
}

/** A text that may be null begins with a character that says so; a day is never empty. */
function copied({ position, form: { type, required } }: Value): Write | undefined {
  if (type !== 'text' && type !== 'date') return undefined
  const prefix = type === 'text' && !required ? 1 : 0
  return (rows, row) => {
    const from = rows.begin(row + position)
    const to = rows.end(row + position)
    if (from === to && !required) into.addValue(null)
    else into.addText(rows.text, from + prefix, to)
  }
}

const EXPENSIVE: ReadonlySet<string | undefined> = new Set<TextForm['type']>(['jsonb', 'text[]'])

/** A column with more different values than this in a page is treated as one without repetition. */
const REMEMBERED_MAX = 16

/** Writes a value once that is expensive to write and the same for many guests of a page, such as no skipped meals. */
function onceForAText(sources: readonly number[], write: Write): Write {
  const [first = 0, ...others] = sources
  // Comparing a few texts takes less time than hashing each for a map.
  const known: { readonly text: string; readonly from: number; readonly to: number }[] = []
  return (rows, row) => {
    let text = rows.piece(row + first)
    for (const position of others) text += `\0${rows.piece(row + position)}`
    for (let at = 0; at < known.length; at += 1) {
      const written = known[at] as (typeof known)[number]
      if (written.text === text) return into.again(written.from, written.to)
    }
    const from = into.length
    write(rows, row)
    if (known.length < REMEMBERED_MAX) known.push({ text, from, to: into.length })
  }
}
