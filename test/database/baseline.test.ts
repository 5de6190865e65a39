/** A database of the migrations that the baseline has replaced becomes one of the baseline, with all that is in it. */
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { allMigrations, migrate, pendingMigrations } from '../../src/database/migrate.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { schemaObjects } from '../../src/database/schema-objects.ts'
import { printSchema } from '../../tools/print-schema.ts'
import { makeLink } from '../extras/links/make-link.ts'
import { startTestApi } from '../support/api.ts'
import { afterwards, newPostgresDatabase, openTestDatabase, testEngine } from '../support/database.ts'
import { formerMigrations } from '../support/former-migrations.ts'
import { order, session, spa, stay } from '../support/world.ts'

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
  const database =
    testEngine() === 'embedded' ? await openEmbedded({}) : open(await newPostgresDatabase('empty'))
  if (testEngine() === 'embedded') afterwards(() => database.close())
  await migrate(database, migrations)
  return database
}

const tablesOf = async (database: Database) =>
  (await schemaObjects(database)).filter(({ kind }) => kind === 'table').map(({ name }) => name)

/** Every row of every table of the schema, as text. */
async function everything(database: Database): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const table of await tablesOf(database)) {
    const found = await database.query<{ row: string }>(
      sql`select t::text as row from ${raw(table)} t order by 1`,
    )
    rows[table] = found.map(({ row }) => row)
  }
  return rows
}

const logOf = (database: Database) =>
  database.query<{ name: string }>(sql`select name from schema_migrations order by version`)

describe('a database with all former migrations', () => {
  it('keeps every row, and has the schema of a new one', async () => {
    const database = await formerDatabase()
    const api = await startTestApi({
      database,
      now: NOW,
      records: [
        spa(),
        session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
        order('o1', { orderDate: '2025-01-07T10:00' }),
        ...stay('anna', '2025-01-06', '2025-01-12', {
          sessionIds: ['s1'],
          orderUuid: 'o1',
          status: 'arrived',
        }),
        ...stay('bela', '2025-01-06', '2025-01-12', { skippingMeals: { lunch: ['2025-01-07'] } }),
      ],
    })
    const link = await makeLink(
      database,
      { key: api.key.appId, question: `/guests?${WEEK}` },
      Date.parse(NOW),
    )
    const before = await api.get(`/v1/guests?${WEEK}`)
    expect(before.body.data).toHaveLength(2)
    const { body } = await api.get('/v1/changes')
    const cursor = (body as unknown as { cursor: string }).cursor
    await database.query(sql`update bookings set doctor_name = 'Dr. A' where id = 'bela'`)
    const next = `/v1/changes?after=${encodeURIComponent(cursor)}`
    const changes = await api.get(next)
    expect(changes.text).toContain('bela')
    // Writes the rest of the trail.
    await api.app.close()
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

    expect(await everything(database)).toEqual(held)
    expect(await printSchema(database)).toBe(await printSchema(await openTestDatabase()))
    expect((await logOf(database)).map(({ name }) => name)).toEqual(NAMES)
    expect(await database.query(sql`select nspname from pg_namespace where nspname like 'sojourn%'`)).toEqual(
      [],
    )
    expect(await migrate(database)).toEqual([])
    // The key and the cursor still open what they opened, and the link has its row.
    const after = await startTestApi({ database, now: NOW, records: [spa()] })
    for (const [path, text] of [
      [`/v1/guests?${WEEK}`, before.text],
      [next, changes.text],
    ] as const) {
      const answer = await after.as(api.key).get(path)
      expect(answer.status, path).toBe(200)
      expect(answer.text).toBe(text)
    }
    expect(held.links?.join()).toContain(link.link.id)
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

if (testEngine() === 'postgres') {
  it('twenty processes at once replace the log once, and all of them succeed', async () => {
    const url = await newPostgresDatabase('empty')
    await migrate(open(url), formerMigrations())
    const applied = await Promise.all(Array.from({ length: 20 }, () => migrate(open(url))))
    expect(applied.filter((list) => list.length > 0)).toEqual([NAMES])
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
}
