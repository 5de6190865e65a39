/** What has changed since the sheet on the kitchen's wall was taken, as the service tells it: the marks of a table. */
import type { MealSheetAnswer } from '../../../client/src/index.ts'
import { type DietRow, dietKey, MEALS, type Meal } from '../../../src/documents/portions.ts'

/** A sheet that somebody took, with its number and its moment. */
export type TakenSheet = MealSheetAnswer & { readonly sheet: number; readonly takenAt: string }

export type GuestChange = TakenSheet['changes']['guests'][number]

/** @returns undefined if no sheet of the day was taken, or none are stored */
export const takenSheet = (answer: MealSheetAnswer | undefined): TakenSheet | undefined =>
  answer === undefined || answer.sheet === null || answer.takenAt === null
    ? undefined
    : { ...answer, sheet: answer.sheet, takenAt: answer.takenAt }

/** Whether it says the same as the day does now. */
export const isCurrent = ({ changes }: TakenSheet): boolean =>
  changes.guests.length === 0 &&
  MEALS.every((meal) => changes.meals[meal].was === changes.meals[meal].now && !changes.meals[meal].diets)

export interface MealMark {
  /** portions more than on the sheet; negative for fewer */
  readonly by: number
  readonly was: number
  /** whether the diets differ: as many portions may not be the same ones */
  readonly areDietsOther: boolean
}

export function markOf({ changes }: TakenSheet, meal: Meal): MealMark {
  const { was, now, diets } = changes.meals[meal]
  return { by: now - was, was, areDietsOther: diets }
}

/** Portions of a diet more than on the sheet. */
export function dietMark(
  { changes }: TakenSheet,
  row: Pick<DietRow, 'field' | 'value' | 'kind'>,
  meal: Meal,
): number {
  const changed = changes.byDiet.find((one) => dietKey(one) === dietKey(row))?.[meal]
  return changed === undefined ? 0 : changed.now - changed.was
}

/** Rows of the sheet whose diet nobody has any more stay, with 0, so that the page says so. A silence alone does not. */
export function withVanished(sheet: TakenSheet | undefined, rows: readonly DietRow[]): DietRow[] {
  const known = new Set(rows.map(dietKey))
  const gone = (sheet?.changes.byDiet ?? []).filter(
    (row) => (row.field !== null || row.kind !== undefined) && !known.has(dietKey(row)),
  )
  return [
    ...rows,
    ...gone.map(({ field, value, label, allergy, kind }) => ({
      field,
      value,
      label,
      allergy,
      ...(kind === undefined ? {} : { kind }),
      breakfast: 0,
      lunch: 0,
      dinner: 0,
    })),
  ]
}

/** −1, +2: with the sign that a number has in print. */
export const signed = (count: number): string => (count < 0 ? `−${-count}` : `+${count}`)
