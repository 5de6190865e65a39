/** Reads the value of a mapped field from a row. */

import type { Json, JsonObject } from '../../kinds/kind.ts'
import { put } from '../../lines/json-paths.ts'
import type { Schema } from '../../lines/line-schemas.ts'
import { type Cell, cellText, valueText } from '../tables/table.ts'
import { addressesIn } from './email-addresses.ts'
import { readDate, readTime } from './formats.ts'
import { hashedIdentifier, writtenIdentifier } from './identifiers.ts'
import type { CellSource, ColumnRef, FieldMapping, NameForm, Source } from './mapping.ts'
import { hasTwoReadings, readNumber } from './numbers.ts'
import { withSecondPhone } from './phone-numbers.ts'
import { mayBeValue, mayBeWord } from './text-lengths.ts'
import { foldWord } from './words.ts'

/** Returns the row's cell in a column; undefined if the row is shorter. */
export type CellAt = (column: ColumnRef) => Cell | undefined

/** Fields, or items of a list, that are read without a break: each of them may be read in many formats. */
const WITHOUT_BREAK = 20

/**
 * The fields of a row that are not empty, as an object. It yields where others may run: a mapping may have a thousand fields, and
 * a cell ten thousand days.
 */
export function* readFields(
  fields: readonly FieldMapping[],
  cellAt: CellAt,
): Generator<undefined, JsonObject> {
  const record: JsonObject = {}
  for (const [at, { path, schema, source }] of fields.entries()) {
    if (at > 0 && at % WITHOUT_BREAK === 0) yield
    const value = yield* readSource(source, schema, cellAt)
    if (value !== undefined) put(record, path, value)
  }
  if (typeof record.email === 'string') record.email = addressesIn(record.email)[0] ?? record.email
  withSecondPhone(record)
  return withoutAddedHours(record, fields)
}

/**
 * A stay that begins and ends on one day, with hours that only the mapping adds (15:00 and 11:00), would end before it
 * begins. Its hours are unknown, so it has only days (ruling 43).
 */
function withoutAddedHours(record: JsonObject, fields: readonly FieldMapping[]): JsonObject {
  const { startDate, endDate } = record
  if (typeof startDate !== 'string' || typeof endDate !== 'string' || endDate >= startDate) return record
  const [day, lastDay] = [startDate.slice(0, 10), endDate.slice(0, 10)]
  const isAdded = (name: string, value: string) => {
    const source = fields.find((field) => field.name === name)?.source
    return source?.from === 'cells' && source.time !== undefined && value.endsWith(`T${source.time}`)
  }
  if (day !== lastDay || !(isAdded('startDate', startDate) || isAdded('endDate', endDate))) return record
  if (isAdded('startDate', startDate)) record.startDate = day
  if (isAdded('endDate', endDate)) record.endDate = isAdded('startDate', startDate) ? day : `${day}T23:59:00`
  return record
}

/** @returns undefined if the cells are empty; the field is then left out */
function* readSource(source: Source, schema: Schema, cellAt: CellAt): Generator<undefined, Json | undefined> {
  switch (source.from) {
    case 'cells':
      return schema.items === undefined
        ? readCells(source, schema, cellAt)
        : yield* listOf(source, schema, cellAt)
    case 'constant':
      return source.value
    case 'record':
      return yield* readSource(source.source, schema, cellAt)
    case 'list': {
      const values: Json[] = []
      for (const [at, one] of source.sources.entries()) {
        if (at > 0 && at % WITHOUT_BREAK === 0) yield
        const value = yield* readSource(one, schema.items ?? {}, cellAt)
        if (value !== undefined) values.push(value)
      }
      return values.length === 0 ? undefined : values
    }
    case 'entries': {
      const entries: Json[] = []
      for (const fields of source.entries) {
        if (!hasCells(fields, cellAt) || !hasRest(fields, cellAt)) continue
        if (entries.length > 0) yield
        entries.push(yield* readFields(fields, cellAt))
      }
      return entries.length === 0 ? undefined : entries
    }
  }
}

/** Constants alone do not make an entry of a list. */
const hasCells = (fields: readonly FieldMapping[], cellAt: CellAt) =>
  fields.some(({ source }) => source.from === 'cells' && textsOf(source, cellAt).some((text) => text !== ''))

/** An entry whose count leaves nothing says nothing: the guest comes alone. */
const hasRest = (fields: readonly FieldMapping[], cellAt: CellAt) =>
  fields.every(
    ({ source, schema }) =>
      source.from !== 'cells' || source.less === undefined || readCells(source, schema, cellAt) !== undefined,
  )

/** A word that the mapping gives a meaning is a value, also `n/a`. */
const textsOf = ({ columns, values }: CellSource, cellAt: CellAt) =>
  columns.map((column) => {
    const text = cellText(cellAt(column))
    return values?.has(foldWord(text)) ? text : valueText(text)
  })

const joinedOf = (texts: readonly string[], { join }: CellSource) =>
  texts.filter((text) => text !== '').join(join)

function readCells(source: CellSource, schema: Schema, cellAt: CellAt): Json | undefined {
  const texts = textsOf(source, cellAt)
  if (source.identifier !== undefined) return identifierOf(source, texts) ?? source.default
  const joined = joinedOf(texts, source)
  if (joined === '') return source.default
  if (source.less !== undefined) return sumWithout(source.less, texts, joined)
  const text = source.part === undefined ? joined : partOf(joined, source)
  if (text === '') return source.default
  // A number in a sheet needs no parsing of its text.
  const cell = source.columns[0] && cellAt(source.columns[0])
  const isTyped = texts.length === 1 && source.part === undefined && typeof cell !== 'string'
  const value = fieldValue(isTyped && cell !== undefined ? cell : text, text, source, schema)
  const { addDays } = source
  if (addDays === undefined) return value
  return laterBy(value, typeof addDays === 'number' ? addDays : cellAt(addDays))
}

/** @returns undefined if nothing remains; the text, which is refused, if it is no count */
function sumWithout(less: number, texts: readonly string[], text: string): Json | undefined {
  const counts = texts.map((one) => (one === '' ? 0 : readNumber(one)))
  if (!counts.every((count) => count !== undefined && Number.isInteger(count) && count >= 0)) return text
  const sum = counts.reduce<number>((all, count) => all + (count ?? 0), 0)
  return sum > less ? sum - less : undefined
}

/** Longer stays are errors of typing. */
export const DAYS_MAX = 3660

/**
 * A date, and a number of days later. @returns undefined if there is no number; a text that no date is if it cannot be
 * added, so that the field's check refuses it and shows both
 */
function laterBy(value: Json, days: Cell | undefined): Json | undefined {
  const text = valueText(days)
  if (text === '' || typeof value !== 'string') return undefined
  const number = readNumber(text)
  const [, day, rest = ''] = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(value) ?? []
  if (
    day === undefined ||
    number === undefined ||
    !Number.isInteger(number) ||
    number < 0 ||
    number > DAYS_MAX
  ) {
    return `${value} + ${text}`
  }
  return `${new Date(Date.parse(day) + number * 86_400_000).toISOString().slice(0, 10)}${rest}`
}

/** A list that is too long is refused by its length, so its items need not be read. */
function* listOf(source: CellSource, schema: Schema, cellAt: CellAt): Generator<undefined, Json | undefined> {
  const texts = textsOf(source, cellAt)
  if (source.identifier !== undefined) return identifierOf(source, texts) ?? source.default
  const joined = joinedOf(texts, source)
  if (joined === '') return source.default
  const items = piecesOf(joined, source.split ?? '|')
  if (items.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) return items
  const values: Json[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % WITHOUT_BREAK === 0) yield
    values.push(fieldValue(item, item, source, schema.items ?? {}))
  }
  return values
}

/** Undefined if a part is empty: two different rows could get the same identifier. */
function identifierOf(source: CellSource, texts: readonly string[]): string | undefined {
  if (texts.some((text) => text === '')) return undefined
  // A date gives the same identifier in every format.
  const parts = texts.map((text) => readDate(text, source.formats.dates)?.replace(/T00:00:00$/, '') ?? text)
  const make = source.identifier === 'hash' ? hashedIdentifier : writtenIdentifier
  return make(parts, source.prefix)
}

function partOf(text: string, { split = ' ', part = 1, nameForm }: CellSource): string {
  if (part === 'givenNames' || part === 'familyName') return nameParts(text, split, nameForm)[part]
  const parts = piecesOf(text, split)
  const between = split.trim() === '' ? split : `${split} `
  switch (part) {
    case 'first':
      return parts[0] ?? ''
    case 'last':
      return parts.at(-1) ?? ''
    case 'allButFirst':
      return parts.slice(1).join(between)
    case 'allButLast':
      return parts.slice(0, -1).join(between)
    default:
      return parts[part - 1] ?? ''
  }
}

const piecesOf = (text: string, split: string) =>
  text
    .split(split)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')

/** What follows a comma without being a given name. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|md|phd|dds|esq|mba|msc|bsc|mag|dr|prof|dipl\b.*)\.?$/i

/**
 * The parts of a full name. Ruling 42: a name of one word is the only part. A text that is too long for a name is each of them, so
 * that their checks refuse it.
 */
function nameParts(
  text: string,
  split: string,
  { order, single }: NameForm,
): { readonly givenNames: string; readonly familyName: string } {
  if (!mayBeWord(text)) return { givenNames: text, familyName: text }
  const [family = '', given = '', ...others] = text.split(',').map((piece) => piece.trim())
  // A name with a comma can only be read as `Müller, Jürgen`, in whatever order the others are.
  if (given !== '' && family !== '' && others.length === 0 && !SUFFIX.test(given)) {
    return { givenNames: given, familyName: family }
  }
  if (family !== '' && SUFFIX.test(given)) {
    const plain = nameParts(family, split, { order, single })
    return { ...plain, familyName: `${plain.familyName}, ${given}` }
  }
  const parts = piecesOf(text.replace(/,\s*$/, ''), split)
  const [only] = parts
  if (parts.length === 1 && only !== undefined) {
    return single === 'given' ? { givenNames: only, familyName: '' } : { givenNames: '', familyName: only }
  }
  if (order === 'familyFirst') {
    const end = particlesEnd(parts)
    return { familyName: parts.slice(0, end).join(' '), givenNames: parts.slice(end).join(' ') }
  }
  const at = familyNameAt(parts)
  return { givenNames: parts.slice(0, at).join(' '), familyName: parts.slice(at).join(' ') }
}

const isParticle = (word: string | undefined) => /^\p{Ll}/u.test(word ?? '')

/** Where the family name begins, with particles before it: `von Thüringen`, `de la Cruz`. */
function familyNameAt(parts: readonly string[]): number {
  let at = parts.length - 1
  while (at > 1 && isParticle(parts[at - 1])) at -= 1
  return at
}

/** Where a family name at the beginning ends: `von Thüringen Anna`. */
function particlesEnd(parts: readonly string[]): number {
  let at = 0
  while (at < parts.length - 2 && isParticle(parts[at])) at += 1
  return at + 1
}

function fieldValue(cell: Cell, text: string, source: CellSource, schema: Schema): Json {
  const { values, prefix } = source
  const named = values?.get(foldWord(text)) ?? (values?.has(foldWord(text)) ? null : values?.get('*'))
  if (named !== undefined) return named
  const value = typedValue(cell, text, source, schema)
  return prefix === '' || typeof value !== 'string' ? value : `${prefix}${value}`
}

/** A text in the wrong format is returned unchanged, so that the field's check refuses it. */
function typedValue(
  cell: Cell,
  text: string,
  { formats, time, type, notAfter }: CellSource,
  schema: Schema,
): Json {
  const wanted = type ?? typeOf(schema)
  switch (wanted) {
    case 'moment': {
      const date = readDate(text, formats.dates)
      if (date === undefined || time === undefined) return date ?? text
      // Systems that export dates as timestamps add midnight to each, when nobody arrives.
      const day = date.replace(/T00:00:00$/, '')
      return day.includes('T') ? date : `${day}T${time}`
    }
    case 'date': {
      const date = readDate(text, formats.dates, notAfter)
      // The day of a moment, if the mapping asks for it.
      if (type === 'date' && schema.form === 'date') return date?.split('T', 1)[0] ?? text
      return date?.replace(/T00:00:00(?:Z|[+-]\d{2}:\d{2})?$/, '') ?? text
    }
    case 'time':
      return readTime(text, formats.times)?.slice(0, 5) ?? text
    case 'number':
      if (typeof cell === 'number') return cell
      // Without a declaration, 1.250 is thousands or decimals. It stays text, which is refused with both readings.
      if (formats.decimals === undefined && hasTwoReadings(text)) return text
      return readNumber(text, formats.decimals) ?? text
    case 'boolean':
      if (typeof cell === 'boolean') return cell
      return mayBeValue(text) ? (formats.booleans.get(foldWord(text)) ?? text) : text
    case 'text':
      return text
  }
}

type Type = 'moment' | 'date' | 'time' | 'number' | 'boolean' | 'text'
const types = new WeakMap<Schema, Type>()

/** Looked up for each cell, so it is computed once for each field. */
function typeOf(schema: Schema): Type {
  const known = types.get(schema)
  if (known !== undefined) return known
  const type = typeIn(schema)
  types.set(schema, type)
  return type
}

function typeIn(schema: Schema): Type {
  if (schema.form === 'moment' || schema.form === 'date' || schema.form === 'time') return schema.form
  const types = [schema.type ?? []].flat()
  if (types.includes('string')) return 'text'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('boolean') || schema.enum?.includes(true) ? 'boolean' : 'text'
}
