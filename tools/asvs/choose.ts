/** Chooses requirements that are met, by a seed, so that nobody picks those whose tests are known to be good. */
import type { Requirement } from './register.ts'

/**
 * Each row has its rank from the seed and its position in the standard, whatever its status. So a row that is met later does not
 * exchange all others.
 * @param seed any whole number; the same one chooses the same rows of the same register
 */
export function chooseMet(rows: readonly Requirement[], seed: number, count: number): Requirement[] {
  let state = seed >>> 0
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return rows
    .map((row) => ({ row, rank: next() }))
    .filter(({ row }) => row.status === 'met')
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ row }) => row)
}
