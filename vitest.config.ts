/**
 * The same tests run on both databases: `embedded` and `postgres`. Tests that touch no database run once, in
 * `pure`; their folders are named here, so that a new folder runs on both unless somebody says otherwise.
 *
 * One engine alone: `npm test -- --project embedded`. What is slow because of what it needs is left to
 * `npm run test:slower`.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findPostgres } from './test/support/postgres-binaries.ts'
import { type SlowerTests, SummaryReporter } from './test/support/summary-reporter.ts'

const PURE = [
  'test/access/counters/**',
  'test/access/request-deadline.test.ts',
  'test/answer/still-newest.test.ts',
  'test/extras/assistants/missing.test.ts',
  'test/audit/batch.test.ts',
  'test/audit/memory-shares.test.ts',
  'test/audit/plausible-clock.test.ts',
  'test/answer/stream-slots.test.ts',
  'test/client/without-service/**',
  'test/commands/output.test.ts',
  'test/answer/slices.test.ts',
  'test/answer/json-bytes.test.ts',
  'test/config/**',
  'test/intake/files.test.ts',
  'test/intake/spreadsheets/explain/**',
  'test/intake/spreadsheets/mapping/**',
  'test/intake/spreadsheets/tables/**',
  'test/changes/change-log.test.ts',
  'test/contract/**',
  'test/errors/**',
  'test/extras/guide/*.test.ts',
  'test/console/*.test.ts',
  'test/records/fields/**',
  'test/records/**',
  'test/answer/files/*.test.ts',
  'test/commands/demo/**',
  'test/locale/**',
  'test/request/connections/admission.test.ts',
  'test/request/connections/progress.test.ts',
  'test/request/connections/regular-expressions.test.ts',
  'test/request/connections/one-at-a-time.test.ts',
  'test/monitoring/once-a-day.test.ts',
  'test/monitoring/vacuum.test.ts',
  'test/intake/port/delivery-slots.test.ts',
  'test/intake/held-folder.test.ts',
  'test/intake/stage.test.ts',
  'test/database/types.test.ts',
  'test/database/mutex.test.ts',
  'test/database/deadlines.test.ts',
  'test/database/held-answers.test.ts',
  'test/database/record-list.test.ts',
  'test/database/database-queue.test.ts',
  'test/database/disk-space.test.ts',
  'test/database/session-slots.test.ts',
  'test/extras/cells/map.test.ts',
  'test/extras/mail/**',
  'test/extras/reports/fonts.test.ts',
  'test/extras/reports/schedule.test.ts',
  'test/extras/webhooks/lookup.test.ts',
  'test/extras/webhooks/rebinding.test.ts',
  'test/extras/webhooks/sending.test.ts',
]

// Packed with npm, installed somewhere else and used there, once.
const PACKAGES = ['test/packages/**']

// What one engine alone has: the folder of the embedded database, and what only a server can do.
const EMBEDDED_ONLY = [
  'test/commands/channel/**',
  'test/commands/backup*.test.ts',
  'test/extras/data-rights/bytes.test.ts',
  'test/extras/data-rights/killed.test.ts',
  'test/database/folder-lock.test.ts',
  'test/database/durability.test.ts',
  'test/database/engine.test.ts',
  'test/database/guests.test.ts',
  'test/database/template.test.ts',
  'test/database/engine-ends.test.ts',
  'test/database/folder-problems.test.ts',
  'test/commands/demo.test.ts',
  'test/docs/example-programs.test.ts',
  'test/docs/own-data.test.ts',
  // Nothing there depends on the database.
  ...PACKAGES,
  'test/extras/openapi/in-a-browser/**',
  'test/extras/guide/in-a-browser/**',
  'test/console/in-a-browser/**',
  'test/console/completeness/**',
  'test/examples/**',
  'test/intake/at-length/**',
  'test/answer/files/in-libreoffice/**',
  'test/extras/reports/on-a-printer/**',
  'test/monitoring/alerts-in-faults.test.ts',
  'test/tracing/**',
]
const POSTGRES_ONLY = [
  'test/sql/plans.test.ts',
  'test/audit/locked-key.test.ts',
  'test/intake/port/killed.test.ts',
  'test/database/drivers-*.test.ts',
  'test/extras/cells/move.test.ts',
  'test/failover/**',
]

// What needs the programs of test/extras/openapi/tools, once: they see the service from outside.
const WITH_TOOLS = ['test/extras/openapi/with-tools/**']

// Run by `npm run test:slower` and wherever a change is judged (.ci/run): a browser, programs that others wrote, and
// processes and servers that are killed, stopped or silent. What the service promises every day is not among them.
const SLOWER: SlowerTests = {
  'a browser': [
    'test/extras/openapi/in-a-browser/**',
    'test/extras/guide/in-a-browser/**',
    'test/console/in-a-browser/**',
    'test/console/completeness/**',
  ],
  'programs that read the OpenAPI document': WITH_TOOLS,
  'packages that are packed, installed and used': PACKAGES,
  'a printer of CUPS': ['test/extras/reports/on-a-printer/**'],
  'a spreadsheet program': ['test/answer/files/in-libreoffice/**'],
  'other languages': ['test/examples/**', 'test/docs/example-programs.test.ts'],
  'simulated days of sources and reports': [
    'test/extras/notices/simulated-days.test.ts',
    'test/extras/reports/days.test.ts',
    'test/extras/reports/at-length/**',
    'test/records/sources/simulated-days.test.ts',
  ],
  'every regular expression against hostile texts': ['test/request/connections/regular-expressions.test.ts'],
  'records with half a megabyte in each field': ['test/intake/hostile-records.test.ts'],
  'names with typing errors, compared one by one': ['test/routes/guests/match-measured.test.ts'],
  'databases of the migrations that the baseline has replaced': ['test/database/baseline.test.ts'],
  'forty files, one of 75,000 rows, by the page and by the command': [
    'test/intake/port/files/same-as-command.test.ts',
  ],
  'thousands of hostile requests, and files of a gigabyte': [
    'test/extras/openapi/at-length/**',
    'test/intake/at-length/**',
  ],
  'commands that are started as processes, again and again': [
    'test/commands/channel/without-permission.test.ts',
    'test/commands/demo.test.ts',
    'test/commands/first-hour.test.ts',
    'test/commands/secrets-unseen.test.ts',
    'test/commands/serve.test.ts',
    'test/commands/serve-ends.test.ts',
    'test/commands/traces.test.ts',
    'test/database/open.test.ts',
    'test/docs/examples.test.ts',
    'test/docs/own-data.test.ts',
    'test/extras/assistants/over-stdio.test.ts',
  ],
  'an embedded database that is made from nothing': ['test/database/template.test.ts'],
  'database servers of their own, which are replaced, restored and restarted': ['test/failover/**'],
  'half an hour of scrapes of faulty services, over which Prometheus evaluates the alerts': [
    'test/monitoring/alerts-in-faults.test.ts',
  ],
  'planted faults of a deployment': ['test/commands/doctor.test.ts', 'test/commands/doctor-address.test.ts'],
  'backups that were changed, cut off and killed, and large ones': [
    'test/commands/backup-copies.test.ts',
    'test/commands/backup-refused.test.ts',
    'test/commands/backup-serving.test.ts',
  ],
  'centers that move between databases, also by commands that are killed': ['test/extras/cells/move.test.ts'],
  'killed, stopped and silent processes and servers': [
    'test/audit/crash.test.ts',
    'test/audit/second-signal.test.ts',
    'test/commands/channel/cut-off.test.ts',
    'test/commands/channel/folder-gone.test.ts',
    'test/intake/port/killed.test.ts',
    'test/extras/data-rights/bytes.test.ts',
    'test/extras/data-rights/killed.test.ts',
    'test/database/drivers-faults.test.ts',
    'test/database/drivers-locked.test.ts',
    'test/database/drivers-outages.test.ts',
    'test/database/durability.test.ts',
    'test/database/engine-ends.test.ts',
    'test/database/folder-lock.test.ts',
  ],
}

// Those of them that touch no database.
const SLOWER_PURE = [
  'test/records/sources/simulated-days.test.ts',
  'test/request/connections/regular-expressions.test.ts',
]

// The programs of test/extras/openapi/tools bring tests of their own.
const NEVER = ['**/node_modules/**']

const files = (patterns: readonly string[]) => patterns.map((path) => path.replace(/\*\*$/, '**/*.test.ts'))

const postgres = findPostgres()

const shared = {
  // One process with threads: V8 then compiles the embedded database's WebAssembly once for all files.
  pool: 'threads',
  // The files of a worker share its modules and its databases: loading them anew cost each file more than a second of CPU.
  isolate: false,
  // A worker of the embedded half takes about 300 MB. One more than cores, because tests wait for processes and timers.
  maxWorkers: Math.min(availableParallelism() + 1, 6),
  // A hundred times what most take: a machine that is busy with something else must not fail a test.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
  // Where a change is judged, a test that a busy machine has upset once runs again, and the last lines name it loudly.
  retry: process.env.CI === 'true' ? 1 : 0,
} as const

export default defineConfig(({ mode }) => {
  const isSlower = mode === 'slower'
  const slower = files(Object.values(SLOWER).flat())
  // Processes, servers and browsers that share two cores: their tests take up to a minute each.
  const times = isSlower ? { testTimeout: 240_000, hookTimeout: 240_000 } : {}
  const include = isSlower ? slower : ['test/**/*.test.ts']
  const exclude = [...NEVER, ...PURE, ...WITH_TOOLS, ...(isSlower ? [] : slower)]
  const reporter = new SummaryReporter({
    postgresMissing: postgres.found ? undefined : postgres.reason,
    notRun: isSlower ? {} : SLOWER,
    file: process.env.TEST_SUMMARY_FILE,
  })
  const pure = {
    ...shared,
    ...times,
    name: 'pure',
    include: isSlower ? SLOWER_PURE : files(PURE),
    exclude: isSlower ? NEVER : [...NEVER, ...slower],
  }
  const embedded = {
    ...shared,
    ...times,
    name: 'embedded',
    include,
    exclude: [...exclude, ...POSTGRES_ONLY],
    setupFiles: 'test/support/file-end.ts',
    globalSetup: 'test/support/embedded-setup.ts',
    provide: { engine: 'embedded' as const },
  }
  const tools = {
    ...shared,
    ...times,
    name: 'tools',
    include: files(WITH_TOOLS),
    setupFiles: 'test/support/file-end.ts',
    globalSetup: ['test/support/embedded-setup.ts', 'test/support/openapi-tools-setup.ts'],
    provide: { engine: 'embedded' as const },
  }
  const onPostgres = postgres.found && {
    ...shared,
    ...times,
    name: 'postgres',
    include,
    exclude: [...exclude, ...EMBEDDED_ONLY],
    setupFiles: 'test/support/file-end.ts',
    globalSetup: 'test/support/postgres-setup.ts',
    provide: { engine: 'postgres' as const, postgresBinaries: postgres },
  }
  const projects = [...(isSlower ? [tools] : []), pure, embedded, ...(onPostgres ? [onPostgres] : [])]
  return { test: { reporters: ['default', reporter], projects: projects.map((test) => ({ test })) } }
})
