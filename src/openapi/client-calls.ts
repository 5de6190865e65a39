/** How the TypeScript client asks for what an operation answers; the reference writes it below each form. */

export interface ClientCall {
  /** A method of `Sojourn`. It takes what is in the path first, and the other parameters as one object. */
  readonly method: string
  /** What one turn of its loop is called, where it gives one thing after another. */
  readonly each?: string
  /** Parameters that it takes under another name; `''` where it sets them itself. */
  readonly names?: Readonly<Record<string, string>>
}

const FILES = { format: '', values: '', delimiter: '', decimal: '', bom: '' }
const SET_BY_PAGING = { start: '', snapshot: '', ...FILES }

/** By the name of the operation. */
export const CLIENT_CALLS: Readonly<Record<string, ClientCall>> = {
  listGuests: { method: 'guests.all', each: 'guest', names: SET_BY_PAGING },
  matchGuests: { method: 'guests.match' },
  mealSkippingReport: { method: 'guests.mealSkippingReport', names: { format: '' } },
  mealPortions: { method: 'meals.portions', names: { format: '' } },
  mealSheet: { method: 'meals.sheet' },
  listSessions: { method: 'sessions.all', each: 'session', names: SET_BY_PAGING },
  sessionCalendar: { method: 'sessions.calendar' },
  guestArrivals: { method: 'guests.arrivals' },
  listOrders: { method: 'orders.all', each: 'order', names: { snapshot: '', ...FILES } },
  getOrder: { method: 'orders.get' },
  orderControl: { method: 'orders.control' },
  listChanges: { method: 'changes.list' },
  streamChanges: { method: 'changes.stream', each: 'page', names: { after: 'from' } },
  getMe: { method: 'me' },
  listFields: { method: 'fields' },
  getUsage: { method: 'usage' },
}
