/** Checks custom values against the custom fields of their center. */
import { SEARCHED_MAX, suggest } from '../../errors/suggest.ts'
import { isLocalDate } from '../../locale/dates.ts'
import { onlyEnglish, reason, type Sentence } from '../../locale/said.ts'
import { TRUE_OR_FALSE } from '../../records/fields/values.ts'
import type { Json, JsonObject } from '../kinds/kind.ts'
import type { MetaType } from '../kinds/meta-field.ts'
import type { CenterFacts } from '../merge/center-facts.ts'
import {
  type FieldProblem,
  PROBLEMS_PER_RECORD_MAX,
  SUGGESTIONS_PER_RECORD_MAX,
} from '../rejects/problems.ts'

const EXPECTED: Readonly<Record<MetaType, Sentence>> = {
  string: { key: 'takesAnyText' },
  number: { key: 'takesAnyNumber' },
  boolean: TRUE_OR_FALSE,
  date: { key: 'takesDate' },
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
      const close = suggest(key, known)
      const why: Sentence =
        close === undefined
          ? { key: 'notCustomField' }
          : { key: 'notCustomFieldMeant', values: { name: `meta.${close}` } }
      problems.push({ field, ...reason(why) })
    } else if (defined.owner !== owner) {
      problems.push({ field, ...onlyEnglish(`is a custom field of a ${defined.owner}, not of a ${owner}`) })
    } else if (!isOfType(value, defined.type)) {
      const values = { given: typeOf(value), expected: EXPECTED[defined.type] }
      problems.push({ field, ...reason({ key: 'expected', values }) })
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

function typeOf(value: Json): Sentence {
  if (typeof value === 'string') return { key: 'isPlainText' }
  return { key: typeof value === 'number' ? 'isNumber' : 'isTrueOrFalse' }
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
