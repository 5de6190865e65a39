/** How `migrate` behaves next to a service that runs: locks for a second at most, and which versions may run on what. */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { splitStatements } from '../../src/core/database/postgres/split-statements.ts'
import {
  allMigrations,
  headerOf,
  type Migration,
  migrate,
  pendingMigrations,
} from '../../src/core/database/schema/migrate.ts'
import { newPostgresDatabase, openTestDatabase } from '../support/database.ts'

const LAST = allMigrations().at(-1)?.version ?? 0
const PAGE = readFileSync(new URL('../../docs/upgrades.md', import.meta.url), 'utf8')

/** The last migration of the first version; headers are required from the next one on. */
const FIRST_RELEASE = 46

const later = (script: string, version = LAST + 1): Migration => ({
  version,
  name: `${String(version).padStart(4, '0')}-later`,
  script,
  checksum: 'x'.repeat(64),
})
const harmless = (version = LAST + 1) =>
  later(
    `-- phase: expand\n-- locks: none\n-- reads_from: ${LAST}\ncreate table later_${version} (id integer);`,
    version,
  )

const open = (connectionString: string): Database => {
  const database = openPostgres({ connection: { connectionString }, poolSize: 1, purpose: 'command' })
  onTestFinished(() => database.close())
  return database
}

async function connect(connectionString: string, application_name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

describe('a process of an older version', () => {
  test('runs on a newer schema whose migrations say that it may', async () => {
    const database = await openTestDatabase()
    await migrate(database, [...allMigrations(), harmless()])
    expect(await pendingMigrations(database)).toEqual([])
    expect(await migrate(database)).toEqual([])
  })

  test('is refused by a newer schema that does not say so', async () => {
    const database = await openTestDatabase()
    await migrate(database, [...allMigrations(), later('create table later (id integer);')])
    await expect(pendingMigrations(database)).rejects.toThrow(
      `(it has ${String(LAST + 1).padStart(4, '0')}-later, and this version knows migrations to ${String(LAST).padStart(4, '0')}); update Sojourn`,
    )
  })
})

test('a migration that fails leaves those before it in the same run, and the next run continues', async () => {
  const database = await openTestDatabase()
  const wrong = later('create table half_done (id integer);\nselect 1 / 0;', LAST + 2)
  await expect(migrate(database, [...allMigrations(), harmless(), wrong])).rejects.toMatchObject({
    code: '22012',
  })
  const right = later('create table half_done (id integer);', LAST + 2)
  expect(await migrate(database, [...allMigrations(), harmless(), right])).toEqual([right.name])
})

test('a migration waits for a lock for a moment only, names who holds it, and reads go on', async () => {
  const url = await newPostgresDatabase()
  const holder = await connect(url, 'a long report')
  await holder.query('begin; select count(*) from bookings')
  const { pid } = (await holder.query('select pg_backend_pid() as pid')).rows[0] as { pid: number }
  const migrating = later('alter table bookings add column later_column integer;')
  const waits: string[] = []
  const options = {
    attempts: 2,
    timeoutMs: 600,
    pauseMs: 1,
    onWait: (sentence: string) => waits.push(sentence),
  }
  const failed = migrate(open(url), [...allMigrations(), migrating], options)
  await expect(failed).rejects.toThrow(
    new RegExp(
      `migration ${migrating.name} waits for a lock that this session holds: PID ${pid} \\(role \\w+, application "a long report", idle in transaction, .*Nothing of this migration was applied`,
    ),
  )
  expect(waits).toHaveLength(1)
  const reader = await connect(url, 'a reader')
  expect((await reader.query('select count(*) from bookings')).rowCount).toBe(1)
  await holder.query('commit')
  expect(await migrate(open(url), [...allMigrations(), migrating])).toEqual([migrating.name])
})

test('a migration that older processes could not read waits until they have been updated', async () => {
  const url = await newPostgresDatabase()
  const old = await connect(url, 'sojourn/0001')
  await connect(url, 'psql')
  const contract = later(`-- phase: contract\n-- locks: none\n-- reads_from: ${LAST}\nselect 1;`)
  const all = [...allMigrations(), contract]
  await expect(migrate(open(url), all)).rejects.toThrow(
    /requires that all processes have at least the schema 00\d\d, and older ones are connected \(1 connections of sojourn\/0001\): update them first/,
  )
  await old.end()
  await expect
    .poll(() => migrate(open(url), all).catch((error: Error) => error.message))
    .toEqual([contract.name])
})

test('each migration locks what its header says, and nothing else', async () => {
  const database = open(await newPostgresDatabase('empty'))
  await migrate(
    database,
    allMigrations().filter(({ version }) => version <= FIRST_RELEASE),
  )
  for (const migration of allMigrations().filter(({ version }) => version > FIRST_RELEASE)) {
    const locked = await database.transaction(async (tx) => {
      const [newest] = await tx.query<{ oid: number }>(sql`select max(oid::bigint) as oid from pg_class`)
      for (const statement of splitStatements(migration.script)) await tx.query(raw(statement))
      const rows = await tx.query<{ name: string }>(sql`
        select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
        where l.pid = pg_backend_pid() and c.relkind in ('r', 'p') and c.oid::bigint <= ${newest?.oid ?? 0}
          and c.relnamespace = 'public'::regnamespace
          and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
        order by 1`)
      return rows.map(({ name }) => name)
    })
    expect([migration.name, locked.length === 0 ? 'none' : locked.join(', ')]).toEqual([
      migration.name,
      headerOf(migration).locks,
    ])
    await database.query(sql`insert into schema_migrations (version, name, checksum)
      values (${migration.version}, ${migration.name}, ${migration.checksum})`)
  }
})

describe('the header of a migration', () => {
  test.each(allMigrations().filter(({ version }) => version > FIRST_RELEASE))(
    '$name says its phase, its locks and the oldest version that may run on it',
    (migration) => {
      const { phase, locks, readsFrom } = headerOf(migration)
      expect(['expand', 'contract']).toContain(phase)
      expect(locks).toMatch(/^(none|[a-z_]+(, [a-z_]+)*)$/)
      // What is added is not seen by the version before.
      if (phase === 'expand') expect(readsFrom).toBeLessThan(migration.version)
      else expect(readsFrom).toBeLessThanOrEqual(migration.version)
    },
  )

  test('is read from the comments at the beginning, and without one nobody else may run', () => {
    const script =
      '-- What it is for.\n-- phase: expand\n-- locks: bookings\n-- reads_from: 0046\nselect 1;\n-- locks: none'
    expect(headerOf({ version: 99, script })).toEqual({ phase: 'expand', locks: 'bookings', readsFrom: 46 })
    expect(headerOf({ version: 99, script: 'select 1;' })).toMatchObject({ phase: undefined, readsFrom: 99 })
  })

  test('is explained in docs/upgrades.md with its three lines', () => {
    for (const name of ['phase', 'locks', 'reads_from']) expect(PAGE).toContain(`-- ${name}: `)
  })
})
