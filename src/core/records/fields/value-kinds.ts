/**
 * The kinds of value of a record's field. Each defines how the value is imported, the type of its own column, and its
 * JSON type; the intake schema, the columns, the SQL that reads them and OpenAPI are derived from it.
 */
import Type, { type TSchema } from 'typebox'
import { type AccSegment, accSegments } from './acc-segments.ts'
import { type OwnMeals, ownMeals } from './booking-meals.ts'
import { MEALS } from './meals.ts'
import type { TermSet } from './term-sets.ts'
import * as takes from './values.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export const STRING = { type: 'string' } as const
export const NUMBER = { type: 'number' } as const
export const BOOLEAN = { type: 'boolean' } as const
export const MOMENT = { type: 'string', format: 'date-time' } as const
export const DAY = { type: 'string', format: 'date' } as const
export const STRINGS = { type: 'array', items: STRING } as const

/** The type parameters are the types that the database returns: from a column of its own, and from JSON. */
export interface ValueKind<InColumn = unknown, InJson = InColumn> {
  /** the schema of the value in an intake record */
  readonly takes: (description: string) => TSchema
  /** the type of a column that contains only this value */
  readonly column: 'text' | 'text[]' | 'boolean' | 'integer' | 'numeric' | 'date' | 'timestamptz' | 'jsonb'
  /** JSON Schema of the raw value */
  readonly json: JsonSchema
  /** never set: it carries the types */
  readonly types?: { readonly inColumn: InColumn; readonly inJson: InJson }
}

/** One or several identifiers of terms, or plain text (ruling 24). */
export interface TermKind<T = unknown> extends ValueKind<T> {
  readonly set: TermSet
}

type SkippedMeals = Partial<Record<(typeof MEALS)[number], string[] | null>>

const text = (schema: ValueKind['takes']): ValueKind<string> => ({
  takes: schema,
  column: 'text',
  json: STRING,
})

/** `The room.` of the set `room` → `The room: a term of the set …` */
const termOf = (description: string, set: TermSet, terms: string) =>
  `${description.replace(/\.$/, '')}: ${terms} of the set \`${set}\`, or plain text.`

const skippedMeals = (description: string) =>
  Type.Object(
    Object.fromEntries(
      MEALS.map((meal) => [
        meal,
        Type.Optional(
          takes.list(`Days without ${meal}; stored sorted, each once.`, takes.localDate('Day.'), 10_000),
        ),
      ]),
    ),
    { description },
  )

export const value = {
  text: text(takes.text),
  filledText: text(takes.filledText),
  longText: text(takes.longText),
  label: text(takes.label),
  identifier: text(takes.identifier),
  identifiers: {
    takes: (description) => takes.uniqueList(description, takes.identifier(description), 100),
    column: 'text[]',
    json: STRINGS,
  } as ValueKind<string[]>,
  /** one of a fixed list of words */
  oneOf: (values: readonly string[]): ValueKind<string> => ({
    takes: (description) => takes.oneOf(description, [...values]),
    column: 'text',
    json: { type: 'string', enum: values },
  }),
  count: {
    takes: (description) => takes.integer(description, 0, 2 ** 31 - 1),
    column: 'integer',
    json: NUMBER,
  } as ValueKind<number>,
  flag: { takes: takes.flag, column: 'boolean', json: BOOLEAN } as ValueKind<boolean>,
  number: { takes: takes.number, column: 'jsonb', json: NUMBER } as ValueKind<number>,
  /** an amount of money, in the center's currency */
  amount: { takes: takes.amount, column: 'jsonb', json: NUMBER } as ValueKind<number>,
  /** an amount in a column of its own */
  total: { takes: takes.amount, column: 'numeric', json: NUMBER } as ValueKind<number>,
  currency: text(takes.currency),
  /** plain texts or identifiers of terms */
  texts: (each: string): ValueKind<string[]> => ({
    takes: (description) => takes.list(description, takes.text(each)),
    column: 'text[]',
    json: STRINGS,
  }),
  /** a list of records in one JSON column */
  records: <Each>(fields: () => Readonly<Record<string, TSchema>>): ValueKind<readonly Each[]> => ({
    takes: (description) => takes.list(description, Type.Object(fields())),
    column: 'jsonb',
    json: { type: 'array' },
  }),
  /** epoch milliseconds from its own column, ISO 8601 text from JSON */
  moment: { takes: takes.moment, column: 'timestamptz', json: MOMENT } as ValueKind<number, string>,
  /** a day that is personal data: unlike other dates it is never shown in a problem */
  personalDay: {
    takes: (description) => takes.localDate(description, { reveal: false }),
    column: 'date',
    json: DAY,
  } as ValueKind<string>,
  term: (set: TermSet): TermKind<string> => ({
    ...text((description) => takes.text(termOf(description, set, 'a term'))),
    set,
  }),
  terms: (set: TermSet): TermKind<string[]> => ({
    takes: (description) => takes.list(termOf(description, set, 'terms'), takes.text(description), 100),
    column: 'jsonb',
    json: STRINGS,
    set,
  }),
  skippedMeals: {
    takes: skippedMeals,
    column: 'jsonb',
    json: {
      type: 'object',
      properties: Object.fromEntries(MEALS.map((meal) => [meal, { type: 'array', items: DAY }])),
      required: MEALS,
    },
  } as ValueKind<SkippedMeals>,
  /** spans of days with meals of their own */
  ownMeals: { takes: ownMeals, column: 'jsonb', json: { type: 'array' } } as ValueKind<OwnMeals[]>,
  /** the parts of a stay that is in several rooms */
  accSegments: { takes: accSegments, column: 'jsonb', json: { type: 'array' } } as ValueKind<AccSegment[]>,
  /** the custom fields of a record, by key */
  custom: { takes: takes.metaValues, column: 'jsonb', json: { type: 'object' } } as ValueKind<
    Readonly<Record<string, unknown>>
  >,
} as const
