/** Who stands on the sheet of a day by name: those of whom the cook must know more than the plates. */
import { eatingAt, type ListedGuest, MEALS, type Meal, type PortionsDay, skippingAt } from './portions.ts'

export interface DayList {
  readonly guests: readonly ListedGuest[]
  /** who has no diet on record and does as most do */
  readonly others: number
  /** Meals that most skip, of which who eats is listed: it tells the same in fewer lines. */
  readonly byEaters: readonly Meal[]
  /** All other meals, of which who skips is listed. */
  readonly bySkippers: readonly Meal[]
}

export function dayList(day: PortionsDay): DayList {
  const byEaters = MEALS.filter((meal) => skippingAt(day, meal).length > eatingAt(day, meal).length)
  const bySkippers = MEALS.filter((meal) => !byEaters.includes(meal))
  const all = day.guestList ?? []
  const guests = all.filter(
    ({ diets, skips, eats }) =>
      diets.length > 0 ||
      skips.some((meal) => bySkippers.includes(meal)) ||
      eats.some((meal) => byEaters.includes(meal)),
  )
  return { guests, others: all.length - guests.length, byEaters, bySkippers }
}
