/** What is asked of the list of guests: as the page's address has it, and as the client asks. */
import type { FieldName, Guest, GuestsQuery } from '../../../client/src/index.ts'
import { addDays } from '../../../src/documents/days.ts'
import { notUnderstood, type Query, type Understood } from '../base/address.ts'
import { dayIn } from '../base/relative-days.ts'

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
  /** by name, days as the address has them, if they are relative: it shows other days tomorrow */
  readonly relative: Readonly<Partial<Record<DayName, string>>>
  /** none for all */
  readonly role: readonly Role[]
  readonly status: readonly Status[]
  readonly paid: readonly Paid[]
  /** none for the service's usual order */
  readonly sort: readonly Sort[]
  /** bookings that are active (ruling 50), the others, or both, where statuses are chosen */
  readonly which: 'active' | 'others' | 'all'
}

type DayName = (typeof DAY_NAMES)[number]
export type By = 'dates' | 'session' | ByDay
export type ByDay = 'arriving' | 'inHouse' | 'departing'
type Role = Guest['ids']['role']
type Status = Guest['ids']['status']
type Paid = NonNullable<Guest['ids']['paid']>
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
const PAID: Readonly<Record<Paid, true>> = { paid: true, partlyPaid: true, open: true, notDecided: true }
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
const DAY_NAMES = ['startDate', 'endDate', 'arriving', 'inHouse', 'departing'] as const
const BY_DAY: Readonly<Record<ByDay, true>> = { arriving: true, inHouse: true, departing: true }

const isOf =
  <Value extends string>(values: Readonly<Record<Value, true>>) =>
  (text: string): text is Value =>
    Object.hasOwn(values, text)
export const isByDay = isOf(BY_DAY)
export const isSortName = isOf(SORTS)
export const isRole = isOf(ROLES)
export const isStatus = isOf(STATUSES)
export const isPaid = isOf(PAID)
const isSort = (text: string): text is Sort => isSortName(text.replace(/^-/, ''))

const DAYS = 30
const listOf = (text = '') => text.split(',')

/** @param query of the page's address; without dates, session and day, the 30 days from today */
export function readQuestion(query: Query, today: string): Question {
  const dayOf = (name: string) => dayIn(query[name] ?? '', today)
  const { sessionId = '' } = query
  const [startDate, endDate] = [dayOf('startDate'), dayOf('endDate')]
  const status = listOf(query.status).filter(isStatus)
  const byDay = Object.keys(BY_DAY)
    .filter(isByDay)
    .find((name) => dayOf(name) !== undefined)
  const by = sessionId !== '' ? 'session' : (byDay ?? 'dates')
  const isRange = startDate !== undefined && endDate !== undefined && startDate <= endDate && by !== byDay
  const [from, until] = by === 'dates' ? [today, addDays(today, DAYS - 1)] : ['', '']
  const shown: readonly string[] = by === byDay ? [by] : isRange ? ['startDate', 'endDate'] : []
  return {
    by,
    startDate: isRange ? startDate : from,
    endDate: isRange ? endDate : until,
    sessionId,
    day: by === byDay ? (dayOf(by) ?? '') : '',
    relative: Object.fromEntries(
      DAY_NAMES.filter((name) => shown.includes(name) && query[name] !== dayOf(name)).map((name) => [
        name,
        query[name] ?? '',
      ]),
    ),
    q: (query.q ?? '').trim(),
    role: listOf(query.role).filter(isRole),
    status,
    paid: listOf(query.paid).filter(isPaid),
    sort: listOf(query.sort).filter(isSort),
    which: status.length > 0 ? 'all' : query.active === 'false' ? 'others' : 'active',
  }
}

const ofAll = (isOne: (text: string) => boolean) => (texts: string) => listOf(texts).every(isOne)
const any = () => true

/** The parts of the page's address, and the values that they take. */
function understoodOn(today: string): Understood {
  const isDay = (text: string) => dayIn(text, today) !== undefined
  return {
    startDate: isDay,
    endDate: isDay,
    sessionId: any,
    arriving: isDay,
    inHouse: isDay,
    departing: isDay,
    q: any,
    role: ofAll(isRole),
    status: ofAll(isStatus),
    paid: ofAll(isPaid),
    sort: ofAll(isSort),
    active: (text) => text === 'true' || text === 'false',
  }
}

/** What of the page's address `readQuestion` leaves out. */
export function leftOutOf(query: Query, today: string): string[] {
  const parts = notUnderstood(query, understoodOn(today))
  const [from, until] = [dayIn(query.startDate ?? '', today), dayIn(query.endDate ?? '', today)]
  // A range needs both days, in their order.
  const isRange = from !== undefined && until !== undefined ? from <= until : from === until
  if (!isRange) {
    parts.push(
      ...(['startDate', 'endDate'] as const).flatMap((name) =>
        dayIn(query[name] ?? '', today) === undefined ? [] : [`${name}=${query[name]}`],
      ),
    )
  }
  return parts
}

/** As the client asks. */
export function filtersOf(question: Question) {
  const { q, role, status, paid, sort, which } = question
  return {
    ...placeOf(question),
    ...(which === 'all' ? {} : { active: which === 'active' }),
    ...(q === '' ? {} : { q }),
    ...(role.length === 0 ? {} : { role }),
    ...(status.length === 0 ? {} : { status }),
    ...(paid.length === 0 ? {} : { paid }),
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

/** As the page's own address has it: the same, but active bookings are the usual ones, and days may be relative. */
export function addressOf(question: Question, today: string): Record<string, string> {
  const { active, ...asked } = askedOf(question)
  const days = DAY_NAMES.flatMap((name) => {
    const text = question.relative[name]
    return text !== undefined && dayIn(text, today) === asked[name] ? [[name, text]] : []
  })
  return { ...asked, ...Object.fromEntries(days), ...(active === 'false' ? { active } : {}) }
}
