/** What is asked of the list of guests: as the page's address has it, and as the client asks. */
import type { FieldName, Guest, GuestsQuery } from '../../../client/src/index.ts'
import { notUnderstood, type Query, type Understood } from '../base/address.ts'
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
  /** bookings that are active (ruling 50), the others, or both, where statuses are chosen */
  readonly which: 'active' | 'others' | 'all'
}

export type By = 'dates' | 'session' | ByDay
export type ByDay = 'arriving' | 'inHouse' | 'departing'
type Role = Guest['ids']['role']
type Status = Guest['ids']['status']
type Sort = Exclude<GuestsQuery<FieldName[]>['sort'], undefined | readonly unknown[]>
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
  programId: true,
  'acc.roomId': true,
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
export function readQuestion(query: Query, today: string): Question {
  const { startDate = '', endDate = '', sessionId = '' } = query
  const status = listOf(query.status).filter(isStatus)
  const byDay = Object.keys(BY_DAY)
    .filter(isByDay)
    .find((name) => isDay(query[name] ?? ''))
  const by = sessionId !== '' ? 'session' : (byDay ?? 'dates')
  const hasDates = isDay(startDate) && isDay(endDate) && startDate <= endDate && by !== byDay
  const [from, until] = by === 'dates' ? [today, addDays(today, DAYS - 1)] : ['', '']
  return {
    by,
    startDate: hasDates ? startDate : from,
    endDate: hasDates ? endDate : until,
    sessionId,
    day: by === byDay ? (query[by] ?? '') : '',
    q: (query.q ?? '').trim(),
    role: listOf(query.role).filter(isRole),
    status,
    sort: listOf(query.sort).filter(isSort),
    which: status.length > 0 ? 'all' : query.active === 'false' ? 'others' : 'active',
  }
}

const ofAll = (isOne: (text: string) => boolean) => (texts: string) => listOf(texts).every(isOne)
const any = () => true

/** The parts of the page's address, and the values that they take. */
const UNDERSTOOD: Understood = {
  startDate: isDay,
  endDate: isDay,
  sessionId: any,
  arriving: isDay,
  inHouse: isDay,
  departing: isDay,
  q: any,
  role: ofAll(isRole),
  status: ofAll(isStatus),
  sort: ofAll(isSort),
  active: (text) => text === 'true' || text === 'false',
}

/** What of the page's address `readQuestion` leaves out. */
export function leftOutOf(query: Query): string[] {
  const parts = notUnderstood(query, UNDERSTOOD)
  const { startDate = '', endDate = '' } = query
  // A range needs both days, in their order.
  if (isDay(startDate) && isDay(endDate) ? startDate > endDate : isDay(startDate) !== isDay(endDate)) {
    parts.push(
      ...Object.entries({ startDate, endDate }).flatMap(([name, day]) =>
        isDay(day) ? [`${name}=${day}`] : [],
      ),
    )
  }
  return parts
}

/** As the client asks. */
export function filtersOf(question: Question) {
  const { q, role, status, sort, which } = question
  return {
    ...placeOf(question),
    ...(which === 'all' ? {} : { active: which === 'active' }),
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

/** As the service's address has it. */
export const askedOf = (question: Question): Record<string, string> =>
  Object.fromEntries(Object.entries(filtersOf(question)).map(([name, value]) => [name, String(value)]))

/** As the page's own address has it: the same, but active bookings are the usual ones. */
export function addressOf(question: Question): Record<string, string> {
  const { active, ...asked } = askedOf(question)
  return active === 'false' ? { ...asked, active } : asked
}
