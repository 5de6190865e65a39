/** Checks custom values against the custom fields of their center. */
import { didYouMean, SEARCHED_MAX } from '../errors/suggest.ts'
import { isLocalDate } from '../locale/dates.ts'
import type { CenterFacts } from './center-facts.ts'
import type { Json, JsonObject } from './kinds/kind.ts'
import type { MetaType } from './kinds/meta-field.ts'
import { type FieldProblem, PROBLEMS_PER_RECORD_MAX, SUGGESTIONS_PER_RECORD_MAX } from './problems.ts'

const EXPECTED: Readonly<Record<MetaType, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date that exists (YYYY-MM-DD)',
}

const NUMBER_MAX = 1e15

/**
 * Each custom value needs a custom field of this owner, and must have its type. Null clears a value and is always
 * allowed.
 */
export function metaProblems(
  meta: JsonObject,
  owner: 'customer' | 'booking',
  facts: CenterFacts,
): FieldProblem[] {
  const problems: FieldProblem[] = []
  let searches = 0
  for (const [key, value] of Object.entries(meta)) {
    if (problems.length >= PROBLEMS_PER_RECORD_MAX) break
    if (value === null) continue
    const field = `meta.${key}`
    const defined = facts.metaFields.get(key)
    if (defined === undefined) {
      searches += 1
      const known = searches > SUGGESTIONS_PER_RECORD_MAX ? [] : ownOf(owner, facts)
      const hint = didYouMean(key, known, (close) => `meta.${close}`)
      problems.push({ field, message: `is not a custom field of this center${hint}` })
    } else if (defined.owner !== owner) {
      problems.push({ field, message: `is a custom field of a ${defined.owner}, not of a ${owner}` })
    } else if (!isOfType(value, defined.type)) {
      problems.push({ field, message: `is ${typeName(value)}; expected ${EXPECTED[defined.type]}` })
    }
  }
  return problems
}

const ownOf = (owner: 'customer' | 'booking', { metaFields }: CenterFacts): Iterable<string> =>
  metaFields
    .entries()
    .filter(([, { owner: of }]) => of === owner)
    .map(([known]) => known)
    .take(SEARCHED_MAX)

function isOfType(value: Json, type: MetaType): boolean {
  if (type === 'date') return typeof value === 'string' && isLocalDate(value)
  if (type === 'number') return typeof value === 'number' && Math.abs(value) <= NUMBER_MAX
  return typeof value === type
}

function typeName(value: Json): string {
  if (typeof value === 'string') return 'text'
  return typeof value === 'number' ? 'a number' : 'true or false'
}

/** Converts custom values given as text (CSV) to the types of their fields. A value that does not fit stays text. */
export function typeMetaValues(meta: JsonObject, facts: CenterFacts): JsonObject {
  return Object.fromEntries(
    Object.entries(meta).map(([key, value]) => {
      const type = facts.metaFields.get(key)?.type
      if (typeof value !== 'string') return [key, value]
      if (type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return [key, Number(value)]
      if (type === 'boolean' && (value === 'true' || value === 'false')) return [key, value === 'true']
      return [key, value]
    }),
  )
}
