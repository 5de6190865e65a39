/**
 * The database's clock, which all instances share. Access decisions and the times in the audit trail use it, so a
 * machine with a wrong clock neither accepts an expired key nor records a false time.
 */
import { selectNow } from './clock-sql.ts'
import type { Queryable } from './database.ts'

export interface DatabaseClock {
  /** epoch ms, accurate to a few milliseconds: the last time noted, carried forward by a monotonic clock */
  now(): number
  /** @param moment the time that the database has just reported, in epoch ms */
  note(moment: number): void
}

/**
 * A slow answer reports a time that has passed by then. Only a larger difference means that the database's clock was
 * changed.
 */
const STEP_MS = 200

/**
 * @param monotonic milliseconds of a monotonic clock
 * @param before epoch ms, used until the database has reported its time
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

/** The database's current time in epoch ms. */
export async function databaseNow(database: Queryable): Promise<number> {
  const [row] = await database.query<{ now: number }>(selectNow)
  if (row === undefined) throw new Error('the database did not say its time')
  return row.now
}

/** Network delay explains no more than this, and a larger difference would noticeably shift the expiry of keys. */
const DIFFERENCE_MS_MAX = 2000

/** @returns a sentence if this machine's clock and the database's differ by more than two seconds */
export async function clockDifference(database: Queryable, clock: () => number): Promise<string | undefined> {
  const asked = clock()
  const now = await databaseNow(database)
  const answered = clock()
  // The database's time was taken between these two.
  const difference = now > answered ? now - answered : Math.max(asked - now, 0)
  if (difference <= DIFFERENCE_MS_MAX) return undefined
  const which = now > answered ? 'behind' : 'ahead of'
  return `this machine’s clock is ${Math.round(difference / 1000)} s ${which} the database’s; keys expire and reads are dated by the database’s clock, so synchronize both`
}
