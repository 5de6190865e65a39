/**
 * Databases reused by the tests of a worker: emptying one takes a hundredth of a second, and copying one on the server 0.1 to
 * 0.4 s. A database is not reused if a test changed its schema
 * or settings, or closed it.
 */

import sql from 'sql-template-tag'
import { type Database, DatabaseUnavailable } from '../../src/core/database/database.ts'
import { emptyDatabase } from './empty-database.ts'

/** They end with the tests' server. */
const FREE_MAX = 2

const free: Opened[] = []

interface Opened {
  readonly database: Database
  /** of the schema after the migrations */
  readonly schema: string
}

/**
 * A clean, migrated database, and a function to call when the test no longer needs it.
 * @param open opens a new one if none is free
 */
export async function borrowDatabase(
  open: () => Promise<Database>,
): Promise<{ database: Database; giveBack: () => Promise<void> }> {
  const opened = free.pop() ?? (await openNew(open))
  let isClosed = false
  let isBack = false
  return {
    database: {
      ...lent(opened.database, () => isBack),
      close() {
        isClosed = true
        return opened.database.close()
      },
    },
    async giveBack() {
      isBack = true
      if (isClosed) return
      if (free.length < FREE_MAX && (await makeClean(opened))) free.push(opened)
      else await opened.database.close()
    },
  }
}

async function openNew(open: () => Promise<Database>): Promise<Opened> {
  const database = await open()
  return { database, schema: await schemaOf(database) }
}

/** Work that a test has left running must not reach the next test: for it, the database appears closed. */
function lent(database: Database, isBack: () => boolean): Database {
  const entries = Object.entries(database).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value]
    const method = (...args: unknown[]) => {
      if (isBack()) throw new DatabaseUnavailable('the test that had this database is over')
      return value(...args)
    }
    return [name, method]
  })
  // The names and types are those of the original.
  return Object.fromEntries(entries) as Database
}

/** @returns whether the database is as it was when it was opened */
async function makeClean({ database, schema }: Opened): Promise<boolean> {
  try {
    if ((await schemaOf(database)) !== schema) return false
    await emptyDatabase(database)
    return true
  } catch {
    return false
  }
}

/**
 * A digest of every relation, column, function, trigger and setting, so that no test changes what another starts from.
 */
async function schemaOf(database: Database): Promise<string> {
  const [row] = await database.query<{ schema: string }>(sql`
    select md5(concat(
      (select string_agg(concat(relname, relkind, relnamespace), ',' order by oid) from pg_class where oid >= 16384),
      (select string_agg(concat(attrelid, attname, atttypid, attnotnull, atthasdef), ',' order by attrelid, attnum)
        from pg_attribute where attrelid >= 16384 and attnum > 0),
      (select string_agg(concat(proname, prosrc), ',' order by oid) from pg_proc
        where oid >= 16384 and pronamespace <> pg_my_temp_schema()),
      (select string_agg(concat(tgname, tgrelid, tgenabled), ',' order by oid) from pg_trigger),
      (select string_agg(concat(conname, conrelid), ',' order by oid) from pg_constraint where oid >= 16384),
      (select string_agg(setconfig::text, ',' order by setdatabase, setrole) from pg_db_role_setting
        where setdatabase in (0, (select oid from pg_database where datname = current_database()))),
      (select string_agg(concat(name, setting), ',' order by name) from pg_settings
        where source not in ('default', 'override')),
      (select string_agg(concat(name, checksum), ',' order by name) from schema_migrations)
    )) as schema`)
  return String(row?.schema)
}
