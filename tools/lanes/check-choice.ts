/**
 * Whether a change runs the groups whose tests it had to change: `node tools/lanes/check-choice.ts [COUNT]` asks this of the newest
 * commits, 30 if no number is given, that changed the product and a test of a group. The tests of groups, each of which would
 * choose its group, are left out of the question. Prints two lines for each commit; ends with 1 if a group is missing.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImportGraph } from '../imports.ts'
import { affectedGroups, isAmong, isInside } from './affected.ts'
import { GROUPS, type Group } from './lanes.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** What the choice reads. */
const READ = ['src', 'console', 'client', 'tools', 'test']
/** What no test has to follow is not here: documents, and the check itself. */
const PRODUCT = ['src', 'console', 'client', 'deploy', 'bin', 'examples', 'tools/pack', 'tools/release']
const ALL_FILES = Object.values(GROUPS).flatMap(({ files }) => files)
const COUNT = Number(process.argv[2] ?? 30)

/** What the rest of the change did not ask of its test, by commit. */
const BESIDES: Readonly<Record<string, string>> = {
  '7102e1dc': 'a test of traces lost its bound of time',
  '5455cb8a': 'the test of the reference opens its details by script, which is faster',
  a7e1f4b3: 'a test of simulated days takes the place of another',
  '6c37a465': 'another version of LibreOffice writes quotes in another way',
  '7753dcaa': 'the test of the second sheet belongs to an earlier change',
  af1207e3: 'titles have other words',
  '927eeb3f': 'the test of former migrations has one database in place of two',
}

interface Change {
  readonly commit: string
  /** without tests of groups */
  readonly changed: readonly string[]
  readonly groups: readonly string[]
}

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** In older commits, `src/core/` is `src/`, and `src/parts/` and `test/parts/` are called `extras`. */
const underBothNames = (paths: readonly string[]): string[] => [
  ...new Set(
    paths.flatMap((path) => [path, path.replace('src/core/', 'src/'), path.replace('/parts', '/extras')]),
  ),
]

const GROUPS_OF_THEN: Readonly<Record<string, Group>> = Object.fromEntries(
  Object.entries(GROUPS).map(([name, { files, dependsOn }]) => [
    name,
    { files: underBothNames(files), dependsOn: underBothNames(dependsOn) },
  ]),
)

/** Newest first. A test counts under the name that it has today, so only commits with today's folders of the source are asked. */
function* changes(): Generator<Change> {
  for (const commit of git('log', '--no-merges', '--abbrev=8', '--format=%h').trim().split('\n')) {
    const files = git(
      'diff-tree',
      '--no-commit-id',
      '--name-only',
      '--no-renames',
      '-r',
      '--diff-filter=AM',
      commit,
    )
    const today = new Map(
      git('diff', '--name-status', '--find-renames', '--diff-filter=R', commit, 'HEAD', '--', 'test')
        .split('\n')
        .map((line) => line.split('\t').slice(1) as [string, string]),
    )
    const all = files.trim().split('\n')
    const isOfGroup = (file: string, patterns: readonly string[] = ALL_FILES) =>
      isAmong(today.get(file) ?? file, patterns)
    const changed = all.filter((file) => !isOfGroup(file))
    const groups = Object.keys(GROUPS).filter((name) =>
      all.some((file) => isOfGroup(file, GROUPS[name]?.files)),
    )
    if (changed.some((file) => isInside(file, PRODUCT)) && groups.length > 0)
      yield { commit, changed, groups }
  }
}

/** The groups that the change ran then if it were chosen as it is today. */
function chosenFor({ commit, changed }: Change): string[] {
  const copy = mkdtempSync(join(tmpdir(), 'sojourn-choice-'))
  try {
    const archive = spawnSync('git', ['archive', commit, ...READ], { cwd: ROOT, maxBuffer: 2 ** 30 })
    spawnSync('tar', ['-x', '-C', copy], { input: archive.stdout })
    process.chdir(copy)
    return [...affectedGroups(changed, GROUPS_OF_THEN, new ImportGraph()).keys()]
  } finally {
    process.chdir(ROOT)
    rmSync(copy, { recursive: true, force: true })
  }
}

let missed = 0
for (const change of changes().take(COUNT)) {
  const chosen = chosenFor(change)
  const missing = change.groups.filter((name) => !chosen.includes(name))
  const besides = BESIDES[change.commit]
  if (besides === undefined) missed += missing.length
  process.stdout.write(`${change.commit} tests changed: ${change.groups.join('; ')}\n`)
  process.stdout.write(`  chosen: ${chosen.join('; ') || 'none'}\n`)
  for (const name of missing)
    process.stdout.write(`  ${besides ?? 'MISSING'}: ${name} (changed: ${change.changed.join(', ')})\n`)
}
process.stdout.write(`${missed} groups are missing.\n`)
process.exitCode = missed === 0 ? 0 : 1
