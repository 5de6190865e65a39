/** Compares two states of a day: which numbers and diets changed, and for which guests. */
import { MEALS, type Meal } from '../../core/records/fields/meals.ts'
import { type ByMeal, byMeal } from './by-meal.ts'
import type { DietAnswer, GuestAtMeals, PortionDay, PortionGroup } from './count-portions.ts'
import type { Diet } from './portion-stays.ts'

interface WasNow {
  readonly was: number
  readonly now: number
}

export interface ChangedDiet extends ByMeal<WasNow> {
  /** or the row of guests who have none, or whom nobody asked */
  readonly of: Diet | DietAnswer
}

export interface ChangedGuest {
  readonly guestId: string
  /** name of the room, now or before the guest lost it; null for none */
  readonly room: string | null
  readonly kind: 'came' | 'left' | 'changed'
  /** meals that are cooked for the guest now and were not before, and the reverse */
  readonly more: readonly Meal[]
  readonly fewer: readonly Meal[]
  readonly dietsAdded: readonly Diet[]
  readonly dietsRemoved: readonly Diet[]
  /** portions of people who eat with the guest, if their number differs at any meal */
  readonly additional: ByMeal<WasNow> | undefined
  /** the previous room, if it is a different one now */
  readonly roomWas: string | null | undefined
}

export interface DayChanges {
  readonly meals: ByMeal<WasNow & { readonly diets: boolean }>
  /** those that differ */
  readonly byDiet: readonly ChangedDiet[]
  readonly guests: readonly ChangedGuest[]
}

/** Both with their guests listed. */
export function compareDays(before: PortionDay, after: PortionDay): DayChanges {
  const byDiet = changedDiets(before, after)
  return {
    meals: byMeal((meal) => ({
      was: before.meals[meal].portions,
      now: after.meals[meal].portions,
      diets: byDiet.some((row) => row[meal].was !== row[meal].now),
    })),
    byDiet,
    guests: changedGuests(before.list ?? [], after.list ?? []),
  }
}

function changedDiets(before: PortionDay, after: PortionDay): ChangedDiet[] {
  const row = (
    of: Diet | DietAnswer,
    was?: PortionGroup<unknown>,
    now?: PortionGroup<unknown>,
  ): ChangedDiet => ({
    of,
    ...byMeal((meal) => ({ was: was?.[meal] ?? 0, now: now?.[meal] ?? 0 })),
  })
  const keys = new Set([...before.diets.keys(), ...after.diets.keys()])
  const rows = [...keys].sort().flatMap((key) => {
    const [was, now] = [before.diets.get(key), after.diets.get(key)]
    const of = now?.of ?? was?.of
    return of === undefined ? [] : [row(of, was, now)]
  })
  return [...rows, row('none', before.none, after.none), row('notAsked', before.silent, after.silent)].filter(
    (changed) => MEALS.some((meal) => changed[meal].was !== changed[meal].now),
  )
}

function changedGuests(before: readonly GuestAtMeals[], after: readonly GuestAtMeals[]): ChangedGuest[] {
  const was = new Map(before.map((one) => [one.guest.id, one]))
  const now = new Map(after.map((one) => [one.guest.id, one]))
  return [...new Set([...was.keys(), ...now.keys()])].sort().flatMap((id) => {
    const changed = changedGuest(id, was.get(id), now.get(id))
    return changed === undefined ? [] : [changed]
  })
}

function changedGuest(
  guestId: string,
  was: GuestAtMeals | undefined,
  now: GuestAtMeals | undefined,
): ChangedGuest | undefined {
  const eats = (at: GuestAtMeals | undefined) => at?.eats ?? []
  const diets = (at: GuestAtMeals | undefined) => at?.guest.diets ?? []
  const without = (some: readonly Diet[], others: readonly Diet[]) =>
    some.filter(({ field, value }) => !others.some((other) => other.field === field && other.value === value))
  const [roomWas, room] = [roomOf(was), roomOf(now)]
  const changed: ChangedGuest = {
    guestId,
    room: room ?? roomWas ?? null,
    kind: was === undefined ? 'came' : now === undefined ? 'left' : 'changed',
    more: eats(now).filter((meal) => !eats(was).includes(meal)),
    fewer: eats(was).filter((meal) => !eats(now).includes(meal)),
    dietsAdded: without(diets(now), diets(was)),
    dietsRemoved: without(diets(was), diets(now)),
    additional: additionalOf(was, now),
    roomWas: was !== undefined && now !== undefined && roomWas !== room ? (roomWas ?? null) : undefined,
  }
  const isSame =
    changed.kind === 'changed' &&
    changed.roomWas === undefined &&
    changed.additional === undefined &&
    [changed.more, changed.fewer, changed.dietsAdded, changed.dietsRemoved].every(
      ({ length }) => length === 0,
    )
  return isSame ? undefined : changed
}

function additionalOf(
  was: GuestAtMeals | undefined,
  now: GuestAtMeals | undefined,
): ByMeal<WasNow> | undefined {
  const at = (guest: GuestAtMeals | undefined, meal: Meal) =>
    guest?.eats.includes(meal) ? guest.additional : 0
  const found = byMeal((meal) => ({ was: at(was, meal), now: at(now, meal) }))
  return MEALS.some((meal) => found[meal].was !== found[meal].now) ? found : undefined
}

const roomOf = (at: GuestAtMeals | undefined) =>
  at === undefined || at.guest.room.id === null ? undefined : at.guest.room.label
