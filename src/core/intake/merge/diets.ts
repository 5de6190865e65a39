/**
 * Diets that a mapping declares: a custom field for each, and an entry of the center's meal rules, so that the kitchen reads
 * the column. Whatever the center has already stays as it is.
 */
import type { Queryable } from '../../database/database.ts'
import type { JsonObject } from '../kinds/kind.ts'
import { dietFieldsOf } from '../kinds/meal-rules.ts'
import { type DietMapping, NO_DIET_WORDS } from '../spreadsheets/mapping/mapping.ts'
import type { DietWords } from './diet-words.ts'
import { dietsOfCenterSql } from './diets-sql.ts'

/** What an import adds, as keys of custom fields. */
export interface AddedDiets {
  /** diets that the meal rules did not have */
  readonly added: readonly string[]
  /** diets that the meal rules had, and that were not changed */
  readonly present: readonly string[]
}

interface StoredDiets {
  readonly meal_rules: JsonObject | null
  readonly fields: readonly string[]
}

/**
 * The records that a center lacks for these diets. Called in the transaction that writes them, which locks the center, so
 * that no rules of somebody else are lost.
 */
export async function dietRecords(
  tx: Queryable,
  center: string,
  diets: readonly DietMapping[],
  words: Pick<DietWords, 'isStored'>,
): Promise<AddedDiets & { readonly records: readonly JsonObject[] }> {
  const [stored] = await tx.query<StoredDiets>(dietsOfCenterSql(center))
  const present = dietFieldsOf(stored?.meal_rules)
  const missing = diets.filter(({ key }) => !present.includes(key))
  const fields = diets
    .filter(({ key }) => stored?.fields.includes(key) !== true)
    .map(({ key, label, type, of }) => ({
      kind: 'metaField',
      centerId: center,
      key,
      type,
      of,
      ...(label === undefined ? {} : { label }),
    }))
  const before = stored?.meal_rules?.dietFields
  const dietFields = [
    ...(Array.isArray(before) ? before : []),
    ...missing.map((diet) => dietField(diet, words)),
  ]
  return {
    added: missing.map(({ key }) => key),
    present: diets.filter(({ key }) => present.includes(key)).map(({ key }) => key),
    records: [
      ...fields,
      ...(missing.length === 0 ? [] : [{ kind: 'center', id: center, mealRules: { dietFields } }]),
    ],
  }
}

function dietField({ key, type, values }: DietMapping, words: Pick<DietWords, 'isStored'>): JsonObject {
  if (type === 'boolean') {
    return { field: key, ...(values.get('true') === 'allergy' ? { allergies: ['true'] } : {}) }
  }
  if (values.size === 0) return { field: key }
  const stored = [...values].filter(([word]) => words.isStored(key, word))
  return {
    field: key,
    values: (stored.length === 0 ? Object.entries(NO_DIET_WORDS) : stored).map(([value, meaning]) => ({
      value,
      ...(meaning === 'allergy' ? { isAllergy: true } : meaning === 'none' ? { isNone: true } : {}),
    })),
  }
}

/** The command for a key that may read the diets of a center. @param center as an argument of a shell */
export const kitchenKeyCommand = (center: string): string =>
  `sojourn keys create --center ${center} --name Kitchen --preset kitchen`
