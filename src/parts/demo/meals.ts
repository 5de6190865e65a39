import { MEALS, type Meal } from '../../core/records/fields/meals.ts'
import { addDays, daysBetween } from './calendar.ts'
import { createDeck, type Random } from './random.ts'
import type { Reservation, Stay } from './reservations.ts'

type SkippedMeals = Record<Meal, string[]>
type Habit = 'unknown' | 'none' | 'fasting' | 'late riser' | 'scattered' | 'outside' | 'today'

/** Gives each stay the meals its guest skips; `undefined` where nobody asked. */
export function createMealPlanner(random: Random, today: string) {
  const usual = { unknown: 4, none: 4, fasting: 1, 'late riser': 2, scattered: 4, outside: 1 }
  const draw = createDeck<Habit>(random, { ...usual, today: 0 })
  // In the running reservations more guests skip something today: the report of the day is the first one looks at.
  const drawCurrent = createDeck<Habit>(random, { ...usual, unknown: 2, none: 2, today: 3 })

  return (stay: Stay, reservation: Reservation): SkippedMeals | undefined => {
    const habit = stay.complete ? 'today' : reservation.phase === 'current' ? drawCurrent() : draw()
    const days = daysBetween(stay.firstDay, stay.lastDay)
    const skipped: SkippedMeals = { breakfast: [], lunch: [], dinner: [] }
    const scatter = (count: number) => {
      for (const day of random.some(days, count)) skipped[random.pick(MEALS)].push(day)
    }

    switch (habit) {
      case 'unknown':
        return undefined
      case 'none':
        break
      case 'fasting':
        skipped.dinner = days
        break
      case 'late riser':
        skipped.breakfast = days.filter((_, index) => index > 0 && random.chance(0.6))
        break
      case 'scattered':
        scatter(random.whole(1, 4))
        break
      case 'outside':
        // Left over from a stay that was moved: on record, and not to be counted by the report.
        skipped.lunch = [addDays(stay.firstDay, -1), random.pick(days), addDays(stay.lastDay, 2)]
        break
      case 'today': {
        scatter(random.whole(1, 3))
        const meal = random.pick(MEALS)
        if (days.includes(today) && !skipped[meal].includes(today)) skipped[meal].push(today)
        skipped[meal].sort()
      }
    }
    return skipped
  }
}
