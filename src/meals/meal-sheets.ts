/** `GET /meals/sheets/{day}`: the numbers of a day when a sheet was taken, and what has changed since. */
import type { CenterId } from '../centers/center.ts'
import { errors, type Problem } from '../errors/api-error.ts'
import { type GuestFilters, guestsMatching } from '../guests/guests-sql.ts'
import { daysOfLocalDate } from '../locale/civil.ts'
import { addDays, isLocalDate, isoMoment } from '../locale/dates.ts'
import { labelOf } from '../locale/labels.ts'
import { resolveBounds } from '../request/bounds.ts'
import { type Answer, defineOperation, type Plan, type Rows } from '../request/operation.ts'
import { ordinalParameter } from '../request/parameter-kinds.ts'
import { quote, readParameters, refusalOf } from '../request/parameters.ts'
import type { Sliced } from '../request/slices.ts'
import { type ChangedDiet, compareDays } from './compare-days.ts'
import { countPortions, type PortionDay } from './count-portions.ts'
import { dietsFor, type PortionGuests } from './meal-portions.ts'
import type { StayScope } from './portion-stays.ts'
import { type PortionColumns, portionColumns, selectAllPortions } from './portions-sql.ts'
import { dayAsJson, dietHead, knowsDiets, type PortionHead } from './present-portions.ts'
import { readSheet, sheetContent } from './sheet-content.ts'
import { SHEET_SCHEMA } from './sheets-schema.ts'
import { SHEET_DAYS_KEPT, SHEETS_OF_DAY_MAX, type SheetNotes, selectSheet, takeSheet } from './sheets-sql.ts'

/** Nobody prints further ahead, and every day may have its sheets. */
const DAYS_AHEAD_MAX = 31

const parameters = {
  sheet: ordinalParameter({
    description:
      'Number of an earlier sheet of the day, or `newest` for the last one. Without it, a new sheet is stored.',
  }),
} as const

export const mealSheet = defineOperation({
  name: 'mealSheet',
  summary: 'A kitchen sheet of a day',
  description: `The portions of a day as stored in a numbered sheet, and what has changed since. Without \`sheet\`, the current portions are stored as a new sheet; if nothing has changed since the newest one, that one is returned. With \`sheet\`, that sheet is returned with all changes until now: by meal, by diet, and by guest and room, each with its time. \`sheet=newest\` returns the newest sheet and stores none. Sheets are kept for days from yesterday to ${DAYS_AHEAD_MAX} days ahead: the newest ${SHEETS_OF_DAY_MAX} of each day, until ${SHEET_DAYS_KEPT} days after it. For other days, and for \`sheet=newest\` of a day without a sheet, the answer has the current portions and no sheet number.`,
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
    const { diets, all, withheld, needs } = dietsFor(center, customFields)
    const refusal = refusalOf([...problems, ...dayProblems(day)])
    if (refusal !== undefined) return { needs, refusal }
    const days = { first: day, last: day }
    const { bounds } = resolveBounds({ startDate: day, endDate: day }, center.timezone)
    const filters: GuestFilters = {
      ...bounds,
      sessionIds: undefined,
      statusesExclude: center.mealReportExcludedStatuses,
    }
    // In the center's default language and with all its diets, whoever requests it, because all users share one sheet.
    const columns: PortionColumns = { language: center.language, diets: all, withNames: false }
    const word = (name: string) => labelOf(language, 'portion', name)
    const words = { noProgram: word('noProgram'), noRoom: word('noRoom') }
    const scope: StayScope = {
      sessionId: undefined,
      days,
      zone: center.timezone,
      rules: center.mealRules,
      diets: all,
      words: { noProgram: '', noRoom: '' },
    }
    const asked: Asked = {
      day,
      isNumbered: typeof values.sheet === 'number',
      scope,
      words,
      head: { rules: center.mealRules, diets, withheld, language },
    }
    const notes = guestsMatching(filters, portionColumns(columns))
    return {
      needs,
      normalForm: JSON.stringify([day, values.sheet]),
      statement: selectAllPortions(center.id, filters, columns),
      store: storeOf(center.id, values.sheet, isKept(day, today), asked, {
        ...notes,
        from: bounds.lower,
        to: bounds.upper,
      }),
      // Sheets are not records of the center, so no commit reports their changes.
      keeps: false,
      madeFrom: [notes],
      present: (rows) => present(rows, asked),
    }
  },
})

function dayProblems(day: string): Problem[] {
  if (isLocalDate(day)) return []
  const message = `${quote(day)} is not a date. Give a day that exists as YYYY-MM-DD.`
  return [{ parameter: 'day', message }]
}

const isKept = (day: string, today: string) =>
  day >= addDays(today, -1) && day <= addDays(today, DAYS_AHEAD_MAX)

function storeOf(
  center: CenterId,
  sheet: number | 'newest' | undefined,
  kept: boolean,
  asked: Asked,
  notes: SheetNotes,
): Plan['store'] {
  if (sheet !== undefined) {
    return () => selectSheet(center, asked.day, sheet === 'newest' ? undefined : sheet, notes)
  }
  return kept ? (rows) => takeSheet(center, asked.day, contentOf(rows, asked)) : undefined
}

interface Asked {
  readonly day: string
  /** whether a sheet is requested by its number */
  readonly isNumbered: boolean
  /** with all diets */
  readonly scope: StayScope
  readonly words: StayScope['words']
  /** with the diets that the key may read */
  readonly head: PortionHead
}

/** Without content if it is the current sheet. */
type Kept = readonly [
  number: number,
  takenAt: number,
  content?: string,
  movedAt?: readonly (readonly [id: string, at: number])[],
]

const currentOf = (rows: Rows) => rows[0] as readonly unknown[] as PortionGuests

/** @returns undefined if the sheet does not exist */
function keptOf(rows: Rows): Kept | undefined {
  const row = rows[1] as readonly unknown[] | undefined as Kept | readonly [null] | undefined
  return row === undefined || row[0] === null ? undefined : row
}

function contentOf(rows: Rows, { day, scope }: Asked): string {
  const [, guests, terms] = currentOf(rows)
  return sheetContent(guests, terms, day, scope)
}

function* present(rows: Rows, asked: Asked): Sliced<Answer> {
  const { day, head, isNumbered } = asked
  const current = contentOf(rows, asked)
  const kept = keptOf(rows)
  if (kept === undefined && isNumbered) {
    throw errors.notFound(
      `There is no such sheet of ${day}. Remove the parameter sheet to store a new one; the newest ${SHEETS_OF_DAY_MAX} of a day are kept until ${SHEET_DAYS_KEPT} days after it.`,
    )
  }
  const [number, takenAt, content = current, moved = []] = kept ?? []
  const movedAt = new Map(moved)
  const then = yield* countSheet(content, asked)
  const now = content === current ? then : yield* countSheet(current, asked)
  const { meals, byDiet, guests } = compareDays(then, now)
  const ids = (now.list ?? []).map(({ stay }) => stay.id)
  return {
    body: JSON.stringify({
      sheet: number ?? null,
      takenAt: takenAt === undefined ? null : isoMoment(takenAt),
      diets: dietHead(head),
      day: dayAsJson({ ...then, list: undefined }, head),
      changes: {
        meals,
        byDiet: byDiet.map((diet) => presentDiet(diet, head)),
        guests: guests.map((guest) => {
          const at = movedAt.get(guest.guestId)
          return { ...guest, changedAt: at === undefined ? null : isoMoment(at) }
        }),
      },
    }),
    revision: currentOf(rows)[0] ?? 0,
    records: { count: ids.length, ids },
  }
}

function* countSheet(content: string, { day, words, head }: Asked): Sliced<PortionDay> {
  const { rules, stays } = readSheet(content, day, { diets: head.diets, words })
  const at = daysOfLocalDate(day)
  const [counted] = yield* countPortions(stays, {
    first: at,
    last: at,
    rules,
    knowsDiets: knowsDiets(head),
    withGuests: true,
  })
  if (counted === undefined) throw new Error('a range of one day has one day')
  return counted
}

function presentDiet({ of, ...meals }: ChangedDiet, { language }: PortionHead) {
  const label = labelOf(language, 'portion', 'noDiet')
  return { ...(of ?? { field: null, value: null, label, allergy: false }), ...meals }
}
