/** Reads the value of a mapped field from a row. */
import { put } from '../json-paths.ts'
import type { Json, JsonObject } from '../kinds/kind.ts'
import type { Schema } from '../line-schemas.ts'
import { type Cell, cellText } from '../tables/table.ts'
import { foldWord, readDate, readNumber, readTime } from './formats.ts'
import { hashedIdentifier, writtenIdentifier } from './identifiers.ts'
import type { CellSource, ColumnRef, FieldMapping, Part, Source } from './mapping.ts'

/** Returns the row's cell in a column; undefined if the row is shorter. */
export type CellAt = (column: ColumnRef) => Cell | undefined

/** The fields of a row that are not empty, as an object. */
export function readFields(fields: readonly FieldMapping[], cellAt: CellAt): JsonObject {
  const record: JsonObject = {}
  for (const { path, schema, source } of fields) {
    const value = readSource(source, schema, cellAt)
    if (value !== undefined) put(record, path, value)
  }
  return record
}

/** @returns undefined if the cells are empty; the field is then left out */
function readSource(source: Source, schema: Schema, cellAt: CellAt): Json | undefined {
  switch (source.from) {
    case 'cells':
      return readCells(source, schema, cellAt)
    case 'constant':
      return source.value
    case 'record':
      return readSource(source.source, schema, cellAt)
    case 'list': {
      const values = source.sources.map((one) => readSource(one, schema.items ?? {}, cellAt))
      const given = values.filter((value) => value !== undefined)
      return given.length === 0 ? undefined : given
    }
    case 'entries': {
      const entries = source.entries.filter((fields) => hasCells(fields, cellAt))
      return entries.length === 0 ? undefined : entries.map((fields) => readFields(fields, cellAt))
    }
  }
}

/** Constants alone do not make an entry of a list. */
const hasCells = (fields: readonly FieldMapping[], cellAt: CellAt) =>
  fields.some(({ source }) => source.from === 'cells' && textsOf(source, cellAt).some((text) => text !== ''))

const textsOf = ({ columns }: CellSource, cellAt: CellAt) => columns.map((column) => cellText(cellAt(column)))

function readCells(source: CellSource, schema: Schema, cellAt: CellAt): Json | undefined {
  const texts = textsOf(source, cellAt)
  if (source.identifier !== undefined) return identifierOf(source, texts) ?? source.default
  const joined = texts.filter((text) => text !== '').join(source.join)
  if (joined === '') return source.default
  const isList = schema.items !== undefined
  if (isList) return listOf(joined, source, schema)
  const text = source.part === undefined ? joined : partOf(joined, source.split ?? ' ', source.part)
  if (text === '') return source.default
  // A number in a sheet needs no parsing of its text.
  const cell = source.columns[0] && cellAt(source.columns[0])
  const isTyped = texts.length === 1 && source.part === undefined && typeof cell !== 'string'
  return fieldValue(isTyped && cell !== undefined ? cell : text, text, source, schema)
}

function listOf(text: string, source: CellSource, schema: Schema): Json[] {
  const items = text.split(source.split ?? '|').map((item) => item.trim())
  return items.filter((item) => item !== '').map((item) => fieldValue(item, item, source, schema.items ?? {}))
}

/** Undefined if a part is empty: two different rows could get the same identifier. */
function identifierOf(source: CellSource, texts: readonly string[]): string | undefined {
  if (texts.some((text) => text === '')) return undefined
  // A date gives the same identifier in every format.
  const parts = texts.map((text) => readDate(text, source.formats.dates)?.replace(/T00:00:00$/, '') ?? text)
  const make = source.identifier === 'hash' ? hashedIdentifier : writtenIdentifier
  return make(parts, source.prefix)
}

function partOf(text: string, split: string, part: Part): string {
  const parts = text
    .split(split)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
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
    case 'givenNames':
      return parts.slice(0, familyNameAt(parts)).join(between)
    case 'familyName':
      return parts.slice(familyNameAt(parts)).join(between)
    default:
      return parts[part - 1] ?? ''
  }
}

/** Where the family name begins, with particles before it: `von Thüringen`, `de la Cruz`. */
function familyNameAt(parts: readonly string[]): number {
  let at = parts.length - 1
  while (at > 1 && /^\p{Ll}/u.test(parts[at - 1] ?? '')) at -= 1
  return at
}

function fieldValue(cell: Cell, text: string, source: CellSource, schema: Schema): Json {
  const { values, prefix } = source
  const named = values?.get(foldWord(text)) ?? (values?.has(foldWord(text)) ? null : values?.get('*'))
  if (named !== undefined) return named
  const value = typedValue(cell, text, source, schema)
  return prefix === '' || typeof value !== 'string' ? value : `${prefix}${value}`
}

/** A text in the wrong format is returned unchanged, so that the field's check refuses it. */
function typedValue(cell: Cell, text: string, { formats, time, type }: CellSource, schema: Schema): Json {
  const wanted = type ?? typeOf(schema)
  switch (wanted) {
    case 'moment': {
      const date = readDate(text, formats.dates)
      if (date === undefined || time === undefined) return date ?? text
      // Systems that export dates as timestamps add midnight to each, when nobody arrives.
      const day = date.replace(/T00:00:00$/, '')
      return day.includes('T') ? date : `${day}T${time}`
    }
    case 'date':
      return readDate(text, formats.dates)?.replace(/T00:00:00$/, '') ?? text
    case 'time':
      return readTime(text, formats.times)?.slice(0, 5) ?? text
    case 'number':
      return typeof cell === 'number' ? cell : (readNumber(text, formats.decimals) ?? text)
    case 'boolean':
      return typeof cell === 'boolean' ? cell : (formats.booleans.get(foldWord(text)) ?? text)
    case 'text':
      return text
  }
}

function typeOf(schema: Schema): 'moment' | 'date' | 'time' | 'number' | 'boolean' | 'text' {
  if (schema.form === 'moment' || schema.form === 'date' || schema.form === 'time') return schema.form
  const types = [schema.type ?? []].flat()
  if (types.includes('string')) return 'text'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('boolean') || schema.enum?.includes(true) ? 'boolean' : 'text'
}
