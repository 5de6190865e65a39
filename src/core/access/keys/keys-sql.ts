/** The statements of the key commands. The gate has its own single query (access/key-states.ts). */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { KeyScope, Scope } from './scopes.ts'

export interface KeyRow {
  public_key: string
  center_id: string
  app_id: string
  name: string
  scopes: KeyScope[]
  per_hour: number | null
  per_minute: number | null
  allowed_addresses: string[]
  allow_assistants: boolean
  intake: boolean
  custom_fields: string[]
  grants: Scope[]
  responsible: string | null
  /** `YYYY-MM-DD` */
  review_on: string | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

const columns = sql`public_key, center_id, app_id, name, scopes, per_hour, per_minute, allowed_addresses,
  allow_assistants, intake, custom_fields, grants, responsible, review_on, created_at, expires_at, revoked_at,
  last_used_at`

export interface NewKeyRow extends Omit<KeyRow, 'created_at' | 'expires_at' | 'revoked_at' | 'last_used_at'> {
  secret_hash: Buffer
  /** ISO */
  created_at: string
  /** ISO */
  expires_at: string | null
}

/** Stores a key. */
export function insertKey(row: NewKeyRow): Sql {
  return sql`
    insert into api_keys (center_id, public_key, app_id, name, secret_hash, scopes, per_hour, per_minute,
      allowed_addresses, allow_assistants, intake, custom_fields, grants, responsible, review_on, created_at, expires_at)
    values (${row.center_id}, ${row.public_key}, ${row.app_id}, ${row.name}, ${row.secret_hash}, ${row.scopes},
      ${row.per_hour}, ${row.per_minute}, ${row.allowed_addresses}, ${row.allow_assistants}, ${row.intake},
      ${row.custom_fields}, ${row.grants}, ${row.responsible}, ${row.review_on}, ${row.created_at}, ${row.expires_at})`
}

/** The keys of one center, or of all, in the order of their creation. */
export function keysOfCenter(centerId: string | undefined): Sql {
  const all = centerId === undefined
  return sql`
    select ${columns}
    from api_keys
    where ${all} or center_id = ${centerId ?? ''}
    order by center_id, created_at, public_key`
}

/** Only keys of this center, if one is given. */
const within = (center: string | undefined): Sql =>
  center === undefined ? empty : sql`and center_id = ${center}`

/** The keys that `id` names: the key with this public key, or all keys of an application, newest first. */
export function keysNamed(id: string, center?: string): Sql {
  return sql`
    select ${columns}
    from api_keys
    where (public_key = ${id} or app_id = ${id}) ${within(center)}
    order by created_at desc, public_key`
}

/**
 * Keeps everybody else from changing these keys until the transaction ends. The oldest comes first: all transactions
 * know that one, so they wait for each other there. With the newest first, one that knew a key which another had just
 * made held it and waited for the rest, which is a deadlock.
 */
export function lockKeysNamed(id: string, center?: string): Sql {
  return sql`
    select public_key
    from api_keys
    where (public_key = ${id} or app_id = ${id}) ${within(center)}
    order by created_at, public_key
    for update`
}

/** Revokes those of the keys that are not revoked yet, and returns them. */
export function revokeKeys(publicKeys: readonly string[], now: string): Sql {
  return sql`
    update api_keys
    set revoked_at = ${now}
    where public_key = any(${publicKeys}) and revoked_at is null
    returning public_key`
}

/** Makes the keys expire at `end`, unless they expire earlier. */
export function endKeys(publicKeys: readonly string[], end: string): Sql {
  return sql`
    update api_keys
    set expires_at = least(expires_at, ${end}::timestamptz)
    where public_key = any(${publicKeys})
    returning public_key, expires_at`
}

/** Sets what people have to know of these keys. */
export function setDescription(
  publicKeys: readonly string[],
  { responsible, reviewOn }: { readonly responsible: string | null; readonly reviewOn: string | null },
): Sql {
  return sql`
    update api_keys set responsible = ${responsible}, review_on = ${reviewOn}
    where public_key = any(${publicKeys})`
}

/** The custom fields that a center defines, in order. */
export function customFieldsOf(centerId: string): Sql {
  return sql`select key from meta_fields where center_id = ${centerId} order by key`
}

/** What a center says of its meals, and the custom fields that may be diets. At most one row. Uses primary keys. */
export function selectDiets(centerId: string): Sql {
  return sql`
    select meal_rules, (
      select coalesce(json_agg(key order by key), '[]') from meta_fields
      where center_id = ${centerId} and type in ('string', 'boolean')
    ) as fields
    from centers where center_id = ${centerId}`
}
