/**
 * The SQL of what a field is made of: one expression for each source, over the aliases of `guests-sql.ts` (b
 * bookings, c customers, s the main session, o the order). A projection selects only what its fields name, so a
 * list without medical fields never touches medical data.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import type { TextForm } from '../database/text-rows.ts'
import {
  type GuestTable,
  joinedTable,
  type SessionHistory,
  type Source,
  type Stored,
  type TermNames,
} from '../fields/source.ts'
import type { Language } from '../locale/languages.ts'
import { termNames } from '../locale/term-names-sql.ts'
import { oneRow } from './one-row-sql.ts'

/** What an expression may depend on besides the row. */
export interface ColumnInputs {
  readonly center: CenterId
  readonly language: Language
}

/** The aliases under which the rows of a guest are joined. */
const ALIASES: Readonly<Record<GuestTable, string>> = {
  bookings: 'b',
  customers: 'c',
  sessions: 's',
  orders: 'o',
}

/** The expression of a source's value; null where there is none, and json's own null where the value is json. */
export function expressionOf(source: Source, inputs: ColumnInputs): Sql {
  switch (source.from) {
    case 'record':
      return raw(formOf(source).type === 'jsonb' ? orJsonNull(keptValue(source)) : keptValue(source))
    case 'terms':
      return source.of.kind.column === 'text' ? nameOf(source, inputs) : namesOf(source, inputs)
    case 'history':
      return HISTORY[source.which]
    case 'custom':
      return sql`coalesce(${raw(ALIASES[joinedTable(source)])}.meta -> ${source.key}, 'null')`
  }
}

// With a cast to text in place of this, so that no value is an empty text, a page of five such fields took 3 % longer.
const orJsonNull = (value: string): string => `coalesce(${value}, 'null')`

const JSON_FORM: TextForm = { type: 'jsonb', required: true }

/** What comes of that expression. */
export function formOf(source: Source): TextForm {
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
  }
}

/** A value in a column of its own as it is; one in json by its JSON type. */
function keptValue(stored: Stored): string {
  const { path, kind } = stored
  const last = path.at(-1)
  if (last === undefined) return placeOf(stored)
  if (kind.json.type === 'string') return `${placeOf({ ...stored, path: path.slice(0, -1) })} ->> '${last}'`
  // As json, so that a value another system wrote in another type cannot fail a cast and with it the page.
  return kind.json.type === 'array' ? list(placeOf(stored)) : placeOf(stored)
}

/** `b.medical -> 'medicalLetter'` */
const placeOf = ({ table, column, path }: Stored): string =>
  [`${ALIASES[table]}.${column}`, ...path.map((name) => `'${name}'`)].join(' -> ')

/** An array of texts in json; null for anything else, so that what another system wrote cannot fail the page. */
const list = (json: string) => `case when jsonb_typeof(${json}) = 'array' then ${json} end`

/**
 * Guests of a list share their programs and packages, so the first terms of a set are read once for all of them. That is
 * a fifth of a page with three such fields. More than these would cost as much as looking up the terms of each guest.
 */
const TERMS_READ_ONCE = 50

/** A term's name in the language asked for, or its plain name; null where no term has this identifier. */
function nameOf({ of }: TermNames, { center, language }: ColumnInputs): Sql {
  const [set, id, name] = [raw(`'${of.kind.set}'`), raw(keptValue(of)), termNames(language)]
  return sql`coalesce(
    (
      select jsonb_object_agg(t.id, coalesce(${name}))
      from (select * from terms where center_id = ${center} and term_set = ${set} limit ${TERMS_READ_ONCE}) t
    ) ->> (${id}),
    (select coalesce(${name}) from terms t where t.center_id = b.center_id and t.term_set = ${set} and t.id = (${id})))`
}

/** The same for a list of identifiers, in its order, each shown as it is where no term has it (ruling 24). */
function namesOf({ of }: TermNames, { language }: ColumnInputs): Sql {
  const ids = placeOf(of)
  return sql`case when jsonb_typeof(${raw(ids)}) = 'array' then (
    select coalesce(jsonb_agg(coalesce(${termNames(language)}, listed.id) order by listed.position), '[]')
    from jsonb_array_elements_text(${raw(list(ids))}) with ordinality as listed (id, position)
    left join terms t on t.center_id = b.center_id and t.term_set = ${raw(`'${of.kind.set}'`)} and t.id = listed.id)
    else 'null' end`
}

/**
 * Identifier and name of each session of the customer that meets a condition, in date order: from the bookings of the
 * customer, whose sessions they name, to each session by its key. Through `booking_sessions`, the planner read all of a
 * center's for each guest, half a minute a page, where it knew the tables as they were when they were nearly empty.
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

// Ruling 25, as it names the statuses.
const HISTORY: Readonly<Record<SessionHistory['which'], Sql>> = {
  attendedBefore: history(`'arrived', 'paid', 'departed'`, 'hs.end_date < b.start_date'),
  registeredFuture: history(
    `'registered', 'registeredOnline', 'confirmed', 'paid', 'arrived'`,
    'hs.start_date > b.end_date',
  ),
}
