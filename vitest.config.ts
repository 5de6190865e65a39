/**
 * The lanes of the check as modes of Vitest: `npm test` is `pure` and `service`, `vitest run --mode whole` is everything. Which file is in
 * which lane is decided in tools/lanes/lanes.ts. `vitest run --mode whole test/path` runs files of any lane.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findPostgres } from './test/support/postgres-binaries.ts'
import { SummaryReporter } from './test/support/summary-reporter.ts'
import { isAmong } from './tools/lanes/affected.ts'
import { filesOf, laneOf, reachesNoDatabase, WITH_TOOLS } from './tools/lanes/files.ts'

const postgres = findPostgres()
export default defineConfig(({ mode }) => {
  const lane = laneOf(mode)
  const { files, notRun } = filesOf(lane)
  const isSlower = !['test', 'thorough'].includes(lane)
  const cores = availableParallelism()
  const shared = {
    // One process with threads, which share what is compiled.
    pool: 'threads' as const,
    // The files of a worker share its modules and its databases: loading them anew cost each file more than a second of CPU.
    isolate: false,
    // One more than cores, because tests wait for processes and timers; those that start processes themselves have enough to do.
    maxWorkers: isSlower ? cores : Math.min(cores + 1, 6),
    // A hundred times what most take: a machine that is busy with something else must not fail a test.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // A test that fails by chance is a defect of the test or of the service, and is to be seen.
    retry: 0,
    // For the processes that read workbooks; the same folder as that of bin/sojourn.js.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/node-compile-cache') },
    setupFiles: ['test/support/random-setup.ts'],
    provide: { lane },
  }
  const withDatabase = { ...shared, setupFiles: [...shared.setupFiles, 'test/support/file-end.ts'] }
  const pure = files.filter((file) => reachesNoDatabase(file))
  const others = files.filter((file) => !reachesNoDatabase(file) && !isAmong(file, WITH_TOOLS))
  const service = {
    ...withDatabase,
    provide: { lane, ...(postgres.found && { postgresBinaries: postgres }) },
  }
  const projects = [
    { ...shared, name: 'pure', include: pure },
    ...(postgres.found
      ? [
          { ...service, name: 'service', include: others, globalSetup: 'test/support/postgres-setup.ts' },
          {
            ...service,
            name: 'tools',
            include: files.filter((file) => isAmong(file, WITH_TOOLS)),
            globalSetup: ['test/support/postgres-setup.ts', 'test/support/openapi-tools-setup.ts'],
          },
        ]
      : []),
  ]
  const used = projects.filter(({ include }) => include.length > 0)
  const reporter = new SummaryReporter({
    postgresMissing: postgres.found ? undefined : postgres.reason,
    notRun,
    mayBeEmpty: lane === 'affected',
    file: process.env.TEST_SUMMARY_FILE,
  })
  return {
    test: {
      reporters: ['default', reporter],
      passWithNoTests: true,
      // Vitest needs one, also for a change that no group of slower tests depends on.
      projects: (used.length > 0 ? used : [{ name: 'none', include: ['none'] }]).map((test) => ({ test })),
    },
  }
})
