/** The statements that store the state of meals at their cut-offs. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import type { Meal } from '../fields/meals.ts'

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

/**
 * Says which sheet of a day has all changes that the kitchen has seen. Callers may rely on: one row, or none if there is
 * no such sheet. Uses primary keys.
 * @param number null: none
 */
export const acknowledgeSheet = (center: CenterId, day: string, number: number | null): Sql => sql`
    insert into sheets_acknowledged (center_id, day, number, acknowledged_at)
    select ${center}, ${day}::date, ${number}::integer, clock_timestamp()
    where ${number}::integer is null
      or exists (select from meal_sheets where center_id = ${center} and day = ${day} and number = ${number}::integer)
    on conflict (center_id, day) do update set number = excluded.number, acknowledged_at = excluded.acknowledged_at
    returning number, acknowledged_at`
