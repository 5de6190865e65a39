/** Which reasons of a guest a page says. The service decides them. */
import type { ListedGuest, Meal } from './portions.ts'

export type Without = NonNullable<ListedGuest['without']>[number]
type Reason = Without['reason']

/** Reasons that are of this guest alone: each is said, however few read it. */
const OF_THE_GUEST: readonly Reason[] = ['arrivesAfter', 'leavesBefore', 'ownMeals']
/** Reasons by which many guests of a house do not eat a meal. */
const OF_THE_HOUSE: readonly Reason[] = ['skips', 'package', 'program', 'ownMeals']
/** Said otherwise: a skip has a column, and what is not served, or not eaten on the first and last day, is said by meal. */
const SAID_ELSEWHERE: readonly Reason[] = ['skips', 'notServed', 'arrivalDay', 'departureDay']

export const withoutOf = (guest: ListedGuest): readonly Without[] => guest.without ?? []

/** Whether the sheet of the day says it of this guest, whatever is said of the others. */
export const isExplained = (guest: ListedGuest): boolean =>
  withoutOf(guest).some(({ reason }) => OF_THE_GUEST.includes(reason))

/** Whether the guest is there and does not eat the meal. */
export const goesWithout = (guest: ListedGuest, meal: Meal): boolean =>
  guest.skips.includes(meal) ||
  withoutOf(guest).some((one) => one.meal === meal && OF_THE_HOUSE.includes(one.reason))

/** Whether there is more to say than from which meal to which the guest is there. */
export const hasReasons = (guest: ListedGuest): boolean =>
  withoutOf(guest).some(({ reason }) => !SAID_ELSEWHERE.includes(reason))
