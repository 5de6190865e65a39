/** Makes a stay from a row of the portions' statement: all that decides the guest's meals, and their diets. */

import { daysOfSession } from '../../core/api/meal-skipping/session-days.ts'
import { daysOfLocalDate } from '../../core/locale/civil.ts'
import { fullName } from '../../core/locale/names.ts'
import { localDateOf, localTimeOf, startOfLocalDay } from '../../core/locale/zones.ts'
import type { MealRules } from '../../core/records/centers/meal-rules.ts'
import { readRooms } from '../../core/records/fields/acc-segments.ts'
import { readOwnMeals } from '../../core/records/fields/booking-meals.ts'
import { type DietKind, type KnownDiets, partsOf } from '../../core/records/fields/diet-values.ts'
import { COOKED_ON_REQUEST, type CookedOnRequest, type Meal } from '../../core/records/fields/meals.ts'
import type { Role } from '../../core/records/fields/statuses.ts'
import type { ByMeal } from './by-meal.ts'
import type { GuestDay } from './count-portions.ts'
import {
  additionalPeople,
  type Decision,
  type MealDay,
  type MealsOfStay,
  timeOfMs,
  useHours,
} from './decide-meals.ts'

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
  packageId: string | null,
  /** `booking.meals` as it is stored */
  ownMeals: unknown,
  /** `booking.accSegments` as it is stored */
  accSegments: unknown,
]

/** The name of a term, with its set and its identifier, and the meals that it includes; null: all. */
export type NamedTerm = readonly [
  set: 'program' | 'room' | 'package',
  id: string,
  name: string,
  meals: readonly string[] | null,
]

/** A custom field that is a diet. */
export interface ShownDiet {
  readonly field: string
  readonly owner: 'customer' | 'booking'
  readonly type: 'string' | 'boolean'
  /** the center's name for it */
  readonly label: string
  readonly allergies: readonly string[]
  /** undefined: any text is one diet */
  readonly known: KnownDiets | undefined
}

/** A recorded diet of a guest, or a text that nobody can read yet: never an ordinary diet (ruling 44). */
export interface Diet {
  readonly field: string
  /** the value as the center wrote it, or the unknown text */
  readonly value: string
  readonly label: string
  readonly allergy: boolean
  readonly kind: Exclude<DietKind, 'none'>
}

/** A name and its identifier; without an identifier, the text for "none". */
export interface Named {
  readonly id: string | null
  readonly label: string
}

/** What is shown of a guest whose meals are counted. */
export interface Eater {
  readonly id: string
  readonly name: string | undefined
  readonly role: Role
  readonly program: Named
  readonly room: Named
  readonly diets: readonly Diet[]
  /** whether a diet is recorded in any field, including that the guest has none */
  readonly isAsked: boolean
  /** set if nobody cooks for the booking */
  readonly notCookedFor: CookedOnRequest | undefined
  /** `HH:MM`; undefined if the hour is not known, or if hours decide nothing */
  readonly arrivesAt: string | undefined
  readonly departsAt: string | undefined
}

export interface Stay extends Eater, MealsOfStay {
  /** the requested days of the stay */
  readonly first: number
  readonly last: number
  /** the room from each of these days on, in order; undefined: the same on all days */
  readonly rooms: readonly { readonly from: string; readonly room: Named }[] | undefined
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
  readonly names: Readonly<Record<'program' | 'room', ReadonlyMap<string, string>>>
  /** of the terms that have a list */
  readonly meals: Readonly<Record<'program' | 'package', ReadonlyMap<string, readonly string[]>>>
  /** in the form of `startDaysOf`, for every session of guests with several sessions */
  readonly startDays: ReadonlyMap<string, string>
}

export function sharedOf(terms: readonly NamedTerm[], startDays: Shared['startDays']): Shared {
  const names = (wanted: NamedTerm[0]) =>
    new Map(terms.flatMap(([set, id, name]) => (set === wanted ? [[id, name]] : [])))
  const meals = (wanted: NamedTerm[0]) =>
    new Map(terms.flatMap(([set, id, , meals]) => (set === wanted && meals !== null ? [[id, meals]] : [])))
  return {
    names: { program: names('program'), room: names('room') },
    meals: { program: meals('program'), package: meals('package') },
    startDays,
  }
}

const NONE: ReadonlySet<string> = new Set()

/** Undefined if none of its days was requested. */
export function stayOf(row: PortionRow, scope: StayScope, shared: Shared): Stay | undefined {
  const [id, startDate, endDate, role, status, skips, program, room, values, sessions] = row
  const [, , , , , , , , , , firstName, lastName, packageId, ownMeals, accSegments] = row
  const { names, meals, startDays } = shared
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
  const named = (set: 'program' | 'room', id: string | null, none: string): Named => ({
    id,
    label: id === null ? none : (names[set].get(id) ?? id),
  })
  const skipped = (meal: Meal) => {
    const days = skips?.[meal] ?? []
    return days.length === 0 ? NONE : new Set(days)
  }
  const { standardTimes } = rules
  const areHoursUsed = useHours(rules)
  const arrivalHour = areHoursUsed ? hourOf(zone, startDate, standardTimes.arrival) : undefined
  const departureHour = areHoursUsed ? hourOf(zone, endDate, standardTimes.departure) : undefined
  return {
    id,
    name: firstName === null && lastName === null ? undefined : fullName(firstName, lastName),
    role,
    program: named('program', program, words.noProgram),
    room: named('room', room, words.noRoom),
    rooms: readRooms(accSegments)?.map(({ from, room }) => ({
      from,
      room: named('room', room, words.noRoom),
    })),
    ...dietsOfValues(scope.diets, values ?? []),
    notCookedFor: COOKED_ON_REQUEST.find((one) => one === status && !rules.alsoCookFor.includes(one)),
    arrival,
    departure,
    arrivalHour,
    departureHour,
    arrivesAt: arrivalHour === undefined ? undefined : timeOfMs(arrivalHour),
    departsAt: departureHour === undefined ? undefined : timeOfMs(departureHour),
    first,
    last,
    packageMeals: packageId === null ? undefined : meals.package.get(packageId),
    programMeals: program === null ? undefined : meals.program.get(program),
    own: ownMeals === null ? NO_OWN_MEALS : readOwnMeals(ownMeals),
    skips: { breakfast: skipped('breakfast'), lunch: skipped('lunch'), dinner: skipped('dinner') },
  }
}

const NO_OWN_MEALS: MealsOfStay['own'] = []

/**
 * The hour of a moment, if it says one: local wall time in milliseconds since 00:00. A date without an hour is stored as
 * the first moment of its day, and booking systems write standard times (ruling 43).
 */
export function hourOf(zone: string, moment: number, standardTimes: readonly string[]): number | undefined {
  if (moment === startOfLocalDay(zone, localDateOf(zone, moment))) return undefined
  const hour = localTimeOf(zone, moment)
  return hour % 60_000 === 0 && standardTimes.includes(timeOfMs(hour)) ? undefined : hour
}

/** The stay on one of its days, with what was decided. */
export const guestOn = (stay: Stay, day: MealDay, decisions: ByMeal<Decision>): GuestDay => ({
  guest: stay.rooms === undefined ? stay : { ...stay, room: roomOn(stay.rooms, day.date) ?? stay.room },
  arrives: day.at === stay.arrival,
  departs: day.at === stay.departure,
  decisions,
  additional: stay.own.length === 0 ? 0 : additionalPeople(stay, day),
})

/** The room of the last segment that has begun by the day; before any has, of the first. */
const roomOn = (rooms: NonNullable<Stay['rooms']>, date: string): Named | undefined =>
  (rooms.findLast(({ from }) => from <= date) ?? rooms[0])?.room

/** A guest with a usual stay is one item of a slice; one who stays for a year is several. */
export const weightOfStay = ({ first, last }: Stay): number => Math.max(1, (last - first) / 5)

const dayOf = (date: string | undefined) => (date === undefined ? undefined : daysOfLocalDate(date))

/** @param values of these fields, in their order */
export function dietsOfValues(
  fields: readonly ShownDiet[],
  values: readonly unknown[],
): Pick<Eater, 'diets' | 'isAsked'> {
  const read = fields.map((field, at) => readDiet(field, values[at]))
  return {
    diets: read.flatMap((diets) => diets ?? []),
    isAsked: read.some((diets) => diets !== undefined),
  }
}

/** What a field says of a guest: empty if the guest has no diet, undefined if nobody was asked. */
function readDiet(shown: ShownDiet, value: unknown): Diet[] | undefined {
  const { field, type, label, allergies, known } = shown
  if (value === null || value === undefined) return undefined
  if (value === false) return []
  const text = String(value).trim()
  if (type === 'boolean' || known === undefined) {
    if (text === '') return undefined
    const allergy = allergies.includes(text)
    return [
      {
        field,
        value: text,
        label: type === 'boolean' ? label : text,
        allergy,
        kind: allergy ? 'allergy' : 'diet',
      },
    ]
  }
  const parts = partsOf(text, known)
  if (parts.length === 0) return undefined
  return parts.flatMap(({ text, kind }) =>
    kind === 'none' ? [] : [{ field, value: text, label: text, allergy: kind === 'allergy', kind }],
  )
}
