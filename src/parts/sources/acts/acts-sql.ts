/** Sources and imports as the administration lists them. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../../../core/records/centers/center.ts'
import { deliveryValues, selectSources } from '../../../core/records/sources/sources-sql.ts'

/**
 * The sources of a center with the database's time, the addresses that are notified, and its newest imports. Callers may
 * rely on: one row.
 */
export const selectSourcesAndImports = (center: CenterId, imports: number): Sql => sql`
    select s.sources, s.now,
      coalesce((select to_json(a.addresses) from notice_addresses a where a.center_id = ${center}), '[]'),
      (select coalesce(json_agg(json_build_array(
          i.source, i.by_key, ${deliveryValues(sql`i`)}
        ) order by i.ended_at desc, i.id), '[]')
        from (
          select * from imports where center_id = ${center} order by ended_at desc, id limit ${imports}
        ) i)
    from (${selectSources(center)}) s`
