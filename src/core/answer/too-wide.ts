/** A range with more records than can be read in time. The caller can request a shorter one; a retry does not help. */
import type { Dependency } from '../changes/change.ts'
import { sqlState } from '../database/database.ts'
import { errors } from '../errors/api-error.ts'
import { DAY_MS } from '../locale/civil.ts'

/** SQLSTATE of a statement that exceeded its time. */
const CUT_OFF = '57014'

/**
 * A month plus the hour of a clock change. A time-out in a range up to this length is due to load, which passes: a 503.
 */
const NARROW_MS = 31 * DAY_MS + DAY_MS / 24

/** @returns a 400 if a statement exceeded its time while it read a wide range; otherwise the error itself */
export function tooWideOr(error: unknown, dependencies: readonly Dependency[] | undefined): unknown {
  const isWide = dependencies?.some(({ during }) => {
    const { from, to } = during ?? {}
    return from !== undefined && to !== undefined && to - from > NARROW_MS
  })
  return isWide && sqlState(error) === CUT_OFF ? errors.rangeTooWide(error) : error
}
