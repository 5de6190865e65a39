/** `sojourn doctor` finds faults that are planted, one by one, and says what to do. Those that need servers: test/failover. */
import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/core/config/config.ts'
import { openDatabase } from '../../src/core/database/open.ts'
import { allMigrations } from '../../src/core/database/schema/migrate.ts'
import { checkDisk, checkFileSystem } from '../../src/parts/doctor/check-folder.ts'
import { CHECKS, type Result } from '../../src/parts/doctor/result.ts'
import { redisProgram, startRedis } from '../access/redis-server.ts'
import { afterwards, postgresUrl } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { CENTER, type Env, newFolder, type Ran, sojourn, startCommands } from './sojourn.ts'

interface Examined extends Ran {
  readonly checks: readonly Result[]
  of(check: keyof typeof CHECKS): readonly Result[]
}

async function doctor(env: Env, options: { readonly now?: number; readonly args?: readonly string[] } = {}) {
  const { args = [], ...others } = options
  const ran = await sojourn(['doctor', '--json', ...args], env, others)
  const { checks } = JSON.parse(ran.stdout) as { checks: readonly Result[] }
  const examined: Examined = { ...ran, checks, of: (name) => checks.filter(({ check }) => check === name) }
  return examined
}

/** Of one check, the only result, which is not ok and says what to do. */
function fault(examined: Examined, check: keyof typeof CHECKS): string {
  const [found, ...more] = examined.of(check).filter(({ state }) => state === 'notOk')
  expect(found, JSON.stringify(examined.checks)).toBeDefined()
  expect(more).toEqual([])
  expect(found?.remedy).toMatch(/^[A-Z].*\.$/s)
  expect(examined.code).toBe(1)
  return `${found?.found} ${found?.remedy}`
}

describe('of a deployment without faults', () => {
  test('every check is made, none is not ok, and the exit code says so', async () => {
    const { env } = await startCommands()
    await sojourn(['import', '-'], env, { stdin: CENTER })
    await sojourn(['export', '--center', 'fjord'], env)
    const examined = await doctor(env)
    const found = new Set(examined.checks.map(({ check }) => check))
    expect([...found].toSorted()).toEqual(Object.keys(CHECKS).toSorted())
    const wrong = examined.checks.filter(({ state }) => state === 'notOk').map(({ check }) => check)
    // The server of the tests has a superuser and no durability.
    expect(wrong).toEqual(['fsync', 'rights'])
    expect(examined.code).toBe(1)
    expect(examined.stderr).toBe('')
    expect(examined.of('trail')[0]?.found).toContain('1 center')
    expect(examined.of('timeZone')[0]?.found).toContain('1 time zone')
  })

  test('nothing is written, and no migration is applied', async () => {
    const { env, database } = await startCommands()
    const last = allMigrations().at(-1)?.version ?? 0
    await database.query(sql`delete from schema_migrations where version = ${last}`)
    const before = await database.query(sql`select count(*) as n, max(version) as v from schema_migrations`)
    await doctor(env)
    expect(await database.query(sql`select count(*) as n, max(version) as v from schema_migrations`)).toEqual(
      before,
    )
    expect(await database.query(sql`select seq from audit_entries`)).toEqual([])
  })

  test('the lines for people have three words for three states', async () => {
    const { env } = await startCommands()
    const { stdout } = await sojourn(['doctor'], {
      ...env,
      NOTIFY_TO: 'it@example.org',
      PUBLIC_URL: 'https://a.example',
    })
    expect(stdout).toMatch(/^clock +ok: /m)
    expect(stdout).toMatch(/^certificate +could not be checked: /m)
    expect(stdout).toMatch(/\n\n\d+ checks ok, \d+ not ok, \d+ could not be checked\.\n$/)
  })
})

describe('finds in the settings', () => {
  test('a name that is misspelt', async () => {
    const examined = await doctor({ ...(await startCommands()).env, TRUSTED_PROXY: '10.0.0.1', PGPORT: '1' })
    expect(fault(examined, 'settings')).toContain('TRUSTED_PROXY is not a setting')
    expect(fault(examined, 'settings')).toContain('TRUSTED_PROXIES')
  })

  test('a value that is invalid, without printing it', async () => {
    const env = {
      DATA_DIR: makeTemporaryFolder(),
      NOTIFY_TO: 'anna.pop at example.org',
      DATABASE_URL: 'mysql://u:secret@h/d',
    }
    const examined = await doctor(env)
    expect(examined.of('settings').map(({ found }) => found)).toEqual([
      expect.stringMatching(/^DATABASE_URL must be /),
      expect.stringMatching(/^NOTIFY_TO must be /),
    ])
    expect(examined.stdout).not.toMatch(/anna|secret/)
    expect(examined.of('trail')).toMatchObject([{ state: 'notChecked' }])
    expect(examined.code).toBe(1)
  })

  test('people to notify without a mail server', async () => {
    const { env } = await startCommands({ NOTIFY_TO: 'it@example.org' })
    expect(fault(await doctor(env), 'mail')).toContain('nobody is notified')
  })

  test('a public address by https without a trusted proxy', async () => {
    const { env } = await startCommands({ PUBLIC_URL: 'https://api.example.org' })
    expect(fault(await doctor(env), 'proxy')).toContain('TRUSTED_PROXIES is not set')
  })
})

describe('finds in the folder', () => {
  test('that others may read it', async () => {
    const { env } = await startCommands()
    chmodSync(env.DATA_DIR ?? '', 0o755)
    expect(fault(await doctor(env), 'folder')).toMatch(/mode 755.*chmod -R go= /s)
  })

  test('a file in its place', async () => {
    const file = join(makeTemporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(fault(await doctor({ DATA_DIR: file }), 'folder')).toContain('is a file or is in one')
  })

  test('that it is on a file system in memory', async () => {
    const config = readConfig({ DATA_DIR: makeTemporaryFolder() })
    const [found] = await checkFileSystem(config, async () => 0x01021994)
    expect(found).toMatchObject({ state: 'notOk', found: expect.stringContaining('in memory') })
  })

  test('that its disk is nearly full', async () => {
    const config = readConfig({ DATA_DIR: makeTemporaryFolder() })
    const mb = 1024 * 1024
    const stateAt = async (free: number) => (await checkDisk(config, async () => free * mb))[0]?.state
    expect(await stateAt(70)).toBe('notOk')
    expect(await stateAt(700)).toBe('notOk')
    expect(await stateAt(7000)).toBe('ok')
  })
})

describe('finds in the schema', () => {
  const broken = async (statement: string) => {
    const commands = await startCommands()
    await commands.database.query(raw(statement))
    return doctor(commands.env)
  }

  test('a migration that is pending', async () => {
    const { name, version } = allMigrations().at(-1)!
    const examined = await broken(`delete from schema_migrations where version = ${version}`)
    expect(fault(examined, 'migrations')).toContain(`Migration ${name} is pending`)
  })

  test('a migration that was changed after it was applied', async () => {
    const examined = await broken("update schema_migrations set checksum = 'x' where version = 60")
    expect(fault(examined, 'migrations')).toMatch(/0060\S* has changed since/)
  })

  test('that a newer version has migrated the database', async () => {
    const examined = await broken(
      "insert into schema_migrations (version, name, checksum) values (9999, '9999-newer', 'x')",
    )
    expect(fault(examined, 'migrations')).toMatch(/newer version of Sojourn.*Update Sojourn\./s)
  })

  test('that the database was restored from another server', async () => {
    const examined = await broken("update database_origin set system_identifier = '1'")
    expect(fault(examined, 'migrations')).toContain('restored from another server')
  })

  test('an index that is missing', async () => {
    expect(fault(await broken('drop index orders_by_date'), 'indexes')).toContain(
      'Missing: index orders_by_date',
    )
  })

  test('an index that is invalid', async () => {
    const examined = await broken(
      "update pg_index set indisvalid = false where indexrelid = 'orders_by_date'::regclass",
    )
    expect(fault(examined, 'indexes')).toMatch(/orders_by_date is invalid.*reindex/s)
  })

  test('a trigger that is missing', async () => {
    const examined = await broken('drop trigger note_changes_on_delete on centers')
    expect(fault(examined, 'schema')).toContain('trigger note_changes_on_delete on centers')
  })

  test('a trigger that is switched off', async () => {
    const examined = await broken('alter table centers disable trigger note_changes_on_delete')
    expect(fault(examined, 'schema')).toContain('Changed: trigger note_changes_on_delete on centers')
  })
})

describe('finds in the data', () => {
  const withCenter = async () => {
    const commands = await startCommands()
    await sojourn(['import', '-'], commands.env, { stdin: CENTER })
    // The trail has an entry for each export.
    for (let entry = 0; entry < 3; entry += 1) await sojourn(['export', '--center', 'fjord'], commands.env)
    return commands
  }

  test('an entry of the trail that was changed', async () => {
    const { env, database } = await withCenter()
    await database.query(sql`update audit_entries set at = at + interval '1 second' where seq = 1`)
    expect(fault(await doctor(env), 'trail')).toMatch(/trail of fjord.*audit verify --center fjord/s)
  })

  test('an end of the trail that was removed', async () => {
    const { env, database } = await withCenter()
    await database.query(sql`delete from audit_entries where seq = (select max(seq) from audit_entries)`)
    expect(fault(await doctor(env), 'trail')).toContain('missing')
  })

  test('a time zone that nobody knows', async () => {
    const { env, database } = await withCenter()
    await database.query(sql`update centers set timezone = 'Europe/Atlantis'`)
    expect(fault(await doctor(env), 'timeZone')).toContain('Europe/Atlantis')
  })
})

describe('finds around it', () => {
  test('a clock of this machine that is behind', async () => {
    const { env } = await startCommands()
    const examined = await doctor(env, { now: Date.now() - 90_000 })
    // The command takes its time before it asks the database for its own.
    const [, seconds] = /(\d+) s behind.*Synchronize/s.exec(fault(examined, 'clock')) ?? []
    expect(Number(seconds)).toBeGreaterThanOrEqual(89)
  })

  test.runIf(redisProgram !== undefined)('a store of limits that does not answer', async () => {
    const redis = await startRedis()
    const { env } = await startCommands({ RATE_LIMIT_STORE: redis.url })
    expect((await doctor(env)).of('store')).toMatchObject([{ state: 'ok' }])
    await redis.stop()
    expect(fault(await doctor(env), 'store')).toContain('refuses connections')
  })

  test.runIf(redisProgram !== undefined)(
    'a store of limits with another password, which is not printed',
    async () => {
      const redis = await startRedis()
      afterwards(() => redis.stop())
      const { createClient } = await import('@redis/client')
      const admin = await createClient({ url: redis.url }).connect()
      await admin.configSet('requirepass', 'right')
      admin.destroy()
      const { env } = await startCommands({ RATE_LIMIT_STORE: redis.url.replace('//', '//:wrong-one@') })
      const examined = await doctor(env)
      expect(fault(examined, 'store')).toContain('does not accept the password')
      expect(examined.stdout).not.toContain('wrong-one')
    },
  )

  test('a mail server that refuses the password, and sends it nothing else', async () => {
    await using mail = await startMailServer({ tls: 'plain', password: 'right' })
    const url = (password: string) => `smtp://desk:${password}@127.0.0.1:${mail.port}?tls=none`
    const of = async (password: string) =>
      doctor((await startCommands({ SMTP_URL: url(password), MAIL_FROM: 'a@example.org' })).env)
    expect((await of('right')).of('mail')).toMatchObject([{ state: 'ok' }])
    const examined = await of('wrong-one')
    expect(fault(examined, 'mail')).toMatch(/EAUTH 535.*password in SMTP_URL/s)
    expect(examined.stdout).not.toContain('wrong-one')
    expect(mail.received).toEqual([])
  })
})

test('in a folder it opens the database itself, and applies no migration', async () => {
  const folder = newFolder()
  const open = () =>
    openDatabase(
      { dataDir: folder, databaseUrl: undefined, databasePoolSize: 1 },
      { purpose: 'command', asItIs: true },
    )
  const database = await open()
  await database.query(sql`delete from schema_migrations where version = 60`)
  await database.close()
  const examined = await doctor({ DATA_DIR: folder })
  expect(fault(examined, 'migrations')).toContain('is pending')
  const again = await open()
  expect(await again.query(sql`select version from schema_migrations where version = 60`)).toEqual([])
  await again.close()
})

test('of a folder that does not exist, it creates none', async () => {
  const folder = join(makeTemporaryFolder(), 'none')
  const examined = await doctor({ DATA_DIR: folder })
  expect(fault(examined, 'folder')).toContain('There is no database in')
  expect(examined.of('trail')).toMatchObject([{ state: 'notChecked' }])
  expect(() => chmodSync(folder, 0o700)).toThrow('ENOENT')
})

describe('finds on the server', () => {
  test('that it does not wait for the disk', async () => {
    expect(fault(await doctor((await startCommands()).env), 'fsync')).toMatch(
      /^fsync .*off.*postgresql\.conf/s,
    )
  })

  test('a role that is a superuser', async () => {
    expect(fault(await doctor((await startCommands()).env), 'rights')).toContain('is a superuser')
  })

  /** A role of its own, which is dropped afterwards. */
  const withRole = async (grants: (role: string) => string) => {
    const role = `role_${randomBytes(6).toString('hex')}`
    // After the database, in which it has rights.
    afterwards(() => adminQuery(postgresUrl(), `drop role if exists ${role}`))
    const { env } = await startCommands()
    const url = new URL(env.DATABASE_URL ?? '')
    await adminQuery(url.href, `create role ${role} login password 'x'; ${grants(role)}`)
    ;[url.username, url.password] = [role, 'x']
    return { env: { ...env, DATABASE_URL: url.href }, role }
  }
  const ALL = (role: string) =>
    `grant select, insert, update, delete on all tables in schema public to ${role};
     grant usage on all sequences in schema public to ${role};
     revoke update, delete on audit_record_lists, audit_entries from ${role};
     do $$ declare part regclass; begin
       for part in select inhrelid::regclass from pg_inherits where inhparent = 'audit_entries'::regclass loop
         execute format('revoke update, delete on %s from ${role}', part);
       end loop;
     end $$;`

  test('no fault in the rights of the role of deploy/roles.sql', async () => {
    const { env } = await withRole(ALL)
    expect((await doctor(env)).of('rights')).toMatchObject([{ state: 'ok' }])
  })

  test('a role that lacks a right', async () => {
    const { env, role } = await withRole((name) => `${ALL(name)} revoke insert on orders from ${name}`)
    expect(fault(await doctor(env), 'rights')).toContain(`The role ${role} lacks insert on orders`)
  })

  test('a role that may change the trail', async () => {
    const { env, role } = await withRole((name) => `${ALL(name)} grant delete on audit_entries to ${name}`)
    expect(fault(await doctor(env), 'rights')).toMatch(
      new RegExp(`may change it: ${role}.*sojourn migrate`, 's'),
    )
  })

  test('a role that may open fewer connections than the service does', async () => {
    const { env } = await withRole((name) => `${ALL(name)} alter role ${name} connection limit 8`)
    expect(fault(await doctor(env), 'connections')).toMatch(/up to 13 connections.*allows 8/)
  })

  test('a password that is not accepted, without printing it', async () => {
    const { env } = await withRole(ALL)
    const examined = await doctor({
      ...env,
      DATABASE_URL: (env.DATABASE_URL ?? '').replace(':x@', ':wrong-one@'),
    })
    expect(fault(examined, 'database')).toContain('the password is not accepted')
    expect(examined.stdout).not.toContain('wrong-one')
  })

  test('that nothing listens at the address', async () => {
    const env = { DATABASE_URL: 'postgres://sojourn@127.0.0.1:1/sojourn', DATA_DIR: makeTemporaryFolder() }
    expect(fault(await doctor(env), 'database')).toContain('nothing listens there')
  })
})
