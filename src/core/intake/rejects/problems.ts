/**
 * Describes what is wrong with a record: the field, what was given, what is allowed. A given value is only shown if it
 * cannot be personal (identifiers, dates, words of a list); otherwise only its type is named.
 */
import { suggest } from '../../errors/suggest.ts'
import { inEnglish, onlyEnglish, type Reason, reason, type Sentence } from '../../locale/said.ts'
import { oneOfWords } from '../../records/fields/values.ts'
import type { Kind } from '../kinds/kind.ts'
import { compileSchema, type Schema } from '../lines/line-schemas.ts'
import { type Likeness, likenessOf } from '../spreadsheets/mapping/advice.ts'

export interface FieldProblem extends Reason {
  /** The field's path (`acc.roomId`, `items[0].price`); absent if the problem is about the whole line. */
  readonly field?: string
  /** Other fields that the problem is about as well. */
  readonly also?: readonly string[]
  /** The first half of the message, `is "16.11.2026"`. The second half says what was expected. */
  readonly given?: Sentence
  /**
   * The refused text itself if the message does not show it because it may be personal. Only for the terminal
   * and the rejects of the person who has the file (`withValue`).
   */
  readonly value?: string
  /** What the refused text looks like, for suggesting a correction. */
  readonly likeness?: Likeness
  /** Whether it is gone when another one of these records is corrected. */
  readonly isConsequence?: true
}

/** Nobody reads more problems of one record, and each suggestion takes time. */
export const PROBLEMS_PER_RECORD_MAX = 100
/** Per record: searching for a suggestion takes a hundred times as long as detecting an unknown name. */
export const SUGGESTIONS_PER_RECORD_MAX = 10

/** All differences between `value` and its schema; at least one if the compiled check fails. */
export function findProblems(schema: Schema, value: unknown): FieldProblem[] {
  const problems: FieldProblem[] = []
  let searches = 0
  check(schema, value, '', problems, () =>
    ++searches > SUGGESTIONS_PER_RECORD_MAX ? [] : fieldPaths(schema),
  )
  if (problems.length === 0 && !compileSchema(schema).check(value)) {
    problems.push(onlyEnglish('is not a valid record'))
  }
  return problems.slice(0, PROBLEMS_PER_RECORD_MAX)
}

/** Names to suggest from; empty when enough were searched. */
type Known = () => readonly string[]

function check(schema: Schema, value: unknown, field: string, problems: FieldProblem[], known: Known): void {
  if (problems.length >= PROBLEMS_PER_RECORD_MAX) return
  const before = problems.length
  const isNull = value === null && (schema.type?.includes('null') || schema.enum?.includes(null))
  if (isNull) return
  if (schema.properties !== undefined && isObject(value)) {
    checkObject(schema, value, field, problems, known)
  } else if (schema.patternProperties !== undefined && isObject(value)) {
    checkEntries(schema, value, field, problems, known)
  } else if (schema.items !== undefined && Array.isArray(value) && !isTooLong(schema, value)) {
    for (const [index, item] of value.entries()) {
      if (problems.length >= PROBLEMS_PER_RECORD_MAX) return
      check(schema.items, item, `${field}[${index}]`, problems, known)
    }
  }
  if (problems.length === before && !compileSchema(schema).check(value)) {
    problems.push({ ...(field === '' ? {} : { field }), ...mismatch(schema, value) })
  }
}

/** A list that is too long is one problem, whatever is in it. */
const isTooLong = ({ maxItems = Number.POSITIVE_INFINITY }: Schema, { length }: readonly unknown[]) =>
  length > maxItems

function checkObject(
  schema: Schema,
  value: Record<string, unknown>,
  field: string,
  problems: FieldProblem[],
  known: Known,
): void {
  const properties = schema.properties ?? {}
  for (const [name, child] of Object.entries(value)) {
    if (problems.length >= PROBLEMS_PER_RECORD_MAX) return
    const path = field === '' ? name : `${field}.${name}`
    if (Object.hasOwn(properties, name)) check(properties[name]!, child, path, problems, known)
    else problems.push({ field: shown(path), ...unknownField(path, known()) })
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) {
      problems.push(missing(field === '' ? name : `${field}.${name}`))
    }
  }
}

/** The problem of a missing required field. */
export const missing = (field: string): FieldProblem => ({
  field,
  ...reason({ key: 'required' }),
  likeness: { is: 'missing' },
})

/** The problem of a record that has none of the fields of which its kind has at least one. */
export function lacksAll(
  { atLeastOne }: Pick<Kind, 'atLeastOne'>,
  has: (field: string) => boolean,
): FieldProblem | undefined {
  const [field, ...also] = atLeastOne?.fields ?? []
  if (atLeastOne === undefined || field === undefined || atLeastOne.fields.some(has)) return undefined
  return { field, also, ...reason(atLeastOne.says) }
}

function checkEntries(
  schema: Schema,
  value: Record<string, unknown>,
  field: string,
  problems: FieldProblem[],
  known: Known,
): void {
  const [pattern, child] = Object.entries(schema.patternProperties ?? {})[0]!
  const isKey = new RegExp(pattern)
  for (const [key, item] of Object.entries(value)) {
    if (problems.length >= PROBLEMS_PER_RECORD_MAX) return
    const path = `${field}.${key}`
    if (isKey.test(key)) check(child, item, path, problems, known)
    else
      problems.push({
        field: shown(path),
        ...onlyEnglish(`"${shown(key)}" cannot be a key here; expected ${inEnglish(expectedOf(schema))}`),
      })
  }
}

/** Why a field is refused that this kind of record does not have. */
export function unknownField(path: string, known: readonly string[]): Reason {
  const name = suggest(path, known)
  return reason(name === undefined ? { key: 'unknownField' } : { key: 'unknownFieldMeant', values: { name } })
}

const expectedOf = ({ expects, enum: words }: Schema): Sentence =>
  expects ?? (words === undefined ? { english: 'an object' } : oneOfWords(words.map(String)))

/** `is "16.11.2026"` */
export const valueIs = (value: string): Sentence => ({ key: 'isValue', values: { value } })

function mismatch(schema: Schema, value: unknown): Omit<FieldProblem, 'field'> {
  const expected = expectedOf(schema)
  if (value === null) return reason({ key: 'cannotClear', values: { expected } })
  const given = givenIn(schema, value)
  const likeness = typeof value === 'string' ? likenessOf(schema, value) : undefined
  return {
    ...reason({ key: 'expected', values: { given, expected } }),
    given,
    ...(likeness && { likeness }),
    ...(typeof value === 'string' && 'english' in given && { value: shown(value) }),
  }
}

/** The problem with the refused text in its message, for readers who have the file. Never for logs or answers. */
export const withValue = <P extends Reason & Pick<FieldProblem, 'value'>>(problem: P): P => {
  const { says, value } = problem
  if (value === undefined || !('key' in says)) return problem
  return { ...problem, ...reason({ ...says, values: { ...says.values, given: valueIs(value) } }) }
}

function givenIn(schema: Schema, value: unknown): Sentence {
  switch (typeof value) {
    case 'string': {
      if (schema.reveal) return valueIs(shown(value))
      if (value.trim() === '') return { key: 'isEmpty' }
      if (value.includes('\0')) return { key: 'isNul' }
      if (!value.isWellFormed()) return { key: 'isBroken' }
      // A person who has the file reads the text itself (`withValue`).
      return { english: `is text of ${value.length} character${value.length === 1 ? '' : 's'}` }
    }
    case 'number':
    case 'boolean':
      if (schema.reveal) return { key: 'isNumberOf', values: { value: String(value) } }
      return { key: typeof value === 'number' ? 'isNumber' : 'isTrueOrFalse' }
    default:
      if (!Array.isArray(value)) return { english: 'is an object' }
      return { english: schema.items === undefined ? 'is a list' : `is a list of ${value.length}` }
  }
}

const SHOWN_MAX = 64

/** A given text, truncated and with special characters escaped, because it may be printed on a terminal. */
export function shown(given: string): string {
  const cut = given.length > SHOWN_MAX ? `${given.slice(0, SHOWN_MAX)}…` : given
  return JSON.stringify(cut.toWellFormed())
    .slice(1, -1)
    .replaceAll(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?')
}

/** Whether a value is an object, and neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The paths of all fields, both groups and the fields in them. */
export function fieldPaths(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => [
    `${prefix}${name}`,
    ...fieldPaths(child, `${prefix}${name}.`),
  ])
}
