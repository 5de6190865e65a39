/**
 * Makes a stay from a row of the portions' statement: the meals that the guest is present for, the meals they skip, and
 * their diets.
 */
import type { MealRules } from '../centers/meal-rules.ts'
import { COOKED_ON_REQUEST, type CookedOnRequest, MEALS, type Meal } from '../fields/meals.ts'
import type { Role } from '../fields/statuses.ts'
import { daysOfLocalDate } from '../locale/civil.ts'
import { fullName } from '../locale/names.ts'
import { localDateOf } from '../locale/zones.ts'
import { daysOfSession } from './session-days.ts'

/** A row of `portions-sql.ts`. */
export type PortionRow = readonly [
  id: string,
  startDate: number,
  endDate: number,
  role: Role,
  status: string,
  /** null for none */
  skippingMeals: Partial<Record<Meal, readonly string[] | null>> | null,
  program: string | null,
  room: string | null,
  /** a value for each diet that is shown */
  diets: readonly unknown[] | null,
  /** all sessions of the booking; null if it has one, or if no session was requested */
  sessions: readonly string[] | null,
  firstName: string | null,
  lastName: string | null,
]

/** The name of a term, with its set and its identifier. */
export type NamedTerm = readonly [set: 'program' | 'room', id: string, name: string]

/** A custom field that is a diet. */
export interface ShownDiet {
  readonly field: string
  readonly owner: 'customer' | 'booking'
  readonly type: 'string' | 'boolean'
  /** the center's name for it */
  readonly label: string
  readonly allergies: readonly string[]
}

/** A recorded diet of a guest. */
export interface Diet {
  readonly field: string
  readonly value: string
  readonly label: string
  readonly allergy: boolean
}

/** A name and its identifier; without an identifier, the text for "none". */
export interface Named {
  readonly id: string | null
  readonly label: string
}

/** Days are counted from 1970-01-01, in the center's zone. */
export interface Stay {
  readonly id: string
  readonly name: string | undefined
  readonly role: Role
  readonly program: Named
  readonly room: Named
  readonly diets: readonly Diet[]
  /** whether a diet is recorded, including that the guest has none */
  readonly hasDiet: boolean
  /** set if nobody cooks for the booking */
  readonly notCookedFor: CookedOnRequest | undefined
  readonly arrival: number
  readonly departure: number
  /** the requested days of the stay */
  readonly first: number
  readonly last: number
  readonly skips: Readonly<Record<Meal, ReadonlySet<string>>>
}

export interface StayScope {
  readonly sessionId: string | undefined
  /** local days; undefined: all days of each stay */
  readonly days: { readonly first: string; readonly last: string } | undefined
  readonly zone: string
  readonly rules: MealRules
  readonly diets: readonly ShownDiet[]
  readonly words: { readonly noProgram: string; readonly noRoom: string }
}

/** The values that rows refer to. */
export interface Shared {
  readonly names: Readonly<Record<NamedTerm[0], ReadonlyMap<string, string>>>
  /** in the form of `startDaysOf`, for every session of guests with several sessions */
  readonly startDays: ReadonlyMap<string, string>
}

export function sharedOf(terms: readonly NamedTerm[], startDays: Shared['startDays']): Shared {
  const of = (wanted: NamedTerm[0]) =>
    new Map(terms.flatMap(([set, id, name]) => (set === wanted ? [[id, name]] : [])))
  return { names: { program: of('program'), room: of('room') }, startDays }
}

const NONE: ReadonlySet<string> = new Set()

/** Undefined if none of its days was requested. */
export function stayOf(row: PortionRow, scope: StayScope, { names, startDays }: Shared): Stay | undefined {
  const [id, startDate, endDate, role, status, skips, program, room, values, sessions] = row
  const [, , , , , , , , , , firstName, lastName] = row
  const { sessionId, days, zone, rules, words } = scope
  const arrival = daysOfLocalDate(localDateOf(zone, startDate))
  const departure = daysOfLocalDate(localDateOf(zone, endDate))
  const own = sessionId === undefined ? undefined : daysOfSession(sessionId, sessions, startDays)
  const first = Math.max(arrival, dayOf(days?.first) ?? arrival, dayOf(own?.from) ?? arrival)
  const before = dayOf(own?.before)
  const last = Math.min(
    departure,
    dayOf(days?.last) ?? departure,
    before === undefined ? departure : before - 1,
  )
  if (first > last) return undefined
  const named = (set: NamedTerm[0], id: string | null, none: string): Named => ({
    id,
    label: id === null ? none : (names[set].get(id) ?? id),
  })
  const skipped = (meal: Meal) => {
    const days = skips?.[meal] ?? []
    return days.length === 0 ? NONE : new Set(days)
  }
  const diets = scope.diets.flatMap((diet, at) => dietOf(diet, values?.[at]) ?? [])
  return {
    id,
    name: firstName === null && lastName === null ? undefined : fullName(firstName, lastName),
    role,
    program: named('program', program, words.noProgram),
    room: named('room', room, words.noRoom),
    diets,
    hasDiet: diets.length > 0 || (values ?? []).some((value) => value === false),
    notCookedFor: COOKED_ON_REQUEST.find((one) => one === status && !rules.alsoCookFor.includes(one)),
    arrival,
    departure,
    first,
    last,
    skips: { breakfast: skipped('breakfast'), lunch: skipped('lunch'), dinner: skipped('dinner') },
  }
}

/**
 * On days of arrival and departure only the meals that the center defines for them; on a day that is both, only those
 * defined for both.
 */
export const mealsOn = ({ arrival, departure }: Stay, day: number, rules: MealRules): readonly Meal[] =>
  day !== arrival && day !== departure
    ? MEALS
    : MEALS.filter(
        (meal) =>
          (day !== arrival || rules.arrivalMeals.includes(meal)) &&
          (day !== departure || rules.departureMeals.includes(meal)),
      )

/** A guest with a usual stay is one item of a slice; one who stays for a year is several. */
export const weightOfStay = ({ first, last }: Stay): number => Math.max(1, (last - first) / 5)

const dayOf = (date: string | undefined) => (date === undefined ? undefined : daysOfLocalDate(date))

/** A guest's value of a field, as the center wrote it; undefined if there is none, or if the value is "no". */
function dietOf({ field, type, label, allergies }: ShownDiet, value: unknown): Diet | undefined {
  if (value === null || value === undefined || value === false) return undefined
  const text = String(value).trim()
  if (text === '') return undefined
  return { field, value: text, label: type === 'boolean' ? label : text, allergy: allergies.includes(text) }
}
