/**
 * Checks whether the entries missing at the beginning of a trail were deleted because of their age, as the trail itself
 * records.
 */
import { DAY_MS } from '../../locale/civil.ts'
import { readPruning } from '../pruning.ts'
import type { Ends } from '../trail-ends.ts'
import type { TrailProblem } from './trail-problem.ts'
import type { Chain } from './verify-chain.ts'

/** @param days how long entries must be retained; undefined: only what each pruning itself claims is checked */
export function checkPrunings(
  begin: Ends,
  chain: Chain,
  days: number | undefined,
  problems: TrailProblem[],
): void {
  const note = (seq: number, message: string) => problems.push({ kind: 'pruning', seq, message })
  let through = 0
  let confirmed = begin.prunedSeq === 0
  for (const entry of chain.prunings) {
    const { seq } = entry
    const pruning = readPruning(entry)
    if (pruning === undefined || pruning.through <= through || pruning.through >= seq) {
      note(seq, `Entry ${seq} records a pruning that cannot have happened: it was inserted.`)
      continue
    }
    through = pruning.through
    confirmed ||= through === begin.prunedSeq && pruning.hash === begin.prunedHash
    const at = entry.at / 1000
    const claimed = `entry ${seq} says that everything up to entry ${through} was pruned`
    if (at > begin.now + DAY_MS) {
      note(seq, `${capital(claimed)} at ${iso(at)} in the future: the clock was wrong.`)
    } else if (pruning.before > at - pruning.days * DAY_MS || pruning.newest >= pruning.before) {
      note(seq, `${capital(claimed)}, and they were younger than its ${pruning.days} days.`)
    } else if (days !== undefined && pruning.before > begin.now - days * DAY_MS) {
      note(
        seq,
        `${capital(claimed)} because they were older than ${pruning.days} days (before ${iso(pruning.before)}); entries are to be stored for ${days}.`,
      )
    }
  }
  if (!confirmed) {
    note(
      begin.prunedSeq,
      `The head says that everything up to entry ${begin.prunedSeq} was pruned, and no entry of the trail says so: they were deleted.`,
    )
  }
}

/** Entries from this time on must exist, by the last pruning; epoch ms. Undefined if nothing was pruned. */
export function prunedBefore(chain: Chain): number | undefined {
  const last = chain.prunings.at(-1)
  return last === undefined ? undefined : readPruning(last)?.before
}

const iso = (ms: number) => new Date(ms).toISOString()
const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
