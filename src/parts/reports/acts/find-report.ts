/** A report that an action names. */
import type { ActionContext } from '../../../core/request/action.ts'
import { type ReportRow, selectReport } from '../reports-sql.ts'

/** Whether the center has a report with this identifier. */
export async function hasReport(
  { center, query }: Pick<ActionContext, 'center' | 'query'>,
  id: string,
): Promise<boolean> {
  const [row] = await query<ReportRow>(selectReport(id, center.id))
  return row !== undefined
}
