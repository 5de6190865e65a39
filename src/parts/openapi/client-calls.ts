/** The calls of the TypeScript client for each operation. The reference shows them below each form. */
import { resolve, type Schema, type Schemas } from './schema-view.ts'

export interface ClientCall {
  /** A method of `Sojourn`. Its first arguments are those of the path; the other parameters are one object. */
  readonly method: string
  /** the name of the loop variable, if it returns items one after the other */
  readonly each?: string
  /** parameters that it accepts under another name; `''` if it sets them itself */
  readonly names?: Readonly<Record<string, string>>
}

const FILES = { format: '', values: '', delimiter: '', decimal: '', bom: '' }
const SET_BY_PAGING = { start: '', snapshot: '', ...FILES }

/** By name of the operation, for those that are not a plain list of records. */
const CLIENT_CALLS: Readonly<Record<string, ClientCall>> = {
  listGuests: { method: 'guests.all', each: 'guest', names: SET_BY_PAGING },
  matchGuests: { method: 'guests.match' },
  search: { method: 'search' },
  mealSkippingReport: { method: 'guests.mealSkippingReport', names: { format: '' } },
  mealPortions: { method: 'meals.portions', names: { format: '' } },
  mealSheet: { method: 'meals.sheet' },
  listContradictions: { method: 'contradictions.all', each: 'contradiction', names: SET_BY_PAGING },
  sessionCalendar: { method: 'sessions.calendar' },
  guestArrivals: { method: 'guests.arrivals' },
  listOrders: { method: 'orders.all', each: 'order', names: { snapshot: '', rows: '', ...FILES } },
  getOrder: { method: 'orders.get', names: { includeDetails: '' } },
  orderControl: { method: 'orders.control' },
  listChanges: { method: 'changes.list' },
  streamChanges: { method: 'changes.stream', each: 'page', names: { after: 'from' } },
  getMe: { method: 'me' },
  listFields: { method: 'fields' },
  listSources: { method: 'sources' },
  listKeys: { method: 'administration.keys' },
  listLinks: { method: 'administration.links' },
  getSettings: { method: 'administration.settings' },
  listDevices: { method: 'administration.devices' },
  listCenterSources: { method: 'administration.sources' },
  listReports: { method: 'administration.reports' },
  listWebhooks: { method: 'administration.webhooks' },
  listReads: { method: 'administration.reads' },
  getUsage: { method: 'usage' },
}

/** An operation of the document. */
interface Described {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string }[]
}

/**
 * The call of an operation. That of a list in pages follows from its path and from what its records are called, as the
 * class of the client does (tools/print-client-types.ts).
 */
export function clientCall(
  path: string,
  { operationId, parameters }: Described,
  answer: Schema | undefined,
  schemas: Schemas,
): ClientCall | undefined {
  const known = CLIENT_CALLS[operationId]
  if (known !== undefined || answer === undefined) return known
  const item = resolve(answer, schemas).properties?.data?.items?.$ref?.split('/').at(-1)
  const isPaged = ['start', 'snapshot'].every((one) => parameters.some(({ name }) => name === one))
  if (item === undefined || !isPaged) return undefined
  const each = `${item[0]?.toLowerCase()}${item.slice(1)}`
  return { method: `${path.slice(1)}.all`, each, names: SET_BY_PAGING }
}

/** How a value of a parameter is written in code; undefined for text. */
export function typeInCode(schema: Schema): 'array' | 'boolean' | 'integer' | undefined {
  const types = [schema, ...(schema.anyOf ?? [])].map(({ type }) => type)
  return (['array', 'boolean', 'integer'] as const).find((one) => types.includes(one))
}
