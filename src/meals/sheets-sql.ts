/** Kitchen sheets as they are kept. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'

/** A day has as many sheets as states that somebody took; the oldest make room. */
export const SHEETS_OF_DAY_MAX = 20
/** For so long after its day a sheet can be held against what really was. */
export const SHEET_DAYS_KEPT = 14

/**
 * Takes a sheet: the newest one of the day if it says the same, or a new one with the next number, while the oldest go.
 *
 * Callers may rely on: one row comes, with the number and the moment; or none, where another one was taken at the same
 * moment, and it must be asked again. A number is never given twice, because the newest sheet stays. By primary key.
 */
export const takeSheet = (center: CenterId, day: string, content: string): Sql => sql`
    with newest as (
      select number, taken_at, content from meal_sheets
      where center_id = ${center} and day = ${day} order by number desc limit 1
    ), taken as (
      insert into meal_sheets (center_id, day, number, taken_at, content)
      select ${center}, ${day}::date, coalesce((select number from newest), 0) + 1, clock_timestamp(), ${content}
      where not exists (select from newest where newest.content = ${content})
      on conflict do nothing
      returning number, taken_at
    ), gone as (
      delete from meal_sheets
      where center_id = ${center} and day = ${day}
        and number <= (select number from taken) - ${SHEETS_OF_DAY_MAX}
    )
    select number, taken_at from taken
    union all
    select number, taken_at from newest where newest.content = ${content}`

/** One sheet of a day; no row where it is not kept. By primary key. */
export const selectSheet = (center: CenterId, day: string, number: number): Sql => sql`
    select number, taken_at, content from meal_sheets
    where center_id = ${center} and day = ${day} and number = ${number}`

/** Each center that has sheets. */
export const selectCentersWithSheets: Sql = sql`select distinct center_id from meal_sheets`

/** Takes out a center's sheets of days that are long gone. Exactly one row comes: how many. */
export const deleteOldSheets = (center: string): Sql => sql`
    with gone as (
      delete from meal_sheets
      where center_id = ${center} and day < (clock_timestamp() - make_interval(days => ${SHEET_DAYS_KEPT}))::date
      returning 1
    )
    select count(*) as sheets from gone`
