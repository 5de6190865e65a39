/** Webhooks as the administration lists them. */
import sql, { type Sql } from 'sql-template-tag'
import { isoText } from '../../../core/acts/acts-sql.ts'
import type { CenterId } from '../../../core/records/centers/center.ts'

/** The webhooks of a center with their last deliveries. Callers may rely on: one row. A center has at most ten. */
export const selectWebhooksWithLog = (center: CenterId, deliveries: number): Sql => sql`
    select coalesce(json_agg(json_build_object(
      'id', w.id, 'name', w.name, 'url', w.url, 'scopes', w.scopes, 'kinds', w.kinds, 'state', w.state,
      'createdAt', ${isoText(sql`w.created_at`)}, 'deliveredAt', ${isoText(sql`w.delivered_at`)},
      'failingSince', ${isoText(sql`w.failing_since`)}, 'nextAttemptAt', ${isoText(sql`w.next_attempt_at`)},
      'attempts', w.attempts,
      'deliveries', (
        select coalesce(json_agg(json_build_object(
          'at', ${isoText(sql`d.at`)}, 'attempt', d.attempt, 'changes', d.entries, 'outcome', d.outcome,
          'status', d.status, 'milliseconds', d.duration_ms
        ) order by d.seq desc), '[]')
        from (
          select * from webhook_deliveries
          where center_id = ${center} and webhook_id = w.id order by seq desc limit ${deliveries}
        ) d
      )
    ) order by w.created_at, w.id), '[]')
    from webhooks w where w.center_id = ${center}`
