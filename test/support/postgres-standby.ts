/** A standby that follows a server asynchronously, and can lose its newest commits when it is promoted. */
import { spawnSync } from 'node:child_process'
import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { adminQuery } from './postgres-databases.ts'
import { launchPostgres, type PostgresServer } from './postgres-server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Settings of a server that a standby can follow. */
export const FOLLOWED = {
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '256MB',
  // What was committed is sent at once.
  synchronous_commit: 'local',
} as const

export interface Standby extends PostgresServer {
  /** Waits until it has everything that its primary has committed. */
  catchUp(): Promise<void>
  /** Receives nothing more, so what the primary commits from now on is lost when this one is promoted. */
  disconnect(): Promise<void>
  /** Accepts writes from now on. */
  promote(): Promise<void>
}

/**
 * @param primary started with `FOLLOWED`
 * @param settings of the standby
 */
export async function startStandby(
  binaries: PostgresBinaries,
  primary: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
): Promise<Standby> {
  const folder = makeTemporaryFolder()
  const data = join(folder, 'data')
  const write = (name: string, text: string) => {
    writeFileSync(join(data, name), text)
    if (binaries.user !== undefined) chownSync(join(data, name), binaries.user.uid, binaries.user.gid)
  }
  if (binaries.user !== undefined) chownSync(folder, binaries.user.uid, binaries.user.gid)
  write('backup_label', await copyData(primary, data))
  rmSync(join(data, 'postmaster.pid'), { force: true })
  write('standby.signal', '')
  const { hostname, port, username, password } = new URL(primary.url)
  const follows = `host=${hostname} port=${port} user=${username} password=${password}`
  write('postgresql.auto.conf', `primary_conninfo = '${follows}'\n`)
  const server = await launchPostgres(binaries, folder, password, { ...FOLLOWED, ...settings })
  const until = async (condition: string) => {
    for (let isTrue = false; !isTrue; ) {
      isTrue = (await adminQuery(server.url, `select ${condition} as is_true`)).rows[0].is_true
    }
  }
  return {
    ...server,
    async catchUp() {
      const { rows } = await adminQuery(primary.url, 'select pg_current_wal_flush_lsn() as lsn')
      await until(`coalesce(pg_last_wal_replay_lsn() >= '${rows[0].lsn}', false)`)
    },
    async disconnect() {
      await adminQuery(server.url, `alter system set primary_conninfo = ''`)
      await adminQuery(server.url, 'select pg_reload_conf()')
      await until('not exists (select from pg_stat_wal_receiver)')
    },
    async promote() {
      await adminQuery(server.url, 'select pg_promote(true)')
    },
  }
}

/** Copies the data of a running server. @returns the label that the copy must have */
async function copyData(primary: PostgresServer, to: string): Promise<string> {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    const copied = spawnSync('cp', ['-a', join(primary.folder, 'data'), to], { encoding: 'utf8' })
    if (copied.status !== 0) throw new Error(`the data could not be copied: ${copied.stderr}`)
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    return rows[0].labelfile
  } finally {
    await client.end()
  }
}
