/** Orders of erased people. An order is left out, or keeps only what belongs to the other people in it. */
import type { Queryable } from '../../database/database.ts'
import type { Json, JsonObject } from '../kinds/kind.ts'
import { canonical } from '../merge/merge.ts'
import { type CustomerNames, mentions, mentionTerms } from '../references/mentions.ts'
import { isObject } from '../rejects/problems.ts'
import { BATCH_ROWS, readRowsInChunks } from '../stage/chunks.ts'
import * as statements from './erased-sql.ts'

export interface OrdersMarking {
  readonly center: string
  readonly salt: Buffer
  /** the digest of a text that may have been replaced, in hexadecimal */
  readonly recognize: (text: { kind: 'order'; id: string; field: 'items.name'; text: string }) => string
}

/**
 * Marks the staged lines of orders that belong to erased people only, and rewrites the lines of shared ones.
 * @returns whether something was removed from a shared one
 */
export async function markOrders(
  tx: Queryable,
  { center, salt, recognize }: OrdersMarking,
  kinds: statements.PersonKinds,
): Promise<boolean> {
  const named = await tx.query<{ uuid: string; body: string }>(statements.erasedNamesSql(center, kinds))
  const terms = new Map<string, string[]>()
  for (const { uuid, body } of named) terms.set(uuid, [...(terms.get(uuid) ?? []), ...termsOf(body)])
  const statement = statements.erasedOrdersSql(center, salt, kinds)
  let isCleared = false
  for await (const rows of readRowsInChunks<statements.ErasedOrder>(tx, statement, BATCH_ROWS)) {
    // A removal contains nothing about the person, so it stays.
    const records = rows.flatMap((row) => {
      const record = JSON.parse(row.body) as JsonObject
      return 'deleted' in record ? [] : [{ ...row, record }]
    })
    const shared = records.filter(({ is_shared }) => is_shared)
    const digestOf = (uuid: string, text: string) =>
      recognize({ kind: 'order', id: uuid, field: 'items.name', text })
    const digests = shared.flatMap(({ uuid, record }) => namesOf(record).map((name) => digestOf(uuid, name)))
    const found = await tx.query<{ digest: string }>(statements.knownDigestsSql(center, digests))
    const known = new Set(found.map(({ digest }) => digest))
    const rewritten = shared.flatMap(({ seq, uuid, record, owns_address }) => {
      const isTheirs = (name: string) =>
        mentions(name, terms.get(uuid) ?? []) || known.has(digestOf(uuid, name))
      const left = othersShare(record, owns_address, isTheirs)
      return canonical(left) === canonical(record) ? [] : [{ seq, body: JSON.stringify(left) }]
    })
    if (rewritten.length > 0) isCleared = true
    await tx.query(statements.markLinesSql(records.filter((row) => !row.is_shared).map(({ seq }) => seq)))
    await tx.query(statements.rewriteLinesSql(JSON.stringify(rewritten)))
  }
  return isCleared
}

/**
 * An order as an erasure leaves it for the other people in it.
 * @param isTheirs whether a text is the erased person's
 */
export function othersShare(
  order: JsonObject,
  ownsAddress: boolean,
  isTheirs: (text: string) => boolean,
): JsonObject {
  const { notes: _, billingAddress, ...rest } = order
  return {
    ...rest,
    ...(ownsAddress || billingAddress === undefined ? {} : { billingAddress }),
    ...(Array.isArray(rest.items) && { items: rest.items.map((item) => withoutName(item, isTheirs)) }),
  }
}

const namesOf = ({ items }: JsonObject): string[] =>
  Array.isArray(items)
    ? items.flatMap((item) => (isObject(item) && typeof item.name === 'string' ? [item.name] : []))
    : []

const withoutName = (item: Json, isTheirs: (text: string) => boolean): Json =>
  isObject(item) && typeof item.name === 'string' && isTheirs(item.name)
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
    first_name: text('firstName'),
    last_name: text('lastName'),
    email: text('email'),
    phone: text('phone'),
    secondary_phone: text('secondaryPhone'),
    pin: text('pin'),
    internal_id: text('internalId'),
  }
  return mentionTerms(names)
}
