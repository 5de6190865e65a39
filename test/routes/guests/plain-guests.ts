/**
 * The answer of `GET /guests` the plain way: tables are read whole, and records put together as objects. Of the service
 * it uses only the registry of fields, which says what each value looks like.
 */
import sql, { raw } from 'sql-template-tag'
import { readProjection } from '../../../src/core/api/guests/projection.ts'
import type { Database } from '../../../src/core/database/database.ts'
import type { Language } from '../../../src/core/locale/languages.ts'
import { localDateOf } from '../../../src/core/locale/zones.ts'
import { centerId, readCenter } from '../../../src/core/records/centers/center.ts'
import { groupOf, listOf } from '../../../src/core/records/centers/order-rules.ts'
import type { GuestField, ShowContext } from '../../../src/core/records/fields/field.ts'
import type { GuestSource, SessionHistory, Stored } from '../../../src/core/records/fields/source.ts'
import { byStart, type CountedStay, isListed } from '../../support/guests-oracle.ts'

type Row = Readonly<Record<string, unknown>>

const TABLES = ['bookings', 'customers', 'sessions', 'orders', 'terms'] as const
type Tables = Readonly<Record<(typeof TABLES)[number], readonly Row[]>>

const INACTIVE = ['cancelled', 'waitingList', 'review', 'voided', 'offer']

/** What a list may be asked for. Moments are epoch milliseconds. */
export interface ListInput {
  readonly between?: readonly [from: number, to: number]
  readonly sessionId?: string
  readonly sessionIds?: readonly string[]
  readonly sessionIdsExclude?: readonly string[]
  readonly role?: readonly string[]
  readonly status?: readonly string[]
  /** whether the kitchen counts them (ruling 50), in a center that has not said otherwise */
  readonly active?: boolean
  readonly bookingId?: string
  readonly internalId?: string
  readonly sort?: readonly {
    readonly by: 'start_date' | 'end_date' | 'booked_at'
    readonly descending: boolean
  }[]
  readonly start: number
  readonly length: number
  readonly project?: readonly string[]
}

/** @returns for a input, the text that the list must answer with; without a page that of all guests */
export async function plainGuests(database: Database, id: string, now: number) {
  const center = await readCenter(database, centerId(id))
  if (center === undefined) throw new Error(`there is no center ${id}`)
  const entries = TABLES.map(async (table) => {
    const rows = await database.query(sql`select * from ${raw(table)} where center_id = ${id}`)
    return [table, rows] as const
  })
  const tables = Object.fromEntries(await Promise.all(entries)) as unknown as Tables
  return (input: ListInput, language: Language): { page: string; all: readonly unknown[] } => {
    const { projection } = readProjection(input.project, center)
    const context = { center, language, today: localDateOf(center.timezone, now) }
    const found = tables.bookings.filter((one) => isWanted(one, tables, input)).sort(inOrder(input))
    const all = found.map((one) => record(one, tables, projection, context))
    const from = (input.start - 1) * input.length
    const data = all.slice(from, from + input.length)
    return { page: JSON.stringify({ data, total: all.length }), all }
  }
}

const numberOf = (row: Row, column: string) => row[column] as number
const sessionsOf = (row: Row) => row.session_ids as readonly (string | null)[]

/** A row as the model counts it. */
const stayOf = (row: Row): CountedStay => ({
  ...{ id: String(row.id), role: String(row.role), status: String(row.status) },
  ...{ start: numberOf(row, 'start_date'), end: numberOf(row, 'end_date'), sessionIds: sessionsOf(row) },
})

function isWanted(one: Row, { customers }: Tables, input: ListInput): boolean {
  const { between: [from, to] = [], sessionId, sessionIds, sessionIdsExclude } = input
  const { role: roles, status: statuses, active, bookingId, internalId } = input
  const sessions = [sessionId === undefined ? undefined : [sessionId], sessionIds]
  const filters = { from, to, sessions, sessionsExcluded: sessionIdsExclude, roles, statuses }
  return (
    isListed(stayOf(one), filters) &&
    (active === undefined || active !== INACTIVE.includes(String(one.status))) &&
    (bookingId === undefined || one.booking_id === bookingId) &&
    (internalId === undefined ||
      customers.some(({ id, internal_id }) => id === one.customer_id && internal_id === internalId))
  )
}

/** What is missing comes last in both directions, and ties are in the order of the start, then of the identifier. */
function inOrder({ sort = [] }: ListInput) {
  return (a: Row, b: Row): number => {
    for (const { by, descending } of sort) {
      const [left, right] = [a[by] as number | null, b[by] as number | null]
      if (left === right) continue
      if (left === null) return 1
      if (right === null) return -1
      return descending ? right - left : left - right
    }
    return byStart(stayOf(a), stayOf(b))
  }
}

function record(
  one: Row,
  tables: Tables,
  { fields, named }: ReturnType<typeof readProjection>['projection'],
  context: ShowContext,
): unknown {
  const [main = null] = sessionsOf(one)
  const made: Record<string, unknown> = {}
  const ids: Record<string, unknown> = {}
  for (const field of fields) put(made, field.path, shownBy(field, field.show))
  ids.role = one.role
  ids.status = one.status
  ids.sessionId = main
  if (sessionsOf(one).length > 1) ids.sessionIds = sessionsOf(one)
  for (const field of fields) {
    if (!named || field.raw === undefined || field.name === 'status' || field.name === 'role') continue
    put(ids, field.path, shownBy(field, field.raw.value))
  }
  return { ...made, ids }

  function shownBy({ sources }: GuestField, show: GuestField['show']): unknown {
    return show(context, ...sources.map((source) => read(source))) ?? null
  }

  function read(source: GuestSource): unknown {
    if (source.from === 'history') return history(one, tables, source.which)
    if (source.from === 'terms') return termNames(read(source.of), source.of.kind.set)
    if (source.from === 'custom') {
      const owner = rowOf(source.owner === 'customer' ? 'customers' : 'bookings')
      return under(owner?.meta, source.key)
    }
    if (source.from === 'paid') return paid(one, tables, context.center)
    return stored(rowOf(source.table), source)
  }

  function rowOf(table: Stored['table']): Row | undefined {
    if (table === 'bookings') return one
    const [key, value] = {
      customers: ['id', one.customer_id],
      sessions: ['id', main],
      orders: ['uuid', one.order_uuid],
    }[table] as [string, unknown]
    return value === null ? undefined : tables[table].find((row) => row[key] === value)
  }

  function termNames(ids: unknown, set: string): unknown {
    const nameOf = (id: unknown) => {
      const term = tables.terms.find((row) => row.term_set === set && row.id === id)
      if (term === undefined) return null
      const names = term.names as Readonly<Record<string, string>>
      const [base = ''] = context.language.split('-')
      return names[context.language] ?? names[base] ?? term.name
    }
    if (!Array.isArray(ids)) return nameOf(ids)
    return ids.map((id) => nameOf(asText(id)) ?? asText(id))
  }
}

function put(into: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[first] = value
  else {
    into[first] ??= {}
    put(into[first] as Record<string, unknown>, rest, value)
  }
}

/** Doubles are exact enough: what is compared differs by more than their sums do, or is one of them. */
const amountAt = (json: unknown, ...names: readonly string[]): number | null => {
  const value = names.reduce(under, json)
  return typeof value === 'number' ? value : null
}

function paid(
  one: Row,
  { bookings, orders }: Tables,
  { orderRules, currency }: ShowContext['center'],
): unknown {
  const order = orders.find(({ uuid }) => uuid === one.order_uuid)
  const payers = order === undefined ? [one] : bookings.filter(({ order_uuid }) => order_uuid === order.uuid)
  const payments = payers.flatMap(({ financial }) =>
    ['deposit', 'fullPayment'].map((part) => amountAt(financial, part, 'amount') ?? 0),
  )
  const sum = payments.reduce((all, amount) => all + amount, 0)
  const says = order === undefined ? one.status : order.payment_status
  const state = (total: number) => (total <= sum ? 'paid' : sum > 0 ? 'partlyPaid' : 'open')
  if (order === undefined) {
    const total = amountAt(one.financial, 'total')
    return says === 'paid' ? 'paid' : total === null ? null : state(total)
  }
  const group = groupOf(orderRules, String(order.status), says === null ? null : String(says))
  if (group === 'void') return null
  if (group === 'notDecided') return 'notDecided'
  if (listOf(orderRules.paymentStatuses, String(says)) === 'valid') return 'paid'
  const isOther = (order.currency ?? currency) !== currency && payments.some((amount) => amount !== 0)
  return isOther ? 'notDecided' : state(Number(order.total_amount))
}

/** A value below a name in JSON; null if there is none. */
function under(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null
  return Object.hasOwn(json, name) ? (json as Row)[name] : null
}

function stored(row: Row | undefined, { column, path, kind }: Stored): unknown {
  let value: unknown = row?.[column] ?? null
  for (const name of path) value = under(value, name)
  if (path.length === 0) return value
  if (kind.json.type === 'string') return asText(value)
  return kind.json.type === 'array' && !Array.isArray(value) ? null : value
}

/** A value of JSON as PostgreSQL writes it as text. */
const asText = (json: unknown): string | null =>
  json === null || typeof json === 'string' ? json : written(json)

function written(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(written).join(', ')}]`
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  return `{${Object.entries(json)
    .map(([name, value]) => `${JSON.stringify(name)}: ${written(value)}`)
    .join(', ')}}`
}

const COUNTED: Readonly<Record<SessionHistory['which'], readonly string[]>> = {
  attendedBefore: ['arrived', 'paid', 'departed'],
  registeredFuture: ['registered', 'registeredOnline', 'confirmed', 'paid', 'arrived'],
}

function history(one: Row, { bookings, sessions }: Tables, which: SessionHistory['which']): unknown {
  const held = new Set(
    bookings
      .filter(
        (other) => other.customer_id === one.customer_id && COUNTED[which].includes(String(other.status)),
      )
      .flatMap(sessionsOf),
  )
  return sessions
    .filter(
      (session) =>
        held.has(String(session.id)) &&
        (which === 'attendedBefore'
          ? numberOf(session, 'end_date') < numberOf(one, 'start_date')
          : numberOf(session, 'start_date') > numberOf(one, 'end_date')),
    )
    .sort(
      (a, b) =>
        numberOf(a, 'start_date') - numberOf(b, 'start_date') || (String(a.id) < String(b.id) ? -1 : 1),
    )
    .map(({ id, name }) => [id, name])
}
