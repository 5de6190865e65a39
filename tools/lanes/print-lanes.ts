/**
 * `npm run lanes` prints the groups of slower tests that the change runs, and why. `npm run --silent lanes -- --packages` prints the
 * Debian packages that its lanes need. The change is what follows the last landing, or the commit in `CHANGED_SINCE`.
 */
import { chosenGroups } from './files.ts'
import { GROUPS, IN_EVERY_LANE, OUTSIDE } from './lanes.ts'

const chosen = chosenGroups()
if (process.argv.includes('--packages')) {
  const groups = [...Object.values(OUTSIDE), ...[...chosen.keys()].map((name) => GROUPS[name])]
  const packages = new Set([...IN_EVERY_LANE, ...groups.flatMap((group) => group?.packages ?? [])])
  process.stdout.write(`${[...packages].join('\n')}\n`)
} else {
  for (const [name, why] of chosen) process.stdout.write(`${name}: ${why}\n`)
  const others = Object.keys(GROUPS).filter((name) => !chosen.has(name))
  for (const name of others) process.stdout.write(`NOT RUN: ${name}\n`)
}
