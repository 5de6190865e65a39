/** The statements of the list of contradictions. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { ifMoved, type MovedSince } from '../../core/changes/feed-sql.ts'
import { epochMs } from '../../core/database/json-rows.ts'
import type { CenterId } from '../../core/records/centers/center.ts'
import type { Bounds } from '../../core/request/bounds.ts'
import type { Page } from '../../core/request/paging.ts'

export interface ContradictionFilters extends Bounds {
  /** kinds that the center wants reported and the key may read */
  readonly kinds: readonly string[]
  /** kinds that the key may not read and that are counted */
  readonly withheld: readonly string[]
  readonly isDismissed: boolean | undefined
  readonly guestId: string | undefined
  /** ISO 8601: those that ended by themselves before it are not listed */
  readonly today: string
}

const conditions = (
  center: CenterId,
  { lower, upper, isDismissed, guestId, today }: ContradictionFilters,
  since: MovedSince | undefined,
): Sql => sql`k.center_id = ${center} and (k.expires_at is null or k.expires_at > ${today}::timestamptz)
      ${lower === undefined ? empty : sql`and k.since >= ${lower}`}
      ${upper === undefined ? empty : sql`and k.since <= ${upper}`}
      ${isDismissed === undefined ? empty : isDismissed ? raw('and k.dismissed_at is not null') : raw('and k.dismissed_at is null')}
      ${
        guestId === undefined
          ? empty
          : sql`and k.id in (
        select contradiction_id from contradiction_records
        where center_id = ${center} and record = ${`guest:${guestId}`}
      )`
      }${ifMoved(center, since, raw('k.id'))}`

/** Identifier and time of each contradiction of the list. Along contradictions_by_time. */
export const listedContradictions = (
  center: CenterId,
  filters: ContradictionFilters,
  since: MovedSince | undefined,
): Sql => sql`
      select k.id, k.since from contradictions k
      where k.kind = any(${[...filters.kinds]}::text[]) and ${conditions(center, filters, since)}`

/** The values of a contradiction, in the order of `ContradictionRow`. */
const VALUES = raw(`k.id, k.kind, ${epochMs('k.since')}, ${epochMs('k.changed_at')}, k.digest, k.evidence,
      ${epochMs('k.dismissed_at')}, k.dismissed_by, k.dismissed_reason`)

/**
 * Whether every commit has been evaluated that can have changed something: the center has a row, no sweep is under way,
 * and each later commit is known and has changed none of these records.
 */
export const isComplete = (center: CenterId): Sql => sql`
      coalesce((
        select p.sweep_at is null and not exists (
          select from change_commits m
          join changes c on c.center_id = ${center} and c.transaction_id = m.transaction_id
          where m.center_id = ${center} and m.revision > p.revision and c.kind = any ('{guest,order,session}')
        ) and r.revision - p.revision = (
          select count(*) from change_commits m where m.center_id = ${center} and m.revision > p.revision
        )
        from contradiction_progress p
        join center_revisions r on r.center_id = ${center}
        where p.center_id = ${center}
      ), false)`

/**
 * One page by time, then identifier. Callers may rely on: there is always at least one row, which begins with the
 * revision, the total, the number of contradictions of each withheld kind as JSON, and whether everything is evaluated;
 * if the page is empty, the values after them are null.
 */
export const selectContradictions = (
  center: CenterId,
  filters: ContradictionFilters,
  page: Page,
  since: MovedSince | undefined,
): Sql => sql`
    with matched as materialized (${listedContradictions(center, filters, since)}
    )
    select
      (select revision from center_revisions where center_id = ${center}) as revision,
      (select count(*) from matched) as total,
      (
        select coalesce(json_object_agg(w.kind, w.number), '{}') from (
          select k.kind, count(*) as number from contradictions k
          where k.kind = any(${[...filters.withheld]}::text[]) and ${conditions(center, filters, since)}
          group by k.kind
        ) w
      ) as withheld,
      ${isComplete(center)} as complete,
      ${VALUES}
    from (select 1) as one
    left join (
      select id, since from matched order by since, id
      limit ${page.length} offset ${(page.start - 1) * page.length}
    ) page on true
    left join contradictions k on k.center_id = ${center} and k.id = page.id
    order by page.since, page.id`

/** All of the list in its order, each with its values. */
export const selectAllContradictions = (
  center: CenterId,
  filters: ContradictionFilters,
  since: MovedSince | undefined,
): Sql => sql`
    select ${VALUES} from contradictions k
    where k.kind = any(${[...filters.kinds]}::text[]) and ${conditions(center, filters, since)}
    order by k.since, k.id`

/** The guests and orders that the contradictions of a list are about, with the columns of its order. By the primary key. */
export const selectRecordsOf = (center: CenterId, listed: Sql): Sql => sql`
      select substr(r.record, strpos(r.record, ':') + 1) as id, m.since
      from (${listed}) m
      join contradiction_records r on r.center_id = ${center} and r.contradiction_id = m.id
      where r.record like 'guest:%' or r.record like 'order:%'`

/** One row with whether everything is evaluated. */
export const selectIsComplete = (center: CenterId): Sql => sql`select ${isComplete(center)} as complete`
