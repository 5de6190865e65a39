/** Reports as the administration lists them. */
import sql, { type Sql } from 'sql-template-tag'
import { isoText } from '../../../core/acts/acts-sql.ts'
import type { CenterId } from '../../../core/records/centers/center.ts'
import { selectReports } from '../reports-sql.ts'

/** The reports of a center with their last runs, in the order of their creation. Callers may rely on: one row. */
export const selectReportsWithRuns = (center: CenterId, runs: number): Sql => sql`
    select coalesce(json_agg(json_build_object(
      'id', known.id, 'appId', known.app_id, 'name', known.name, 'kind', known.kind, 'query', known.question, 'format', known.format,
      'language', known.language, 'times', known.times, 'days', known.days, 'destinations', known.destinations,
      'nextAt', ${isoText(sql`known.next_at`)}, 'hasKey', known.public_key is not null,
      'runs', (
        select coalesce(json_agg(json_build_object(
          'scheduledAt', ${isoText(sql`n.scheduled_at`)}, 'state', n.state, 'isCopy', n.is_copy, 'problem', n.problem,
          'destinations', (
            select coalesce(json_agg(json_build_object(
              'destination', d.destination, 'state', d.state, 'problem', d.problem) order by d.destination), '[]')
            from report_deliveries d
            where d.center_id = ${center} and d.report_id = known.id and d.scheduled_at = n.scheduled_at
          )
        ) order by n.scheduled_at desc), '[]')
        from (
          select * from report_runs where center_id = ${center} and report_id = known.id
          order by scheduled_at desc limit ${runs}
        ) n
      )
    ) order by known.number), '[]')
    from (select o.*, row_number() over () as number from (${selectReports(center)}) o) known`
