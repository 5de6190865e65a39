/** A range that holds more than can be read in time: the caller can mend that, and no retry can. */
import type { Dependency } from '../changes/change.ts'
import { sqlState } from '../database/database.ts'
import { errors } from '../errors/api-error.ts'
import { DAY_MS } from '../locale/civil.ts'

/** The database has cut a statement off for its time. */
const CUT_OFF = '57014'

/** A month with the hour of a changed clock. What is no longer than that is a load that passes: a 503. */
const NARROW_MS = 31 * DAY_MS + DAY_MS / 24

/** @returns a 400 where the statement was cut off while it read a wide range; else the error itself. */
export function tooWideOr(error: unknown, madeFrom: readonly Dependency[] | undefined): unknown {
  const isWide = madeFrom?.some(({ during }) => {
    const { from, to } = during ?? {}
    return from !== undefined && to !== undefined && to - from > NARROW_MS
  })
  return isWide && sqlState(error) === CUT_OFF ? errors.rangeTooWide(error) : error
}
