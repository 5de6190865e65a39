import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Kind } from '../kinds/kind.ts'

/** The position of staged removals, which are in no file. */
export interface RemovalsPlace {
  /** number of the kind in the staging table */
  readonly kind: number
  /** number of their file in the staging table */
  readonly file: number
  /** lines are numbered after this one */
  readonly after: number
}

/**
 * Stages a removal for each record of the center that no staged line names, and returns their number. With a session,
 * only for bookings of that session; a booking that attends other sessions too is staged without this one. By the
 * primary keys of the kind's table and of booking_sessions.
 */
export const stageMissingSql = (
  kind: Kind,
  centerId: string,
  session: string | undefined,
  { kind: place, file, after }: RemovalsPlace,
): Sql => {
  const key = raw(kind.key.map(({ column }) => `t.${column}`).join(" || '/' || "))
  const named = raw(kind.key.map(({ field, column }) => `'${field}', t.${column}`).join(', '))
  const removal = sql`json_build_object('kind', ${kind.name}::text, 'centerId', t.center_id, ${named}, 'deleted', true)`
  const body =
    session === undefined
      ? removal
      : sql`
        case when cardinality(t.session_ids) = 1 then ${removal}
        else json_build_object('kind', ${kind.name}::text, 'centerId', t.center_id, ${named},
          'sessionIds', array_remove(t.session_ids, ${session}::text)) end`
  return sql`
  with staged as (
    insert into import_stage (seq, file, line, kind, center_id, key, first_seq, loose, body)
    select ${after}::bigint + m.number, ${file}, 0, ${place}, m.center_id, m.key, ${after}::bigint + m.number, false, m.body
    from (
      select row_number() over (order by ${key}) as number, t.center_id, ${key} as key, (${body})::text as body
      from ${raw(kind.table)} t
      ${
        session === undefined
          ? empty
          : sql`join booking_sessions bs
        on bs.center_id = t.center_id and bs.booking_id = t.id and bs.session_id = ${session}`
      }
      where t.center_id = ${centerId} and not exists (
        select from import_stage s where s.kind = ${place} and s.center_id = t.center_id and s.key = ${key}
      )
    ) as m
    returning 1
  )
  select count(*)::integer as count from staged`
}

/** The first staged removals of a kind, in order. */
export const missingKeysSql = (kind: number, limit: number): Sql => sql`
  select key
  from import_stage
  where kind = ${kind} and line = 0
  order by seq
  limit ${limit}`
