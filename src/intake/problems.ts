/**
 * What is wrong with a record, in words: the field, what was given, what is allowed. A given value is shown
 * only where it cannot be personal (identifiers, dates, words of a list); for all else only its type is named.
 */
import { didYouMean } from '../errors/suggest.ts'
import { compileSchema, type Schema } from './line-schemas.ts'
import { type Likeness, likenessOf } from './mapping/likeness.ts'

export interface FieldProblem {
  /** The field's path (`acc.roomId`, `items[0].price`); absent where the whole line is meant. */
  readonly field?: string
  readonly message: string
  /** The first half of the message, `is "16.11.2026"`, where the second says what is expected in its place. */
  readonly given?: string
  /** What the refused text looks like, for whoever says how to mend it. */
  readonly likeness?: Likeness
}

/** Absurd lines are not worth more sentences than a person reads, nor the search for what each name may have meant. */
export const PROBLEMS_PER_RECORD_MAX = 100
/** Of a record: to search what a name may have meant takes a hundred times as long as to see that it is unknown. */
export const SUGGESTIONS_PER_RECORD_MAX = 10

/** Every way in which `value` differs from its schema; at least one where its compiled check says no. */
export function findProblems(schema: Schema, value: unknown): FieldProblem[] {
  const problems: FieldProblem[] = []
  let searches = 0
  walk(schema, value, '', problems, () => (++searches > SUGGESTIONS_PER_RECORD_MAX ? [] : fieldPaths(schema)))
  if (problems.length === 0 && !compileSchema(schema).check(value)) {
    problems.push({ message: 'is not a valid record' })
  }
  return problems.slice(0, PROBLEMS_PER_RECORD_MAX)
}

/** The names that a name may have meant; none where enough were searched. */
type Known = () => readonly string[]

function walk(schema: Schema, value: unknown, field: string, problems: FieldProblem[], known: Known): void {
  if (problems.length >= PROBLEMS_PER_RECORD_MAX) return
  const before = problems.length
  const isNull = value === null && (schema.type?.includes('null') || schema.enum?.includes(null))
  if (isNull) return
  if (schema.properties !== undefined && isObject(value)) {
    walkObject(schema, value, field, problems, known)
  } else if (schema.patternProperties !== undefined && isObject(value)) {
    walkEntries(schema, value, field, problems, known)
  } else if (schema.items !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (problems.length >= PROBLEMS_PER_RECORD_MAX) return
      walk(schema.items, item, `${field}[${index}]`, problems, known)
    }
  }
  if (problems.length === before && !compileSchema(schema).check(value)) {
    problems.push({ ...(field === '' ? {} : { field }), ...mismatch(schema, value) })
  }
}

function walkObject(
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
    if (Object.hasOwn(properties, name)) walk(properties[name]!, child, path, problems, known)
    else problems.push({ field: shown(path), message: unknownField(path, known()) })
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) {
      problems.push(missing(field === '' ? name : `${field}.${name}`))
    }
  }
}

/** The problem of a field that has to be there and is not. */
export const missing = (field: string): FieldProblem => ({
  field,
  message: 'is required',
  likeness: { is: 'missing' },
})

function walkEntries(
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
    if (isKey.test(key)) walk(child, item, path, problems, known)
    else
      problems.push({
        field: shown(path),
        message: `"${shown(key)}" cannot be a key here; expected ${schema.expects}`,
      })
  }
}

/** The problem of a field that no record of this kind has. */
export function unknownField(path: string, known: readonly string[]): string {
  const last = path.slice(path.lastIndexOf('.') + 1)
  const sameEnd = known.find((name) => name.endsWith(`.${last}`))
  return `is not a field of this kind of record${sameEnd === undefined ? didYouMean(path, known) : didYouMean(sameEnd, [sameEnd])}`
}

function mismatch(schema: Schema, value: unknown): Omit<FieldProblem, 'field'> {
  const expects =
    schema.expects ?? (schema.enum === undefined ? 'an object' : `one of ${schema.enum.join(', ')}`)
  if (value === null) return { message: `cannot be cleared: it is required; expected ${expects}` }
  const is = `is ${given(schema, value)}`
  const likeness = typeof value === 'string' ? likenessOf(schema, value) : undefined
  return { message: `${is}; expected ${expects}`, given: is, ...(likeness && { likeness }) }
}

function given(schema: Schema, value: unknown): string {
  switch (typeof value) {
    case 'string': {
      if (schema.reveal) return `"${shown(value)}"`
      if (value.trim() === '') return 'empty'
      if (value.includes('\0')) return 'text with a NUL character'
      if (!value.isWellFormed()) return 'text with a broken character (half of a surrogate pair)'
      return `text of ${value.length} character${value.length === 1 ? '' : 's'}`
    }
    case 'number':
      return schema.reveal ? String(value) : 'a number'
    case 'boolean':
      return schema.reveal ? String(value) : 'true or false'
    default:
      if (!Array.isArray(value)) return 'an object'
      return schema.items === undefined ? 'a list' : `a list of ${value.length}`
  }
}

const SHOWN_MAX = 64

/** A given text, cut, with everything but plain characters escaped: it may end on a terminal. */
export function shown(given: string): string {
  const cut = given.length > SHOWN_MAX ? `${given.slice(0, SHOWN_MAX)}…` : given
  return JSON.stringify(cut.toWellFormed())
    .slice(1, -1)
    .replaceAll(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every field's path, groups and what is in them. */
export function fieldPaths(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => [
    `${prefix}${name}`,
    ...fieldPaths(child, `${prefix}${name}.`),
  ])
}
