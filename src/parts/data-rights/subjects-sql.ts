/** Statements that read and erase the data of one person. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Language } from '../../core/locale/languages.ts'
import { termNames } from '../../core/locale/term-names-sql.ts'
import type { CenterId } from '../../core/records/centers/center.ts'

/** The centers that have a customer with this identifier. */
export const centersOfCustomer = (id: string): Sql => sql`
  select center_id from customers where id = ${id} order by center_id`

/** The customers of the bookings with this identifier or booking number. */
export const customersOfBooking = (booking: string): Sql => sql`
  select distinct center_id, customer_id from bookings
  where id = ${booking} or booking_id = ${booking}
  order by center_id, customer_id`

/**
 * When a customer, or a booking of theirs, was erased, in each center; no row if one of these centers still has it. A
 * digest is the hash of the center's salt and the identifier (intake/erased-sql.ts).
 */
export const selectErasedEarlier = (kind: 'customer' | 'booking', id: string, center: string | null): Sql => {
  const text = kind === 'customer' ? id : `booking/${id}`
  const there =
    kind === 'customer'
      ? sql`select from customers t where t.id = ${id}`
      : sql`select from bookings t where (t.id = ${id} or t.booking_id = ${id})`
  const isMeant = (column: Sql) => sql`(${center}::text is null or ${column} = ${center})`
  return sql`
  select e.center_id, e.erased_at from erasures e
  where e.digest = sha256(e.salt || convert_to(${text}, 'UTF8')) and ${isMeant(sql`e.center_id`)}
    and not exists (${there} and ${isMeant(sql`t.center_id`)})
  order by e.center_id`
}

/** The bookings of a customer, with their orders, oldest first. By bookings_by_customer. */
export const selectStays = (center: CenterId, customer: string): Sql => sql`
  select id, order_uuid, session_ids, coalesce(is_order_main_guest, false) as is_main,
    end_date, medical is not null or form is not null as is_medical
  from bookings where center_id = ${center} and customer_id = ${customer}
  order by start_date, id`

/** Other customers' bookings in these orders, with both of their identifiers. By bookings_by_order. */
export const selectOthers = (center: CenterId, uuids: readonly string[], customer: string): Sql => sql`
  select id, booking_id from bookings
  where center_id = ${center} and order_uuid = any(${uuids}) and customer_id <> ${customer}`

/** The orders, locked, each with whether other customers' bookings belong to it. */
export const selectOrders = (center: CenterId, uuids: readonly string[], customer: string): Sql => sql`
  select o.uuid, o.number, o.order_date, o.billing_address is not null as has_address, o.notes, o.items,
    exists (
      select 1 from bookings b
      where b.center_id = o.center_id and b.order_uuid = o.uuid and b.customer_id <> ${customer}
    ) as is_shared
  from orders o
  where o.center_id = ${center} and o.uuid = any(${uuids})
  order by o.order_date, o.uuid
  for update of o`

/** Kitchen sheets that contain one of these guests. */
export const selectSheets = (center: CenterId, needles: readonly string[]): Sql => sql`
  select to_char(s.day, 'YYYY-MM-DD') as day, s.number, s.taken_at, s.content
  from meal_sheets s
  where s.center_id = ${center} and exists (select from unnest(${needles}::text[]) n where strpos(s.content, n) > 0)
  order by s.day, s.number`

/** Recorded changes of these guests and orders, newest first. */
export const selectNotes = (
  center: CenterId,
  bookings: readonly string[],
  orders: readonly string[],
): Sql => sql`
  select c.kind, c.id, c.operation, c.columns, k.committed_at
  from changes c
  join change_commits k on k.center_id = c.center_id and k.transaction_id = c.transaction_id
  where c.center_id = ${center}
    and ((c.kind = 'guest' and c.id = any(${bookings})) or (c.kind = 'order' and c.id = any(${orders})))
  order by k.committed_at desc, c.kind, c.id`

/** Contradictions that are about one of these records, in the form of `contradiction_records`, oldest first. */
export const selectContradictionsAbout = (center: CenterId, records: readonly string[]): Sql => sql`
  select k.kind, k.since, k.changed_at, k.evidence, k.dismissed_at, k.dismissed_by, k.dismissed_reason
  from contradictions k
  where k.center_id = ${center} and k.id in (
    select r.contradiction_id from contradiction_records r
    where r.center_id = ${center} and r.record = any(${[...records]}::text[])
  )
  order by k.since, k.id`

/** The customer's names and contact data, locked. */
export const lockCustomer = (center: CenterId, id: string): Sql => sql`
  select first_name, last_name, email, phone, secondary_phone, pin, internal_id
  from customers where center_id = ${center} and id = ${id} for update`

/** Deletes a customer's bookings. */
export const deleteStays = (center: CenterId, customer: string): Sql => sql`
  delete from bookings where center_id = ${center} and customer_id = ${customer}`

/** Deletes a customer. */
export const deleteCustomer = (center: CenterId, id: string): Sql => sql`
  delete from customers where center_id = ${center} and id = ${id}`

/** Deletes the versions of the person's records. The digest of the erasure prevents late imports. */
export const deleteVersions = (center: CenterId, customer: string, bookings: readonly string[]): Sql => sql`
  delete from record_versions
  where center_id = ${center}
    and ((kind = 'customer' and key = ${customer}) or (kind = 'booking' and key = any(${bookings})))`

/** Removes personal data from an order. @param items JSON */
export const clearOrder = (
  center: CenterId,
  uuid: string,
  { items, keepsAddress }: { items: string; keepsAddress: boolean },
): Sql => sql`
  update orders
  set billing_address = case when ${keepsAddress} then billing_address end, notes = null, items = ${items}::jsonb
  where center_id = ${center} and uuid = ${uuid}`

/** Replaces the content of a kitchen sheet. */
export const rewriteSheet = (center: CenterId, day: string, number: number, content: string): Sql => sql`
  update meal_sheets set content = ${content}
  where center_id = ${center} and day = ${day} and number = ${number}`

/**
 * Where people may be mentioned: each table of a center that stores text from outside, and the expression to search.
 */
export const MENTIONED_IN: Readonly<Record<string, string>> = {
  centers: 't::text',
  terms: 't::text',
  meta_fields: 't::text',
  mappings: 't::text',
  imports: "concat_ws(' ', t.source, t.by_user, t.causes::text)",
  sources: 't.name',
  source_problems: 't::text',
  notice_mails: 't::text',
  webhook_events: 't.body',
  sessions: 't::text',
  orders: 't::text',
  customers: 't::text',
  bookings: 't::text',
  meal_sheets: 't.content',
  api_keys: "concat_ws(' ', t.name, t.responsible)",
  links: "t.name || ' ' || t.question",
  webhooks: "t.name || ' ' || t.url",
  // The query of a report may contain a name, as that of a link may. A problem may quote it, or an address.
  reports: "concat_ws(' ', t.name, t.question, t.destinations::text)",
  report_runs: "coalesce(t.problem, '')",
  report_deliveries: "concat_ws(' ', t.destination, t.problem)",
  intake_answers: 't.answer',
  action_answers: 't.answer',
  usage_errors: "t.message || ' ' || t.details::text",
  audit_entries: "t.key_name || ' ' || t.query",
  // Some systems make identifiers from names.
  audit_record_lists: 't.ids',
  changes: 't.id',
  contradictions: 't::text',
  contradiction_records: 't.record',
}

/**
 * Settings and notes of the service, which nobody else's system sends again: the name is removed from these texts. Names of
 * keys and destinations of reports may be those of staff, and records and the trail belong to others: they are only counted.
 */
export const REMOVED_FROM: Readonly<Record<string, readonly string[]>> = {
  mappings: ['body'],
  centers: ['meal_rules'],
  links: ['name', 'question'],
  webhooks: ['name'],
  reports: ['name', 'question'],
  report_runs: ['problem', 'missing'],
  report_deliveries: ['problem'],
  intake_answers: ['answer'],
  action_answers: ['answer'],
  usage_errors: ['message', 'details'],
  notice_mails: ['subject', 'body'],
  webhook_events: ['body'],
}

const hasOne = (text: string, terms: readonly string[]): Sql => sql`
    exists (select from unnest(${terms}::text[]) n where strpos(lower(${raw(text)}), n) > 0)`

/** The place of each row, and one of its texts, which mentions one of the terms; locked. @param terms lower case */
export const selectMentioning = (
  center: CenterId,
  table: string,
  column: string,
  terms: readonly string[],
): Sql => sql`
  select t.ctid::text as place, t.${raw(column)}::text as text
  from ${raw(table)} t
  where t.center_id = ${center} and ${hasOne(`t.${column}::text`, terms)}
  for update`

/** Replaces a text of a row that is locked. */
export const rewriteText = (
  center: CenterId,
  { table, column, place }: { readonly table: string; readonly column: string; readonly place: string },
  text: string,
): Sql => sql`
  update ${raw(table)} t set ${raw(column)} = ${text}::text${raw(JSON_COLUMNS.has(column) ? '::jsonb' : '')}
  where t.center_id = ${center} and t.ctid = ${place}::tid`

const JSON_COLUMNS: ReadonlySet<string> = new Set(['meal_rules', 'details'])

/** The number of rows in a table that mention one of the terms. @param terms lower case */
export const countMentions = (center: CenterId, table: string, terms: readonly string[]): Sql => sql`
  select count(*)::integer as rows from ${raw(table)} t
  where t.center_id = ${center}
    and ${hasOne(MENTIONED_IN[table] ?? 't::text', terms)}`

/** New statistics, because the old ones may quote values of the erased person. */
export const analyzeSql: readonly Sql[] = [
  'customers',
  'bookings',
  'booking_sessions',
  'orders',
  'contradictions',
  'contradiction_records',
  ...Object.keys(REMOVED_FROM),
].map((table) => sql`analyze ${raw(table)}`)

/** The full name of a customer; no row if there is none. Uses the primary key. */
export const selectFullName = (center: CenterId, id: string): Sql => sql`
  select concat_ws(' ', first_name, last_name) as name
  from customers
  where center_id = ${center} and id = ${id}`

/** The terms of a center with their names in a language. Uses the primary key. */
export const selectTermNames = (center: CenterId, language: Language): Sql => sql`
  select t.term_set, t.id, coalesce(${termNames(language)}) as name
  from terms t
  where t.center_id = ${center}`
