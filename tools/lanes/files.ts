/** The test files of each lane, and what the lane leaves out. */
import { affectedGroups, GRAPH, isAmong, testFiles } from './affected.ts'
import { changedFiles } from './change.ts'
import { GROUPS, OUTSIDE, THOROUGH } from './lanes.ts'

const LANES = ['test', 'static', 'thorough', 'outside', 'affected', 'whole'] as const

/** `test` is what `npm test` runs: the lanes `pure` and `service`. */
export type Lane = (typeof LANES)[number]

/** The lane that a mode of Vitest names. @throws Error with the lanes that there are */
export function laneOf(mode: string): Lane {
  // In these modes, other tools read the configuration.
  const lane = ['development', 'production'].includes(mode) ? 'test' : LANES.find((name) => name === mode)
  if (lane === undefined) {
    throw new Error(`There is no lane "${mode}", only ${LANES.join(', ')}. \`--mode whole\` runs every file.`)
  }
  return lane
}

/** What a run leaves out: a line for each part, and why. */
export type NotRun = readonly string[]

/** Their programs are installed first. */
export const WITH_TOOLS: readonly string[] = ['test/parts/openapi/with-tools/**']

/** What the lane `static` has of the tests: imports between folders, and pages that are printed from the code. */
const STATIC = ['test/contract/folders.test.ts', 'test/contract/printed-pages.test.ts']

/** Whether neither a test file nor what it uses of `test/` asks for the database of a run. */
export function reachesNoDatabase(file: string): boolean {
  const reached = GRAPH.reachedFrom(file, (imported) => imported.startsWith('test/'))
  return ![...reached].some((path) => /\binject\('(?!lane')/.test(GRAPH.textOf(path)))
}

/** The files of a lane, and what it does not run. */
export function filesOf(lane: Lane): { readonly files: readonly string[]; readonly notRun: NotRun } {
  const all = testFiles()
  const inOutside = Object.values(OUTSIDE).flatMap(({ files }) => files)
  const inGroups = Object.values(GROUPS).flatMap(({ files }) => files)
  const ordinary = all.filter((file) => !isAmong(file, [...inOutside, ...inGroups]))
  const thorough = Object.values(THOROUGH).flat()
  switch (lane) {
    case 'whole':
      return { files: all, notRun: [] }
    case 'static':
      return { files: STATIC, notRun: [] }
    case 'outside':
      return { files: all.filter((file) => isAmong(file, inOutside)), notRun: [] }
    case 'thorough':
      return { files: thorough, notRun: [] }
    case 'affected': {
      const chosen = chosenGroups()
      const files = Object.entries(GROUPS).flatMap(([name, group]) => (chosen.has(name) ? group.files : []))
      return {
        files: all.filter((file) => isAmong(file, files) && !isAmong(file, inOutside)),
        notRun: Object.keys(GROUPS)
          .filter((name) => !chosen.has(name))
          .map((name) => `${name}: the change touches nothing that they depend on`),
      }
    }
    case 'test':
      return {
        files: ordinary.filter((file) => !thorough.includes(file)),
        notRun: [
          '`npm run test:thorough`, `test:outside` and `test:affected` run the others; `npm run test:whole -- FILE` any file',
        ],
      }
  }
}

/** The groups that the change runs, and why; all of them if nobody can tell what the change is. */
export function chosenGroups(): ReadonlyMap<string, string> {
  const changed = changedFiles()
  if (changed === undefined) {
    return new Map(Object.keys(GROUPS).map((name) => [name, 'what has changed is not known here']))
  }
  return new Map(
    [...affectedGroups(changed)].map(([name, { changed: file, through }]) => [
      name,
      through === undefined ? file : `${file}, which ${through} imports`,
    ]),
  )
}
