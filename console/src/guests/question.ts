/** What is asked of the list of guests: as the page's address has it, and as the client asks. */
import type { FieldName, Guest, GuestsQuery } from '../../../client/src/index.ts'
import { addDays, isDay } from '../base/days.ts'

export interface Question {
  readonly by: By
  /** days; '' where it is asked by something else */
  readonly startDate: string
  readonly endDate: string
  readonly sessionId: string
  /** on which guests arrive, are there, or leave; '' where it is asked by something else */
  readonly day: string
  /** beginnings of names; '' for all */
  readonly q: string
  /** none for all */
  readonly role: readonly Role[]
  readonly status: readonly Status[]
  /** none for the service's usual order */
  readonly sort: readonly Sort[]
}

export type By = 'dates' | 'session' | ByDay
export type ByDay = 'arriving' | 'inHouse' | 'departing'
type Role = Guest['ids']['role']
type Status = Guest['ids']['status']
type Query = GuestsQuery<FieldName[]>
type Sort = Exclude<Query['sort'], undefined | readonly unknown[]>
export type SortName = Exclude<Sort, `-${string}`>

/** Records and not lists: a value that is missing, or not the interface's, does not compile. */
const ROLES: Readonly<Record<Role, true>> = { patient: true, companion: true, guest: true }
const STATUSES: Readonly<Record<Status, true>> = {
  registered: true,
  waitingList: true,
  review: true,
  confirmed: true,
  arrived: true,
  paid: true,
  cancelled: true,
  voided: true,
  registeredOnline: true,
  offer: true,
  departed: true,
}
const SORTS: Readonly<Record<SortName, true>> = {
  startDate: true,
  endDate: true,
  bookedAt: true,
  bookingId: true,
  lastName: true,
  firstName: true,
  status: true,
  role: true,
  dob: true,
}
const BY_DAY: Readonly<Record<ByDay, true>> = { arriving: true, inHouse: true, departing: true }

const isOf =
  <Value extends string>(values: Readonly<Record<Value, true>>) =>
  (text: string): text is Value =>
    Object.hasOwn(values, text)
export const isByDay = isOf(BY_DAY)
export const isSortName = isOf(SORTS)
export const isRole = isOf(ROLES)
export const isStatus = isOf(STATUSES)
const isSort = (text: string): text is Sort => isSortName(text.replace(/^-/, ''))

const DAYS = 30
const listOf = (text = '') => text.split(',')

/** @param query of the page's address; without dates, session and day, the 30 days from today */
export function readQuestion(query: Readonly<Record<string, string>>, today: string): Question {
  const { startDate = '', endDate = '', sessionId = '' } = query
  const byDay = Object.keys(BY_DAY)
    .filter(isByDay)
    .find((name) => isDay(query[name] ?? ''))
  const by = sessionId !== '' ? 'session' : (byDay ?? 'dates')
  const hasDates = isDay(startDate) && isDay(endDate) && by !== byDay
  const [from, until] = by === 'dates' ? [today, addDays(today, DAYS - 1)] : ['', '']
  return {
    by,
    startDate: hasDates ? startDate : from,
    endDate: hasDates ? endDate : until,
    sessionId,
    day: by === byDay ? (query[by] ?? '') : '',
    q: (query.q ?? '').trim(),
    role: listOf(query.role).filter(isRole),
    status: listOf(query.status).filter(isStatus),
    sort: listOf(query.sort).filter(isSort),
  }
}

/** As the client asks. */
export function filtersOf(question: Question) {
  const { q, role, status, sort } = question
  return {
    ...placeOf(question),
    ...(q === '' ? {} : { q }),
    ...(role.length === 0 ? {} : { role }),
    ...(status.length === 0 ? {} : { status }),
    ...(sort.length === 0 ? {} : { sort }),
  }
}

function placeOf({ by, startDate, endDate, sessionId, day }: Question) {
  switch (by) {
    case 'dates':
      return { startDate, endDate }
    case 'session':
      return startDate === '' ? { sessionId } : { startDate, endDate, sessionId }
    case 'arriving':
      return { arriving: day }
    case 'inHouse':
      return { inHouse: day }
    case 'departing':
      return { departing: day }
  }
}

/** As an address has it: the page's own, and the service's. */
export const addressOf = (question: Question): Record<string, string> =>
  Object.fromEntries(Object.entries(filtersOf(question)).map(([name, value]) => [name, String(value)]))
