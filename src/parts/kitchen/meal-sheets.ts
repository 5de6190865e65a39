/** `GET /meals/sheets/{day}`: the numbers of a day when a sheet was stored, and what has changed since. */
import { errors, type Problem } from '../../core/errors/api-error.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { labelOf } from '../../core/locale/labels.ts'
import { MEALS, type Meal } from '../../core/records/fields/meals.ts'
import { type Answer, defineOperation, type Rows } from '../../core/request/operation.ts'
import { ordinalParameter } from '../../core/request/parameter-kinds.ts'
import { readParameters, refusalOf } from '../../core/request/parameters.ts'
import type { Sliced } from '../../core/request/slices.ts'
import { type ByMeal, byMeal } from './by-meal.ts'
import { type ChangedDiet, compareDays } from './compare-days.ts'
import { countDecided, type PortionDay } from './count-portions.ts'
import { cutOffOf, hasCutOffs, isOfMeal } from './cut-offs.ts'
import { dietsFor } from './meal-portions.ts'
import type { StayScope } from './portion-stays.ts'
import {
  countsNone,
  dayAsJson,
  dietAsJson,
  dietHead,
  dietWithout,
  knowsDiets,
  type PortionHead,
  portionHead,
} from './present-portions.ts'
import { readSheet } from './sheet-content.ts'
import { DAYS_AHEAD_MAX, dayProblem, hasSheets, type SheetDay, sheetDayOf } from './sheet-day.ts'
import { SHEET_SCHEMA } from './sheets-schema.ts'
import { SHEET_RETENTION_DAYS, SHEETS_OF_DAY_MAX, selectSheet, takeSheet } from './sheets-sql.ts'

const parameters = {
  sheet: ordinalParameter({
    description:
      'Number of a sheet of the day, `newest` for the last one stored, or `wall` for the one on the wall. Without it, a new sheet is stored.',
    words: ['newest', 'wall'],
  }),
} as const

export const mealSheet = defineOperation({
  name: 'mealSheet',
  summary: 'A kitchen sheet of a day',
  description: `The portions of a day as stored in a numbered sheet, and what has changed since. Without \`sheet\`, the current portions are stored as a new sheet; if nothing has changed since the newest one, that one is returned. With \`sheet\`, that sheet is returned with all changes until now: by meal, by diet, and by guest and room, each with its time. \`sheet=newest\` returns the newest sheet, and \`sheet=wall\` the one on the wall: the sheet that a person has confirmed with the action \`confirm-sheet\`, or else the newest one that was stored by this request. Both store none. Sheets are stored for days from yesterday to ${DAYS_AHEAD_MAX} days ahead: the newest ${SHEETS_OF_DAY_MAX} of each day and the one on the wall, until ${SHEET_RETENTION_DAYS} days after it. For other days, and for \`newest\` and \`wall\` if there is no such sheet, the answer has the current portions and no sheet number.`,
  paths: ['/meals/sheets/{day}'],
  scope: 'meals',
  dependsOn: ['language', 'customFields', 'today'],
  parameters,
  pathParameters: {
    day: { description: 'Local day, `YYYY-MM-DD`.', schema: { type: 'string', format: 'date' } },
  },
  response: SHEET_SCHEMA,

  parse({ center, language, customFields, today, query, pathParameters }) {
    const { values, problems } = readParameters(parameters, query)
    const { day = '' } = pathParameters
    const { diets, withheld, requiredScopes } = dietsFor(center, customFields)
    const refusal = refusalOf([...problems, ...dayProblems(day)])
    if (refusal !== undefined) return { requiredScopes, refusal }
    const sheetDay = sheetDayOf(center, day)
    const word = (name: string) => labelOf(language, 'portion', name)
    const asked: Asked = {
      day,
      isNumbered: typeof values.sheet === 'number',
      sheetDay,
      words: { noProgram: word('noProgram'), noRoom: word('noRoom') },
      cutOffs: hasCutOffs(center.mealRules)
        ? byMeal((meal) => cutOffOf(center.mealRules, center.timezone, day, meal))
        : undefined,
      head: portionHead(center, { diets, withheld, language, includeReasons: false }),
    }
    const { sheet } = values
    const take = (rows: Rows) => takeSheet(center.id, day, sheetDay.contentOf(rows), false)
    return {
      requiredScopes,
      normalForm: JSON.stringify([day, sheet]),
      statement: sheetDay.statement,
      following:
        sheet !== undefined
          ? { kind: 'stored', statement: () => selectSheet(center.id, day, sheet, sheetDay.notes) }
          : hasSheets(day, today)
            ? { kind: 'stored', statement: take }
            : undefined,
      // Sheets are not records of the center, so no commit reports their changes.
      cacheMs: 0,
      dependencies: [sheetDay.guests],
      present: (rows) => present(rows, asked),
    }
  },
})

function dayProblems(day: string): Problem[] {
  const message = dayProblem(day)
  return message === undefined ? [] : [{ parameter: 'day', message }]
}

interface Asked {
  readonly day: string
  /** whether a sheet is requested by its number */
  readonly isNumbered: boolean
  readonly sheetDay: SheetDay
  readonly words: StayScope['words']
  /** epoch milliseconds; undefined if no meal of the center has one */
  readonly cutOffs: ByMeal<number | undefined> | undefined
  /** with the diets that the key may read */
  readonly head: PortionHead
}

/** The row of `selectSheet`. `takeSheet` returns no content: the sheet has the current one. */
type StoredRow = readonly [
  number: number | null,
  takenAt: number | null,
  content: string | null,
  movedAt: readonly (readonly [id: string, at: number])[],
  onWall: number | null,
  confirmedAt: number | null,
  sheets: readonly (readonly [number: number, takenAt: number])[],
  cutOffs: readonly StoredState[],
  acknowledged: readonly [takenAt: number, acknowledgedAt: number, content: string] | null,
]

/** The state of a meal whose cut-off has passed. */
type StoredState = readonly [meal: Meal, takenAt: number, content: string]

/** For a day of which no sheets are stored. */
const NO_SHEET: StoredRow = [null, null, null, [], null, null, [], [], null]

/** The first row is that of the portions. The driver returns untyped values. */
const currentRevision = (rows: Rows) => rows[0]?.[0] as number | null
const storedOf = (rows: Rows) =>
  (rows[1] as readonly unknown[] | undefined as StoredRow | undefined) ?? NO_SHEET

const momentOrNull = (moment: number | null) => (moment === null ? null : isoMoment(moment))

function* present(rows: Rows, asked: Asked): Sliced<Answer> {
  const { day, head, isNumbered, sheetDay } = asked
  const current = sheetDay.contentOf(rows)
  const [number, takenAt, stored, moved, onWall, confirmedAt, sheets] = storedOf(rows)
  if (number === null && isNumbered) throw noSuchSheet(day)
  const content = stored ?? current
  const movedAt = new Map(moved)
  const then = yield* countSheet(content, asked)
  const now = content === current ? then : yield* countSheet(current, asked)
  const { meals, byDiet, guests } = compareDays(then, now)
  const late = asked.cutOffs === undefined ? undefined : yield* lateChanges(now, storedOf(rows), asked)
  const ids = (now.list ?? []).map(({ guest }) => guest.id)
  return {
    body: JSON.stringify({
      sheet: number,
      takenAt: momentOrNull(takenAt),
      onWall: { sheet: onWall, confirmedAt: momentOrNull(confirmedAt) },
      sheets: sheets.map(([sheet, at]) => ({ sheet, takenAt: isoMoment(at) })),
      diets: dietHead(head),
      day: dayAsJson({ ...then, list: undefined }, head),
      changes: {
        meals,
        byDiet: byDiet.map((diet) => presentDiet(diet, head)),
        guests: guests.map((guest) => ({
          ...guest,
          dietsAdded: guest.dietsAdded.map((diet) => dietAsJson(diet, head)),
          dietsRemoved: guest.dietsRemoved.map((diet) => dietAsJson(diet, head)),
          changedAt: momentOrNull(movedAt.get(guest.guestId) ?? null),
        })),
      },
      ...(late === undefined ? {} : { late }),
    }),
    revision: currentRevision(rows) ?? 0,
    records: { count: ids.length, ids },
  }
}

/**
 * The changes after the cut-off of each meal. `changes` of a meal is null if it is not known: its cut-off has not passed,
 * or its state was not stored.
 */
function* lateChanges(now: PortionDay, stored: StoredRow, asked: Asked) {
  const [, , , , , , , states, acknowledged] = stored
  const eating = new Map((now.list ?? []).map(({ guest, eats }) => [guest.id, eats]))
  const byGuest = new Map<string, { guestId: string; room: string | null; meals: Meal[] }>()
  const found: Partial<Record<Meal, { since: string; acknowledgedAt: string | null; changes: number }>> = {}
  for (const [meal, takenAt, stored] of states) {
    // What was acknowledged before the cut-off says nothing of what came after it.
    const seen = acknowledged !== null && acknowledged[0] >= takenAt ? acknowledged : undefined
    const then = yield* countSheet(seen?.[2] ?? stored, asked)
    const changed = compareDays(then, now).guests.filter((change) =>
      isOfMeal(change, meal, eating.get(change.guestId)?.includes(meal) ?? false),
    )
    found[meal] = {
      since: isoMoment(seen?.[0] ?? takenAt),
      acknowledgedAt: momentOrNull(seen?.[1] ?? null),
      changes: changed.length,
    }
    for (const { guestId, room } of changed) {
      const guest = byGuest.get(guestId) ?? { guestId, room, meals: [] }
      guest.meals.push(meal)
      byGuest.set(guestId, guest)
    }
  }
  const ofMeal = (meal: Meal) => {
    const cutOff = asked.cutOffs?.[meal]
    const known = found[meal] ?? { since: null, acknowledgedAt: null, changes: null }
    return cutOff === undefined ? null : { cutOff: isoMoment(cutOff), ...known }
  }
  return {
    meals: byMeal(ofMeal),
    guests: [...byGuest.values()].map(({ meals, ...guest }) => ({
      ...guest,
      meals: MEALS.filter((meal) => meals.includes(meal)),
    })),
  }
}

/** 404 */
export const noSuchSheet = (day: string) =>
  errors.notFound(
    `There is no such sheet of ${day}. Remove the parameter sheet to store a new one; the newest ${SHEETS_OF_DAY_MAX} of a day are stored until ${SHEET_RETENTION_DAYS} days after it.`,
  )

function* countSheet(content: string, { day, words, head }: Asked): Sliced<PortionDay> {
  const { day: decided, guests } = readSheet(content, day, { diets: head.diets, words })
  return yield* countDecided(decided, guests, {
    knowsDiets: knowsDiets(head),
    countsNone: countsNone(head),
    list: 'present',
  })
}

function presentDiet({ of, ...meals }: ChangedDiet, head: PortionHead) {
  return { ...(typeof of === 'string' ? dietWithout(of, head) : dietAsJson(of, head)), ...meals }
}
