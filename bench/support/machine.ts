/** The machine that a figure was measured on. */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'
import pg from 'pg'

export interface Facts {
  readonly date: string
  readonly commit: string
  readonly cores: number
  readonly processor: string
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  /** load before: average number of processes that used or waited for a core in the last minute */
  readonly loadBefore: number
  loadAfter?: number
  postgres?: Readonly<Record<string, string>>
}

/** The facts of this machine and checkout. */
export function machineFacts(): Facts {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
  return {
    date: new Date().toISOString(),
    commit:
      git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', 'src') === '' ? '' : '+changes'),
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    loadBefore: load(),
  }
}

/** The load average of the last minute. */
export const load = () => Math.round((loadavg()[0] ?? 0) * 100) / 100

/** Settings that a figure may depend on, as reported by the server. */
const SETTINGS = [
  'server_version',
  'shared_buffers',
  'work_mem',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'jit',
]

/** The server's values of these settings. */
export async function postgresFacts(url: string): Promise<Record<string, string>> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [SETTINGS],
  )
  await client.end()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
