/**
 * Finds the timestamps, amounts and labels of a kind's records, once for each schema, and converts their values into
 * the stored form.
 */

import { currencyDecimals } from '../../locale/amounts.ts'
import { isLocalDate, isoMoment, parseMoment } from '../../locale/dates.ts'
import { onlyEnglish, type Reason, reason } from '../../locale/said.ts'
import { startOfLocalDay } from '../../locale/zones.ts'
import type { Json, JsonObject } from '../kinds/kind.ts'
import type { Schema } from '../lines/line-schemas.ts'
import type { FieldProblem } from '../rejects/problems.ts'

/** What is converted, or checked against the center. Dates and times of day are stored as given. */
type Form = 'moment' | 'amount' | 'label'

/** A step of a path is the name of a field, or `*` for each entry of a list. */
interface Place {
  readonly path: readonly string[]
  readonly form: Form
}

export interface FormsContext {
  /** The center's time zone. */
  readonly zone: string
  /** The currency of the record's amounts. */
  readonly currency: string
}

const placesBySchema = new WeakMap<Schema, Place[]>()

function placesOf(schema: Schema): Place[] {
  let places = placesBySchema.get(schema)
  if (places === undefined) {
    places = findPlaces(schema)
    placesBySchema.set(schema, places)
  }
  return places
}

function findPlaces(schema: Schema): Place[] {
  const { form } = schema
  if (form === 'moment' || form === 'amount' || form === 'label') return [{ path: [], form }]
  const within = (step: string, child: Schema): Place[] =>
    findPlaces(child).map(({ path, form }) => ({ path: [step, ...path], form }))
  if (schema.items !== undefined) return within('*', schema.items)
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => within(name, child))
}

/**
 * Converts the values of a valid record into their stored form, changing `record`: timestamps to UTC, labels to text.
 * Amounts are checked against their currency.
 */
export function convertForms(schema: Schema, record: JsonObject, context: FormsContext): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const { path, form } of placesOf(schema)) convert(record, path, 0, '', form, context, problems)
  return problems
}

function convert(
  holder: JsonObject | Json[],
  path: readonly string[],
  at: number,
  field: string,
  form: Form,
  context: FormsContext,
  problems: FieldProblem[],
): void {
  const step = path[at]!
  const keys = Array.isArray(holder) ? holder.keys() : [step]
  for (const key of keys) {
    // A list is accessed by position and an object by name, which the compiler cannot follow.
    const values = holder as Record<string | number, Json>
    const value = values[key]
    if (value === undefined || value === null) continue
    const name = typeof key === 'number' ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`
    if (at + 1 < path.length) {
      if (typeof value === 'object') convert(value, path, at + 1, name, form, context, problems)
    } else if (form === 'moment') {
      const moment = toMoment(value as string, context.zone)
      if (moment === undefined)
        problems.push({ field: name, ...onlyEnglish('is outside the years 1 to 9999') })
      else values[key] = moment
    } else if (form === 'label') {
      values[key] = String(value)
    } else {
      const problem = amountProblem(value as number, context.currency)
      if (problem !== undefined) problems.push({ field: name, ...problem })
    }
  }
}

/** Converts a timestamp to UTC. Without an offset, or as a date alone, it is in the center's time zone. */
function toMoment(text: string, zone: string): string | undefined {
  // The form that this service writes needs no change, and most files use it.
  if (
    text.length === 24 &&
    text.endsWith('Z') &&
    text[19] === '.' &&
    text[10] === 'T' &&
    !text.includes('T24')
  ) {
    return text
  }
  const epochMs = isLocalDate(text) ? startOfLocalDay(zone, text) : parseMoment(text, zone)
  return epochMs === undefined ? undefined : isoMoment(epochMs)
}

/** Decimals beyond those of the currency: unit prices are often finer than the smallest coin. */
const EXTRA_DECIMALS = 2

/** @returns a reason if an amount has too many decimals for its currency */
export function amountProblem(amount: number, currency: string): Reason | undefined {
  const most = currencyDecimals(currency) + EXTRA_DECIMALS
  const n = countDecimals(amount)
  return n <= most ? undefined : reason({ key: 'decimals', values: { n, most, currency } })
}

function countDecimals(value: number): number {
  if (Number.isInteger(value)) return 0
  const [digits, exponent] = String(value).split('e') as [string, string?]
  const dot = digits.indexOf('.')
  const written = dot < 0 ? 0 : digits.length - dot - 1
  return Math.max(0, written - Number(exponent ?? 0))
}
