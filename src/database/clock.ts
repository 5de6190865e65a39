/**
 * The database's clock: the one that all instances share. What decides over access and what the audit trail is dated
 * by goes by it, so that a machine whose own clock is wrong neither lets an expired key in nor writes a false moment.
 */
import { selectNow } from './clock-sql.ts'
import type { Queryable } from './database.ts'

export interface DatabaseClock {
  /** epoch ms, to some milliseconds: as it was noted last, and carried on by a clock that nobody sets */
  now(): number
  /** what the database has just said it is, in epoch ms */
  note(moment: number): void
}

/** An answer that took a while says a moment that is over; only a difference like this is the database's doing. */
const STEP_MS = 200

/**
 * @param monotonic milliseconds of a clock that nobody sets
 * @param before epoch ms, until the database has said something
 */
export function createDatabaseClock(monotonic: () => number, before: () => number): DatabaseClock {
  let offset: number | undefined
  return {
    now: () => (offset === undefined ? before() : Math.floor(monotonic() + offset)),
    note(moment) {
      const said = moment - monotonic()
      if (offset === undefined || said > offset || offset - said > STEP_MS) offset = said
    },
  }
}

/** The moment it is for the database, in epoch ms. */
export async function databaseNow(database: Queryable): Promise<number> {
  const [row] = await database.query<{ now: number }>(selectNow)
  if (row === undefined) throw new Error('the database did not say its time')
  return row.now
}

/** More is no delay of the network, and enough for a key to work seconds longer than somebody thinks. */
const DIFFERENCE_MS_MAX = 2000

/** @returns a sentence where this machine's clock and the database's differ by more than two seconds */
export async function clockDifference(database: Queryable, clock: () => number): Promise<string | undefined> {
  const asked = clock()
  const now = await databaseNow(database)
  const answered = clock()
  // Somewhere between the question and the answer.
  const difference = now > answered ? now - answered : Math.max(asked - now, 0)
  if (difference <= DIFFERENCE_MS_MAX) return undefined
  const which = now > answered ? 'behind' : 'ahead of'
  return `this machine’s clock is ${Math.round(difference / 1000)} s ${which} the database’s; keys expire and reads are dated by the database’s clock, so synchronize both`
}
