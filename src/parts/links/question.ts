/** The saved query of a link: an operation with its parameters, which may contain relative days. */
import { ADMINISTRATION } from '../../core/access/keys/scopes.ts'
import { recordedQuery } from '../../core/answer/read-event.ts'
import type { Operation } from '../../core/request/operation.ts'
import { pathOf, queryTextOf, quote } from '../../core/request/parameters.ts'
import { relativeDay } from '../../core/request/relative-days.ts'

export interface Question {
  readonly operation: Operation
  /** values of the path's placeholders, decoded; a day may be relative */
  readonly pathParameters: Readonly<Record<string, string>>
  /** a day may be relative */
  readonly query: URLSearchParams
}

/** In the form that an operation parses. */
export interface AskedQuestion {
  readonly query: string
  readonly pathParameters: Readonly<Record<string, string>>
}

/**
 * @param text path and query, with or without `/v1`, optionally with the address of a service @returns undefined if no
 * operation has this path
 */
export function readQuestion(text: string, operations: readonly Operation[]): Question | undefined {
  const [target = ''] = text.split('#')
  const path = pathOf(target)
    .replace(/^\/v1(?=\/)/, '')
    .replace(/(?<=.)\/$/, '')
  const found = operations.flatMap((operation) =>
    operation.paths.flatMap((own) => {
      const pathParameters = matchPath(own, path)
      return pathParameters === undefined ? [] : [{ operation, pathParameters }]
    }),
  )
  // `/orders/control` also matches `/orders/{uuid}`: the operation with fewer placeholders is the right one.
  const size = ({ pathParameters }: Pick<Question, 'pathParameters'>) => Object.keys(pathParameters).length
  const [first] = found.sort((a, b) => size(a) - size(b))
  return first && { ...first, query: new URLSearchParams(queryTextOf(target)) }
}

/** @returns the decoded placeholders if the path has this form */
function matchPath(form: string, path: string): Record<string, string> | undefined {
  const [steps, given] = [form.split('/'), path.split('/')]
  if (steps.length !== given.length) return undefined
  const values: Record<string, string> = {}
  for (const [at, step] of steps.entries()) {
    const text = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(step)?.[1]
    if (name === undefined ? step !== text : text === '') return undefined
    if (name !== undefined) values[name] = decoded(text)
  }
  return values
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The text that is stored. Equal queries have equal texts. */
export function questionText({ operation, pathParameters, query }: Question): string {
  const path = operation.paths[0].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(pathParameters[name] ?? ''),
  )
  return query.size === 0 ? path : `${path}?${query}`
}

/**
 * The stored text without values that name a person: who looks at a list of links learns that a search was saved, not for
 * whom.
 */
export function recordedQuestion(text: string, operations: readonly Operation[]): string {
  const [path = '', query = ''] = text.split('?')
  const table = readQuestion(text, operations)?.operation.parameters
  // Without its operation, it is unknown which values name a person.
  const recorded = table === undefined ? '' : recordedQuery(query, table)
  return recorded === '' ? path : `${path}?${recorded}`
}

/** @param today the center's local day, which relative days are based on */
export function askedOn({ operation, pathParameters, query }: Question, today: string): AskedQuestion {
  const dayOf = (value: string, isDay: boolean) => (isDay ? relativeDay(value, today) : undefined) ?? value
  const moved = new URLSearchParams()
  for (const [name, value] of query) {
    moved.append(name, dayOf(value, isDay(ownOf(operation.parameters, name)?.schema)))
  }
  const inPath = Object.entries(pathParameters).map(([name, value]) => [
    name,
    dayOf(value, isDay(operation.pathParameters?.[name]?.schema)),
  ])
  return { query: moved.toString(), pathParameters: Object.fromEntries(inPath) }
}

const ownOf = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** Whether the values of this JSON Schema are days. */
function isDay(schema: Readonly<Record<string, unknown>> | undefined): boolean {
  if (schema === undefined) return false
  const branches: unknown = schema.anyOf
  return (
    schema.format === 'date' ||
    (Array.isArray(branches) && branches.some((branch: { format?: unknown }) => branch.format === 'date'))
  )
}

/** Whether the parameter of the query or the path is a day. */
export const takesDay = ({ parameters, pathParameters = {} }: Operation, name: string): boolean =>
  isDay((ownOf(parameters, name) ?? ownOf(pathParameters, name))?.schema)

/** Whether the query has fixed days, which do not move with the calendar. */
export function hasFixedDays(question: Question): boolean {
  return [...question.query].some(
    ([name, value]) =>
      isDay(ownOf(question.operation.parameters, name)?.schema) && /^\d{4}-\d\d-\d\d/.test(value),
  )
}

/** Whether the answer is a list in pages, and the query names no page. */
export const hasPages = ({ operation: { parameters }, query }: Question): boolean =>
  'start' in parameters &&
  'length' in parameters &&
  !query.has('start') &&
  (query.get('format') ?? 'json').toLowerCase() === 'json'

/** The parameters that its URL accepts: the number of a page, and the snapshot that all its pages belong to. */
export const pageNames = ({ query }: Question): readonly string[] =>
  query.has('snapshot') ? ['start', 'snapshot'] : ['start']

/** Why no link and no report shows an operation; undefined if they may. */
export function whyNotSaved({ isTyped, scope, paths: [path] }: Operation): string | undefined {
  if (isTyped) return `${path} is for words that a person types`
  return scope === ADMINISTRATION ? `${path} is for the administration` : undefined
}

export const noQuestion = (text: string, operations: readonly Operation[]): string =>
  `${quote(text)} is no path of the interface. The paths are ${operations.map(({ paths }) => paths[0]).join(', ')}.`
