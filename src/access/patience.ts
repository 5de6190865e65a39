/**
 * Bounds the total wait of a request: for its key, its turn and its rows. Each of these waits also has its own bound,
 * but a request that meets several would add them up.
 */
import { Deadlines } from '../database/deadlines.ts'

/** Slightly more than the longest single wait for the database, so that its own error comes first. */
const WAIT_MS_MAX = 6000
/** A heavy read waits for its turn and between its parts. */
const HEAVY_WAIT_MS_MAX = 30_000

export interface Patience {
  /**
   * @param spentMs time since the request arrived
   * @throws {DatabaseUnavailable} after 6 s in total, or 30 s for a heavy read
   */
  within<T>(work: Promise<T>, spentMs: number, isHeavy?: boolean): Promise<T>
}

/** Creates the deadlines, which all requests share. */
export function createPatience(): Patience {
  const cheap = new Deadlines(WAIT_MS_MAX, 'the request was not answered')
  const heavy = new Deadlines(HEAVY_WAIT_MS_MAX, 'the request was not answered')
  return {
    within: (work, spentMs, isHeavy = false) => (isHeavy ? heavy : cheap).within(work, spentMs),
  }
}
