/** What people call the sessions and orders of compared values, as far as the key may read them. */

import { SojournError } from '../../../client/src/error.ts'
import type { Sojourn } from '../../../client/src/index.ts'
import type { Contradiction } from '../../../src/documents/contradiction-kinds.ts'
import { addDays, isDay } from '../../../src/documents/days.ts'
import type { Names } from '../../../src/documents/evidence-text.ts'

/** Each is a request. The others are called by the beginning of their identifiers, and lead to the order. */
const ORDERS_MAX = 20
/** A contradiction that does not have the days of its sessions is about a guest who has arrived. */
const DAYS_AROUND = 200
const SESSION_FIELDS = ['sessionStartDate', 'sessionEndDate']

/** @param mayRead whether the key has the scope; without it, identifiers stay as they are */
export async function readNames(
  { sessions, orders }: Pick<Sojourn, 'sessions' | 'orders'>,
  all: readonly Contradiction[],
  {
    length,
    mayRead,
  }: { readonly length: number; readonly mayRead: (scope: 'sessions' | 'orders') => boolean },
  signal: AbortSignal,
): Promise<Names> {
  const [named, numbers] = await Promise.all([
    mayRead('sessions') ? namesOfSessions(sessions, all, length, signal) : new Map<string, string>(),
    mayRead('orders') ? numbersOfOrders(orders, all, signal) : new Map<string, string>(),
  ])
  return { sessions: named, orders: numbers }
}

const textsOf = (all: readonly Contradiction[], fields: readonly string[]): string[] =>
  all
    .flatMap(({ evidence }) => evidence.compared)
    .filter(({ field }) => fields.includes(field))
    .flatMap(({ values }) => values.flat())
    .filter((value) => typeof value === 'string')

async function namesOfSessions(
  sessions: Sojourn['sessions'],
  all: readonly Contradiction[],
  length: number,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const own = all.filter((one) => textsOf([one], ['sessionIds']).length > 0)
  const days = own
    .flatMap((one) => {
      const of = textsOf([one], SESSION_FIELDS).map((moment) => moment.slice(0, 10))
      const found = one.since.slice(0, 10)
      return of.length > 0 ? of : [addDays(found, -DAYS_AROUND), addDays(found, DAYS_AROUND)]
    })
    .filter(isDay)
    .sort()
  const [first, last] = [days[0], days.at(-1)]
  const names = new Map<string, string>()
  if (first === undefined || last === undefined) return names
  const range = { startDate: addDays(first, -1), endDate: addDays(last, 1), length }
  for await (const { _id, name } of sessions.all(range, { signal })) names.set(_id, name)
  return names
}

async function numbersOfOrders(
  orders: Sojourn['orders'],
  all: readonly Contradiction[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const uuids = [...new Set(textsOf(all, ['orderUuid']))].slice(0, ORDERS_MAX)
  const read = await Promise.all(
    uuids.map(async (uuid) => {
      const order = await orders.get(uuid, {}, { signal }).catch(ifGone)
      return [uuid, order?.orderNumber ?? undefined] as const
    }),
  )
  return new Map(read.flatMap(([uuid, number]) => (number === undefined ? [] : [[uuid, number] as const])))
}

/** An order that was deleted in the meantime has no number any more. */
function ifGone(error: unknown): undefined {
  if (error instanceof SojournError && error.code === 'NOT_FOUND') return undefined
  throw error
}
