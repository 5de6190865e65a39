/**
 * The same tests run on both databases: `embedded` and `postgres`. Tests that touch no database run once, in
 * `pure`; their folders are named here, so that a new folder runs on both unless somebody says otherwise.
 *
 * One engine alone: `npm test -- --project embedded`.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findPostgres } from './test/support/postgres-binaries.ts'
import { SummaryReporter } from './test/support/summary-reporter.ts'

const PURE = [
  'test/access/counters/**',
  'test/answer/stream-slots.test.ts',
  'test/config/**',
  'test/contract/**',
  'test/errors/**',
  'test/fields/**',
  'test/demo/**',
  'test/locale/**',
  'test/server/progress.test.ts',
  'test/server/regular-expressions.test.ts',
  'test/server/turns.test.ts',
  'test/database/types.test.ts',
  'test/database/mutex.test.ts',
  'test/database/deadlines.test.ts',
  'test/database/fair-turns.test.ts',
  'test/database/disk-space.test.ts',
  'test/database/turns.test.ts',
]

// What one engine alone has: the folder of the embedded database, and what only a server can do.
const EMBEDDED_ONLY = [
  'test/commands/channel/**',
  'test/database/folder-lock.test.ts',
  'test/database/durability.test.ts',
  'test/database/engine.test.ts',
  'test/database/template.test.ts',
  'test/commands/demo.test.ts',
  'test/docs/own-data.test.ts',
]
const POSTGRES_ONLY = [
  'test/sql/plans.test.ts',
  'test/audit/locked-key.test.ts',
  'test/database/drivers-*.test.ts',
]

// What needs the programs of test/openapi/tools, once: they see the service from outside.
const WITH_TOOLS = ['test/openapi/with-tools/**']

const ALL = ['test/**/*.test.ts']
// The programs of test/openapi/tools bring tests of their own.
const NEVER = ['**/node_modules/**']

const postgres = findPostgres()

const shared = {
  // One process with threads: V8 then compiles the embedded database's WebAssembly once for all files.
  pool: 'threads',
  // A worker of the embedded half takes about 300 MB, and the server wants a core as well.
  maxWorkers: Math.min(Math.max(availableParallelism(), 2), 6),
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const

export default defineConfig({
  test: {
    reporters: [
      'default',
      new SummaryReporter(postgres.found ? undefined : postgres.reason, process.env.TEST_SUMMARY_FILE),
    ],
    projects: [
      {
        test: { ...shared, name: 'pure', include: PURE.map((path) => path.replace(/\*\*$/, '**/*.test.ts')) },
      },
      {
        test: {
          ...shared,
          name: 'embedded',
          include: ALL,
          exclude: [...NEVER, ...PURE, ...POSTGRES_ONLY, ...WITH_TOOLS],
          globalSetup: 'test/support/embedded-setup.ts',
          provide: { engine: 'embedded' as const },
        },
      },
      {
        test: {
          ...shared,
          name: 'tools',
          include: WITH_TOOLS.map((path) => `${path}/*.test.ts`),
          globalSetup: ['test/support/embedded-setup.ts', 'test/support/openapi-tools-setup.ts'],
          provide: { engine: 'embedded' as const },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      ...(postgres.found
        ? [
            {
              test: {
                ...shared,
                name: 'postgres',
                include: ALL,
                exclude: [...NEVER, ...PURE, ...EMBEDDED_ONLY, ...WITH_TOOLS],
                globalSetup: 'test/support/postgres-setup.ts',
                provide: { engine: 'postgres' as const, postgresBinaries: postgres },
              },
            },
          ]
        : []),
    ],
  },
})
