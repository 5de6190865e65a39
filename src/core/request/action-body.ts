/**
 * The body of an action: JSON text becomes typed values once, at the edge. An action declares its fields in one table,
 * from which validation, the type of the values, the OpenAPI description and the documentation are derived.
 */
import type { Problem } from '../errors/api-error.ts'
import { didYouMean } from '../errors/suggest.ts'
import { isLocalDate } from '../locale/dates.ts'
import { quote, type Reading } from './parameters.ts'

export interface BodyField<T> {
  readonly description: string
  /** JSON Schema of the value */
  readonly schema: Readonly<Record<string, unknown>>
  /** @param value any JSON */
  read(value: unknown): Reading<T>
}

export type BodyTable = Readonly<Record<string, BodyField<unknown>>>

/** Every field of the table: all of them must be sent, so that nothing is meant by silence. */
export type BodyValues<Table extends BodyTable> = {
  readonly [Name in keyof Table]: Table[Name] extends BodyField<infer T> ? T : never
}

/** A value, for a message: JSON, quoted and truncated. */
const given = (value: unknown) =>
  typeof value === 'string' ? quote(value) : quote(JSON.stringify(value) ?? String(value)).slice(1, -1)

/** A local day, `YYYY-MM-DD`. */
export const dayField = (description: string): BodyField<string> => ({
  description,
  schema: { type: 'string', format: 'date' },
  read: (value) =>
    typeof value === 'string' && isLocalDate(value)
      ? { value }
      : { problem: `${given(value)} is not a date. Give a day that exists as YYYY-MM-DD.` },
})

const ORDINAL_MAX = 999_999_999

/** A whole number from 1, or null. */
export const ordinalOrNullField = (description: string): BodyField<number | null> => ({
  description,
  schema: { type: ['integer', 'null'], minimum: 1, maximum: ORDINAL_MAX },
  read(value) {
    if (value === null) return { value }
    return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= ORDINAL_MAX
      ? { value }
      : {
          problem: `${given(value)} is not a number of a sheet. Give a whole number from 1 to ${ORDINAL_MAX}, or null.`,
        }
  },
})

/** The same, or null. */
export const dayOrNullField = (description: string): BodyField<string | null> => orNull(dayField(description))

/** Yes or no. */
export const booleanField = (description: string): BodyField<boolean> => ({
  description,
  schema: { type: 'boolean' },
  read: (value) =>
    typeof value === 'boolean'
      ? { value }
      : { problem: `${given(value)} is not allowed. Give true or false.` },
})

/** A whole number within bounds. */
export const wholeNumberField = (
  description: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): BodyField<number> => ({
  description,
  schema: { type: 'integer', minimum, maximum },
  read: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
      ? { value }
      : { problem: `${given(value)} is not allowed. Give a whole number from ${minimum} to ${maximum}.` },
})

/** An object, whose contents the action reads. */
export const objectField = (description: string): BodyField<Readonly<Record<string, unknown>>> => ({
  description,
  schema: { type: 'object' },
  read: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value: { ...value } }
      : { problem: `${given(value)} is not a JSON object.` },
})

/** One of a fixed list of values. */
export const choiceField = <const T extends string>(
  description: string,
  values: readonly T[],
): BodyField<T> => ({
  description,
  schema: { type: 'string', enum: values },
  read(value) {
    const found = values.find((one) => one === value)
    return found === undefined
      ? { problem: `${given(value)} is not allowed. The allowed values are ${values.join(', ')}.` }
      : { value: found }
  },
})

/** Some of a fixed list of values, in the order of that list. */
export const choicesField = <const T extends string>(
  description: string,
  values: readonly T[],
): BodyField<readonly T[]> => ({
  description,
  schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1, uniqueItems: true },
  read(value) {
    if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) {
      return {
        problem: `${given(value)} is not a list of values, each once. Give some of ${values.join(', ')}.`,
      }
    }
    const entries: readonly unknown[] = value
    const unknown = entries.find((entry) => !values.some((one) => one === entry))
    if (unknown !== undefined) {
      return { problem: `${given(unknown)} is not allowed. The allowed values are ${values.join(', ')}.` }
    }
    return { value: values.filter((one) => entries.includes(one)) }
  },
})

/** A list of texts, which may be empty. */
export function textsField(
  description: string,
  { count, length }: { readonly count: number; readonly length: number },
): BodyField<readonly string[]> {
  const one = textField('', length)
  return {
    description,
    schema: { type: 'array', items: one.schema, maxItems: count },
    read(value) {
      if (!Array.isArray(value) || value.length > count) {
        return { problem: `${given(value)} is not allowed. Give a list of at most ${count} texts.` }
      }
      const texts: string[] = []
      for (const entry of value) {
        const reading = one.read(entry)
        if ('problem' in reading) return reading
        texts.push(reading.value)
      }
      return { value: texts }
    },
  }
}

/** A text of at most so many characters. Surrounding spaces are ignored. */
export const textField = (description: string, maximum: number): BodyField<string> => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: maximum, pattern: '\\S' },
  read(value) {
    const text = typeof value === 'string' ? value.trim() : ''
    // The database cannot store the character NUL.
    return text !== '' && text.length <= maximum && !text.includes('\u0000')
      ? { value: text }
      : { problem: `${given(value)} is not allowed. Give a text of 1 to ${maximum} characters.` }
  },
})

/** The same, or null. */
export const textOrNullField = (description: string, maximum: number): BodyField<string | null> =>
  orNull(textField(description, maximum))

const orNull = (field: BodyField<string>): BodyField<string | null> => ({
  ...field,
  schema: { ...field.schema, type: ['string', 'null'] },
  read: (value) => (value === null ? { value } : field.read(value)),
})

export interface BodyReading<Table extends BodyTable> {
  /** undefined if there is any problem */
  readonly values: BodyValues<Table> | undefined
  readonly problems: readonly Problem[]
}

/** @param text the body as received */
export function readBody<Table extends BodyTable>(table: Table, text: string): BodyReading<Table> {
  const body = parse(text)
  if (body === undefined) {
    const names = Object.keys(table).join(', ')
    const message = `The body must be one JSON object in UTF-8, with the fields ${names}.`
    return { values: undefined, problems: [{ parameter: 'body', message }] }
  }
  const names = Object.keys(table)
  const problems: Problem[] = Object.keys(body)
    .filter((name) => !Object.hasOwn(table, name))
    .map((name) => ({
      parameter: 'body',
      message: `There is no field ${quote(name)}${didYouMean(name, names) || `; the fields are ${names.join(', ')}.`}`,
    }))
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(table)) {
    if (!Object.hasOwn(body, name)) {
      problems.push({ parameter: name, message: `The field ${name} is missing: ${field.description}` })
      continue
    }
    const reading = field.read(body[name])
    if ('problem' in reading) problems.push({ parameter: name, message: reading.problem })
    else values[name] = reading.value
  }
  // Without a problem, each field of the table has been read into its value.
  return { values: problems.length > 0 ? undefined : (values as BodyValues<Table>), problems }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The JSON Schema of the body. */
export const bodySchema = (table: BodyTable) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(table).map(([name, { description, schema }]) => [name, { ...schema, description }]),
  ),
  required: Object.keys(table),
  additionalProperties: false,
})
