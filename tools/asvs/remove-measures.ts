/**
 * Removes one measure after the other in a copy of the project, and runs the test that the register names for it: the test must
 * fail. `node tools/asvs/remove-measures.ts [NUMBER…]` prints the result of each, and how many tests failed.
 */
import { runWith } from '../faults/plant.ts'
import { chooseMet } from './choose.ts'
import { register } from './register.ts'
import { REMOVALS, SEED } from './removals.ts'

const wanted = process.argv.slice(2)
const rows = register()
const chosen = chooseMet(rows, SEED, REMOVALS.length).map(({ number }) => number)
let failed = 0
let tried = 0
for (const removal of REMOVALS) {
  if (wanted.length > 0 && !wanted.includes(removal.number)) continue
  const row = rows.find(({ number }) => number === removal.number)
  if (row === undefined || row.status !== 'met') {
    process.stdout.write(`${removal.number}: is no longer met\n`)
    continue
  }
  if (!chosen.includes(removal.number))
    process.stdout.write(`${removal.number} was chosen from an earlier register\n`)
  const pattern = row.testTitle.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/%[sidj]|\\\$\w+/g, '.*')
  const ran = runWith(removal, row.testFile, pattern)
  const isNoticed = ran.some(({ status }) => status === 'failed')
  tried += 1
  if (isNoticed) failed += 1
  process.stdout.write(
    `${removal.number}: ${isNoticed ? 'the test fails' : ran.length === 0 ? 'NO TEST RAN' : 'THE TEST PASSES'} (${row.testFile} ${row.testTitle})\n`,
  )
}
process.stdout.write(`${failed} of ${tried} tests fail without their measure.\n`)
