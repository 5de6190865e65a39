/**
 * How long a request waits in all: for its key, for its turn and for its rows together. Each of these waits has a bound
 * of its own, which a request that meets several of them would add up.
 */
import { Deadlines } from '../database/deadlines.ts'

/** A little more than one wait for the database takes at most, so that its own sentence comes first. */
const WAIT_MS_MAX = 6000
/** A heavy read waits for its turn, and between its parts. */
const HEAVY_WAIT_MS_MAX = 30_000

export interface Patience {
  /**
   * @param spentMs since the request came in
   * @throws {DatabaseUnavailable} when it has waited too long
   */
  within<T>(work: Promise<T>, spentMs: number, isHeavy?: boolean): Promise<T>
}

export function createPatience(): Patience {
  const cheap = new Deadlines(WAIT_MS_MAX, 'the request was not answered')
  const heavy = new Deadlines(HEAVY_WAIT_MS_MAX, 'the request was not answered')
  return {
    within: (work, spentMs, isHeavy = false) => (isHeavy ? heavy : cheap).within(work, spentMs),
  }
}
