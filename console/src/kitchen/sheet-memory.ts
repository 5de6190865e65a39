/**
 * What the sheet on the wall says: the numbers of a day as they were when it was printed here, so that the page can mark
 * what has changed since. Numbers only, no names; of a day that is over nothing is kept.
 */
import {
  type DietRow,
  dietKey,
  MEALS,
  type Meal,
  type PortionsByMeal,
  type PortionsDay,
  portionsOf,
} from './portions.ts'

export interface SheetNumbers {
  /** epoch milliseconds */
  readonly at: number
  readonly portions: PortionsByMeal
  /** by `dietKey` */
  readonly diets: Readonly<Record<string, PortionsByMeal>>
}

/** The part of `localStorage` that is used. */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const PREFIX = 'sojourn-sheet '
const nameOf = (centerId: string, date: string) => `${PREFIX}${date} ${centerId}`

const byMeal = ({ breakfast, lunch, dinner }: PortionsByMeal): PortionsByMeal => ({
  breakfast,
  lunch,
  dinner,
})

export const numbersOf = (day: PortionsDay, at: number): SheetNumbers => ({
  at,
  portions: portionsOf(day),
  diets: Object.fromEntries(day.byDiet.map((row) => [dietKey(row), byMeal(row)])),
})

/** @param today days before it are forgotten */
export function rememberSheet(
  memory: Memory,
  centerId: string,
  day: PortionsDay,
  at: number,
  today: string,
): void {
  const names = Array.from({ length: memory.length }, (_, index) => memory.key(index) ?? '')
  for (const name of names) {
    if (name.startsWith(PREFIX) && name.slice(PREFIX.length, PREFIX.length + 10) < today)
      memory.removeItem(name)
  }
  memory.setItem(nameOf(centerId, day.date), JSON.stringify(numbersOf(day, at)))
}

export function rememberedSheet(memory: Memory, centerId: string, date: string): SheetNumbers | undefined {
  const text = memory.getItem(nameOf(centerId, date))
  if (text === null) return undefined
  const numbers: SheetNumbers = JSON.parse(text)
  return numbers
}

export interface MealMark {
  /** portions more than on the sheet; negative for fewer */
  readonly by: number
  readonly was: number
  /** whether the diets differ: as many portions may not be the same ones */
  readonly areDietsOther: boolean
}

export function markOf(sheet: SheetNumbers, day: PortionsDay, meal: Meal): MealMark {
  const was = sheet.portions[meal]
  const before = new Set(Object.keys(sheet.diets))
  const isOther = day.byDiet.some((row) => {
    before.delete(dietKey(row))
    return dietMark(sheet, row, meal) !== 0
  })
  const isGone = [...before].some((key) => (sheet.diets[key]?.[meal] ?? 0) !== 0)
  return { by: day.meals[meal].portions - was, was, areDietsOther: isOther || isGone }
}

/** Portions of a diet more than on the sheet. */
export const dietMark = (sheet: SheetNumbers, row: DietRow, meal: Meal): number =>
  row[meal] - (sheet.diets[dietKey(row)]?.[meal] ?? 0)

/** Rows of the sheet whose diet nobody has any more stay, with 0, so that the page says so. */
export function withVanished(sheet: SheetNumbers | undefined, rows: readonly DietRow[]): DietRow[] {
  if (sheet === undefined) return [...rows]
  const known = new Set(rows.map(dietKey))
  const gone = Object.entries(sheet.diets)
    .filter(([key, numbers]) => !known.has(key) && MEALS.some((meal) => numbers[meal] > 0))
    .flatMap(([key]): DietRow[] => {
      const [field, value]: [string | null, string | null] = JSON.parse(key)
      return field === null || value === null
        ? []
        : [{ field, value, label: value, allergy: false, breakfast: 0, lunch: 0, dinner: 0 }]
    })
  return [...rows, ...gone]
}

/** −1, +2: with the sign that a number has in print. */
export const signed = (count: number): string => (count < 0 ? `−${-count}` : `+${count}`)
