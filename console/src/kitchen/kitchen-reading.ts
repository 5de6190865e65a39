/** The days that a kitchen page shows, read and followed for as long as it is open. */
import type { MealPortionsAnswer, MealSheetAnswer, Sojourn } from '../../../client/src/index.ts'
import { addDays } from '../../../src/documents/days.ts'
import type { Reader } from '../base/reading.ts'
import { useResource } from '../base/resource.ts'

export { timeNow, today, zone } from '../base/now.ts'

export interface KitchenDays {
  readonly from: string
  readonly days: number
  /** with names: only where somebody asked for them */
  readonly withGuests: boolean
}

/** A day with those after it, and the sheet of it that is on the wall. */
export interface DayAndSheet {
  readonly portions: MealPortionsAnswer
  readonly sheet: MealSheetAnswer
}

export const useKitchen = (asked: KitchenDays): Reader<MealPortionsAnswer> =>
  useResource(
    (sojourn, signal) => readDays(sojourn, asked, signal),
    [asked.from, asked.days, asked.withGuests],
  )

export const useDayAndSheet = (asked: KitchenDays): Reader<DayAndSheet> =>
  useResource(
    (sojourn, signal) => readDayAndSheet(sojourn, asked, asked.from, signal),
    [asked.from, asked.days, asked.withGuests],
  )

/**
 * Without names, the pages of a day, of seven days and of the wall ask for the same, so that it is read once. One more than
 * seven: without a connection, the copy of a device has seven days also after midnight.
 */
export const DAYS_AT_ONCE = 8

async function readDays(
  sojourn: Sojourn,
  { from, days, withGuests }: KitchenDays,
  signal: AbortSignal,
): Promise<MealPortionsAnswer> {
  const count = withGuests ? days : Math.max(days, DAYS_AT_ONCE)
  const answer = await sojourn.meals.portions(
    {
      startDate: from,
      endDate: addDays(from, count - 1),
      ...(withGuests ? { includeGuests: true, includeReasons: true } : {}),
    },
    { signal },
  )
  return { ...answer, days: answer.days.slice(0, days) }
}

/** @param sheetOf the day whose sheet it is */
export async function readDayAndSheet(
  sojourn: Sojourn,
  asked: KitchenDays,
  sheetOf: string,
  signal: AbortSignal,
): Promise<DayAndSheet> {
  const [portions, sheet] = await Promise.all([
    readDays(sojourn, asked, signal),
    sojourn.meals.sheet(sheetOf, { sheet: 'wall' }, { signal }),
  ])
  return { portions, sheet }
}
