/**
 * Plants one fault after the other in a copy of the project, and runs the test that must notice it: `node tools/faults/run.ts [WORDS…]`
 * prints which tests failed. Words choose faults by their description.
 */
import { FAULTS } from './faults.ts'
import { runWith } from './plant.ts'

const words = process.argv.slice(2)
let noticed = 0
let tried = 0
for (const fault of FAULTS) {
  if (words.length > 0 && !words.some((word) => fault.what.includes(word))) continue
  const ran = runWith(fault, fault.test)
  const failed = ran.filter(({ status }) => status === 'failed')
  tried += 1
  if (failed.length > 0) noticed += 1
  const [first] = failed
  const result = first === undefined ? (ran.length === 0 ? 'NO TEST RAN' : 'NOT NOTICED') : first.title
  process.stdout.write(`${fault.what}: ${result} (${failed.length} of ${ran.length} in ${fault.test})\n`)
}
process.stdout.write(`${noticed} of ${tried} faults were noticed.\n`)
process.exitCode = noticed === tried ? 0 : 1
