/** Orders of people who were erased: left out, or without what was the person's where others belong to them. */
import type { Queryable } from '../database/database.ts'
import { BATCH_ROWS, readRowsInChunks } from './chunks.ts'
import * as statements from './erased-sql.ts'
import type { Json, JsonObject } from './kinds/kind.ts'
import { type CustomerNames, mentions, mentionTerms } from './mentions.ts'
import { isObject } from './problems.ts'

/** Marks the staged lines of orders to which nobody else belongs, and rewrites those of the others. */
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
      // A removal says nothing of the person, and is right.
      if ('deleted' in record) continue
      if (!is_shared) own.push(seq)
      else
        shared.push({ seq, body: JSON.stringify(othersShare(record, owns_address, terms.get(uuid) ?? [])) })
    }
    await tx.query(statements.markLinesSql(own))
    await tx.query(statements.rewriteLinesSql(JSON.stringify(shared)))
  }
}

/** An order as an erasure leaves it to the others. @param terms what the person is named by */
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

/** What the line of a customer calls the person. Nobody has checked it yet. */
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
