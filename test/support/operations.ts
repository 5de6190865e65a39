/** Every operation of the interface with a request that it answers, for tests of all operations. */
import { OPERATIONS } from '../../src/parts.ts'
import { order, session, stay, type TestRecord } from './world.ts'

const ORDER = 'order_1'
const QUERIES: Readonly<Record<string, string>> = {
  listGuests: 'sessionId=s1',
  matchGuests: 'sessionId=s1&name=Changed+Pop',
  search: 'q=Changed+Pop',
  mealSkippingReport: 'sessionId=s1',
  mealPortions: 'sessionId=s1&includeGuests=true',
  mealSheet: '',
  listOrders: 'startDate=2025-01-01&endDate=2025-01-31',
  orderControl: 'startDate=2025-01-01&endDate=2025-01-31&includePayments=false',
  getOrder: 'includeGuestNames=true',
  listSessions: 'startDate=2025-01-01&endDate=2025-01-31',
  listRooms: 'date=2025-01-08',
  sessionCalendar: 'startDate=2025-01-01&endDate=2025-01-31',
  guestArrivals: 'startDate=2025-01-01&endDate=2025-01-31&includeGuestNames=true',
  listContradictions: '',
  listChanges: 'length=5&kinds=sessions',
  listSources: '',
  listKeys: '',
  listDevices: '',
  getSettings: '',
  listLinks: '',
  listCenterSources: '',
  listReports: '',
  listWebhooks: '',
  listReads: 'startDate=2025-01-01&endDate=2025-01-31',
  getUsage: 'startDate=2025-01-01&endDate=2025-01-31',
  getMe: '',
  listFields: '',
}

/** Records that these requests return. */
export const OPERATION_RECORDS: readonly TestRecord[] = [
  session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
  order(ORDER),
  ...stay('g', '2025-01-06', '2025-01-12', {
    sessionIds: ['s1'],
    orderUuid: ORDER,
    skippingMeals: { lunch: ['2025-01-07'] },
  }),
]

/** The scope for the request, for operations that accept one of several. */
const SCOPES_OF: Readonly<Record<string, string>> = {
  listChanges: 'sessions',
  guestArrivals: 'guests',
  search: 'guests',
}

export interface OperationRequest {
  readonly name: string
  readonly scope: string
  /** without prefix and query */
  readonly path: string
  /** path and query under `/v1` */
  readonly url: string
  readonly query: string
  /** names of the operation's parameters */
  readonly parameters: readonly string[]
}

/** One request for each path of each operation, without the `/v1` prefix. */
export const OPERATION_REQUESTS: readonly OperationRequest[] = OPERATIONS.flatMap((operation) =>
  operation.paths.map((template) => {
    const query = QUERIES[operation.name]
    if (query === undefined) throw new Error(`${operation.name} has no request in test/support/operations.ts`)
    const path = template.replace('{uuid}', ORDER).replace('{day}', '2025-01-07')
    const scope = SCOPES_OF[operation.name] ?? operation.scope
    const parameters = Object.keys(operation.parameters)
    return { name: operation.name, scope, path, query, parameters, url: `/v1${path}?${query}` }
  }),
)
