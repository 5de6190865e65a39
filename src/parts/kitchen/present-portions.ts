/** Portions as JSON and as CSV. Rows are sorted by name; the row of guests without a diet, room or program comes last. */

import { csvLine } from '../../core/answer/files/csv.ts'
import type { TableCell as Cell } from '../../core/answer/files/table.ts'
import { labelOf } from '../../core/locale/labels.ts'
import type { Language } from '../../core/locale/languages.ts'
import { compareNames } from '../../core/locale/names.ts'
import type { Center } from '../../core/records/centers/center.ts'
import type { MealRules } from '../../core/records/centers/meal-rules.ts'
import { COOKED_ON_REQUEST, MEALS, type Meal } from '../../core/records/fields/meals.ts'
import type { AnswerOf } from '../../core/request/object-schema.ts'
import { eachInSlices, type Sliced } from '../../core/request/slices.ts'
import { type ByMeal, byMeal } from './by-meal.ts'
import type { DietAnswer, GuestAtMeals, MealPortions, PortionDay, PortionGroup } from './count-portions.ts'
import { useHours } from './decide-meals.ts'
import type { Diet, Named, ShownDiet } from './portion-stays.ts'
import type { DIET_SCHEMA, PORTION_DAY_SCHEMA } from './portions-schema.ts'

export interface PortionHead {
  readonly rules: MealRules
  readonly diets: readonly ShownDiet[]
  /** diets that the key may not read */
  readonly withheld: readonly string[]
  readonly language: Language
  readonly includeReasons: boolean
  /** whether the center lists its diet values; if so, each row has a `kind` (ruling 44) */
  readonly hasKinds: boolean
}

export const portionHead = (
  { mealRules: rules }: Center,
  head: Omit<PortionHead, 'rules' | 'hasKinds'>,
): PortionHead => ({ ...head, rules, hasKinds: rules.dietFields.some(({ values }) => values !== undefined) })

/** The meals first, in the order in which a kitchen reads them. */
const mealsOf = ({ breakfast, lunch, dinner }: ByMeal<number>): ByMeal<number> => ({
  breakfast,
  lunch,
  dinner,
})

const rooms = new Intl.Collator('und', { numeric: true })

/** Whether the key may read every diet of the center: a guest without a diet in some of the fields may have one in others. */
export const knowsDiets = ({ diets, withheld }: PortionHead): boolean =>
  diets.length > 0 && withheld.length === 0

/** Whether guests who have no diet are counted. */
export const countsNone = (head: PortionHead): boolean => head.hasKinds && knowsDiets(head)

/** Which diets are shown, and which are withheld. */
export const dietHead = ({ diets, withheld }: PortionHead) => ({
  fields: diets.map(({ field, label, allergies }) => ({ field, label, allergies })),
  withheld,
})

export function* portionsAsJson(days: readonly PortionDay[], head: PortionHead): Sliced<string[]> {
  const { mealTimes, mealEnds, standardTimes, arrivalMeals, departureMeals, alsoCookFor } = head.rules
  // What a center does not use is not in its answers.
  const hours = useHours(head.rules) ? { mealEnds, standardTimes } : {}
  const about = {
    rules: { mealTimes, ...hours, arrivalMeals, departureMeals, alsoCookFor },
    diets: dietHead(head),
  }
  const pieces = [`${JSON.stringify(about).slice(0, -1)},"days":[`]
  let isFirst = true
  yield* eachInSlices(
    days,
    (day) => {
      pieces.push(`${isFirst ? '' : ','}${JSON.stringify(dayAsJson(day, head))}`)
      isFirst = false
    },
    weightOfDay,
  )
  pieces.push(']}')
  return pieces
}

/** A row of a table is a tenth of an item. */
const weightOfDay = ({ programs, rooms, diets, list = [] }: PortionDay) =>
  1 + (programs.size + rooms.size + diets.size) / 10 + list.length / 2

export function dayAsJson(day: PortionDay, head: PortionHead): AnswerOf<typeof PORTION_DAY_SCHEMA> {
  const { date, guests, arriving, departing, meals, list } = day
  return {
    date,
    guests,
    arriving,
    departing,
    meals: {
      breakfast: mealAsJson(meals.breakfast),
      lunch: mealAsJson(meals.lunch),
      dinner: mealAsJson(meals.dinner),
    },
    byRole: rolesOf(day, head.language).map(({ role, label, portions }) => ({ role, label, ...portions })),
    byProgram: byName(day.programs).map(({ of, ...portions }) => ({
      program: of.id,
      label: of.label,
      ...mealsOf(portions),
    })),
    byRoom: byName(day.rooms).map(({ of, ...portions }) => ({
      room: of.id,
      label: of.label,
      ...mealsOf(portions),
    })),
    byDiet: dietsOf(day, head),
    ...(list === undefined ? {} : { guestList: byRoom(list).map((guest) => guestAsJson(guest, head)) }),
  }
}

/** Without the number of additional people if there are none. */
function mealAsJson({ served, present, skipping, portions, additional, notCookedFor }: MealPortions) {
  return { served, present, skipping, portions, ...(additional > 0 ? { additional } : {}), notCookedFor }
}

const rolesOf = ({ roles }: PortionDay, language: Language) =>
  [...roles.values()].map(({ of, ...portions }) => ({
    role: of,
    label: labelOf(language, 'role', of),
    portions: mealsOf(portions),
  }))

const byName = (groups: ReadonlyMap<string | null, PortionGroup<Named>>): PortionGroup<Named>[] =>
  [...groups.values()].sort((a, b) => compareNamed(a.of, b.of))

function compareNamed(a: Named, b: Named): number {
  if (a.id === null || b.id === null) return Number(a.id === null) - Number(b.id === null)
  return rooms.compare(a.label, b.label) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** What nobody can read yet comes first: it may be an allergy. */
const RANKS: Readonly<Record<Diet['kind'], number>> = { unknown: 0, allergy: 1, diet: 2 }

/** The diets of a guest. */
const inOrder = (diets: readonly Diet[], { hasKinds }: PortionHead) =>
  hasKinds ? diets.toSorted((a, b) => RANKS[a.kind] - RANKS[b.kind]) : diets

/** Unknown values first, then allergies, then in the order of the center's fields, then by name. */
function dietsOf({ diets, none, silent }: PortionDay, head: PortionHead) {
  const place = ({ field }: Diet) => head.diets.findIndex((diet) => diet.field === field)
  const sorted = [...diets.values()].sort(
    ({ of: a }, { of: b }) =>
      RANKS[a.kind] - RANKS[b.kind] || place(a) - place(b) || compareNames(a.value, b.value),
  )
  return [
    ...sorted.map(({ of, ...portions }) => ({ ...dietAsJson(of, head), ...mealsOf(portions) })),
    ...(none === undefined ? [] : [{ ...dietWithout('none', head), ...mealsOf(none) }]),
    ...(silent === undefined ? [] : [{ ...dietWithout('notAsked', head), ...mealsOf(silent) }]),
  ]
}

type DietAsJson = AnswerOf<typeof DIET_SCHEMA>

export const dietAsJson = (
  { field, value, label, allergy, kind }: Diet,
  { hasKinds }: PortionHead,
): DietAsJson => ({ field, value, label, allergy, ...(hasKinds ? { kind } : {}) })

/** The row of guests without a diet. */
export function dietWithout(answer: DietAnswer, { hasKinds, language }: PortionHead): DietAsJson {
  const word = answer === 'none' ? 'hasNone' : hasKinds ? 'notAsked' : 'noDiet'
  const label = labelOf(language, 'portion', word)
  return { field: null, value: null, label, allergy: false, ...(hasKinds ? { kind: answer } : {}) }
}

const byRoom = (list: readonly GuestAtMeals[]): GuestAtMeals[] =>
  [...list].sort(
    ({ guest: a }, { guest: b }) =>
      compareNamed(a.room, b.room) || compareNames(a.name ?? '', b.name ?? '') || (a.id < b.id ? -1 : 1),
  )

function guestAsJson(at: GuestAtMeals, head: PortionHead) {
  const { language, includeReasons } = head
  const { guest, eats, skips, additional } = at
  return {
    id: guest.id,
    name: guest.name ?? null,
    role: guest.role,
    roleLabel: labelOf(language, 'role', guest.role),
    room: guest.room.id === null ? null : guest.room.label,
    program: guest.program.id === null ? null : guest.program.label,
    eats,
    skips,
    ...(includeReasons ? { without: without(at) } : {}),
    ...(additional > 0 ? { additional } : {}),
    ...(knowsDiets(head) && (head.hasKinds || includeReasons) ? { asked: guest.isAsked } : {}),
    diets: inOrder(guest.diets, head).map((diet) => dietAsJson(diet, head)),
  }
}

/** The meals that are not eaten, with the reason, and the hour if it is the reason. */
const without = ({ guest, decisions }: GuestAtMeals) =>
  MEALS.flatMap((meal) => {
    const { reason } = decisions[meal]
    if (reason === undefined) return []
    const at =
      reason === 'arrivesAfter' ? guest.arrivesAt : reason === 'leavesBefore' ? guest.departsAt : null
    return [{ meal, reason, at: at ?? null }]
  })

/** The columns of the CSV. A cell is empty if the row has no value for it. */
const CSV_COLUMNS = ['date', 'row', 'field', 'id', 'label', 'allergy', 'room', 'diets', ...MEALS] as const

export function* portionsAsCsv(days: readonly PortionDay[], head: PortionHead): Sliced<string[]> {
  const pieces = [csvLine(CSV_COLUMNS), ...head.withheld.map(withheldLine)]
  yield* eachInSlices(days, (day) => pieces.push(csvOfDay(day, head)), weightOfDay)
  return pieces
}

/** First in the file, and of no day: what is not in it. */
const withheldLine = (field: string) =>
  csvLine(
    CSV_COLUMNS.map((column) => (column === 'row' ? 'diet withheld' : column === 'field' ? field : null)),
  )

function csvOfDay(day: PortionDay, head: PortionHead): string {
  const { date, meals } = day
  const lines: string[] = []
  const line = (row: string, { label, id, ...more }: CsvRow, portions: ByMeal<Cell>) => {
    const { field = null, allergy = null, room = null, diets = null } = more
    lines.push(
      csvLine([date, row, field, id, label, allergy, room, diets, ...MEALS.map((meal) => portions[meal])]),
    )
  }
  const all: CsvRow = { id: null, label: null }
  const each = (value: (meal: (typeof meals)['lunch']) => Cell): ByMeal<Cell> => ({
    breakfast: value(meals.breakfast),
    lunch: value(meals.lunch),
    dinner: value(meals.dinner),
  })
  line(
    'portions',
    all,
    each(({ portions }) => portions),
  )
  line(
    'present',
    all,
    each(({ present }) => present),
  )
  line(
    'skipping',
    all,
    each(({ skipping }) => skipping),
  )
  line(
    'served',
    all,
    each(({ served }) => served),
  )
  if (MEALS.some((meal) => meals[meal].additional > 0)) {
    line(
      'additional',
      all,
      each(({ additional }) => additional),
    )
  }
  for (const status of COOKED_ON_REQUEST) {
    const label = labelOf(head.language, 'status', status)
    line(
      'not cooked for',
      { id: status, label },
      each((meal) => meal.notCookedFor[status].present),
    )
  }
  for (const { role, label, portions } of rolesOf(day, head.language))
    line('role', { id: role, label }, portions)
  for (const { of, ...portions } of byName(day.programs)) line('program', of, portions)
  for (const { of, ...portions } of byName(day.rooms)) line('room', of, portions)
  for (const { value, kind, ...row } of dietsOf(day, head))
    line(DIET_ROWS[kind ?? 'diet'], { id: value, ...row }, row)
  for (const at of byRoom(day.list ?? [])) {
    const { guest, eats, additional } = at
    const diets = inOrder(guest.diets, head)
      .map(({ label, kind }) => (kind === 'unknown' ? `unknown: ${label}` : label))
      .join('; ')
    const plates = (meal: (typeof MEALS)[number]) => (eats.includes(meal) ? 1 : 0)
    line(
      'guest',
      {
        id: guest.id,
        label: guest.name ?? null,
        room: guest.room.id === null ? null : guest.room.label,
        diets,
      },
      { breakfast: plates('breakfast'), lunch: plates('lunch'), dinner: plates('dinner') },
    )
    const room = guest.room.id === null ? null : guest.room.label
    if (additional > 0) {
      const more = (meal: Meal) => (eats.includes(meal) ? additional : 0)
      line(
        'with guest',
        { id: guest.id, label: null, room },
        { breakfast: more('breakfast'), lunch: more('lunch'), dinner: more('dinner') },
      )
    }
    if (head.includeReasons) {
      for (const { meal, reason, at: hour } of without(at)) {
        const text = hour === null ? reason : `${reason} ${hour}`
        line('without', { id: guest.id, label: text, room }, { ...byMeal<Cell>(() => null), [meal]: 0 })
      }
    }
  }
  return lines.join('')
}

const DIET_ROWS = {
  unknown: 'unknown diet',
  allergy: 'diet',
  diet: 'diet',
  none: 'no diet',
  notAsked: 'diet not asked',
} as const

interface CsvRow {
  readonly id: string | null
  readonly label: string | null
  readonly field?: string | null
  readonly allergy?: boolean
  readonly room?: string | null
  readonly diets?: string
}
