/** The saved question of a link: a path with its query, as an operation, its parameters and its days. */
import type { Operation } from '../request/operation.ts'
import { pathOf, queryTextOf, quote } from '../request/parameters.ts'
import { movingDay } from './days.ts'

export interface Question {
  readonly operation: Operation
  /** values of the path's placeholders, decoded; a day may be a word */
  readonly pathParameters: Readonly<Record<string, string>>
  /** a day may be a word */
  readonly query: URLSearchParams
}

/** As an operation takes it. */
export interface AskedQuestion {
  readonly query: string
  readonly pathParameters: Readonly<Record<string, string>>
}

/**
 * @param text path and query, with or without `/v1`, also behind the address of a service
 * @returns undefined where no operation has such a path
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
  // `/orders/control` is also an `/orders/{uuid}`: the one with fewer placeholders is meant.
  const size = ({ pathParameters }: Pick<Question, 'pathParameters'>) => Object.keys(pathParameters).length
  const [first] = found.sort((a, b) => size(a) - size(b))
  return first && { ...first, query: new URLSearchParams(queryTextOf(target)) }
}

/** @returns the decoded placeholders, where the path has the form */
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

/** The text that is stored: the same question, however it was put. */
export function questionText({ operation, pathParameters, query }: Question): string {
  const path = operation.paths[0].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(pathParameters[name] ?? ''),
  )
  return query.size === 0 ? path : `${path}?${query}`
}

/** @param today the center's local day, which words such as `week-start` go by */
export function askedOn({ operation, pathParameters, query }: Question, today: string): AskedQuestion {
  const dayOf = (value: string, isDay: boolean) => (isDay ? movingDay(value, today) : undefined) ?? value
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

/** Whether values of this JSON Schema are days. */
function isDay(schema: Readonly<Record<string, unknown>> | undefined): boolean {
  if (schema === undefined) return false
  const branches: unknown = schema.anyOf
  return (
    schema.format === 'date' ||
    (Array.isArray(branches) && branches.some((branch: { format?: unknown }) => branch.format === 'date'))
  )
}

/** Whether the question has days that stay as they are although the calendar moves on. */
export function hasFixedDays(question: Question): boolean {
  return [...question.query].some(
    ([name, value]) =>
      isDay(ownOf(question.operation.parameters, name)?.schema) && /^\d{4}-\d\d-\d\d/.test(value),
  )
}

/** Whether the answer is a list in pages, of which the question does not name one. */
export const hasPages = ({ operation: { parameters }, query }: Question): boolean =>
  'start' in parameters &&
  'length' in parameters &&
  !query.has('start') &&
  (query.get('format') ?? 'json').toLowerCase() === 'json'

/** What its address takes beside: the number of a page, and the place that all its pages are of. */
export const pageNames = ({ query }: Question): readonly string[] =>
  query.has('snapshot') ? ['start', 'snapshot'] : ['start']

export const noQuestion = (text: string, operations: readonly Operation[]): string =>
  `${quote(text)} is no path of the interface. The paths are ${operations.map(({ paths }) => paths[0]).join(', ')}.`
