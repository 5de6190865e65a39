/**
 * Evaluates some records of a center: reads what they are compared with, judges it, and compares the result with what is
 * stored. The database is read in a fixed number of statements, however many records there are.
 */
import type { Sql } from 'sql-template-tag'
import type { ControlledOrder } from '../../core/api/orders/order-mismatches.ts'
import type { Database } from '../../core/database/database.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import type { Center } from '../../core/records/centers/center.ts'
import { kindsOn } from '../../core/records/centers/contradiction-kinds.ts'
import { readRooms } from '../../core/records/fields/acc-segments.ts'
import { inactiveStatuses } from '../../core/records/fields/active-statuses.ts'
import { dietsFor } from '../kitchen/meal-portions.ts'
import type { Found } from './evidence.ts'
import type { Pair, Room, RoomStay, Stay } from './facts.ts'
import {
  selectForms,
  selectOrders,
  selectOwners,
  selectPairs,
  selectRoomStays,
  selectRooms,
  selectRoomsOfGuests,
  selectStays,
  selectStored,
  type TimeSpan,
} from './facts-sql.ts'
import { judgeOrders } from './judge-orders.ts'
import { judgePeople } from './judge-people.ts'
import { judgeRooms } from './judge-rooms.ts'
import { judgeDeposits, judgeStays } from './judge-stays.ts'

/** The parts of the database that it reads with. */
export type Reads = Pick<Database, 'queryArrays'>

/** Records that may contradict others, or not any more. */
export interface Touched {
  readonly guests: readonly string[]
  readonly orders: readonly string[]
  /** records of stored contradictions, in the form of `contradiction_records` */
  readonly records: readonly string[]
}

/** What differs from what is stored. */
export interface Difference {
  /** identifiers of contradictions that do not exist any more */
  readonly gone: readonly string[]
  /** new ones, and those of which something has changed */
  readonly changed: readonly Found[]
}

interface Stored {
  readonly id: string
  readonly kind: string
  readonly form: string
  readonly records: readonly string[]
}

/**
 * Every contradiction of these records is found, and every stored one that is about them is found again or gone.
 * @param now epoch ms
 * @throws {DatabaseUnavailable}
 */
export async function evaluate(
  database: Reads,
  center: Center,
  touched: Touched,
  now: number,
): Promise<Difference> {
  const rows = (statement: Sql) => database.queryArrays(statement, 'heavy')
  const first = async <T>(statement: Sql) => (await rows(statement))[0]?.[0] as T
  const storedAbout = async (records: readonly string[]): Promise<Stored[]> =>
    records.length === 0
      ? []
      : (await rows(selectStored(center.id, records))).map(([id, kind, form, of]) => ({
          id: id as string,
          kind: kind as string,
          form: form as string,
          records: (of ?? []) as string[],
        }))

  const guests = [...new Set([...touched.guests, ...idsOf('guest', touched.records)])]
  const owners = guests.length === 0 ? [] : await rows(selectOwners(center.id, guests))
  const customersTouched = [
    ...owners.map(([, customer]) => customer as string),
    ...idsOf('customer', touched.records),
  ]
  const ordersTouched = [
    ...touched.orders,
    ...owners.flatMap(([, , order]) => (order === null ? [] : [order as string])),
    ...idsOf('order', touched.records),
  ]
  const stored = await storedAbout([
    ...new Set([
      ...guests.map((id) => `guest:${id}`),
      ...customersTouched.map((id) => `customer:${id}`),
      ...ordersTouched.map((id) => `order:${id}`),
      ...touched.records,
    ]),
  ])
  const about = stored.flatMap(({ records }) => records)
  const customers = [...new Set([...customersTouched, ...idsOf('customer', about)])]
  const orders = [...new Set([...ordersTouched, ...idsOf('order', about)])]

  const on: ReadonlySet<string> = new Set(kindsOn(center))
  const inactive = inactiveStatuses(center)
  const diets = dietsFor(center, 'all').all.filter(({ owner }) => owner === 'booking')
  const stays =
    customers.length + orders.length === 0
      ? []
      : await first<Stay[]>(
          selectStays(
            center.id,
            customers,
            orders,
            diets.map(({ field }) => field),
          ),
        )
  const pairs = customers.length === 0 ? [] : await first<Pair[]>(selectPairs(center.id, customers))
  const ordered = orders.length === 0 ? [] : await first<ControlledOrder[]>(selectOrders(center.id, orders))
  const ofRooms = stored.filter(({ kind }) => kind === 'roomOverfull').flatMap(({ records }) => records)
  const rooms = await evaluateRooms([...new Set([...guests, ...idsOf('guest', ofRooms)])])

  const owned = new Set(customers)
  const rules = {
    zone: center.timezone,
    standardTimes: center.mealRules.standardTimes,
    inactive,
    hasAutomaticIds: center.automaticBookingIds,
    diets,
    now,
  }
  const found = [
    ...judgePeople(pairs),
    ...judgeStays(
      stays.filter(({ customer }) => owned.has(customer)),
      rules,
    ),
    ...judgeDeposits(stays, inactive),
    ...judgeOrders(ordered, center.timezone, center.currency),
    ...rooms.found,
  ].filter(({ kind }) => on.has(kind))
  return differences([...stored, ...rooms.stored], found)

  /** Those who share a room with these guests are compared too, because a group may become another one. */
  async function evaluateRooms(of: readonly string[]): Promise<{ found: Found[]; stored: Stored[] }> {
    const none = { found: [], stored: [] }
    if (of.length === 0 || !on.has('roomOverfull')) return none
    const known = await first<Room[]>(selectRooms(center.id))
    if (known.length === 0) return none
    const withBeds = new Set(known.map(({ id }) => id))
    const own = (await rows(selectRoomsOfGuests(center.id, of))).flatMap(([room, segments, start, end]) => {
      const rooms = readRooms(segments)?.map((segment) => segment.room) ?? [room as string | null]
      return rooms.flatMap((one) =>
        one !== null && withBeds.has(one) ? [{ room: one, start: start as number, end: end as number }] : [],
      )
    })
    if (own.length === 0) return none
    const roomIds = [...new Set(own.map(({ room }) => room))]
    const staysIn = (times: readonly { start: number; end: number }[]) =>
      first<RoomStay[]>(selectRoomStays(center.id, roomIds, mergedSpans(times), inactive))
    const neighbors = await staysIn(own)
    const all = await staysIn([...own, ...neighbors])
    const compared = new Set([...of, ...neighbors.map(({ id }) => id)])
    const also = await storedAbout(neighbors.map(({ id }) => `guest:${id}`))
    const beds = known.filter(({ id }) => roomIds.includes(id))
    return {
      found: judgeRooms(beds, all, compared, center.timezone),
      stored: also.filter(({ kind }) => kind === 'roomOverfull'),
    }
  }

  async function differences(before: readonly Stored[], after: readonly Found[]): Promise<Difference> {
    const forms = new Map(before.map(({ id, form }) => [id, form]))
    const ids = new Set(after.map(({ id }) => id))
    const gone = [...forms.keys()].filter((id) => !ids.has(id))
    const unknown = [...ids].filter((id) => !forms.has(id))
    if (unknown.length > 0) {
      for (const [id, form] of await rows(selectForms(center.id, unknown)))
        forms.set(id as string, form as string)
    }
    const changed = after.filter(({ id, form }) => forms.get(id) !== form)
    return { gone, changed: [...new Map(changed.map((one) => [one.id, one])).values()] }
  }
}

/** The identifiers of the records of one kind: `guest:ID` is a guest. */
export const idsOf = (kind: 'guest' | 'customer' | 'order', records: readonly string[]): string[] =>
  records.flatMap((record) => (record.startsWith(`${kind}:`) ? [record.slice(kind.length + 1)] : []))

/** The times together, without overlaps. */
function mergedSpans(times: readonly { readonly start: number; readonly end: number }[]): TimeSpan[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of [...times].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged.map(({ start, end }) => ({ from: isoMoment(start), to: isoMoment(end) }))
}
