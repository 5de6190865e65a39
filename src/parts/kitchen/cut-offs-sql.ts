/** The statements that store the state of meals at their cut-offs. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../../core/records/centers/center.ts'
import type { Meal } from '../../core/records/fields/meals.ts'

/** Each center with cut-offs: its identifier, time zone and rules. */
export const selectCentersWithCutOffs: Sql = sql`
    select center_id, timezone, meal_rules from centers where meal_rules ? 'cutOffs'`

/** The meals of a day whose state is stored. By primary key. */
export const selectTakenMeals = (center: CenterId, day: string): Sql => sql`
    select meal from meal_cut_offs where center_id = ${center} and day = ${day}`

/** Stores which sheet has the state of these meals. Another instance may have done so, which changes nothing. */
export const insertCutOffs = (
  center: CenterId,
  day: string,
  meals: readonly Meal[],
  number: number,
): Sql => sql`
    insert into meal_cut_offs (center_id, day, meal, number, taken_at)
    select ${center}, ${day}::date, meal, ${number}::integer, clock_timestamp() from unnest(${[...meals]}::text[]) as meal
    on conflict do nothing`
