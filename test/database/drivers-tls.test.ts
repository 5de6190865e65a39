/** TLS to PostgreSQL: which certificates are accepted, and what is said about the others. */
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { openReplicas } from '../../src/core/database/open.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { connectionTo } from '../../src/core/database/postgres/postgres-tls.ts'
import { sojourn, startServe, startSojourn } from '../commands/sojourn.ts'
import { type Authority, type Issued, newAuthority } from '../support/certificates.ts'
import { afterwards, newPostgresDatabase, postgresUrl } from '../support/database.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** A server that accepts connections with TLS, with this certificate. */
async function startWithCertificate(issued: Issued): Promise<PostgresServer & { readonly setTo: SetTo }> {
  const binaries = inject('postgresBinaries')
  const folder = makeTemporaryFolder()
  const paths = { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') }
  if (binaries.user !== undefined) chownSync(folder, binaries.user.uid, binaries.user.gid)
  const setTo = ({ certificate, key }: Issued) => {
    for (const [path, text] of [
      [paths.certificate, certificate],
      [paths.key, key],
    ] as const) {
      writeFileSync(path, text, { mode: 0o600 })
      if (binaries.user !== undefined) chownSync(path, binaries.user.uid, binaries.user.gid)
    }
  }
  setTo(issued)
  const server = await startPostgres(binaries, {
    ssl: 'on',
    ssl_cert_file: paths.certificate,
    ssl_key_file: paths.key,
  })
  afterwards(() => server.stop())
  return { ...server, setTo }
}

type SetTo = (issued: Issued) => void

function fileOf(text: string, name = 'authority.pem'): string {
  const path = join(makeTemporaryFolder(), name)
  writeFileSync(path, text)
  return path
}

/** @param query such as `sslmode=require` */
function withQuery(url: string, query: string, host?: string): string {
  const changed = new URL(url)
  changed.search = query
  if (host !== undefined) changed.hostname = host
  return changed.href
}

let authority: Authority
let server: PostgresServer
/** the file with the certificate of the server's authority, and with that of another one */
let file: string
let other: string
beforeAll(async () => {
  authority = newAuthority('Authority of the test')
  file = fileOf(authority.certificate)
  other = fileOf(newAuthority('Another authority').certificate)
  server = await startWithCertificate(authority.issue(['127.0.0.1']))
  expect(await sojourn(['migrate'], { DATABASE_URL: server.url })).toMatchObject({ code: 0 })
})

const status = (query: string, env: Readonly<Record<string, string>> = {}, host?: string) =>
  sojourn(['status'], {
    DATABASE_URL: withQuery(server.url, query, host),
    DATA_DIR: makeTemporaryFolder(),
    ...env,
  })

/** One connection with these settings: the version of TLS, or null without. */
async function versionOfTls(url: string, ca?: string): Promise<string | null> {
  const database = openPostgres({ connection: connectionTo(url, ca), poolSize: 2, purpose: 'command' })
  try {
    const [row] = await database.query<{ version: string | null }>(
      sql`select version from pg_stat_ssl where pid = pg_backend_pid()`,
    )
    return row?.version ?? null
  } finally {
    await database.close()
  }
}

describe('a server whose authority is that of DATABASE_TLS_CA', () => {
  test.each(['', 'sslmode=require', 'sslmode=verify-ca', 'sslmode=verify-full', 'ssl=true'])(
    'is used, with TLS: "%s"',
    async (query) => {
      expect(await versionOfTls(withQuery(server.url, query), file)).toBe('TLSv1.3')
      expect(await status(query, { DATABASE_TLS_CA: file })).toMatchObject({ code: 0 })
    },
  )

  test('is used without TLS if the URL says so', async () => {
    expect(await versionOfTls(withQuery(server.url, 'sslmode=disable'), file)).toBeNull()
    expect(await versionOfTls(server.url)).toBeNull()
  })

  test('is used where its URL names the authority', async () => {
    const query = `sslmode=verify-ca&sslrootcert=${encodeURIComponent(file)}`
    expect(await versionOfTls(withQuery(server.url, query), other)).toBe('TLSv1.3')
    expect(await status(query)).toMatchObject({ code: 0 })
  })

  test('is used by every connection of the service, and none is without TLS', async () => {
    const env = {
      DATABASE_URL: withQuery(server.url, 'sslmode=verify-full'),
      DATABASE_TLS_CA: file,
      DATA_DIR: makeTemporaryFolder(),
      INTAKE_PORT: '0',
    }
    // Of this server, those of other tests are closed.
    const { address, child, ended } = await startServe(env, ['serve', '--migrate'])
    expect((await fetch(`${address}/health/ready`)).status).toBe(200)
    const { rows } = await adminQuery(
      server.url,
      `select count(*) filter (where ssl)::int as "with", count(*) filter (where not ssl)::int as without
       from pg_stat_ssl join pg_stat_activity using (pid)
       where application_name like 'sojourn/%'`,
    )
    expect(rows[0].with).toBeGreaterThan(0)
    expect(rows[0].without).toBe(0)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })
})

describe('refused at the start, with what was given and how to go on:', () => {
  test.each(['sslmode=require', 'sslmode=verify-ca', 'sslmode=verify-full'])(
    'another authority (%s)',
    async (query) => {
      const ran = await status(query, { DATABASE_TLS_CA: other })
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain("the server's certificate cannot be verified: ")
      expect(ran.stderr).toContain(`${query.replace('=', ' is ')}, and the authorities in ${other}`)
      expect(ran.stderr).toContain('Set DATABASE_TLS_CA to a file with the certificate of the authority')
    },
  )

  test('an authority that Node does not trust, if none is given', async () => {
    const ran = await status('sslmode=require')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('the authorities that Node trusts are accepted')
    expect(ran.stderr).toContain('DATABASE_TLS_CA')
  })

  test('another host, except with verify-ca', async () => {
    for (const query of ['', 'sslmode=require', 'sslmode=verify-full']) {
      const ran = await status(query, { DATABASE_TLS_CA: file }, 'localhost')
      expect([query, ran.code]).toEqual([query, 1])
      expect(ran.stderr).toContain("the server's certificate is for another host: ")
      expect(ran.stderr).toContain('localhost')
      expect(ran.stderr).toContain('sslmode=verify-ca')
    }
    const accepted = await status('sslmode=verify-ca', { DATABASE_TLS_CA: file }, 'localhost')
    expect(accepted).toMatchObject({ code: 0 })
  })

  test('a certificate that has expired', async () => {
    const own = await startWithCertificate(
      authority.issue(['127.0.0.1'], { until: new Date(Date.now() - 86_400_000) }),
    )
    const ran = await sojourn(['migrate'], { DATABASE_URL: own.url, DATABASE_TLS_CA: file })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain("the server's certificate has expired. Renew it on the server.")
  })

  test.each(['sslmode=require', 'sslmode=verify-full', 'sslmode=no-verify'])(
    'a server without TLS (%s)',
    async (query) => {
      const ran = await sojourn(['status'], { DATABASE_URL: withQuery(await newPostgresDatabase(), query) })
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain(`the server offers no TLS, and ${query.replace('=', ' is ')}.`)
    },
  )

  test('a server without TLS, if DATABASE_TLS_CA is set', async () => {
    const ran = await sojourn(['migrate'], { DATABASE_URL: postgresUrl(), DATABASE_TLS_CA: file })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('sslmode is verify-full, because DATABASE_TLS_CA is set')
  })

  test('a file that is not there, or has no certificate', async () => {
    const missing = await status('', { DATABASE_TLS_CA: '/nowhere/authority.pem' })
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain(
      'DATABASE_TLS_CA, /nowhere/authority.pem, cannot be read: no such file or directory.',
    )
    const empty = await status('', { DATABASE_TLS_CA: fileOf('something else') })
    expect(empty.code).toBe(1)
    expect(empty.stderr).toContain('has no certificate in PEM form')
  })

  test('the service, as a process', async () => {
    const url = withQuery(server.url, 'sslmode=require')
    const service = startSojourn(['serve'], { DATABASE_URL: url, DATABASE_TLS_CA: other, PORT: '0' })
    const { code, stderr } = await service.ended
    expect(code).toBe(1)
    expect(stderr).toContain("the server's certificate cannot be verified")
    expect(stderr).not.toContain(new URL(url).password)
    // The driver's warning about its next version does not apply.
    expect(stderr).not.toContain('SECURITY WARNING')
  })
})

test('no-verify encrypts without verifying the server', async () => {
  expect(await versionOfTls(withQuery(server.url, 'sslmode=no-verify', 'localhost'), other)).toBe('TLSv1.3')
})

test('a certificate that is replaced by one of another authority is an outage, which ends', async () => {
  const own = await startWithCertificate(authority.issue(['127.0.0.1']))
  const database = openPostgres({ connection: connectionTo(own.url, file), poolSize: 2, purpose: 'serve' })
  onTestFinished(() => database.close())
  expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  own.setTo(newAuthority('Another authority').issue(['127.0.0.1']))
  await own.restart()
  await expect
    .poll(() => database.query(sql`select 1 as one`).catch((error: unknown) => error))
    .toBeInstanceOf(DatabaseUnavailable)
  own.setTo(authority.issue(['127.0.0.1']))
  await own.restart()
  await expect.poll(() => database.query(sql`select 1 as one`).catch(() => undefined)).toEqual([{ one: 1 }])
})

test('a replica whose certificate cannot be verified is not used, and the service says why', async () => {
  const primary = openPostgres({
    connection: connectionTo(server.url, file),
    poolSize: 2,
    purpose: 'serve',
  })
  onTestFinished(() => primary.close())
  await primary.query(sql`select 1`)
  const said: string[] = []
  const replicas = openReplicas(
    {
      databaseReadUrls: [withQuery(server.url, 'sslmode=verify-full')],
      databasePoolSize: 2,
      databasePooler: false,
      databaseTlsCa: other,
    },
    primary,
    (sentence) => void said.push(sentence),
  )
  onTestFinished(async () => replicas?.close())
  await replicas?.read(primary.generation(), async () => undefined)
  await expect.poll(() => said.join()).toContain("is not used: the server's certificate cannot be verified")
  expect(said.join()).toContain(other)
})
