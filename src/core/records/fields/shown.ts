/** The ways of showing a stored value that many fields share. */
import { formatAmount } from '../../locale/amounts.ts'
import { formatLocalDate, formatMomentDate } from '../../locale/dates.ts'
import { type LabelKind, labelOf } from '../../locale/labels.ts'
import { type About, asItIs, asMoment, field, type GuestField, nameOrId, type ShowContext } from './field.ts'
import type { Stored, TermNames } from './source.ts'
import { type JsonSchema, STRING, type TermKind } from './value-kinds.ts'

type Common = About & { readonly recordDescription?: string }

export const LOCAL_DATE: JsonSchema = {
  type: 'string',
  description: 'localized date: DD.MM.YYYY in ro and no, MM/DD/YYYY in every other language',
}

/** A value that is shown unchanged. */
export function asIs(name: string, stored: Stored, about: Common & { example: unknown }): GuestField {
  return field(name, {
    ...about,
    stored,
    schema: stored.kind.json,
    sources: [stored],
    show: asItIs,
  })
}

/** A raw value that is shown as its label in the language. */
export function labelled(
  name: string,
  stored: Stored<string | null>,
  kind: LabelKind,
  about: Common & { example: [label: string, raw: string] },
): GuestField {
  const [example, raw] = about.example
  return field(name, {
    ...about,
    stored,
    schema: STRING,
    sources: [stored],
    example,
    labels: kind,
    show: ({ language }, value) => (value === null ? null : labelOf(language, kind, value)),
    raw: { schema: stored.kind.json, example: raw, value: asItIs },
  })
}

/**
 * One or several identifiers, shown as the names of their terms; an identifier without a term is shown unchanged
 * (ruling 24).
 */
export function named<Id>(
  name: string,
  stored: Stored<Id, TermKind>,
  about: Common & { example: [shown: unknown, raw: unknown] },
): GuestField {
  const [example, raw] = about.example
  const names: TermNames<Id> = { from: 'terms', of: stored }
  const schema = stored.kind.json
  return field(name, {
    ...about,
    stored,
    schema,
    sources: [stored, names],
    example,
    show: nameOrId,
    raw: { schema, example: raw, value: asItIs },
  })
}

/** A moment that is shown as the center's local day (ruling 15). */
export function momentDate(
  name: string,
  stored: Stored<number | null> | Stored<number>,
  about: Common,
): GuestField {
  return dateOf(name, stored, about, (at) => at, asMoment)
}

/** A moment that is stored in JSON as ISO 8601 text. */
export function jsonMomentDate(name: string, stored: Stored<string | null>, about: Common): GuestField {
  const read = (text: string | null) => {
    const at = text === null ? Number.NaN : Date.parse(text)
    return Number.isNaN(at) ? null : at
  }
  return dateOf(name, stored, about, read, (context, text) => asMoment(context, read(text)))
}

/** @param read converts the value to epoch milliseconds @param raw converts it to ISO 8601 */
function dateOf<T>(
  name: string,
  stored: Stored<T>,
  about: Common,
  read: (value: T) => number | null,
  raw: (context: ShowContext, value: T) => string | null,
): GuestField {
  return field(name, {
    ...about,
    stored,
    schema: LOCAL_DATE,
    sources: [stored],
    example: '01/15/2025',
    show: ({ center, language }, value) => {
      const at = read(value)
      return at === null ? null : formatMomentDate(language, center.timezone, at)
    },
    raw: {
      schema: stored.kind.json,
      example: '2025-01-15T08:00:00.000Z',
      value: raw,
    },
  })
}

/** A day without a time of day. */
export function dayDate(name: string, stored: Stored<string | null>, about: Common): GuestField {
  return field(name, {
    ...about,
    stored,
    schema: LOCAL_DATE,
    sources: [stored],
    example: '01/15/1980',
    show: ({ language }, day) => (day === null ? null : formatLocalDate(language, day)),
    raw: { schema: stored.kind.json, example: '1980-01-15', value: asItIs },
  })
}

/** An amount in the center's currency (ruling 36). */
export function amount(name: string, stored: Stored<number | null>, about: Common): GuestField {
  return field(name, {
    ...about,
    stored,
    schema: STRING,
    sources: [stored],
    example: '€1,250.00',
    show: ({ center, language }, value) =>
      typeof value === 'number' ? formatAmount(language, center.currency, value) : null,
    raw: {
      schema: stored.kind.json,
      example: 1250,
      value: (_, value) => (typeof value === 'number' ? value : null),
    },
  })
}
