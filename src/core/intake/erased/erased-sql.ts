/**
 * Statements about erased people. A digest is the hash of the center's salt followed by the customer's identifier, or
 * by `booking/`, `order/`, `address/` or `kept/` and an identifier; or it is the HMAC of a text that was replaced
 * (`textDigest`).
 */
import sql, { type Sql } from 'sql-template-tag'

/** The salt of a center's digests; no row if nobody was erased. By the primary key. */
export const selectSalt = (center: string): Sql => sql`
  select salt from erasures where center_id = ${center} order by digest limit 1`

/** Stores digests (hexadecimal) of a customer and of the records erased with them. By the primary key. */
export const insertErasures = (
  center: string,
  salt: Buffer,
  customer: string,
  digests: readonly string[],
): Sql => sql`
  insert into erasures (center_id, digest, salt, customer)
  select ${center}, decode(d.digest, 'hex'), ${salt}::bytea, nullif(decode(${customer}, 'hex'), decode(d.digest, 'hex'))
  from unnest(${digests}::text[]) as d (digest)
  on conflict (center_id, digest) do update set erased_at = excluded.erased_at, customer = excluded.customer`

/** Centers of the staged lines that have erased people, each with its salt, or salts if digests came from elsewhere. */
export const stagedSaltsSql: Sql = sql`
  select s.center_id, e.salt
  from (select distinct center_id from import_stage) s
  cross join lateral (select distinct salt from erasures where center_id = s.center_id) e`

export interface Salted {
  readonly center_id: string
  readonly salt: Uint8Array
}

/** Numbers of the kinds in the staging table. */
export interface PersonKinds {
  readonly customer: number
  readonly booking: number
  readonly order: number
}

const isErased = (center: string, salt: Buffer, text: Sql): Sql => sql`
  exists (
    select from erasures e
    where e.center_id = ${center} and e.digest = sha256(${salt}::bytea || convert_to(${text}, 'UTF8'))
  )`

/** Marks the lines of erased customers. Digests are looked up by the primary key. */
export const markCustomersSql = (center: string, salt: Buffer, { customer }: PersonKinds): Sql => sql`
  update import_stage s set erased = true
  where s.kind = ${customer} and s.center_id = ${center} and ${isErased(center, salt, sql`s.key`)}`

/**
 * Marks the lines of bookings of erased customers: those that name one in their last line that names a customer, and
 * those that were erased with one, no matter who is named now. A booking that the center has again is not one of these. By
 * primary keys.
 */
export const markBookingsSql = (center: string, salt: Buffer, { booking }: PersonKinds): Sql => sql`
  update import_stage s set erased = true
  from (
    select key, (array_agg(customer order by seq desc) filter (where customer is not null))[1] as customer
    from import_stage
    where kind = ${booking} and center_id = ${center}
    group by key
  ) as r
  where s.kind = ${booking} and s.center_id = ${center} and s.key = r.key
    and (
      ${isErased(center, salt, sql`r.customer`)}
      or ${isErased(center, salt, sql`'booking/' || r.key`)}
        and not exists (select from bookings b where b.center_id = ${center} and b.id = r.key)
    )`

/** Which of these digests (hexadecimal) are known. By the primary key. */
export const knownDigestsSql = (center: string, digests: readonly string[]): Sql => sql`
  select d.digest from (select distinct unnest(${digests}::text[]) as digest) d
  where exists (select from erasures e where e.center_id = ${center} and e.digest = decode(d.digest, 'hex'))`

/** All digests of a center, or of all centers, in hexadecimal, each with its salt. */
export const selectDigestsSql = (center: string | null): Sql => sql`
  select salt, encode(digest, 'hex') as digest from erasures
  where ${center}::text is null or center_id = ${center}`

export interface ErasedOrder {
  readonly seq: number
  readonly uuid: string
  readonly body: string
  /** whether bookings of other people belong to it */
  readonly is_shared: boolean
  /** whether the billing address was the person's */
  readonly owns_address: boolean
}

/**
 * Lines of orders of erased people, found by the orders' digests or by bookings among the lines. Excludes orders that
 * the erasure left unchanged. Uses bookings_by_order.
 */
export const erasedOrdersSql = (center: string, salt: Buffer, { booking, order }: PersonKinds): Sql => {
  const orders = sql`select b.order_uuid from import_stage b
      where b.kind = ${booking} and b.center_id = ${center} and b.order_uuid is not null`
  return sql`
  select s.seq, s.key as uuid, s.body,
    exists (select from bookings b where b.center_id = ${center} and b.order_uuid = s.key)
      or s.key in (${orders} and not b.erased) as is_shared,
    s.key in (${orders} and b.erased and b.is_main) or ${isErased(center, salt, sql`'address/' || s.key`)} as owns_address
  from import_stage s
  where s.kind = ${order} and s.center_id = ${center}
    and (s.key in (${orders} and b.erased) or ${isErased(center, salt, sql`'order/' || s.key`)})
    and not ${isErased(center, salt, sql`'kept/' || s.key`)}`
}

/** The lines of erased customers, each with the orders that the staged bookings connect it to. */
export const erasedNamesSql = (center: string, { customer, booking }: PersonKinds): Sql => sql`
  select distinct b.order_uuid as uuid, c.seq, c.body
  from import_stage b
  join import_stage c on c.kind = ${customer} and c.center_id = ${center} and c.key = b.customer and c.erased
  where b.kind = ${booking} and b.center_id = ${center} and b.erased and b.order_uuid is not null`

/** Marks lines as records of erased people. */
export const markLinesSql = (seqs: readonly number[]): Sql => sql`
  update import_stage set erased = true where seq = any(${seqs}::bigint[])`

/**
 * Replaces the bodies of lines, and forgets the rows of tables that they were made from.
 * @param bodies JSON: `[{seq, body}]`
 */
export const rewriteLinesSql = (bodies: string): Sql => sql`
  update import_stage s set body = l.body, given = null, cleared = true
  from json_to_recordset(${bodies}::json) as l (seq bigint, body text)
  where s.seq = l.seq`

export interface ErasedRow {
  readonly file: number
  readonly line: number
  /** whether all records made from the line belong to erased people */
  readonly is_whole: boolean
  /** whether none does: something of an erased person was removed from a record of other people */
  readonly is_cleared: boolean
}

/** The lines, and rows of tables, with records or data of erased people. */
export const erasedRowsSql: Sql = sql`
  select file, line, bool_and(erased) as is_whole, not bool_or(erased) as is_cleared
  from import_stage
  where (file, line) in (select file, line from import_stage where erased or cleared)
  group by file, line`

/** The number of marked lines of each center. */
export const countErasedSql: Sql = sql`
  select center_id, count(*)::integer as count from import_stage where erased group by center_id`

export const markedLinesSql: Sql = sql`select seq from import_stage where erased`
export const deleteMarkedSql: Sql = sql`delete from import_stage where erased`

/**
 * Deletes the digests of customers and bookings named in the lines, and of what was erased with these customers, so that they can be imported
 * again, and notes when. By the primary key.
 */
export const forgetErasedSql = (center: string, salt: Buffer, { customer, booking }: PersonKinds): Sql => sql`
  with named as materialized (
    select distinct sha256(${salt}::bytea || convert_to(n.id, 'UTF8')) as digest
    from (
      select case kind when ${customer} then key else customer end as id
      from import_stage
      where kind in (${customer}, ${booking}) and center_id = ${center}
      union all
      select 'booking/' || key from import_stage where kind = ${booking} and center_id = ${center}
    ) as n
    where n.id is not null
  ),
  gone as (
    delete from erasures e
    using named n
    where e.center_id = ${center} and (e.digest = n.digest or e.customer = n.digest)
    returning e.center_id, e.digest, e.customer
  )
  insert into erasures_lifted (center_id, digest)
  select center_id, digest from gone where customer is null
  on conflict (center_id, digest) do update set lifted_at = clock_timestamp()`
