/** A webhook that an action names. */
import { errors } from '../../../core/errors/api-error.ts'
import type { ActionContext } from '../../../core/request/action.ts'
import { selectWebhook, type WebhookRow } from '../webhooks-sql.ts'

/** @returns undefined if the center has none with this identifier */
export async function findWebhook(
  { center, query }: Pick<ActionContext, 'center' | 'query'>,
  id: string,
): Promise<WebhookRow | undefined> {
  const [row] = await query<WebhookRow>(selectWebhook(id, center.id))
  return row
}

/** @throws {ApiError} 404 */
export async function ownWebhook(
  context: Pick<ActionContext, 'center' | 'query'>,
  id: string,
): Promise<WebhookRow> {
  const row = await findWebhook(context, id)
  if (row === undefined) {
    throw errors.notFound('Your center has no such webhook. GET /administration/webhooks lists its webhooks.')
  }
  return row
}
