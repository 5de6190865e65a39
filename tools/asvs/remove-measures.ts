/**
 * Removes one measure after the other in a copy of the project, and runs the test that the register names for it: the test must
 * fail. `node tools/asvs/remove-measures.ts [NUMBER…]` prints the result of each, and how many tests failed.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseMet } from './choose.ts'
import { register } from './register.ts'
import { REMOVALS, SEED } from './removals.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const COPIED = ['src', 'client', 'console', 'test', 'tools', 'docs', 'bin']
const FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'CHANGELOG.md',
  'SECURITY.md',
]

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/** How a test may be run: some are of one database. */
const WAYS = [
  ['--mode', 'whole', '--project', 'embedded', '--project', 'pure'],
  ['--mode', 'whole', '--project', 'postgres'],
]

/** The tests of a file whose titles match, as they ended, in the first way in which some ran. */
function testRun(copy: string, file: string, pattern: string) {
  const out = join(copy, 'report.json')
  for (const way of WAYS) {
    const args = ['vitest', 'run', ...way, '--reporter=json', `--outputFile=${out}`, file, '-t', pattern]
    spawnSync('npx', args, { cwd: copy, stdio: 'ignore', timeout: 300_000 })
    if (!existsSync(out)) continue
    const report = JSON.parse(readFileSync(out, 'utf8')) as Report
    rmSync(out)
    const ran = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
    if (ran.length > 0) return ran
  }
  return []
}

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
  const copy = mkdtempSync(join(tmpdir(), 'sojourn-removal-'))
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    for (const name of FILES) cpSync(join(ROOT, name), join(copy, name))
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const path = join(copy, removal.file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(removal.from))
      throw new Error(`${removal.file} does not contain what ${removal.number} removes`)
    writeFileSync(path, text.replace(removal.from, removal.to))
    const pattern = row.testTitle
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/%[sidj]|\\\$\w+/g, '.*')
    const ran = testRun(copy, row.testFile, pattern)
    const isNoticed = ran.some(({ status }) => status === 'failed')
    tried += 1
    if (isNoticed) failed += 1
    process.stdout.write(
      `${removal.number}: ${isNoticed ? 'the test fails' : ran.length === 0 ? 'NO TEST RAN' : 'THE TEST PASSES'} (${row.testFile} ${row.testTitle})\n`,
    )
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
process.stdout.write(`${failed} of ${tried} tests fail without their measure.\n`)
