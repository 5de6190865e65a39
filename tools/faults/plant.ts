/** A copy of the project in which a text of one file is changed, and a test file that is run there. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const COPIED = [
  ...['src', 'client', 'console', 'test', 'tools', 'docs', 'bin', '.ci', 'deploy', 'examples', 'bench'],
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
    'CHANGELOG.md',
    'SECURITY.md',
  ],
  ...['README.md', 'CONTRIBUTING.md'],
]

/** One change of the code. */
export interface Planted {
  readonly file: string
  /** occurs in the file */
  readonly from: string
  readonly to: string
}

export interface TestRun {
  readonly title: string
  readonly status: string
}

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly TestRun[] }[]
}

/**
 * Runs a test file on the code with a fault.
 * @param pattern a regular expression of the titles; all tests of the file without it
 * @returns the tests as they ended
 * @throws if the file does not have the text that the fault changes
 */
export function runWith({ file, from, to }: Planted, testFile: string, pattern?: string): readonly TestRun[] {
  const copy = mkdtempSync(join(tmpdir(), 'sojourn-fault-'))
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not contain ${JSON.stringify(from)}`)
    writeFileSync(path, text.replace(from, to))
    return testRun(copy, testFile, pattern)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function testRun(copy: string, file: string, pattern: string | undefined): readonly TestRun[] {
  const out = join(copy, 'report.json')
  const args = ['vitest', 'run', '--mode', 'whole', '--reporter=json', `--outputFile=${out}`, file]
  const chosen = pattern === undefined ? [] : ['-t', pattern]
  spawnSync('npx', [...args, ...chosen], { cwd: copy, stdio: 'ignore', timeout: 600_000 })
  if (!existsSync(out)) return []
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
}
