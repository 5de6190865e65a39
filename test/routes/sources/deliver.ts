/** A center with a nightly source, in simulated time, for tests. */
import type { Database } from '../../../src/core/database/database.ts'
import { sojourn } from '../../commands/sojourn.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { guest, order, session, spa, type TestRecord } from '../../support/world.ts'

/** 21 November 2026, 10:00 in Bucharest. */
export const NOW = Date.parse('2026-11-21T08:00:00.000Z')
export const HOUR = 3_600_000

export interface SourcesWorld {
  readonly api: TestApi
  /** with the simulated clock */
  readonly database: Database
  /** epoch ms; advances the clock */
  now: number
  /** Runs a command line at the simulated time. */
  run(args: readonly string[], stdin?: string): ReturnType<typeof sojourn>
  /** Delivers records as the source `name`. */
  deliver(name: string, records: readonly TestRecord[]): ReturnType<typeof sojourn>
}

export const guests = (count: number): TestRecord[] =>
  Array.from({ length: count }, (_, at) => guest(`g${at}`)).flat()

/** Starts a service at `NOW`. Its records were written by no import. */
export async function startSourcesWorld(records: readonly TestRecord[] = []): Promise<SourcesWorld> {
  const raw = await openTestDatabase()
  const world = { now: NOW }
  const database = clockedDatabase(raw, () => world.now)
  const api = await startTestApi({
    database: raw,
    records: [spa(), ...records],
    clock: () => world.now,
    app: { corsOrigins: ['https://desk.example'] },
  })
  await api.load([session('s1', '2025-01-06', '2025-01-12'), ...guest('g0'), order('order_1')])
  const run = (args: readonly string[], stdin = '') =>
    sojourn(args, { DATABASE_URL: 'postgres://given' }, { database, stdin })
  return {
    api,
    database,
    get now() {
      return world.now
    },
    set now(at) {
      world.now = at
    },
    run,
    deliver(name, delivered) {
      const lines = delivered.map((record) => `${JSON.stringify(record)}\n`).join('')
      return run(['import', '--source', name, '-'], lines)
    },
  }
}
