/** Stores the state of a day when the cut-off of a meal passes, so that later changes can be recognized. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Sql } from 'sql-template-tag'
import { centerId, readCenter } from '../../core/records/centers/center.ts'
import { readMealRules } from '../../core/records/centers/meal-rules.ts'
import type { Meal } from '../../core/records/fields/meals.ts'
import { passedCutOffs } from './cut-offs.ts'
import { insertCutOffs, selectCentersWithCutOffs, selectTakenMeals } from './cut-offs-sql.ts'
import { sheetDayOf } from './sheet-day.ts'
import { takeSheet } from './sheets-sql.ts'

/** The parts of the database that it uses. */
interface Asks {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

const MINUTE_MS = 60_000
/** How often it is tried if others store a sheet at the same moment. */
const ATTEMPTS_MAX = 3
/** Days whose state is known to be stored. Forgetting them costs one query for each. */
const KNOWN_MAX = 100_000

export interface CutOffTaker {
  /** May run in several instances at the same time. @returns the number of days whose state was stored */
  take(): Promise<number>
}

/** @param clock epoch milliseconds */
export function createCutOffTaker(database: Asks, clock: () => number): CutOffTaker {
  const known = new Set<string>()
  return {
    async take() {
      type Row = { center_id: string; timezone: string; meal_rules: unknown }
      const centers = await database.query<Row>(selectCentersWithCutOffs)
      if (known.size > KNOWN_MAX) known.clear()
      let days = 0
      for (const { center_id, timezone, meal_rules } of centers) {
        const passed = passedCutOffs(readMealRules(meal_rules), timezone, clock())
        const unknown = passed.filter(({ day, meal }) => !known.has(`${center_id} ${day} ${meal}`))
        for (const [day, found] of Map.groupBy(unknown, (one) => one.day)) {
          const meals = found.map(({ meal }) => meal)
          if (await takeDay(database, center_id, day, meals)) days += 1
          for (const meal of meals) known.add(`${center_id} ${day} ${meal}`)
        }
      }
      return days
    },
  }
}

async function takeDay(database: Asks, id: string, day: string, meals: readonly Meal[]): Promise<boolean> {
  const center = await readCenter(database, centerId(id))
  if (center === undefined) return false
  const taken = await database.query<{ meal: Meal }>(selectTakenMeals(center.id, day))
  const left = meals.filter((meal) => taken.every((one) => one.meal !== meal))
  if (left.length === 0) return false
  const { statement, contentOf } = sheetDayOf(center, day)
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const rows = (await database.query(statement)).map((row) => Object.values(row))
    const [sheet] = await database.query<{ number: number }>(takeSheet(center.id, day, contentOf(rows), true))
    if (sheet === undefined) continue
    await database.query(insertCutOffs(center.id, day, left, sheet.number))
    return true
  }
  throw new Error('others stored sheets of the day each time')
}

/** Takes them each minute until the service closes. Does not keep the process alive. */
export function takeCutOffsEachMinute(app: FastifyInstance, taker: CutOffTaker): void {
  let timer: NodeJS.Timeout
  const again = () => {
    timer = setTimeout(() => void takeOnce(taker, app.log).finally(again), MINUTE_MS).unref()
  }
  again()
  app.addHook('onClose', async () => clearTimeout(timer))
}

/** Never rejects. What failed is tried again in a minute, and the answer says when the state was stored. */
async function takeOnce(taker: CutOffTaker, log: Pick<FastifyBaseLogger, 'error'>): Promise<void> {
  try {
    await taker.take()
  } catch (error) {
    log.error(
      { name: error instanceof Error ? error.name : typeof error },
      'storing the state of meals at their cut-offs failed',
    )
  }
}
