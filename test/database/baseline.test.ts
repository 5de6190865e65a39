/** A database of the migrations that the baseline has replaced becomes one of the baseline, with all that is in it. */
import { randomBytes } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { ORDINARY_SCOPES } from '../../src/core/access/keys/scopes.ts'
import { createAppId, createToken } from '../../src/core/access/keys/token.ts'
import { recordAct } from '../../src/core/audit/record-act.ts'
import { selectFeedEnd } from '../../src/core/changes/feed-sql.ts'
import { newestCursor } from '../../src/core/changes/read-feed.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { allMigrations, migrate, pendingMigrations } from '../../src/core/database/schema/migrate.ts'
import { schemaObjects } from '../../src/core/database/schema/schema-objects.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import { printSchema } from '../../tools/print-schema.ts'
import { startTestApi } from '../support/api.ts'
import { afterwards, newPostgresDatabase, openTestDatabase } from '../support/database.ts'
import { formerMigrations } from '../support/former-migrations.ts'
import { SPA, spa } from '../support/world.ts'

const NAMES = allMigrations().map(({ name }) => name)
const NOW = '2025-01-07T09:00:00Z'
const WEEK = 'startDate=2025-01-06&endDate=2025-01-12'

const open = (connectionString: string) => {
  const database = openPostgres({ connection: { connectionString }, poolSize: 2, purpose: 'command' })
  afterwards(() => database.close())
  return database
}

/** A database of the former migrations, or of the first ones of them. */
async function formerDatabase(migrations = formerMigrations()): Promise<Database> {
  const database = open(await newPostgresDatabase('empty'))
  await migrate(database, migrations)
  return database
}

const tablesOf = async (database: Database) =>
  (await schemaObjects(database)).filter(({ kind }) => kind === 'table').map(({ name }) => name)

/** Every row of every table of the schema, as text. */
async function everything(database: Database, columns?: Columns): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const [table, names] of Object.entries(columns ?? (await columnsOf(database)))) {
    const found = await database.query<{ row: string }>(
      sql`select row(${raw(names)})::text as row from ${raw(table)} order by 1`,
    )
    rows[table] = found.map(({ row }) => row)
  }
  return rows
}

/** The columns of each table, separated by commas: later migrations add others. */
type Columns = Readonly<Record<string, string>>
async function columnsOf(database: Database): Promise<Columns> {
  const tables = await tablesOf(database)
  const rows = await database.query<{ name: string; columns: string }>(sql`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables})
    group by c.relname`)
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
}

const logOf = (database: Database) =>
  database.query<{ name: string }>(sql`select name from schema_migrations order by version`)

/** A center, two customers with their bookings, and an order, in the schema of the former migrations. Indexes of later ones read them. */
const FORMER_ROWS = [
  sql`insert into centers (center_id, name, timezone, currency) values (${SPA}, 'Spa', 'Europe/Bucharest', 'EUR')`,
  sql`
    insert into customers (center_id, id, first_name, email, phone)
    values (${SPA}, 'c1', 'Anna', 'anna@example.org', '+40 722 123 456'), (${SPA}, 'c2', 'Bela', null, null)`,
  sql`
    insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, booking_id, accommodation)
    values (${SPA}, 'anna', 'c1', 'patient', 'arrived', '2025-01-06T12:00Z', '2025-01-12T12:00Z', '2025-00171', '{"roomId": "205"}'),
      (${SPA}, 'bela', 'c2', 'patient', 'confirmed', '2025-01-07T12:00Z', '2025-01-12T12:00Z', null, null)`,
  sql`
    insert into orders (center_id, uuid, number, order_date, total_amount, status, payment_method)
    values (${SPA}, 'o1', '0000123', '2025-01-06T12:00Z', 100, 'confirmed', 'cash')`,
]

describe('a database with all former migrations', () => {
  it('keeps every row, and has the schema of a new one', async () => {
    const database = await formerDatabase()
    // This version's service and commands need this version's schema, so the database is filled by SQL.
    for (const statement of FORMER_ROWS) await database.query(statement)
    const { secretHash, ...token } = createToken(randomBytes)
    const key = { ...token, appId: createAppId(randomBytes) }
    await database.query(sql`
      insert into api_keys (center_id, public_key, app_id, name, secret_hash, scopes, created_at)
      values (${SPA}, ${key.publicKey}, ${key.appId}, 'test', ${secretHash}, ${ORDINARY_SCOPES}, ${NOW})`)
    await database.transaction((tx) =>
      recordAct(tx, { center: SPA, name: 'createKey', facts: { appId: key.appId }, scopes: ORDINARY_SCOPES }),
    )
    const cursor = newestCursor(centerId(SPA), await database.queryArrays(selectFeedEnd(centerId(SPA))))
    await database.query(sql`update bookings set doctor_name = 'Dr. A' where id = 'bela'`)
    await database.query(sql`
      insert into links (center_id, id, app_id, name, secret_hash, question, allow_sensitive, per_hour, per_minute,
        allowed_addresses, created_at, expires_at)
      values (${SPA}, 'sjn_link_0123456789abcdef', ${key.appId}, 'Tablet', sha256('x'), ${`/guests?${WEEK}`}, false, 300, 20,
        '{}', ${NOW}, '2025-02-07')`)
    const columns = await columnsOf(database)
    const held = await everything(database)
    for (const table of [
      'customers',
      'bookings',
      'api_keys',
      'audit_entries',
      'links',
      'changes',
      'change_commits',
    ]) {
      expect(held[table]?.length, table).toBeGreaterThan(0)
    }

    expect((await pendingMigrations(database)).map(({ name }) => name)).toEqual(NAMES)
    expect(await migrate(database)).toEqual(NAMES)

    const { schema_migrations: _, ...stored } = await everything(database, columns)
    // Tables that later migrations create are empty.
    const added = Object.keys(stored).filter((table) => !(table in held))
    expect(added.map((table) => stored[table])).toEqual(added.map(() => []))
    const remaining = Object.fromEntries(Object.entries(stored).filter(([table]) => table in held))
    expect({ ...remaining, schema_migrations: held.schema_migrations }).toEqual(held)
    // As PostgreSQL does by itself, with no search path but its own.
    await database.query(sql`analyze`)
    expect(await printSchema(database)).toBe(await printSchema(await openTestDatabase()))
    expect((await logOf(database)).map(({ name }) => name)).toEqual(NAMES)
    expect(await database.query(sql`select nspname from pg_namespace where nspname like 'sojourn%'`)).toEqual(
      [],
    )
    expect(await migrate(database)).toEqual([])
    // The key and the cursor still open what they opened, and the link has its row.
    const api = await startTestApi({ database, now: NOW, records: [spa()] })
    const asker = api.as({ ...key, headers: { authorization: `Bearer ${key.apiKey}` }, bearer: {} })
    const { body } = await asker.get(`/v1/guests?${WEEK}`)
    expect(body.data.map(({ firstName }) => firstName)).toEqual(['Anna', 'Bela'])
    expect((await asker.get(`/v1/changes?after=${encodeURIComponent(cursor)}`)).text).toContain('bela')
  })

  it('keeps what its administrator has added', async () => {
    const database = await formerDatabase()
    await database.query(sql`create index own on customers (center_id, phone)`)
    await database.query(sql`create table own_table (id integer)`)
    expect(await migrate(database)).toEqual(NAMES)
    expect((await schemaObjects(database)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['own', 'own_table']),
    )
  })

  it.each([
    ['an index that is missing', 'drop index customers_by_email', 'index customers_by_email'],
    [
      'another body of a function',
      'alter function phone_key(text) volatile',
      'function phone_key(phone text)',
    ],
    ['an additional column', 'alter table orders add column own text', 'table orders'],
    ['a setting of a table', 'alter table changes reset (autovacuum_vacuum_scale_factor)', 'table changes'],
    ['a trigger that is switched off', 'alter table bookings disable trigger user', 'on bookings'],
  ])('is refused with %s, and is left as it is', async (_, change, named) => {
    const database = await formerDatabase()
    await database.query(raw(change))
    const log = await logOf(database)
    const [schema, rows] = [await printSchema(database), await everything(database)]
    const refused = migrate(database)
    await expect(refused).rejects.toThrow(named)
    await expect(refused).rejects.toThrow('run "sojourn migrate" of version 22170b2, then of this one')
    expect(await logOf(database)).toEqual(log)
    expect(await printSchema(database)).toBe(schema)
    expect(await everything(database)).toEqual(rows)
  })
})

it('a database with fewer migrations is refused, and the sentence says what to run first', async () => {
  const database = await formerDatabase(formerMigrations().slice(0, -3))
  const schema = await printSchema(database)
  for (const act of [migrate, pendingMigrations]) {
    await expect(act(database)).rejects.toThrow(
      'the database has the schema of an older version of Sojourn (its last migration is 0036-single-names): run "sojourn migrate" of version 22170b2 first, then of this one',
    )
  }
  expect(await printSchema(database)).toBe(schema)
})

it('twenty processes at once replace the log once, and all of them succeed', async () => {
  const url = await newPostgresDatabase('empty')
  await migrate(open(url), formerMigrations())
  const applied = await Promise.all(Array.from({ length: 20 }, () => migrate(open(url))))
  // Each migration is a transaction of its own, so several processes may have applied some.
  expect(applied.flat().sort()).toEqual([...NAMES].sort())
  expect((await logOf(open(url))).map(({ name }) => name)).toEqual(NAMES)
})

it('a role that may not create a schema is refused with the grant that it needs', async () => {
  const url = await newPostgresDatabase('empty')
  const database = open(url)
  await migrate(database, formerMigrations())
  const name = new URL(url).pathname.slice(1)
  const role = `lesser_${name}`
  await database.query(raw(`create role "${role}" login password 'x' in role pg_read_all_data`))
  afterwards(async () => {
    await database.query(raw(`drop owned by "${role}"`))
    await database.query(raw(`drop role "${role}"`))
  })
  const lesser = new URL(url)
  lesser.username = role
  lesser.password = 'x'
  await database.query(raw(`grant create on schema public to "${role}"`))
  await database.query(raw(`grant all on all tables in schema public to "${role}"`))
  await expect(migrate(open(lesser.href))).rejects.toThrow('grant create on database')
})
