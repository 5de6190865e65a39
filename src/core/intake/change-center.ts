/**
 * Changes settings of a center as a record of an import would: the same schema, the same checks, and the same merge, in which
 * null clears a value and a list is replaced as a whole.
 */
import type { Queryable } from '../database/database.ts'
import { errors, type Problem } from '../errors/api-error.ts'
import { didYouMean } from '../errors/suggest.ts'
import { type DietSetting, SETTINGS } from '../records/centers/settings.ts'
import type { JsonObject } from './kinds/kind.ts'
import { KINDS } from './kinds.ts'
import { CONTEXT_OF_CENTERS } from './merge/center-context.ts'
import { dietsOfCenterSql } from './merge/diets-sql.ts'
import { writeBatch } from './merge/write-batch.ts'
import { References } from './references/references.ts'
import { Slices } from './slices.ts'
import type { StagedLine } from './stage/stage-sql.ts'

/**
 * @param tx a transaction, which is rolled back after a refusal
 * @param parameterOf the parameter of the action that gives a field of the record
 * @returns whether anything changed
 * @throws {ApiError} 400 with every problem; nothing is changed then
 */
export async function changeCenter(
  tx: Queryable,
  centerId: string,
  changes: JsonObject,
  parameterOf: (field: string) => string = (field) => `changes.${field}`,
): Promise<boolean> {
  const unknown = Object.keys(changes).filter((name) => !SETTINGS.some((one) => one === name))
  if (unknown.length > 0) throw errors.invalidParameters(unknown.map(notASetting))
  const line: StagedLine = {
    ...{ seq: 1, first_seq: 1, center_id: centerId, key: centerId, loose: false, version: null, page: 0 },
    body: JSON.stringify({ kind: 'center', id: centerId, ...changes }),
  }
  const records = await writeBatch(tx, KINDS.center, [line], CONTEXT_OF_CENTERS, new Slices())
  const problems = records.flatMap(({ lines }) => lines.flatMap((outcome) => outcome.problems))
  if (problems.length > 0) throw refusal(problems, parameterOf)
  const references = new References(tx)
  await references.note('center', records)
  for await (const problem of references.findBroken(false)) problems.push(problem)
  if (problems.length > 0) throw refusal(problems, parameterOf)
  return records.some(({ isChanged }) => isChanged)
}

const notASetting = (name: string): Problem => ({
  parameter: `changes.${name.slice(0, 60)}`,
  message: `This is no setting of the center that an action sets${didYouMean(name, SETTINGS) || `; it sets ${SETTINGS.join(', ')}.`}`,
})

const refusal = (
  problems: readonly { readonly field?: string; readonly message: string }[],
  parameterOf: (field: string) => string,
) =>
  errors.invalidParameters(
    problems.map(({ field, message }) => ({
      parameter: field === undefined ? 'changes' : parameterOf(field),
      message: `${field ?? 'The record of the center'} ${message}.`,
    })),
  )

/**
 * Says what a value of a diet field means; the field becomes a diet if it is none. From then on, a text of this field that is
 * no known value is unknown (ruling 44), so what the center called an allergy before stays one.
 * @throws {ApiError} 400
 */
export async function changeDiet(tx: Queryable, centerId: string, setting: DietSetting): Promise<boolean> {
  const { field, value, otherSpellings, meaning } = setting
  // Locks the center, so that no value of somebody else is lost.
  const [stored] = await tx.query<{ meal_rules: JsonObject | null }>(dietsOfCenterSql(centerId))
  const given = stored?.meal_rules?.dietFields
  const fields = (Array.isArray(given) ? given : []) as JsonObject[]
  const before = fields.find((one) => one.field === field)
  const others = valuesOf(before).filter((one) => one.value !== value)
  const values =
    meaning === 'unknown'
      ? others
      : [
          ...others,
          {
            value,
            ...(otherSpellings.length > 0 && { otherSpellings: [...otherSpellings] }),
            ...(meaning === 'allergy' && { isAllergy: true }),
            ...(meaning === 'none' && { isNone: true }),
          },
        ]
  const after: JsonObject = values.length === 0 ? { field } : { field, values }
  const dietFields =
    before === undefined ? [...fields, after] : fields.map((one) => (one === before ? after : one))
  return changeCenter(tx, centerId, { mealRules: { dietFields } }, parameterOfDiet)
}

/** `mealRules.dietFields[0].values[1].otherSpellings[0]` is of the field `otherSpellings` of the action. */
const parameterOfDiet = (field: string): string =>
  /\]\.field$/.test(field) ? 'field' : field.includes('.otherSpellings') ? 'otherSpellings' : 'value'

/** Of a field without values, its allergies. */
function valuesOf(field: JsonObject | undefined): JsonObject[] {
  if (Array.isArray(field?.values)) return field.values as JsonObject[]
  const allergies = Array.isArray(field?.allergies) ? field.allergies : []
  return allergies.map((value) => ({ value, isAllergy: true }))
}
