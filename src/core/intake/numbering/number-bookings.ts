/**
 * Numbers the bookings of a session anew, on request: the bulk update of the interface's `bookingId` rule 2
 * (ruling 39). A booking keeps its number, in the center's pattern of today; arrivals without one get the next numbers; a
 * number set by hand stays. A number that was given before is never given again, so gaps remain.
 */

import { createHash } from 'node:crypto'
import type { Database, Queryable } from '../../database/database.ts'
import { visible } from '../../errors/visible.ts'
import { type CenterId, centerId } from '../../records/centers/center.ts'
import { noSuchCenter } from '../../records/centers/find-center.ts'
import {
  centersOfSession,
  clearNumbers,
  lockCounter,
  lockNumbered,
  lockRevision,
  selectIdentifiers,
  selectNumbering,
  setCounter,
  updateNumbers,
} from './number-bookings-sql.ts'

export interface Renumbering {
  readonly session: string
  /** bookings that keep what they have */
  readonly unchanged: number
  readonly changes: readonly { readonly id: string; readonly from: string | null; readonly to: string }[]
}

/** Why nothing was numbered; the message is for the person who asked. */
export class NumberingError extends Error {
  override readonly name = 'NumberingError'
}

/**
 * The one center that has this session.
 * @throws {NumberingError} where none has it, or several have.
 */
export async function findCenterOfSession(database: Queryable, session: string): Promise<CenterId> {
  const rows = await database.query<{ center_id: string }>(centersOfSession(session))
  const [only] = rows
  if (only === undefined) throw new NumberingError(`No center has a session ${session}.`)
  if (rows.length > 1) {
    const names = rows.map((row) => row.center_id).join(', ')
    throw new NumberingError(`Several centers have a session ${session}: name one with --center (${names}).`)
  }
  return centerId(only.center_id)
}

/** Thrown to leave a dry run's transaction without a trace. */
class DryRun extends Error {
  readonly result: Renumbering
  constructor(result: Renumbering) {
    super()
    this.result = result
  }
}

/**
 * @param options.dryRun says what would change, and changes nothing.
 * @throws {NumberingError} where there is no such session, or the center does not give booking identifiers.
 */
export async function numberBookings(
  database: Database,
  center: CenterId,
  session: string,
  options: { dryRun: boolean },
): Promise<Renumbering> {
  try {
    return await database.transaction(async (tx) => {
      const result = await renumber(tx, center, session)
      if (options.dryRun) throw new DryRun(result)
      return result
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}

interface Numbered {
  readonly id: string
  readonly booking_id: string | null
  readonly booking_number: number | null
}

interface Identifier {
  readonly number: number
  readonly given: string
  readonly taken: boolean
  readonly before: readonly string[]
}

const numbersOf = (bookings: readonly Numbered[]) =>
  bookings.flatMap(({ booking_number: number }) => (number === null || number < 1 ? [] : [number]))

/**
 * Of bookings with the same number, as after a move from another session, the one that already has its identifier keeps it.
 * @returns by booking, for those that may keep their number: no other booking has or had its identifier
 */
function sameNumbers(
  bookings: readonly Numbered[],
  identifiers: readonly Identifier[],
): Map<string, Identifier> {
  const byNumber = new Map(identifiers.map((identifier) => [identifier.number, identifier]))
  const given = new Map<string, Identifier>()
  const hasIts = ({ booking_id, booking_number }: Numbered) =>
    booking_id === byNumber.get(booking_number ?? 0)?.given
  for (const booking of [...bookings.filter(hasIts), ...bookings.filter((one) => !hasIts(one))]) {
    const identifier = byNumber.get(booking.booking_number ?? 0)
    if (identifier === undefined) continue
    byNumber.delete(identifier.number)
    const digest = createHash('sha256').update(booking.id).digest('hex')
    if (!identifier.taken && identifier.before.every((one) => one === digest))
      given.set(booking.id, identifier)
    else byNumber.set(identifier.number, identifier)
  }
  return given
}

async function renumber(tx: Queryable, center: CenterId, session: string): Promise<Renumbering> {
  const [numbering] = await tx.query<{ automatic: boolean; found: boolean }>(selectNumbering(center, session))
  if (numbering === undefined) throw await noSuchCenter(tx, center)
  if (!numbering.found) throw new NumberingError(`Center ${center} has no session ${visible(session)}.`)
  if (!numbering.automatic) {
    throw new NumberingError(
      `Center ${center} does not give booking identifiers automatically; import its record with "automaticBookingIds": true first.`,
    )
  }

  await tx.query(lockRevision(center))
  const bookings = await tx.query<Numbered>(lockNumbered(center, session))
  const [counter] = await tx.query<{ last: number }>(lockCounter(center, session))
  const identifiersOf = (numbers: readonly number[]) =>
    tx.query<Identifier>(
      selectIdentifiers(
        center,
        session,
        numbers,
        bookings.map(({ id }) => id),
      ),
    )
  const given = sameNumbers(bookings, await identifiersOf(numbersOf(bookings)))
  const waiting = bookings.filter(({ id }) => !given.has(id))
  let last = Math.max(counter?.last ?? 0, ...numbersOf(bookings))
  while (waiting.length > 0) {
    const numbers = waiting.map((_, at) => last + 1 + at)
    for (const identifier of await identifiersOf(numbers)) {
      if (identifier.taken || identifier.before.length > 0) continue
      const next = waiting.shift()
      if (next === undefined) break
      given.set(next.id, identifier)
    }
    last += numbers.length
  }
  const changed = bookings.flatMap(({ id, booking_id, booking_number }) => {
    const next = given.get(id)
    return next === undefined || (booking_id === next.given && booking_number === next.number)
      ? []
      : [{ id, from: booking_id, to: next.given, number: next.number }]
  })
  if (changed.length > 0) {
    await tx.query(
      clearNumbers(
        center,
        changed.map((change) => change.id),
      ),
    )
    await tx.query(
      updateNumbers(center, {
        ids: changed.map((change) => change.id),
        identifiers: changed.map((change) => change.to),
        numbers: changed.map((change) => change.number),
      }),
    )
  }
  await tx.query(setCounter(center, session, Math.max(0, ...[...given.values()].map(({ number }) => number))))
  return {
    session,
    unchanged: bookings.length - changed.length,
    changes: changed.map(({ id, from, to }) => ({ id, from, to })),
  }
}
