/** An application's usage without a request, for the command line. */

import type { Queryable } from '../../core/database/database.ts'
import type { CenterId } from '../../core/records/centers/center.ts'
import { type PresentedUsage, presentUsage } from './present-usage.ts'
import { type DayRow, type ErrorDayRow, selectUsage, type UsagePeriod } from './usage-sql.ts'

export type { PresentedUsage }

/** The requests and errors of an application in a period. */
export async function readUsage(
  database: Queryable,
  center: CenterId,
  appId: string,
  period: UsagePeriod,
): Promise<PresentedUsage> {
  const [row] = await database.query<{ days: DayRow[]; errors: ErrorDayRow[] }>(
    selectUsage(center, appId, period),
  )
  return presentUsage(period, row?.days ?? [], row?.errors ?? [])
}
