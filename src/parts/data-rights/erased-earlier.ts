/** Whether a person was erased already: a command that was interrupted after its commit is repeated. */
import type { Queryable } from '../../core/database/database.ts'
import { selectErasedEarlier } from './subjects-sql.ts'

export interface EarlierErasure {
  readonly center: string
  /** epoch ms */
  readonly erasedAt: number
}

/**
 * The erasure of the customer or booking with this identifier, if it is not there any more.
 * @returns undefined if nobody with it was erased, or people of several centers were
 */
export async function erasedEarlier(
  queryable: Queryable,
  { customer, booking, center }: { customer?: string; booking?: string; center?: string },
): Promise<EarlierErasure | undefined> {
  const statement =
    customer === undefined
      ? selectErasedEarlier('booking', booking ?? '', center ?? null)
      : selectErasedEarlier('customer', customer, center ?? null)
  const found = await queryable.query<{ center_id: string; erased_at: number }>(statement)
  const [first] = found
  if (first === undefined || found.length > 1) return undefined
  return { center: first.center_id, erasedAt: first.erased_at }
}
