/** Orders of erased people. An order is left out, or keeps only what belongs to the other people in it. */
import type { Queryable } from '../database/database.ts'
import { BATCH_ROWS, readRowsInChunks } from './chunks.ts'
import * as statements from './erased-sql.ts'
import type { Json, JsonObject } from './kinds/kind.ts'
import { type CustomerNames, mentions, mentionTerms } from './mentions.ts'
import { isObject } from './problems.ts'

/** Marks the staged lines of orders that belong to erased people only, and rewrites the lines of shared ones. */
export async function markOrders(
  tx: Queryable,
  center: string,
  salt: Buffer,
  kinds: statements.PersonKinds,
): Promise<void> {
  const named = await tx.query<{ uuid: string; body: string }>(statements.erasedNamesSql(center, kinds))
  const terms = new Map<string, string[]>()
  for (const { uuid, body } of named) terms.set(uuid, [...(terms.get(uuid) ?? []), ...termsOf(body)])
  const statement = statements.erasedOrdersSql(center, salt, kinds)
  for await (const rows of readRowsInChunks<statements.ErasedOrder>(tx, statement, BATCH_ROWS)) {
    const own: number[] = []
    const shared: { seq: number; body: string }[] = []
    for (const { seq, uuid, body, is_shared, owns_address } of rows) {
      const record = JSON.parse(body) as JsonObject
      // A removal contains nothing about the person, so it stays.
      if ('deleted' in record) continue
      if (!is_shared) own.push(seq)
      else
        shared.push({ seq, body: JSON.stringify(othersShare(record, owns_address, terms.get(uuid) ?? [])) })
    }
    await tx.query(statements.markLinesSql(own))
    await tx.query(statements.rewriteLinesSql(JSON.stringify(shared)))
  }
}

/**
 * An order as an erasure leaves it for the other people in it.
 * @param terms names and contact data of the erased person
 */
export function othersShare(order: JsonObject, ownsAddress: boolean, terms: readonly string[]): JsonObject {
  const { notes: _, billingAddress, ...rest } = order
  return {
    ...rest,
    ...(ownsAddress || billingAddress === undefined ? {} : { billingAddress }),
    ...(Array.isArray(rest.items) && { items: rest.items.map((item) => withoutName(item, terms)) }),
  }
}

const withoutName = (item: Json, terms: readonly string[]): Json =>
  isObject(item) && typeof item.name === 'string' && mentions(item.name, terms)
    ? ({ ...item, name: item.itemId ?? '-' } as JsonObject)
    : item

/** Names and contact data in the staged line of a customer, which has not been validated yet. */
function termsOf(body: string): string[] {
  const record: unknown = JSON.parse(body)
  if (!isObject(record)) return []
  const text = (field: string) => {
    const value = record[field]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  }
  const names: CustomerNames = {
    first_name: text('firstName') ?? '',
    last_name: text('lastName') ?? '',
    email: text('email'),
    phone: text('phone'),
    secondary_phone: text('secondaryPhone'),
    pin: text('pin'),
    internal_id: text('internalId'),
  }
  return mentionTerms(names)
}
