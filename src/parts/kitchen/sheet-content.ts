/**
 * The content of a kitchen sheet: who is present for which meal, and why not, what they skip and what they may not eat,
 * by identifier and without names. It contains what was decided, so that nothing is decided a second time when the sheet
 * is read, and only what affects the day, so that extending a stay creates no new sheet.
 */

import { daysOfLocalDate } from '../../core/locale/civil.ts'
import { type CookedOnRequest, MEALS, type Reason } from '../../core/records/fields/meals.ts'
import type { Role } from '../../core/records/fields/statuses.ts'
import { type ByMeal, byMeal } from './by-meal.ts'
import { type GuestDay, mealDay } from './count-portions.ts'
import { type Decision, decideMeals, decisionOf, type MealDay } from './decide-meals.ts'
import {
  dietsOfValues,
  guestOn,
  type Named,
  type NamedTerm,
  type PortionRow,
  type StayScope,
  sharedOf,
  stayOf,
} from './portion-stays.ts'

interface SheetGuest {
  readonly id: string
  readonly role: Role
  readonly notCookedFor?: CookedOnRequest
  readonly program: Named
  readonly room: Named
  readonly arrives: boolean
  readonly departs: boolean
  /** the hours, where they decide */
  readonly arrivesAt?: string
  readonly departsAt?: string
  readonly meals: ByMeal<SheetMeal>
  readonly additional?: number
  /** by custom field; null if nothing is recorded */
  readonly diets: Readonly<Record<string, unknown>>
}

/** A `Decision`; without a reason, the guest eats the meal. */
type SheetMeal = readonly [presence: 'absent' | 'present' | 'skipping', reason?: Reason]

interface Sheet {
  readonly served: ByMeal<boolean>
  readonly guests: readonly SheetGuest[]
}

/** A sheet covers a day, whatever sessions its guests are in. */
const NO_SESSION: ReadonlyMap<string, string> = new Map()

/** Equal numbers have equal text. @param scope of this one day, with all diets of the center */
export function sheetContent(
  rows: readonly PortionRow[],
  terms: readonly NamedTerm[],
  date: string,
  scope: StayScope,
): string {
  const shared = sharedOf(terms, NO_SESSION)
  const day = mealDay(scope.rules, daysOfLocalDate(date))
  const guests = rows.flatMap((row): SheetGuest[] => {
    const stay = stayOf(row, scope, shared)
    if (stay === undefined) return []
    const { guest, arrives, departs, decisions, additional } = guestOn(
      stay,
      day,
      decideMeals(stay, day, scope.rules),
    )
    const { id, role, program, room, notCookedFor, arrivesAt, departsAt } = guest
    const decides = (reason: Reason) => MEALS.some((meal) => decisions[meal].reason === reason)
    const eats = MEALS.some((meal) => decisions[meal].reason === undefined)
    return [
      {
        id,
        role,
        ...(notCookedFor === undefined ? {} : { notCookedFor }),
        program,
        room,
        arrives,
        departs,
        ...(arrivesAt !== undefined && decides('arrivesAfter') ? { arrivesAt } : {}),
        ...(departsAt !== undefined && decides('leavesBefore') ? { departsAt } : {}),
        meals: byMeal((meal) => sheetMeal(decisions[meal])),
        ...(additional > 0 && eats ? { additional } : {}),
        diets: Object.fromEntries(scope.diets.map(({ field }, index) => [field, row[8]?.[index] ?? null])),
      },
    ]
  })
  guests.sort((a, b) => (a.id < b.id ? -1 : 1))
  const sheet: Sheet = { served: { ...day.served }, guests }
  return JSON.stringify(sheet)
}

function sheetMeal({ isPresent, isSkipped, reason }: Decision): SheetMeal {
  const presence = isSkipped ? 'skipping' : isPresent ? 'present' : 'absent'
  return reason === undefined ? [presence] : [presence, reason]
}

/** The part of a sheet about these guests. */
export function guestsOfSheet(content: string, ids: ReadonlySet<string>): readonly object[] {
  return (JSON.parse(content) as Sheet).guests.filter(({ id }) => ids.has(id))
}

/** The sheet without these guests. */
export function sheetWithoutGuests(content: string, ids: ReadonlySet<string>): string {
  const sheet = JSON.parse(content) as Sheet
  return JSON.stringify({ ...sheet, guests: sheet.guests.filter(({ id }) => !ids.has(id)) })
}

/** What was decided of the day, with the diets that may be shown. */
export function readSheet(
  content: string,
  date: string,
  { diets, words }: Pick<StayScope, 'diets' | 'words'>,
): { readonly day: MealDay; readonly guests: readonly GuestDay[] } {
  const sheet = JSON.parse(content) as Sheet
  const day: MealDay = { at: daysOfLocalDate(date), date, served: sheet.served }
  const named = ({ id, label }: Named, none: string): Named => ({ id, label: id === null ? none : label })
  const guests = sheet.guests.map((guest): GuestDay => {
    const { id, role, program, room, notCookedFor, arrives, departs, arrivesAt, departsAt, additional } =
      guest
    const values = diets.map(({ field }) => guest.diets[field] ?? null)
    return {
      guest: {
        id,
        name: undefined,
        role,
        program: named(program, words.noProgram),
        room: named(room, words.noRoom),
        notCookedFor,
        arrivesAt,
        departsAt,
        ...dietsOfValues(diets, values),
      },
      arrives,
      departs,
      decisions: byMeal((meal) => readMeal(guest.meals[meal])),
      additional: additional ?? 0,
    }
  })
  return { day, guests }
}

const readMeal = ([presence, reason]: SheetMeal): Decision =>
  decisionOf(presence !== 'absent', presence === 'skipping', reason)
