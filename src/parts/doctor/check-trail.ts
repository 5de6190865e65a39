/** Verifies the newest entries of each center's trail. `sojourn audit verify` verifies all of them. */
import { trails, verifyNewest } from '../../core/audit/verify/verify-trail.ts'
import { counted } from '../../core/command-line/words.ts'
import type { Inspected } from './inspect-database.ts'
import { notChecked, notOk, ok, type Result } from './result.ts'

/** Of each center. */
const ENTRIES = 500

/** Less than a check may take, in ms. */
const WITHIN_MS = 15_000

/** @param monotonic milliseconds of a clock that is never set */
export async function checkTrail(
  database: Inspected,
  monotonic: () => number = () => performance.now(),
): Promise<Result[]> {
  const end = monotonic() + WITHIN_MS
  const centers = await database.read(trails)
  const results: Result[] = []
  let entries = 0
  let verified = 0
  for (const center of centers) {
    if (monotonic() > end) break
    const report = await database.read((tx) => verifyNewest(tx, center, ENTRIES))
    verified += 1
    entries += report.entries
    if (report.problems.length === 0) continue
    const [first] = report.problems
    results.push(
      notOk(
        'trail',
        `The trail of ${center} has ${counted(report.problems.length, 'problem')}: ${first?.message}`,
        `Run "sojourn audit verify --center ${center}", and compare with the heads that you noted (docs/audit.md).`,
      ),
    )
  }
  if (verified < centers.length) {
    results.push(
      notChecked(
        'trail',
        `${verified} of ${centers.length} trails were verified in ${WITHIN_MS / 1000} s.`,
        'Run "sojourn audit verify", which takes its time.',
      ),
    )
  }
  if (results.length > 0) return results
  return [
    ok(
      'trail',
      centers.length === 0
        ? 'The trail is empty.'
        : `The newest entries of ${counted(centers.length, 'center')}, at most ${ENTRIES} each (${entries}), are as they were written; "sojourn audit verify" verifies all.`,
    ),
  ]
}
