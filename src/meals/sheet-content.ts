/**
 * The content of a kitchen sheet: who is present for which meal, what they skip and what they may not eat, by
 * identifier and without names. It contains only what affects the numbers of the day, so extending a stay creates no
 * new sheet.
 */
import { type MealRules, readMealRules } from '../centers/meal-rules.ts'
import { MEALS, type Meal } from '../fields/meals.ts'
import type { Role } from '../fields/statuses.ts'
import { daysOfLocalDate } from '../locale/civil.ts'
import { byMeal, isServed } from './count-portions.ts'
import {
  type Named,
  type NamedTerm,
  type PortionRow,
  type ShownDiet,
  type Stay,
  type StayScope,
  sharedOf,
  stayOf,
} from './portion-stays.ts'

interface SheetGuest {
  readonly id: string
  readonly role: Role
  readonly status: string
  readonly program: Named
  readonly room: Named
  readonly skips: readonly Meal[]
  readonly arrives: boolean
  readonly departs: boolean
  /** by custom field; null if nothing is recorded */
  readonly diets: Readonly<Record<string, unknown>>
}

interface Sheet {
  readonly rules: Pick<MealRules, 'arrivalMeals' | 'departureMeals' | 'alsoCookFor' | 'daysNotServed'>
  readonly guests: readonly SheetGuest[]
}

/** A sheet covers a day, whatever sessions its guests are in. */
const NO_SESSION: ReadonlyMap<string, string> = new Map()

/** Equal numbers have equal text. @param scope of this one day, with all diets of the center */
export function sheetContent(
  rows: readonly PortionRow[],
  terms: readonly NamedTerm[],
  day: string,
  scope: StayScope,
): string {
  const shared = sharedOf(terms, NO_SESSION)
  const { arrivalMeals, departureMeals, alsoCookFor } = scope.rules
  const guests = rows.flatMap((row): SheetGuest[] => {
    const stay = stayOf(row, scope, shared)
    if (stay === undefined) return []
    const at = daysOfLocalDate(day)
    const { id, role, program, room, arrival, departure, skips } = stay
    return [
      {
        id,
        role,
        status: row[4],
        program,
        room,
        skips: MEALS.filter((meal) => skips[meal].has(day)),
        arrives: arrival === at,
        departs: departure === at,
        diets: Object.fromEntries(scope.diets.map(({ field }, index) => [field, row[8]?.[index] ?? null])),
      },
    ]
  })
  guests.sort((a, b) => (a.id < b.id ? -1 : 1))
  const closed = byMeal((meal) => (isServed(scope.rules, meal, daysOfLocalDate(day)) ? [] : [day]))
  const sheet: Sheet = { rules: { arrivalMeals, departureMeals, alsoCookFor, daysNotServed: closed }, guests }
  return JSON.stringify(sheet)
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

/** The rules that the sheet was made with, and its guests, with the diets that may be shown. */
export function readSheet(
  content: string,
  day: string,
  { diets, words }: Pick<StayScope, 'diets' | 'words'>,
): { readonly rules: MealRules; readonly stays: readonly Stay[] } {
  const sheet = JSON.parse(content) as Sheet
  const rules = readMealRules(sheet.rules)
  const scope: StayScope = { sessionId: undefined, days: undefined, zone: 'UTC', rules, diets, words }
  const terms = sheet.guests.flatMap(({ program, room }) => [
    ...(program.id === null ? [] : [['program', program.id, program.label] as const]),
    ...(room.id === null ? [] : [['room', room.id, room.label] as const]),
  ])
  const shared = sharedOf(terms, NO_SESSION)
  return {
    rules,
    stays: sheet.guests.flatMap((guest) => stayOf(rowOf(guest, day, diets), scope, shared) ?? []),
  }
}

const DAY_MS = 86_400_000

/** As if it were read for this day alone, in UTC. */
function rowOf(guest: SheetGuest, day: string, diets: readonly ShownDiet[]): PortionRow {
  const noon = Date.parse(`${day}T12:00Z`)
  const { id, role, status, skips, program, room, arrives, departs } = guest
  return [
    id,
    arrives ? noon : noon - DAY_MS,
    departs ? noon : noon + DAY_MS,
    role,
    status,
    byMeal((meal) => (skips.includes(meal) ? [day] : [])),
    program.id,
    room.id,
    diets.map(({ field }) => guest.diets[field] ?? null),
    null,
    null,
    null,
  ]
}
