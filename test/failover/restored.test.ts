/** A dump is restored into a new server, whose numbers of transactions begin anew. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/core/database/open.ts'
import { NEW_HISTORY } from '../../src/core/database/origin.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { rename, startInstance } from '../answer/instances.ts'
import { startTestApi } from '../support/api.ts'
import type { PostgresBinaries } from '../support/postgres-binaries.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { guest } from '../support/world.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

/** A server of this machine that has the programs for backups, as Debian's has. */
const folder = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql')
      .map((version) => join('/usr/lib/postgresql', version, 'bin'))
      .find((bin) => ['initdb', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(bin, name))))
  : undefined

if (folder === undefined) {
  process.stderr.write('\nWARNING: THE TEST OF RESTORED DUMPS DID NOT RUN: pg_dump is not installed.\n\n')
}

test.runIf(folder !== undefined)(
  'every commit after a restore into a new server is noticed',
  async () => {
    const binaries: PostgresBinaries = { ...inject('postgresBinaries'), folder: folder! }
    const start = async () => {
      const server = await startPostgres(binaries)
      onTestFinished(() => server.stop())
      return server
    }
    const open = (connectionString: string, purpose: 'serve' | 'command') => {
      const database = openPostgres({ connection: { connectionString }, poolSize: 2, purpose })
      onTestFinished(() => database.close())
      return database
    }
    const old = await start()
    // More numbers than a restore takes.
    await adminQuery(
      old.url,
      'do $$ begin for i in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$',
    )
    const database = open(old.url, 'command')
    await migrate(database)
    const api = await startTestApi({ database, records: guest('1') })
    const cursor = (await api.get('/v1/changes')).body.cursor
    const last = await database.query<{ id: string }>(
      sql`select transaction_id::text as id from center_touches order by transaction_id desc limit 1`,
    )

    const dump = join(makeTemporaryFolder(), 'dump')
    const run = (program: string, ...args: string[]) => {
      const { status, stderr } = spawnSync(join(folder!, program), args, { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    }
    run('pg_dump', '--format=custom', `--file=${dump}`, `--dbname=${old.url}`)
    const fresh = await start()
    run('pg_restore', '--no-owner', `--dbname=${fresh.url}`, dump)

    const config = { databaseUrl: fresh.url, databasePoolSize: 2, dataDir: 'unused' }
    await expect(openDatabase(config, { purpose: 'serve' })).rejects.toThrow('restored from another server')
    const migrated = await openDatabase(config, { purpose: 'serve', migrate: true })
    onTestFinished(() => migrated.close())
    expect(migrated.migrationsApplied).toEqual([NEW_HISTORY])

    const instance = await startInstance({ database: open(fresh.url, 'serve') }, api.key)
    expect((await instance.get(`/v1/changes?after=${cursor}`)).status).toBe(410)
    const now = JSON.parse((await instance.get('/v1/changes')).text).cursor
    expect((await instance.get(GUESTS)).text).toContain('Pop')
    // The next commit gets the number that is the last one of the old server.
    await adminQuery(
      fresh.url,
      `do $$ begin
       while pg_snapshot_xmax(pg_current_snapshot())::text::bigint < ${last[0]?.id} loop
         perform pg_current_xact_id();
         commit;
       end loop;
     end $$`,
    )
    await rename({ database: open(fresh.url, 'command') }, 'After')
    expect((await instance.get(GUESTS)).text).toContain('After')
    expect(JSON.parse((await instance.get(`/v1/changes?after=${now}`)).text).data).toHaveLength(1)
  },
  120_000,
)
