/** The calls of the TypeScript client for each operation. The reference shows them below each form. */

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

/** By name of the operation. */
export const CLIENT_CALLS: Readonly<Record<string, ClientCall>> = {
  listGuests: { method: 'guests.all', each: 'guest', names: SET_BY_PAGING },
  matchGuests: { method: 'guests.match' },
  search: { method: 'search' },
  mealSkippingReport: { method: 'guests.mealSkippingReport', names: { format: '' } },
  mealPortions: { method: 'meals.portions', names: { format: '' } },
  mealSheet: { method: 'meals.sheet' },
  listSessions: { method: 'sessions.all', each: 'session', names: SET_BY_PAGING },
  listRooms: { method: 'rooms.all', each: 'room', names: SET_BY_PAGING },
  listContradictions: { method: 'contradictions.all', each: 'contradiction', names: SET_BY_PAGING },
  sessionCalendar: { method: 'sessions.calendar' },
  guestArrivals: { method: 'guests.arrivals' },
  listOrders: { method: 'orders.all', each: 'order', names: { snapshot: '', rows: '', ...FILES } },
  getOrder: { method: 'orders.get' },
  orderControl: { method: 'orders.control' },
  listChanges: { method: 'changes.list' },
  streamChanges: { method: 'changes.stream', each: 'page', names: { after: 'from' } },
  getMe: { method: 'me' },
  listFields: { method: 'fields' },
  listSources: { method: 'sources' },
  getUsage: { method: 'usage' },
}
