/** Whether what is gone from the beginning of a trail went for its age, as the trail itself says. */
import { DAY_MS } from '../locale/civil.ts'
import { readPruning } from './pruning.ts'
import type { Ends } from './trail-ends.ts'
import type { TrailProblem } from './trail-problem.ts'
import type { Chain } from './verify-chain.ts'

/** @param days how long entries are to be kept; undefined: only by what each pruning says of itself */
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
        `${capital(claimed)} because they were older than ${pruning.days} days (before ${iso(pruning.before)}); entries are to be kept for ${days}.`,
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

/** The last pruning's edge, epoch ms: what is younger must be there. Undefined where nothing was pruned. */
export function prunedBefore(chain: Chain): number | undefined {
  const last = chain.prunings.at(-1)
  return last === undefined ? undefined : readPruning(last)?.before
}

const iso = (ms: number) => new Date(ms).toISOString()
const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
