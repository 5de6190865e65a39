/** How a record becomes JSON: its values in a row, where answers have them, and what writes them. */

import { sharedJson as into } from '../request/json-bytes.ts'
import { partsOfRecord } from '../request/record-parts.ts'
import { asItIs, asMoment, type Field, type ShowContext } from './fields/field.ts'

/** The values of a record: those of a row in the order of the select list, or those of an item by name. */
export type Values = readonly unknown[] | Readonly<Record<string, unknown>>

/** What showing a value depends on. Only fields of guests depend on the day. */
export type RecordContext = Omit<ShowContext, 'today'>

/** Writes a record, or a value of it, as JSON. */
export type Write = (values: Values, context: RecordContext) => void

type Read = (values: Values) => unknown

/** Whether the record of a list has it. */
export const inLists = ({ single }: Field): boolean => single?.only === undefined

/** Whether the raw value is in `ids`. */
export const inIds = ({ raw, single }: Field): boolean => raw !== undefined && single?.only !== 'single'

/** The parameter without which a list, or a record that is read by itself, does not have it. */
export const requestOfListed = ({ requestedBy }: Field) => requestedBy
export const requestOfSingle = ({ requestedBy, single }: Field) => single?.requestedBy ?? requestedBy

/** One value of a record. */
interface Part {
  readonly path: readonly string[]
  readonly write: Write
}

/** @param positions of the columns in a row, by name; none for the items of a list */
export type Positions = Readonly<Record<string, number>>

/** Writes the record of a list: what is shown, and the raw values in `ids`, if there are any. */
export const listedWriter = (fields: readonly Field[], positions: Positions): Write =>
  writerOf([
    ...fields.filter(inLists).map(
      (field): Part => ({
        path: field.path,
        write: field.items === undefined ? shown(field, positions) : each(field, positions, shownWriter),
      }),
    ),
    ...fields.filter(inIds).map(
      (field): Part => ({
        path: ['ids', ...field.path],
        write: field.items === undefined ? rawly(field, positions) : each(field, positions, idsWriter),
      }),
    ),
  ])

/** Writes a record that is read by itself: its raw values. */
export const singleWriter = (fields: readonly Field[], positions: Positions): Write =>
  writerOf(
    fields.map(
      (field): Part => ({
        path: field.path,
        write: field.items === undefined ? alone(field, positions) : each(field, positions, itemWriter),
      }),
    ),
  )

const shownWriter = (items: readonly Field[]) =>
  writerOf(items.filter(inLists).map((item) => ({ path: item.path, write: shown(item) })))
const idsWriter = (items: readonly Field[]) =>
  writerOf(items.filter(inIds).map((item) => ({ path: item.path, write: rawly(item) })))
const itemWriter = (items: readonly Field[]) =>
  writerOf(items.map((item) => ({ path: item.path, write: alone(item) })))

const shown = (field: Field, positions?: Positions) => valueWriter(field, field.show, positions)
const rawly = (field: Field, positions?: Positions) =>
  valueWriter(field, field.raw?.value ?? field.show, positions)

function alone(field: Field, positions?: Positions): Write {
  const { single, raw, show } = field
  if (single?.value !== undefined) return valueWriter(field, single.value as Field['show'], positions)
  const plain = valueWriter(field, raw?.value ?? show, positions)
  if (single?.isFormatted !== true) return plain
  const formatted = shown(field, positions)
  return (values, context) => (context.formatDates ? formatted : plain)(values, context)
}

/** All values of a record one after the other, with the names and braces between them. */
function writerOf(parts: readonly Part[]): Write {
  const { values, end } = partsOfRecord(parts.map(({ path }) => path))
  const writes = values.map(({ before, of }) => ({ before, write: (parts[of] as Part).write }))
  return (record, context) => {
    for (let at = 0; at < writes.length; at += 1) {
      const { before, write } = writes[at] as (typeof writes)[number]
      into.add(before)
      write(record, context)
    }
    into.add(end)
  }
}

const LIST = Buffer.from('[')
const COMMA = Buffer.from(',')
const END_OF_LIST = Buffer.from(']')

/** Writes the items of a list, each with the fields of its own table. */
function each(field: Field, positions: Positions, writer: (items: readonly Field[]) => Write): Write {
  const [read] = readersOf(field, positions)
  const write = writer(field.items ?? [])
  return (values, context) => {
    const items = read?.(values) as readonly Values[]
    into.add(LIST)
    for (let at = 0; at < items.length; at += 1) {
      if (at > 0) into.add(COMMA)
      write(items[at] as Values, context)
    }
    into.add(END_OF_LIST)
  }
}

/** The most frequent ways of showing a value are written without making a string of it. */
function valueWriter(field: Field, of: Field['show'], positions?: Positions): Write {
  const show = of as (context: RecordContext, ...values: unknown[]) => unknown
  const readers = readersOf(field, positions)
  const [read] = readers
  if (read === undefined) return (_, context) => into.addValue(show(context))
  if (of === asItIs) return (values) => into.addValue(read(values))
  if (of === asMoment) {
    return (values) => {
      const at = read(values) as number | null
      if (at === null) into.addValue(null)
      else into.addMoment(at)
    }
  }
  if (readers.length === 1) return (values, context) => into.addValue(show(context, read(values)))
  return (values, context) => into.addValue(show(context, ...readers.map((one) => one(values))))
}

function readersOf({ sources }: Field, positions?: Positions): Read[] {
  return sources.map((source): Read => {
    if (source.from !== 'record') return readerAt(positions?.[nameInRow(source)])
    const [name] = source.path
    // An item of a list is an object with its values.
    if (positions === undefined) return (values) => (values as Readonly<Record<string, unknown>>)[name ?? '']
    const column = readerAt(positions[source.column])
    if (name === undefined) return column
    return (values) => (column(values) as Readonly<Record<string, unknown>> | null)?.[name] ?? null
  })
}

const readerAt = (at: number | undefined): Read => {
  if (at === undefined) throw new Error('a field of a record is not selected')
  return (values) => (values as readonly unknown[])[at]
}

/** Name of a source's value in the select list. */
export function nameInRow(source: Field['sources'][number]): string {
  if (source.from === 'made') return source.name
  if (source.from === 'record') return source.column
  if (source.from === 'terms') return `${source.of.column}_names`
  throw new Error(`${source.from} is a source of guests only`)
}

/** The values that the fields need, each once, in the order of their first use; before them the row has others. */
export function positionsOf(fields: readonly Field[], before: number): Positions {
  const names = [...new Set(fields.flatMap(({ sources }) => sources.map(nameInRow)))]
  return Object.fromEntries(names.map((name, at) => [name, before + at]))
}
