/** `sojourn doctor` finds faults of poolers, replicas and certificates, on servers of their own. */
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import type { CheckName, Result } from '../../src/parts/doctor/result.ts'
import { type Env, sojourn } from '../commands/sojourn.ts'
import { newAuthority } from '../support/certificates.ts'
import { hasPgbouncer, pooled, prepareRole } from '../support/pgbouncer.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { FOLLOWED, startStandby } from '../support/postgres-standby.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// Each test starts one server or two.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

if (!hasPgbouncer) {
  process.stderr.write('\nWARNING: THE TESTS WITH A POOLER DID NOT RUN: pgbouncer is not installed.\n\n')
}

async function startServer(settings: Env = {}) {
  const server = await startPostgres(inject('postgresBinaries'), settings)
  onTestFinished(() => server.stop())
  await sojourn(['migrate'], { DATABASE_URL: server.url, DATA_DIR: makeTemporaryFolder() })
  return server
}

async function of(check: CheckName, env: Env): Promise<readonly Result[]> {
  const { stdout } = await sojourn(['doctor', '--json'], { DATA_DIR: makeTemporaryFolder(), ...env })
  const { checks } = JSON.parse(stdout) as { checks: readonly Result[] }
  return checks.filter((result) => result.check === check)
}

test.runIf(hasPgbouncer)(
  'a pooler in transaction mode without DATABASE_POOLER, and a role without its settings',
  async () => {
    const server = await startServer()
    const transactions = await pooled(server.url, 'transaction', 3)
    expect(await of('pooler', { DATABASE_URL: transactions })).toMatchObject([
      { state: 'notOk', remedy: expect.stringContaining('DATABASE_POOLER=true') },
    ])
    const env = { DATABASE_URL: transactions, DATABASE_POOLER: 'true' }
    expect(await of('pooler', env)).toMatchObject([
      {
        state: 'notOk',
        found: expect.stringContaining('enable_seqscan is on instead of off'),
        remedy: expect.stringContaining('pooler-settings'),
      },
    ])
    // The other checks are made nevertheless.
    expect(await of('migrations', env)).toMatchObject([{ state: 'ok' }])
    expect(await of('indexes', env)).toMatchObject([{ state: 'ok' }])
    await prepareRole(server.url)
    expect(
      await of('pooler', { ...env, DATABASE_URL: await pooled(server.url, 'transaction', 3) }),
    ).toMatchObject([{ state: 'ok' }])
    expect(await of('pooler', { DATABASE_URL: await pooled(server.url, 'session') })).toMatchObject([
      { state: 'ok' },
    ])
  },
)

test('a replica that is behind, one that was promoted, one that is gone, and one of another server', async () => {
  const primary = await startServer(FOLLOWED)
  const standby = await startStandby(inject('postgresBinaries'), primary)
  onTestFinished(() => standby.stop())
  await standby.catchUp()
  const env = { DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url }
  expect(await of('replicas', env)).toMatchObject([{ state: 'ok' }])

  const other = await startServer()
  expect(await of('replicas', { ...env, DATABASE_URL: other.url })).toMatchObject([
    { state: 'notOk', found: expect.stringContaining('a standby of another server') },
  ])

  await standby.disconnect()
  await adminQuery(primary.url, 'create table later (id integer)')
  expect(await of('replicas', env)).toMatchObject([
    {
      state: 'notOk',
      found: expect.stringContaining('has been behind'),
      remedy: expect.stringContaining('pg_stat_replication'),
    },
  ])

  await standby.promote()
  expect(await of('replicas', env)).toMatchObject([
    { state: 'notOk', found: expect.stringContaining('is not a standby') },
  ])

  await standby.stop()
  expect(await of('replicas', env)).toMatchObject([
    {
      state: 'notOk',
      found: expect.stringContaining('nothing listens there'),
      remedy: expect.stringContaining('URL'),
    },
  ])
})

test('a certificate of the server that expires soon, and one that is not accepted', async () => {
  const authority = newAuthority('Authority of the test')
  const { user } = inject('postgresBinaries')
  const folder = makeTemporaryFolder()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    if (user !== undefined) chownSync(path, user.uid, user.gid)
    return path
  }
  const { certificate, key } = authority.issue(['127.0.0.1'], {
    until: new Date(Date.now() + 5 * 86_400_000),
  })
  const server = await startServer({
    ssl: 'on',
    ssl_cert_file: write('server.crt', certificate),
    ssl_key_file: write('server.key', key),
  })
  const accepted = {
    DATABASE_URL: server.url,
    DATABASE_TLS_CA: write('authority.pem', authority.certificate),
  }
  expect(await of('certificate', accepted)).toContainEqual(
    expect.objectContaining({
      state: 'notOk',
      found: expect.stringMatching(/PostgreSQL at .* expires on .* in [45] days/),
    }),
  )
  const refused = { ...accepted, DATABASE_TLS_CA: write('other.pem', newAuthority('Another').certificate) }
  expect(await of('database', refused)).toMatchObject([
    {
      state: 'notOk',
      found: expect.stringContaining('cannot be verified'),
      remedy: expect.stringContaining('DATABASE_TLS_CA'),
    },
  ])
})
