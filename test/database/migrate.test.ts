import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import {
  allMigrations,
  type Migration,
  migrate,
  pendingMigrations,
} from '../../src/core/database/schema/migrate.ts'
import { newPostgresDatabase, openTestDatabase } from '../support/database.ts'
import { formerMigrations } from '../support/former-migrations.ts'
import { watchDatabase } from '../support/watched-database.ts'

const names = allMigrations().map((migration) => migration.name)

async function openEmpty(): Promise<Database> {
  const connectionString = await newPostgresDatabase('empty')
  return openPostgres({ connection: { connectionString }, poolSize: 1, purpose: 'command' })
}

const tableNames = async (database: Database) => {
  const rows = await database.query<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  return rows.map((row) => row.name)
}

const LAST = allMigrations().at(-1)?.version ?? 0

const extra = (script: string): Migration => ({
  version: LAST + 1,
  name: `${String(LAST + 1).padStart(4, '0')}-extra`,
  script,
  checksum: 'x'.repeat(64),
})

describe('an empty database', () => {
  test('gets every migration, in order, and each is written down', async () => {
    const database = await openEmpty()
    expect((await pendingMigrations(database)).map((migration) => migration.name)).toEqual(names)
    expect(await tableNames(database)).toEqual([])

    expect(await migrate(database)).toEqual(names)

    const applied = await database.query(
      sql`select version, name, checksum from schema_migrations order by version`,
    )
    expect(applied).toEqual(
      allMigrations().map(({ version, name, checksum }) => ({ version, name, checksum })),
    )
    expect(await pendingMigrations(database)).toEqual([])
    expect(await migrate(database)).toEqual([])
    await database.close()
  })
})

test('the migrations are numbered on from the former ones, without a gap, and the first is the baseline', () => {
  const former = formerMigrations().map(({ version }) => version)
  const all = [...former, ...allMigrations().map(({ version }) => version)]
  expect(all).toEqual(all.map((_, index) => index + 1))
  expect(names.map((name) => name.endsWith('-baseline'))).toEqual(names.map((_, index) => index === 0))
})

test('to migrate again changes nothing', async () => {
  const database = await openTestDatabase()
  await database.query(
    sql`insert into centers (center_id, name, timezone, currency) values ('c1', 'A', 'UTC', 'EUR')`,
  )
  expect(await migrate(database)).toEqual([])
  expect(await database.query(sql`select center_id from centers`)).toEqual([{ center_id: 'c1' }])
})

test('a migration that changed after it was applied is refused by its name', async () => {
  const database = await openTestDatabase()
  await database.query(
    sql`update schema_migrations set checksum = 'other' where version = ${allMigrations()[0]?.version}`,
  )
  await expect(migrate(database)).rejects.toThrow(`migration ${names[0]} has changed since it was applied`)
})

test('a database migrated by a newer version is refused and left as it is', async () => {
  const database = await openTestDatabase()
  await database.query(sql`
    insert into schema_migrations (version, name, checksum) values (9999, '9999-later', 'x')`)
  await expect(migrate(database)).rejects.toThrow(
    'migrated by a newer version of Sojourn (it has 9999-later,',
  )
  expect(await database.query(sql`select max(version) as version from schema_migrations`)).toEqual([
    { version: 9999 },
  ])
})

test('a migration that fails leaves nothing of itself', async () => {
  const database = await openTestDatabase()
  const run = migrate(database, [
    ...allMigrations(),
    extra('create table half_done (id integer);\ninsert into half_done values (1);\nselect 1 / 0;\n'),
  ])
  await expect(run).rejects.toMatchObject({ code: '22012' })
  expect(await tableNames(database)).not.toContain('half_done')
  expect(await pendingMigrations(database)).toEqual([])
})

test('a semicolon in a function body or a comment ends no statement, and the last one needs none', async () => {
  const database = await openTestDatabase()
  await migrate(database, [
    ...allMigrations(),
    extra(`-- a comment that ends in a semicolon;
create function one() returns integer language plpgsql as $$
begin
  return 1;
end $$;
create table tail (id integer);
insert into tail select one()`),
  ])
  expect(await database.query(sql`select id from tail`)).toEqual([{ id: 1 }])
})

describe('twenty processes at once', () => {
  test('apply each migration to an empty database once, and all of them succeed', async () => {
    const connectionString = await newPostgresDatabase('empty')
    const databases = Array.from({ length: 20 }, () =>
      openPostgres({ connection: { connectionString }, poolSize: 1, purpose: 'command' }),
    )
    const applied = await Promise.all(databases.map((database) => migrate(database)))
    expect(applied.flat().sort()).toEqual(names)
    await Promise.all(databases.map((database) => database.close()))
  })
})

test('where there is nothing to do, nothing is written', async () => {
  const watched = watchDatabase(await openTestDatabase())
  expect(await migrate(watched.database)).toEqual([])
  // In no transaction, which is what a writer opens.
  expect(new Set(watched.sent.map(({ by }) => by))).toEqual(new Set(['query']))
  expect(watched.sent.filter(({ text }) => !/^\s*select\s/.test(text))).toEqual([])
})

test('ruling 49: existing keys get no new scope', async () => {
  const database = await openEmpty()
  const all = formerMigrations()
  const before = all.slice(
    0,
    all.findIndex(({ name }) => name.endsWith('-actions')),
  )
  await migrate(database, before)
  const scopes = [
    'guests',
    'guests.personal',
    'guests.medical',
    'guests.financial',
    'meals',
    'sessions',
    'orders',
  ]
  await database.query(
    sql`insert into centers (center_id, name, timezone, currency) values ('c1', 'A', 'UTC', 'EUR')`,
  )
  await database.query(sql`
    insert into api_keys (center_id, public_key, app_id, name, secret_hash, scopes)
    values ('c1', 'pk', 'app', 'old', ${Buffer.alloc(32)}, ${scopes})`)
  expect(await migrate(database, all)).not.toEqual([])
  expect(await migrate(database)).toEqual(names)
  expect(await database.query(sql`select scopes from api_keys`)).toEqual([{ scopes }])
  await database.close()
})
