/** What a projectable field is made of, and the few ways of showing a value that many fields share. */
import type { Center } from '../centers/center.ts'
import type { Column } from '../guests/guest-columns-sql.ts'
import type { Scope } from '../keys/scopes.ts'
import { formatAmount } from '../locale/amounts.ts'
import { formatLocalDate, formatMomentDate, isoMoment } from '../locale/dates.ts'
import { type LabelKind, labelOf } from '../locale/labels.ts'
import type { Language } from '../locale/languages.ts'

/** What showing a value may depend on besides the value. */
export interface ShowContext {
  readonly center: Center
  readonly language: Language
  /** the center's local day, `YYYY-MM-DD` */
  readonly today: string
}

type Values<Columns extends readonly Column<unknown>[]> = {
  -readonly [Index in keyof Columns]: Columns[Index] extends Column<infer T> ? T : never
}

export type JsonSchema = Readonly<Record<string, unknown>>

interface FieldDefinition<Columns extends readonly Column<unknown>[]> {
  readonly scope: Extract<Scope, `guests${string}`>
  /** the documentation's group */
  readonly group: string
  readonly description: string
  readonly example: unknown
  /** JSON Schema of a value; null is always allowed too */
  readonly schema: JsonSchema
  readonly columns: Columns
  readonly show: (context: ShowContext, ...values: Values<Columns>) => unknown
  /** Where the field is humanized, `ids` carries its raw value under the same path (ruling 22). */
  readonly raw?: {
    readonly schema: JsonSchema
    readonly example: unknown
    readonly value: (context: ShowContext, ...values: Values<Columns>) => unknown
  }
}

/** One entry of the registry: the single description of a field. */
export interface GuestField {
  /** the name in `project`, dots for nesting */
  readonly name: string
  readonly path: readonly string[]
  readonly scope: Extract<Scope, `guests${string}`>
  readonly group: string
  readonly description: string
  readonly example: unknown
  readonly schema: JsonSchema
  readonly columns: readonly Column<unknown>[]
  readonly show: (context: ShowContext, ...values: unknown[]) => unknown
  readonly raw?: {
    readonly schema: JsonSchema
    readonly example: unknown
    readonly value: (context: ShowContext, ...values: unknown[]) => unknown
  }
}

/**
 * A field whose `show` and `raw` are checked against the types of its columns.
 * @param name public name, dots for nesting.
 */
export function field<const Columns extends readonly Column<unknown>[]>(
  name: string,
  definition: FieldDefinition<Columns>,
): GuestField {
  // The registry holds fields of all column types; a plan hands each exactly the columns it named.
  return { name, path: name.split('.'), ...definition } as unknown as GuestField
}

type Common = Pick<GuestField, 'scope' | 'group' | 'description'>

export const STRING = { type: 'string' } as const
export const NUMBER = { type: 'number' } as const
export const BOOLEAN = { type: 'boolean' } as const
export const MOMENT = { type: 'string', format: 'date-time' } as const
export const DAY = { type: 'string', format: 'date' } as const
export const STRINGS = { type: 'array', items: STRING } as const
const LOCAL_DATE = {
  type: 'string',
  description: 'localized date: DD.MM.YYYY in ro and no, MM/DD/YYYY in every other language',
} as const

/** A value shown as it is. */
export function asIs<T>(
  name: string,
  column: Column<T>,
  common: Common & { example: unknown; schema?: JsonSchema },
): GuestField {
  return field(name, { schema: STRING, ...common, columns: [column], show: (_, value) => value })
}

/** A raw value shown as its label in the language. */
export function labelled(
  name: string,
  column: Column<string | null>,
  kind: LabelKind,
  common: Common & { example: [label: string, raw: string]; rawSchema?: JsonSchema },
): GuestField {
  return field(name, {
    ...common,
    schema: STRING,
    columns: [column],
    example: common.example[0],
    show: ({ language }, value) => (value === null ? null : labelOf(language, kind, value)),
    raw: { schema: common.rawSchema ?? STRING, example: common.example[1], value: (_, value) => value },
  })
}

/** An identifier shown as the name of the term it points at. */
export function named<Id>(
  name: string,
  id: Column<Id>,
  shown: Column<Id>,
  common: Common & { example: [shown: unknown, raw: unknown]; schema?: JsonSchema },
): GuestField {
  const schema = common.schema ?? STRING
  return field(name, {
    ...common,
    schema,
    columns: [id, shown],
    example: common.example[0],
    show: (_, _id, value) => value,
    raw: { schema, example: common.example[1], value: (_, value) => value },
  })
}

/** A moment shown as the center's local day (ruling 15). */
export function momentDate(
  name: string,
  column: Column<number | null> | Column<number>,
  common: Common,
): GuestField {
  return field(name, {
    ...common,
    schema: LOCAL_DATE,
    columns: [column as Column<number | null>],
    example: '01/15/2025',
    show: ({ center, language }, at) =>
      at === null ? null : formatMomentDate(language, center.timezone, at),
    raw: {
      schema: MOMENT,
      example: '2025-01-15T08:00:00.000Z',
      value: (_, at) => (at === null ? null : isoMoment(at)),
    },
  })
}

/** A moment kept in json as its ISO 8601 text. */
export function jsonMomentDate(name: string, column: Column<string | null>, common: Common): GuestField {
  const read = (text: string | null) => {
    const at = text === null ? Number.NaN : Date.parse(text)
    return Number.isNaN(at) ? null : at
  }
  return field(name, {
    ...common,
    schema: LOCAL_DATE,
    columns: [column],
    example: '01/15/2025',
    show: ({ center, language }, text) => {
      const at = read(text)
      return at === null ? null : formatMomentDate(language, center.timezone, at)
    },
    raw: {
      schema: MOMENT,
      example: '2025-01-15T08:00:00.000Z',
      value: (_, text) => {
        const at = read(text)
        return at === null ? null : isoMoment(at)
      },
    },
  })
}

/** A day without a time. */
export function dayDate(name: string, column: Column<string | null>, common: Common): GuestField {
  return field(name, {
    ...common,
    schema: LOCAL_DATE,
    columns: [column],
    example: '01/15/1980',
    show: ({ language }, day) => (day === null ? null : formatLocalDate(language, day)),
    raw: { schema: DAY, example: '1980-01-15', value: (_, day) => day },
  })
}

/** An amount in the center's currency (ruling 36). */
export function amount(name: string, column: Column<number | null>, common: Common): GuestField {
  return field(name, {
    ...common,
    schema: STRING,
    columns: [column],
    example: '€1,250.00',
    show: ({ center, language }, value) =>
      typeof value === 'number' ? formatAmount(language, center.currency, value) : null,
    raw: { schema: NUMBER, example: 1250, value: (_, value) => (typeof value === 'number' ? value : null) },
  })
}
