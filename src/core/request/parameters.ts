/**
 * Query parameters: text becomes a typed request once, at the edge. An operation declares its parameters in one table,
 * from which validation, the request's type, the OpenAPI description and the documentation are derived.
 */
import { type ApiError, errors, type FoundProblem, type Problem } from '../errors/api-error.ts'
import { didYouMean } from '../errors/suggest.ts'
import { visible } from '../errors/visible.ts'

/** The result of parsing a value: the value, or a sentence that says what was given and what is allowed. */
export type Reading<T> = { readonly value: T } | { readonly problem: string }

export interface Parameter<T> {
  readonly description: string
  /** JSON Schema of one value as a client sends it. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly default?: T
  /** A list accepts commas, repetition, or both (ruling 9). */
  readonly list: boolean
  /** Its value says who is searched for, so it is stored nowhere (answer/read-event.ts). */
  readonly personal?: true
  /** Whether a relative day may be given, which `relative-days.ts` replaces before the value is read. */
  readonly isDay?: true
  /** @param texts one text, or the entries of a list; never empty */
  read(texts: readonly string[]): Reading<T>
}

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>

/** The typed values of a table. A parameter that was not sent has its default, or is undefined. */
export type ParameterValues<Table extends ParameterTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer T>
    ? Table[Name] extends { readonly default: T }
      ? T
      : T | undefined
    : never
}

/** The parameters of a table that were sent, valid or not: their texts, with lists split into entries. */
export type SentParameters<Table extends ParameterTable = ParameterTable> = ReadonlyMap<
  keyof Table,
  readonly string[]
>

/** The query of a request as sent: names in order, each with all its values. */
export type RawQuery = ReadonlyMap<string, readonly string[]>

/** Libraries for browsers add it to make each URL another one; it means nothing (ruling 9). */
const CACHE_BUSTER = '_'

/** @param url the request target as received, `/v1/guests?start=2` */
export function readRawQuery(url: string): RawQuery {
  const query = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(queryTextOf(url))) {
    if (name === CACHE_BUSTER) continue
    const values = query.get(name)
    if (values === undefined) query.set(name, [value])
    else values.push(value)
  }
  return query
}

/** The path of a request target: without the query and, in absolute form, without scheme and host. */
export function pathOf(url: string): string {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  return path.startsWith('/') ? path : path.replace(/^[a-z]+:\/\/[^/]*/i, '')
}

/** The query of a request target as sent, without its question mark. */
export function queryTextOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

/** Formats a value for a message: quoted, with invisible characters escaped, and truncated if it is long. */
export function quote(text: string): string {
  return `"${visible(JSON.stringify(cut(text)).slice(1, -1))}"`
}

/** The name without the brackets that query builders of PHP and axios write: `sessionIds[]`, `sessionIds[0]` (ruling 9). */
export const withoutBrackets = (name: string): string => name.replace(/\[\d{0,4}\]$/, '')

/**
 * The entries of a list parameter: split at commas, from all repetitions. Spaces around an entry are ignored, and so is
 * an empty entry next to others (ruling 9).
 */
export function listEntries(values: readonly string[]): string[] {
  const entries = values.flatMap((value) => value.split(',')).map((entry) => entry.trim())
  const filled = entries.filter((entry) => entry !== '')
  return filled.length > 0 ? filled : entries
}

/** The complete result of parsing a query: the raw query is not used again. */
export interface ReadQuery<Table extends ParameterTable> {
  readonly values: ParameterValues<Table>
  readonly sent: SentParameters<Table>
  /**
   * Every problem found (rulings 8 and 9). Unknown, empty and repeated parameters are problems too, because a filter
   * that is silently ignored would return more people's data than was requested.
   */
  readonly problems: readonly FoundProblem[]
}

interface ReadingOfTable {
  readonly entries: readonly (readonly [name: string, parameter: Parameter<unknown>])[]
  /** includes all names, so that the values of every request have the same shape */
  readonly defaults: Readonly<Record<string, unknown>>
}

/** Computed once per table instead of for each request. */
const readings = new WeakMap<ParameterTable, ReadingOfTable>()

function readingOf(table: ParameterTable): ReadingOfTable {
  let reading = readings.get(table)
  if (reading === undefined) {
    const entries = Object.entries(table)
    const defaults = Object.fromEntries(entries.map(([name, parameter]) => [name, parameter.default]))
    reading = { entries, defaults }
    readings.set(table, reading)
  }
  return reading
}

/** Parses all parameters of a table. */
export function readParameters<Table extends ParameterTable>(
  table: Table,
  query: RawQuery,
): ReadQuery<Table> {
  const sent = new Map<keyof Table, readonly string[]>()
  const problems: FoundProblem[] = []
  let bracketed: Map<string, readonly string[]> | undefined
  for (const [name, given] of query) {
    if (Object.hasOwn(table, name)) continue
    const list = withoutBrackets(name)
    if (list !== name && Object.hasOwn(table, list) && table[list]?.list === true) {
      bracketed ??= new Map()
      bracketed.set(list, [...(bracketed.get(list) ?? query.get(list) ?? []), ...given])
    } else {
      problems.push({ parameter: visible(cut(name)), message: () => unknownName(name, table) })
    }
  }
  const { entries, defaults } = readingOf(table)
  const values: Record<string, unknown> = { ...defaults }
  for (const [name, parameter] of entries) {
    const given = bracketed?.get(name) ?? query.get(name)
    if (given === undefined) continue
    const texts = parameter.list ? listEntries(given) : given
    sent.set(name, texts)
    const reading = readOne(name, parameter, texts)
    if ('problem' in reading) problems.push({ parameter: name, message: reading.problem })
    else values[name] = reading.value
  }
  // Each name was filled by its own parameter's `read`, so the type is that of the table.
  return { values: values as ParameterValues<Table>, sent, problems }
}

/** A 400 with all problems; undefined if there are none. */
export function refusalOf(problems: readonly FoundProblem[]): ApiError | undefined {
  return problems.length === 0 ? undefined : errors.invalidParameters(problems)
}

/** The dates that were not sent. */
export const datesNotSent = (sent: SentParameters): ('startDate' | 'endDate')[] =>
  (['startDate', 'endDate'] as const).filter((name) => !sent.has(name))

/** Whatever is missing of a range is one problem (ruling 8). */
export function missingDates(sent: SentParameters): Problem[] {
  const missing = datesNotSent(sent)
  const [parameter] = missing
  if (parameter === undefined) return []
  const message =
    missing.length === 1
      ? `${parameter} is required. Give it as YYYY-MM-DD.`
      : 'startDate and endDate are required. Give both as YYYY-MM-DD.'
  return [{ parameter, message }]
}

function readOne(name: string, parameter: Parameter<unknown>, texts: readonly string[]): Reading<unknown> {
  if (!parameter.list && texts.length > 1) {
    return { problem: `${name} was given ${texts.length} times; it takes one value.` }
  }

  if (texts.some((text) => text === '')) {
    return { problem: `${name} is empty. Give it a value or leave it out.` }
  }
  const reading = parameter.read(texts)
  if ('problem' in reading && !parameter.list && texts[0]?.includes(',')) {
    return { problem: `${name} takes one value, without commas: ${reading.problem}` }
  }
  return reading
}

function unknownName(name: string, table: ParameterTable): string {
  const known = Object.keys(table)
  const allowed = known.length === 0 ? 'which takes no parameters' : `which takes ${known.join(', ')}`
  return `${quote(name)} is not a parameter of this endpoint${didYouMean(name, known) || `, ${allowed}.`}`
}

const cut = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
