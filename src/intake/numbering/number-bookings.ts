/**
 * Numbers the bookings of a session anew, on request: the bulk update of the interface's `bookingId` rule 2
 * (ruling 39). Gaps are closed, arrivals that have no number yet get theirs, and a number set by hand stays.
 */

import type { Database, Queryable } from '../../database/database.ts'
import { visible } from '../../errors/visible.ts'
import { type CenterId, centerId } from '../../records/centers/center.ts'
import { noSuchCenter } from '../../records/centers/find-center.ts'
import {
  centersOfSession,
  clearNumbers,
  countByHand,
  lockNumbered,
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

async function renumber(tx: Queryable, center: CenterId, session: string): Promise<Renumbering> {
  const [numbering] = await tx.query<{ automatic: boolean; found: boolean }>(selectNumbering(center, session))
  if (numbering === undefined) throw await noSuchCenter(tx, center)
  if (!numbering.found) throw new NumberingError(`Center ${center} has no session ${visible(session)}.`)
  if (!numbering.automatic) {
    throw new NumberingError(
      `Center ${center} does not give booking identifiers automatically; import its record with "automaticBookingIds": true first.`,
    )
  }

  const bookings = await tx.query<{ id: string; booking_id: string | null; booking_number: number | null }>(
    lockNumbered(center, session),
  )
  const [byHand] = await tx.query<{ count: number }>(countByHand(center))
  const identifiers = await tx.query<{ number: number; given: string; taken: boolean }>(
    selectIdentifiers(center, session, bookings.length + (byHand?.count ?? 0)),
  )
  const free = identifiers.filter((identifier) => !identifier.taken)
  const numbered = bookings.map((booking, index) => ({ ...booking, next: free[index] }))
  const changed = numbered.flatMap(({ next, ...booking }) =>
    next === undefined || (booking.booking_id === next.given && booking.booking_number === next.number)
      ? []
      : [{ id: booking.id, from: booking.booking_id, to: next.given, number: next.number }],
  )
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
  await tx.query(setCounter(center, session, numbered.at(-1)?.next?.number ?? 0))
  return {
    session,
    unchanged: bookings.length - changed.length,
    changes: changed.map(({ id, from, to }) => ({ id, from, to })),
  }
}
