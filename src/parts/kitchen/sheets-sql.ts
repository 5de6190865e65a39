/** The statements that store and read kitchen sheets. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { epochMs } from '../../core/database/json-rows.ts'
import type { CenterId } from '../../core/records/centers/center.ts'

/** A day has one sheet for each state that was taken, up to this many; then the oldest are deleted. */
export const SHEETS_OF_DAY_MAX = 20
/** For this many days after its day, a sheet can be compared with what actually happened. */
export const SHEET_RETENTION_DAYS = 14

/**
 * The sheet of a day that is on the wall: the confirmed one, or else the newest that was stored by GET. One row, with
 * nulls if there is none. Uses primary keys.
 */
const wallOf = (center: CenterId, day: string): Sql => sql`
    choice as (
      select number, confirmed_at from sheets_on_wall where center_id = ${center} and day = ${day}
    ), wall as (
      select
        case when exists (select from choice) then (select number from choice) else (
          select max(number) from meal_sheets where center_id = ${center} and day = ${day} and not proposed
        ) end as number,
        (select confirmed_at from choice) as confirmed_at
    )`

/**
 * The state of each meal whose cut-off has passed, a JSON array of [meal, moment, content]; and what was acknowledged, a
 * JSON array of [moment of the sheet, moment of the acknowledgement, content], or null.
 */
const cutOffsOf = (center: CenterId, day: string): Sql => sql`(
        select coalesce(json_agg(json_build_array(c.meal, ${raw(epochMs('c.taken_at'))}, k.content)), '[]')
        from meal_cut_offs c
        join meal_sheets k on k.center_id = c.center_id and k.day = c.day and k.number = c.number
        where c.center_id = ${center} and c.day = ${day}
      ) as cut_offs,
      (
        select json_build_array(${raw(epochMs('k.taken_at'))}, ${raw(epochMs('a.acknowledged_at'))}, k.content)
        from sheets_acknowledged a
        join meal_sheets k on k.center_id = a.center_id and k.day = a.day and k.number = a.number
        where a.center_id = ${center} and a.day = ${day}
      ) as acknowledged`

/**
 * Stores a sheet: returns the newest one of the day if its content is the same, or creates one with the next number and
 * deletes the oldest, but never the one on the wall, nor one with which late changes are compared. Callers may rely on: one row in the form of `selectSheet`, without
 * content and times; or none if another request stored one at the same moment, and then the call must be repeated. A
 * number is never reused, because the newest sheet is retained. Uses the primary key.
 * @param proposed whether it is only to be printed: nothing is compared with it before it is confirmed
 */
export const takeSheet = (center: CenterId, day: string, content: string, proposed: boolean): Sql => sql`
    with ${wallOf(center, day)}, newest as (
      select number, taken_at, content from meal_sheets
      where center_id = ${center} and day = ${day} order by number desc limit 1
    ), taken as (
      insert into meal_sheets (center_id, day, number, taken_at, content, proposed)
      select ${center}, ${day}::date, coalesce((select number from newest), 0) + 1, clock_timestamp(), ${content},
        ${proposed}
      where not exists (select from newest where newest.content = ${content})
      on conflict do nothing
      returning number, taken_at
    ), adopted as (
      update meal_sheets set proposed = false
      where center_id = ${center} and day = ${day} and proposed and not ${proposed}
        and number = (select number from newest where newest.content = ${content})
    ), gone as (
      delete from meal_sheets
      where center_id = ${center} and day = ${day}
        and number <= (select number from taken) - ${SHEETS_OF_DAY_MAX}
        and number is distinct from (select number from wall)
        and number not in (
          select c.number from meal_cut_offs c where c.center_id = ${center} and c.day = ${day}
          union all
          select a.number from sheets_acknowledged a
          where a.center_id = ${center} and a.day = ${day} and a.number is not null
        )
    ), sheet as (
      select number, taken_at from taken
      union all
      select number, taken_at from newest where newest.content = ${content}
    )
    select s.number, s.taken_at, null as content, '[]'::json as moved,
      case when ${proposed} or exists (select from choice) then w.number else s.number end as on_wall,
      w.confirmed_at,
      (
        select json_agg(json_build_array(k.number, ${raw(epochMs('k.taken_at'))}) order by k.number desc)
        from (
          select number, taken_at from meal_sheets
          where center_id = ${center} and day = ${day}
            and (number > s.number - ${SHEETS_OF_DAY_MAX} or number = w.number)
          union
          select number, taken_at from sheet
        ) k
      ) as sheets, ${cutOffsOf(center, day)}
    from sheet s cross join wall w`

/**
 * Records which sheet of a day was chosen. Callers may rely on: one row with the moment as `at`, or none if there is no such
 * sheet. Uses primary keys.
 * @param number null: none
 */
const chooseSheet = (
  { table, moment }: { readonly table: string; readonly moment: string },
  center: CenterId,
  day: string,
  number: number | null,
): Sql => sql`
    insert into ${raw(table)} (center_id, day, number, ${raw(moment)})
    select ${center}, ${day}::date, ${number}::integer, clock_timestamp()
    where ${number}::integer is null
      or exists (select from meal_sheets where center_id = ${center} and day = ${day} and number = ${number}::integer)
    on conflict (center_id, day) do update set number = excluded.number, ${raw(moment)} = excluded.${raw(moment)}
    returning ${raw(moment)} as at`

/** Confirms which sheet of a day is on the wall. */
export const confirmOnWall = (center: CenterId, day: string, number: number | null): Sql =>
  chooseSheet({ table: 'sheets_on_wall', moment: 'confirmed_at' }, center, day, number)

/** Records which sheet of a day has all changes that the kitchen has seen. */
export const acknowledgeSheet = (center: CenterId, day: string, number: number | null): Sql =>
  chooseSheet({ table: 'sheets_acknowledged', moment: 'acknowledged_at' }, center, day, number)

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

/** Which sheet of a day: its number, the last one stored, or the one on the wall. */
export type WantedSheet = number | 'newest' | 'wall'

const isWanted = (sheet: WantedSheet): Sql =>
  sheet === 'newest' ? empty : sql`and number = ${sheet === 'wall' ? sql`(select number from wall)` : sheet}`

/**
 * One sheet of a day, when its guests changed since, and which sheets there are. Callers may rely on: exactly one row,
 * with the number, the moment and the content, all null if it does not exist; a JSON array of [guest, moment of the
 * newest commit that changed them], in no order, without guests whose notes are gone; the number of the sheet on the
 * wall and when it was confirmed, each of which may be null; and a JSON array of [number, moment] of the day's sheets,
 * newest first. Uses primary keys.
 */
export const selectSheet = (
  center: CenterId,
  day: string,
  wanted: WantedSheet,
  { columns, from, to }: SheetNotes,
): Sql => sql`
    with ${wallOf(center, day)}, sheet as (
      select number, taken_at, content from meal_sheets
      where center_id = ${center} and day = ${day} ${isWanted(wanted)}
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
    select sheet.number, taken_at, content,
      (select coalesce(json_agg(json_build_array(id, ${raw(epochMs('moved_at'))})), '[]') from moved) as moved,
      wall.number as on_wall, wall.confirmed_at,
      (
        select coalesce(
          json_agg(json_build_array(k.number, ${raw(epochMs('k.taken_at'))}) order by k.number desc), '[]'
        )
        from meal_sheets k where k.center_id = ${center} and k.day = ${day}
      ) as sheets, ${cutOffsOf(center, day)}
    from wall left join sheet on true`

/** Each center that has sheets, or a choice. */
export const selectCentersWithSheets: Sql = sql`
    select distinct center_id from meal_sheets union select distinct center_id from sheets_on_wall
    union select distinct center_id from sheets_acknowledged`

/** Deletes a center's sheets and choices of past days. Callers may rely on: exactly one row, with the number of sheets. */
export const deleteOldSheets = (center: string): Sql => sql`
    with unneeded as (
      delete from sheets_on_wall
      where center_id = ${center} and day < (clock_timestamp() - make_interval(days => ${SHEET_RETENTION_DAYS}))::date
    ), old_states as (
      delete from meal_cut_offs
      where center_id = ${center} and day < (clock_timestamp() - make_interval(days => ${SHEET_RETENTION_DAYS}))::date
    ), old_acknowledgements as (
      delete from sheets_acknowledged
      where center_id = ${center} and day < (clock_timestamp() - make_interval(days => ${SHEET_RETENTION_DAYS}))::date
    ), gone as (
      delete from meal_sheets
      where center_id = ${center} and day < (clock_timestamp() - make_interval(days => ${SHEET_RETENTION_DAYS}))::date
      returning 1
    )
    select count(*) as sheets from gone`
