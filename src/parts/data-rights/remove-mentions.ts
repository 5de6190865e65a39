/** Removes an erased person's name from settings and notes of the service, such as a diet that quotes a cell of a file. */
import type { Queryable } from '../../core/database/database.ts'
import { forgetInMapping } from '../../core/intake/preview/preview-thread.ts'
import { mentions, withoutMentions } from '../../core/intake/references/mentions.ts'
import { isObject } from '../../core/intake/rejects/problems.ts'
import type { CenterId } from '../../core/records/centers/center.ts'
import { REMOVED_FROM, rewriteText, selectMentioning } from './subjects-sql.ts'

/** @param terms lower case, as `mentionTerms` gives them */
export async function removeMentions(
  tx: Queryable,
  center: CenterId,
  terms: readonly string[],
): Promise<void> {
  const isOf = (text: string) => mentions(text, terms)
  /** Of texts with a form, what is valid in it. */
  const inForm: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
    'mappings.body': (body) => forgetInMapping({ body, terms }),
    'centers.meal_rules': (text) => JSON.stringify(withoutDiets(JSON.parse(text), isOf)),
  }
  for (const [table, columns] of Object.entries(REMOVED_FROM)) {
    for (const column of columns) {
      const rows = await tx.query<{ place: string; text: string }>(
        selectMentioning(center, table, column, terms),
      )
      for (const { place, text } of rows) {
        const left = withoutMentions((await inForm[`${table}.${column}`]?.(text)) ?? text, terms)
        await tx.query(rewriteText(center, { table, column, place }, left))
      }
    }
  }
}

/** A list of words without those that name the person. With no word left, each text would be an ordinary diet. */
function withoutDiets(value: unknown, isOf: (text: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const isWord = (one: unknown) =>
      typeof one === 'string' ? isOf(one) : isObject(one) && typeof one.value === 'string' && isOf(one.value)
    const left = value.filter((one) => !isWord(one)).map((one) => withoutDiets(one, isOf))
    return left.length === 0 && isObject(value[0]) ? [{ value: 'none', isNone: true }] : left
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withoutDiets(child, isOf)]))
}
