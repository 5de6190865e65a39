/** What a figure was measured on. */
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
  /** how busy the machine was before: the mean number of processes that wanted a core in the last minute */
  readonly loadBefore: number
  loadAfter?: number
  postgres?: Readonly<Record<string, string>>
}

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

export const load = () => Math.round((loadavg()[0] ?? 0) * 100) / 100

/** The settings that a figure may depend on, as the server itself says. */
const SETTINGS = [
  'server_version',
  'shared_buffers',
  'work_mem',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'jit',
]

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
