/** What a kitchen reads, and small questions about it. */
import type { MealPortionsAnswer } from '../../client/src/index.ts'

export const MEALS = ['breakfast', 'lunch', 'dinner'] as const
export type Meal = (typeof MEALS)[number]

export type PortionsDay = MealPortionsAnswer['days'][number]
export type DietRow = PortionsDay['byDiet'][number]
export type ListedGuest = NonNullable<PortionsDay['guestList']>[number]
export type PortionsByMeal = Readonly<Record<Meal, number>>

/** Rows of diets differ by field, value and kind: two fields may have the same word. */
export const dietKey = ({ field, value, kind }: Pick<DietRow, 'field' | 'value' | 'kind'>): string =>
  JSON.stringify([field, value, kind])

/** What nobody can read yet first, then allergies; those who have none, and those who were not asked, last. */
export const dietRank = ({ field, allergy, kind }: Pick<DietRow, 'field' | 'allergy' | 'kind'>): number => {
  if (kind === 'unknown') return 0
  if (field !== null) return allergy ? 1 : 2
  return kind === 'none' ? 3 : 4
}

/** Every diet of the days, each once, in the service's order: unknown values and allergies first, those without a diet last. */
export function dietsOf(days: readonly PortionsDay[]): DietRow[] {
  const found = new Map<string, DietRow>()
  for (const row of days.flatMap(({ byDiet }) => byDiet))
    found.set(dietKey(row), found.get(dietKey(row)) ?? row)
  return [...found.values()].sort((a, b) => dietRank(a) - dietRank(b))
}

/** The digits of the longest number of portions, at least two: all numbers of a table are written in one size. */
export const digitsOf = (days: readonly PortionsDay[]): number =>
  Math.max(2, ...days.flatMap(({ meals }) => MEALS.map((meal) => String(meals[meal].portions).length)))

/** For the style sheet, which derives from it how large the numbers of these days are. */
export const sizedFor = (days: readonly PortionsDay[]): { readonly '--digits': number } => ({
  '--digits': digitsOf(days),
})

/** Whether a mark of an allergy needs its word. */
export const hasAllergies = (days: readonly PortionsDay[]): boolean =>
  days.some(({ byDiet }) => byDiet.some(({ allergy }) => allergy))

/** Bookings that are not cooked for but stand in the house: how many by status, at the meal with most. */
export function notCookedFor({ meals }: PortionsDay): { readonly status: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const meal of MEALS) {
    for (const [status, { present }] of Object.entries(meals[meal].notCookedFor)) {
      counts.set(status, Math.max(counts.get(status) ?? 0, present))
    }
  }
  return [...counts].filter(([, count]) => count > 0).map(([status, count]) => ({ status, count }))
}

export const skips = (guest: ListedGuest, meal: Meal): boolean => guest.skips.includes(meal)
export const skippingAt = (day: PortionsDay, meal: Meal): ListedGuest[] =>
  (day.guestList ?? []).filter((guest) => skips(guest, meal))
export const eatingAt = (day: PortionsDay, meal: Meal): ListedGuest[] =>
  (day.guestList ?? []).filter((guest) => guest.eats.includes(meal))
