/** The statements of links that hand a key to a device. */
import sql, { type Sql } from 'sql-template-tag'
import type { Scope } from './scopes.ts'

export interface DeviceLinkRow {
  center_id: string
  id: string
  public_key: string
  /** hexadecimal */
  secret_hash: string
  created_at: number
  expires_at: number
  used_at: number | null
  /** hexadecimal */
  used_with: string | null
  app_id: string
  name: string
  scopes: Scope[]
  custom_fields: string[]
  allowed_addresses: string[]
  key_expires_at: number | null
  /** whether the key was revoked or has expired */
  key_ended: boolean
  key_used_at: number | null
  /** hexadecimal */
  key_secret_hash: string
  /** what the database alone knows of the application, hexadecimal */
  pseudonym_secret: string
  center_name: string
  language: string | null
  timezone: string
  api_access: boolean
  /** whether the center is moving to another database */
  moving: boolean
  /** the time of the database, by which links and keys end */
  now: number
}

const select = sql`
  select l.center_id, l.id, l.public_key, encode(l.secret_hash, 'hex') as secret_hash, l.created_at, l.expires_at, l.used_at,
    encode(l.used_with, 'hex') as used_with, k.app_id, k.name, k.scopes, k.custom_fields, k.allowed_addresses,
    k.expires_at as key_expires_at, k.last_used_at as key_used_at,
    encode(k.secret_hash, 'hex') as key_secret_hash, encode(k.pseudonym_secret, 'hex') as pseudonym_secret,
    (k.revoked_at is not null or coalesce(k.expires_at <= clock_timestamp(), false)) as key_ended,
    is_closed(l.center_id) as moving, c.name as center_name, c.locale as language, c.timezone, c.api_access, clock_timestamp() as now
  from device_links l
  join api_keys k on k.center_id = l.center_id and k.public_key = l.public_key
  join centers c on c.center_id = l.center_id`

/** The link with this identifier, which determines the center. At most one row; uses `device_links_by_id`. */
export const deviceLinkNamed = (id: string): Sql => sql`${select} where l.id = ${id}`

/** The same, which nobody else can use until the transaction ends. */
export const lockDeviceLink = (id: string): Sql => sql`${select} where l.id = ${id} for update of l, k`

/** The links of a center, or of all, newest first. */
export function deviceLinksOfCenter(centerId: string | undefined): Sql {
  const all = centerId === undefined
  return sql`
    ${select}
    where ${all} or l.center_id = ${centerId ?? ''}
    order by l.center_id, l.created_at desc, l.id`
}

export interface NewDeviceLinkRow {
  center_id: string
  id: string
  public_key: string
  secret_hash: Buffer
  /** ISO */
  created_at: string
  /** ISO */
  expires_at: string
}

export const insertDeviceLink = (row: NewDeviceLinkRow): Sql => sql`
  insert into device_links (center_id, id, public_key, secret_hash, created_at, expires_at)
  values (${row.center_id}, ${row.id}, ${row.public_key}, ${row.secret_hash}, ${row.created_at}, ${row.expires_at})`

/** A new link of a key replaces those that nobody has used. */
export const endDeviceLinks = (centerId: string, publicKey: string, now: string): Sql => sql`
  update device_links set expires_at = least(expires_at, ${now}::timestamptz)
  where center_id = ${centerId} and public_key = ${publicKey} and used_at is null`

/** Ends a link that was not used yet. */
export const endDeviceLink = (centerId: string, id: string, now: string): Sql => sql`
  update device_links set expires_at = least(expires_at, ${now}::timestamptz)
  where center_id = ${centerId} and id = ${id} and used_at is null`

/** Deletes links that have ended long ago. */
export const pruneDeviceLinks = (centerId: string, before: string): Sql => sql`
  delete from device_links where center_id = ${centerId} and expires_at < ${before}`

export const markDeviceLinkUsed = (centerId: string, id: string, now: string, usedWith: Buffer): Sql => sql`
  update device_links set used_at = coalesce(used_at, ${now}::timestamptz), used_with = ${usedWith}
  where center_id = ${centerId} and id = ${id}`

/** From the next request on, the secret that the key had before is wrong. */
export const setSecret = (centerId: string, publicKey: string, secretHash: Buffer): Sql => sql`
  update api_keys set secret_hash = ${secretHash} where center_id = ${centerId} and public_key = ${publicKey}`
