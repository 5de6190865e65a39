/**
 * The SQL of the sources of a field: one expression for each source, over the aliases of `guests-sql.ts` (b bookings, c
 * customers, s the main session, o the order). A projection selects only what its fields name, so a list without
 * medical fields never touches medical data.
 */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { TextForm } from '../../database/text-rows.ts'
import type { Language } from '../../locale/languages.ts'
import { localDay } from '../../locale/local-time-sql.ts'
import { termNames } from '../../locale/term-names-sql.ts'
import type { CenterId } from '../../records/centers/center.ts'
import {
  type GuestSource,
  type GuestTable,
  joinedTable,
  type SessionHistory,
  type Stored,
  type TermNames,
} from '../../records/fields/source.ts'
import type { TermKind } from '../../records/fields/value-kinds.ts'
import { type PaidRules, paidState } from '../../records/payments-sql.ts'
import { accommodationOn } from '../../records/rooms-sql.ts'
import { oneRow } from './one-row-sql.ts'

/** What an expression depends on, in addition to the row. */
export interface ColumnInputs {
  readonly center: CenterId
  readonly language: Language
  readonly shownOn: ShownOn
  /** what decides whether a guest has paid */
  readonly paidBy: PaidRules
}

/** What decides which segment of a stay is shown, where it is in several rooms. */
export interface ShownOn {
  readonly zone: string
  /** the first local day of the requested range; undefined: of the stay */
  readonly from: string | undefined
  /** with a session, its first day; undefined: all bookings */
  readonly sessionIds: readonly string[] | undefined
}

/** The aliases under which the tables of a guest are joined. */
const ALIASES: Readonly<Record<GuestTable, string>> = {
  bookings: 'b',
  customers: 'c',
  sessions: 's',
  orders: 'o',
}

/** The expression of a source's value. If there is no value, it is null, and the null of JSON if the value is JSON. */
export function expressionOf(source: GuestSource, inputs: ColumnInputs): Sql {
  switch (source.from) {
    case 'record':
      return source.inSegments
        ? inSegment(source, inputs)
        : raw(formOf(source).type === 'jsonb' ? orJsonNull(storedValue(source)) : storedValue(source))
    case 'terms':
      return source.of.kind.column === 'text' ? nameOf(source, inputs) : namesOf(source, inputs)
    case 'history':
      return HISTORY[source.which]
    case 'custom':
      return sql`coalesce(${raw(ALIASES[joinedTable(source)])}.meta -> ${source.key}, 'null')`
    case 'paid':
      return paidState('b', 'o', inputs.paidBy)
  }
}

// With a cast to text instead, so that no value is an empty text, a page with five such fields took 3 % longer.
const orJsonNull = (value: string): string => `coalesce(${value}, 'null')`

const JSON_FORM: TextForm = { type: 'jsonb', required: true }

/** The form of that expression's value. */
export function formOf(source: GuestSource): TextForm {
  switch (source.from) {
    case 'record': {
      const { path, kind, required } = source
      const type = path.length === 0 ? kind.column : kind.json.type === 'string' ? 'text' : 'jsonb'
      return type === 'jsonb' ? JSON_FORM : { type, required: required && path.length === 0 }
    }
    case 'terms':
      return source.of.kind.column === 'text' ? { type: 'text', required: false } : JSON_FORM
    case 'history':
    case 'custom':
      return JSON_FORM
    case 'paid':
      return { type: 'text', required: false }
  }
}

/** A value that has its own column is read unchanged; a value in JSON by its JSON type. */
function storedValue(stored: Stored): string {
  const { path, kind } = stored
  const last = path.at(-1)
  if (last === undefined) return placeOf(stored)
  if (kind.json.type === 'string') return `${placeOf({ ...stored, path: path.slice(0, -1) })} ->> '${last}'`
  // Read as JSON, so that a value that another system wrote in another type cannot fail a cast and with it the page.
  return kind.json.type === 'array' ? list(placeOf(stored)) : placeOf(stored)
}

/** `b.medical -> 'medicalLetter'` */
const placeOf = ({ table, column, path }: Stored): string =>
  [`${ALIASES[table]}.${column}`, ...path.map((name) => `'${name}'`)].join(' -> ')

/**
 * A text of the accommodation, on the first day that the stay shares with what was requested. With a session, which of the
 * requested ones the booking has decides.
 */
function inSegment({ path }: Stored, { center, shownOn }: ColumnInputs): Sql {
  const { zone, from, sessionIds } = shownOn
  const session =
    sessionIds === undefined
      ? empty
      : sql`, (
          select ${localDay(sql`min(own.start_date)`, zone)} from sessions own
          where own.center_id = ${center} and own.id = any(b.session_ids) and own.id = any(${sessionIds}))`
  const day = sql`greatest(${localDay(sql`b.start_date`, zone)}, ${from}${session})`
  return sql`(${accommodationOn(day)} ->> ${raw(`'${path.at(-1)}'`)})`
}

/** The text of a source: of its record, or of the segment of the day. */
const textOf = (stored: Stored, inputs: ColumnInputs): Sql =>
  stored.inSegments ? inSegment(stored, inputs) : raw(storedValue(stored))

/** An array of texts in JSON; null for anything else, so that what another system wrote cannot fail the page. */
const list = (json: string) => `case when jsonb_typeof(${json}) = 'array' then ${json} end`

/**
 * The guests of a list share their programs and packages, so the first terms of a set are read once for all of them.
 * That saves a fifth of a page with three such fields. Reading more than these would cost as much as looking up the
 * terms of each guest.
 */
const TERMS_READ_ONCE = 50

/** The name that is shown of a term: by `nameOf`, or the identifier of one without a name. */
export const nameOrIdOf = (of: Stored<string | null, TermKind>, inputs: ColumnInputs): Sql =>
  sql`coalesce(${nameOf({ from: 'terms', of }, inputs)}, ${textOf(of, inputs)})`

/** A term's name in the requested language, or its default name; null if no term has this identifier. */
function nameOf({ of }: TermNames, inputs: ColumnInputs): Sql {
  const { center, language } = inputs
  const [set, id, name] = [raw(`'${of.kind.set}'`), textOf(of, inputs), termNames(language)]
  return sql`coalesce(
    (
      select jsonb_object_agg(t.id, coalesce(${name}))
      from (select * from terms where center_id = ${center} and term_set = ${set} limit ${TERMS_READ_ONCE}) t
    ) ->> (${id}),
    (select coalesce(${name}) from terms t where t.center_id = b.center_id and t.term_set = ${set} and t.id = (${id})))`
}

/** The same for a list of identifiers, in its order. An identifier without a term is shown unchanged (ruling 24). */
function namesOf({ of }: TermNames, { language }: ColumnInputs): Sql {
  const ids = placeOf(of)
  return sql`case when jsonb_typeof(${raw(ids)}) = 'array' then (
    select coalesce(jsonb_agg(coalesce(${termNames(language)}, listed.id) order by listed.position), '[]')
    from jsonb_array_elements_text(${raw(list(ids))}) with ordinality as listed (id, position)
    left join terms t on t.center_id = b.center_id and t.term_set = ${raw(`'${of.kind.set}'`)} and t.id = listed.id)
    else 'null' end`
}

/**
 * Identifier and name of each session of the customer that meets a condition, by date: from the customer's bookings to
 * the sessions that they name, each by its key. Through `booking_sessions`, the planner read all sessions of a center
 * for each guest, half a minute a page, if its statistics were from when the tables were nearly empty.
 */
const history = (statuses: string, condition: string): Sql => sql`(
    select coalesce(jsonb_agg(jsonb_build_array(past.id, past.name) order by past.start_date, past.id), '[]')
    from (
      select distinct hs.id, hs.name, hs.start_date
      from bookings hb
      cross join unnest(hb.session_ids) held (session_id)
      cross join lateral ${oneRow(sql`sessions where center_id = hb.center_id and id = held.session_id`)} hs
      where hb.center_id = b.center_id and hb.customer_id = b.customer_id
        and hb.status in (${raw(statuses)}) and ${raw(condition)}
    ) past)`

// The statuses of ruling 25.
const HISTORY: Readonly<Record<SessionHistory['which'], Sql>> = {
  attendedBefore: history(`'arrived', 'paid', 'departed'`, 'hs.end_date < b.start_date'),
  registeredFuture: history(
    `'registered', 'registeredOnline', 'confirmed', 'paid', 'arrived'`,
    'hs.start_date > b.end_date',
  ),
}
