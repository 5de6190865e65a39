/** The custom fields of a center that are diets: a key for the kitchen gets them. */

import type { Queryable } from '../../database/database.ts'
import { readMealRules } from '../../records/centers/meal-rules.ts'
import { selectDiets } from './keys-sql.ts'

export interface DietFields {
  /** those that a key can be given */
  readonly fields: readonly string[]
  /** named by the center's meal rules, but not defined as a custom field that holds a diet */
  readonly undefinedFields: readonly string[]
}

/** In the order of the center's meal rules. None for a center that does not exist. */
export async function readDietFields(database: Queryable, centerId: string): Promise<DietFields> {
  const [center] = await database.query<{ meal_rules: unknown; fields: readonly string[] }>(
    selectDiets(centerId),
  )
  const named = [...new Set(readMealRules(center?.meal_rules).dietFields.map(({ field }) => field))]
  const isDefined = (field: string) => center?.fields.includes(field) ?? false
  return {
    fields: named.filter(isDefined),
    undefinedFields: named.filter((field) => !isDefined(field)),
  }
}
