/** The statements that store and read kitchen sheets. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'

/** A day has one sheet for each state that was taken, up to this many; then the oldest are deleted. */
export const SHEETS_OF_DAY_MAX = 20
/** For this many days after its day, a sheet can be compared with what actually happened. */
export const SHEET_DAYS_KEPT = 14

/**
 * Takes a sheet: returns the newest one of the day if its content is the same, or creates one with the next number and
 * deletes the oldest. Callers may rely on: one row, with the number and the moment; or none if another request took one
 * at the same moment, and then the call must be repeated. A number is never reused, because the newest sheet is kept.
 * Uses the primary key.
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

/**
 * The most commits that are searched for the times of changes. No day of a center has more; older changes have no time.
 */
const COMMITS_MAX = 5000
/** A change that was not committed when a sheet was read may have an earlier time than the sheet. */
const OVERLAP_SECONDS = 10
/** More guests than any center feeds. */
const TIMES_MAX = 2000

/** Selects the notes of changes that a sheet shows. */
export interface SheetNotes {
  readonly columns: ReadonlySet<string>
  /** the day, as moments */
  readonly from: string | undefined
  readonly to: string | undefined
}

/**
 * One sheet of a day, and when its guests changed since. Callers may rely on: exactly one row, with the number, the
 * moment and the content, all null if it does not exist, and a JSON array of [guest, moment of the newest commit that
 * changed them], in no order, without guests whose notes are gone. Uses primary keys.
 * @param number undefined: the newest one
 */
export const selectSheet = (
  center: CenterId,
  day: string,
  number: number | undefined,
  { columns, from, to }: SheetNotes,
): Sql => sql`
    with sheet as (
      select number, taken_at, content from meal_sheets
      where center_id = ${center} and day = ${day} ${number === undefined ? empty : sql`and number = ${number}`}
      order by number desc limit 1
    ), commits as (
      select transaction_id, committed_at from (
        select transaction_id, committed_at from change_commits
        where center_id = ${center} order by revision desc limit ${COMMITS_MAX}
      ) newest
      where committed_at > (select taken_at from sheet) - make_interval(secs => ${OVERLAP_SECONDS})
    ), moved as (
      select c.id, max(m.committed_at) as moved_at
      from commits m
      join changes c on c.center_id = ${center} and c.transaction_id = m.transaction_id
      where c.kind = 'guest' and (c.operation <> 'changed' or c.columns && ${[...columns]})
        and c.during && tstzrange(${from}::timestamptz, ${to}::timestamptz, '[]')
      group by c.id limit ${TIMES_MAX}
    )
    select number, taken_at, content,
      (select coalesce(json_agg(json_build_array(id, ${raw(epochMs('moved_at'))})), '[]') from moved)
    from (select) one left join sheet on true`

/** Each center that has sheets. */
export const selectCentersWithSheets: Sql = sql`select distinct center_id from meal_sheets`

/** Deletes a center's sheets of past days. Callers may rely on: exactly one row, with their number. */
export const deleteOldSheets = (center: string): Sql => sql`
    with gone as (
      delete from meal_sheets
      where center_id = ${center} and day < (clock_timestamp() - make_interval(days => ${SHEET_DAYS_KEPT}))::date
      returning 1
    )
    select count(*) as sheets from gone`
