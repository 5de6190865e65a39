/**
 * Requests derived from the operations' own tables, for tests that cover every endpoint. A new route is covered as soon
 * as it is added.
 */

import { SCOPES, type Scope } from '../../src/core/access/keys/scopes.ts'
import type { Operation } from '../../src/core/request/operation.ts'
import { IDENTIFIER } from '../../src/core/request/parameter-kinds.ts'
import type { Parameter } from '../../src/core/request/parameters.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { SPA_MARK, UUID } from './twin-centers.ts'

/** Values for the placeholders of paths. A new placeholder needs a value here. */
const PATH_VALUES: Readonly<Record<string, string>> = { uuid: UUID, day: '2025-01-11' }

/** The values of the placeholders in an operation's path. */
export const pathValues = ({ pathParameters = {} }: Operation): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(pathParameters).map((name) => [name, PATH_VALUES[name] ?? '']))

/** Example values of parameters. A new parameter needs a value here. */
const EXAMPLES: Readonly<Record<string, string>> = {
  startDate: '2025-01-01',
  endDate: '2025-01-31',
  sessionId: 's-1',
  sessionIds: 's-1,s-2',
  sessionIdsExclude: 's-9,s-7',
  role: 'patient',
  status: 'confirmed,arrived',
  group: 'valid,open',
  date: '2025-01-11',
  arriving: '2025-01-10',
  departing: '2025-01-15',
  inHouse: '2025-01-12',
  active: 'true',
  sort: '-endDate',
  start: '1',
  length: '5',
  project: 'firstName,lastName',
  formatDates: 'true',
  includeDetails: 'true',
  includeGuestNames: 'true',
  includeOrders: 'true',
  includeGuests: 'true',
  includeReasons: 'true',
  includePayments: 'false',
  includeGuestCounts: 'false',
  includeLabels: 'true',
  includeChecks: 'true',
  format: 'json',
  kinds: 'guests',
  kind: 'overlappingStays',
  severity: 'high',
  dismissed: 'false',
  ended: 'true',
  key: 'sjn_app_0000000000000000',
  guest: 'b-1',
  guestId: 'b-1',
  personOf: 'b-1',
  room: 'room-1',
}

/** Values of search parameters, which match nothing in other centers. Some need an additional scope. */
const LOOKED_FOR: Readonly<Record<string, string>> = {
  bookingId: `${SPA_MARK} b-1`,
  q: `b-1 ${SPA_MARK.toLowerCase()}fi`,
  name: `${SPA_MARK}first ${SPA_MARK}last`.toLowerCase(),
  dob: '1980-01-12',
  pin: `${SPA_MARK}-pin`,
  email: `B-1@${SPA_MARK.toLowerCase()}.example`,
  phone: '0721 001 001',
  internalId: `${SPA_MARK}-internal`,
  orderNumber: `${SPA_MARK} number`,
  paymentStatus: `${SPA_MARK} paid,${SPA_MARK} open`,
  paid: 'open,partlyPaid',
}

/** Only valid with other formats than JSON. */
const OF_FILES = ['values', 'rows', 'delimiter', 'decimal', 'bom']

/**
 * Parameters with tests of their own: a cursor belongs to one center, waiting needs one, and a snapshot begins with
 * one.
 */
const NOT_OF_EVERY_CENTER = [
  'after',
  'wait',
  'changedAfter',
  'snapshot',
  'sheet',
  // Either this or `guest`.
  'customer',
  ...OF_FILES,
  ...Object.keys(LOOKED_FOR),
]

export type Query = Readonly<Record<string, string>>

/** The table of a `describe.each` over all operations. */
export const EVERY_OPERATION = OPERATIONS.map((operation) => [operation.name, operation] as const)

/** Operations that answer JSON, which are also tools of an assistant. */
export const TOOL_OPERATIONS = OPERATIONS.filter(
  // No assistant may use a key of the administration.
  ({ type, scope }) => type === undefined && scope !== 'administration',
)

/** Operations that need a particular scope. */
export const SCOPED_OPERATIONS = OPERATIONS.flatMap((operation) => {
  const { scope } = operation
  return scope === 'any' ? [] : [[operation.name, { ...operation, scope }] as const]
})

/** Operations whose answer is the same for every key that may call them. */
export const SHARED_OPERATIONS = EVERY_OPERATION.filter(
  ([, { dependsOn }]) => !dependsOn.includes('key') && !dependsOn.includes('customFields'),
)

/** Whether a key with these scopes may call the operation. */
export const mayAsk = ({ scope, oneOf = SCOPES }: Operation, scopes: readonly Scope[]): boolean =>
  scopes.some((one) => (scope === 'any' ? oneOf.includes(one) : one === scope))

/** The minimal scopes for an operation. */
export const scopesFor = ({ scope, oneOf = ['sessions'] }: Operation): readonly Scope[] =>
  scope !== 'any' ? [scope] : oneOf.includes('sessions') ? ['sessions'] : oneOf.slice(0, 1)

/** The example value of a parameter. */
export function exampleOf(parameter: string): string {
  const example = EXAMPLES[parameter] ?? LOOKED_FOR[parameter]
  if (example === undefined) throw new Error(`name an example of the parameter ${parameter} in EXAMPLES`)
  return example
}

/** Operations that need one of several parameters. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = { matchGuests: ['name'], search: ['q'] }

/** A query that the operation answers with 200; it contains the dates if there are any. */
export function plainQuery(operation: Operation): Query {
  const needed = ['startDate', 'endDate', ...(operation.required ?? []), ...(ONE_OF[operation.name] ?? [])]
  return Object.fromEntries(
    Object.keys(operation.parameters)
      .filter((name) => needed.includes(name))
      .map((name) => [name, exampleOf(name)]),
  )
}

/** A query with every parameter of the operation. */
export function fullQuery(operation: Operation): Query {
  const names = Object.keys(operation.parameters).filter((name) => !NOT_OF_EVERY_CENTER.includes(name))
  names.push(...(ONE_OF[operation.name] ?? []))
  return Object.fromEntries(names.map((name) => [name, exampleOf(name)]))
}

/** The search parameters of an operation, with values that exist in the first of two centers. */
export const lookedFor = ({ parameters }: Operation): Query =>
  Object.fromEntries(Object.entries(LOOKED_FOR).filter(([name]) => Object.hasOwn(parameters, name)))

/** All URLs of a request: each path of the operation, with and without the prefix. */
export function urlsOf(
  operation: Operation,
  query: Query | string = plainQuery(operation),
  pathValues: Query = {},
): string[] {
  const text = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  return operation.paths.flatMap((template) => {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = pathValues[name] ?? PATH_VALUES[name]
      if (value === undefined) throw new Error(`name a value of the placeholder ${name} in PATH_VALUES`)
      return encodeURIComponent(value)
    })
    return [`/v1${path}`, path].map((url) => (text === '' ? url : `${url}?${text}`))
  })
}

/** The documented URL of a request. */
export const urlOf = (operation: Operation, query?: Query | string, pathValues?: Query): string =>
  urlsOf(operation, query, pathValues)[0]!

export interface IdentifierParameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly list: boolean
}

/** The parameters that take an identifier: those with its pattern, and all placeholders of paths. */
export function identifierParameters(operation: Operation): IdentifierParameter[] {
  return [
    ...Object.entries(operation.parameters)
      .filter(([, parameter]) => takesIdentifier(parameter))
      .map(([name, { list }]) => ({ name, in: 'query' as const, list })),
    ...Object.keys(operation.pathParameters ?? {}).map((name) => ({
      name,
      in: 'path' as const,
      list: false,
    })),
  ]
}

function takesIdentifier({ schema }: Parameter<unknown>): boolean {
  // For a list, the schema of its items is what counts.
  const { pattern } = (schema.items ?? schema) as { pattern?: unknown }
  return pattern === IDENTIFIER.source
}
