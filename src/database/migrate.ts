/**
 * Applies the migrations: the numbered files in `migrations/`, in order, each once, all in one transaction under an
 * advisory lock. So running it twice or twenty times at once is harmless, and a failure leaves nothing half done. The
 * first one is the baseline, which has replaced earlier migrations (`baseline.ts`).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import sql, { raw } from 'sql-template-tag'
import { adoptBaseline, isBaseline, requireLastFormer } from './baseline.ts'
import type { Database, Queryable } from './database.ts'
import { isFromElsewhere, NEW_HISTORY, settleOrigin } from './origin.ts'
import { splitStatements } from './split-statements.ts'
import { protectTrail } from './trail-privileges-sql.ts'

export interface Migration {
  readonly version: number
  /** `0040-baseline` */
  readonly name: string
  readonly script: string
  /** SHA-256 of the script. A migration must not be edited once it was applied. */
  readonly checksum: string
}

const FOLDER = new URL('./migrations/', import.meta.url)

// Any fixed number will do; this one spells "sojo".
const LOCK = 0x736f6a6f

/**
 * All migrations of this version, in order.
 * @param folder folder of another version, ending in a slash
 */
export function allMigrations(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const script = readFileSync(new URL(file, folder), 'utf8')
      return {
        version: Number(file.slice(0, 4)),
        name: file.slice(0, -'.sql'.length),
        script,
        checksum: createHash('sha256').update(script).digest('hex'),
      }
    })
}

/**
 * Brings the database to the schema of this version. If its schema is already that of the baseline, by the migrations
 * that the baseline has replaced, only the log of migrations is replaced. If it was restored from another server, a new history of changes
 * begins.
 * @returns the names of the migrations that were applied, and `NEW_HISTORY`; empty if there was nothing to do
 * @throws if a newer version migrated the database, an applied migration has changed since, or the schema is older than
 * the baseline or differs from it
 */
export async function migrate(database: Database, migrations = allMigrations()): Promise<string[]> {
  // Writes nothing if there is nothing to do, so an embedded folder opens on a nearly full disk.
  if ((await pendingMigrations(database, migrations)).length === 0 && !(await isFromElsewhere(database)))
    return []
  return database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK})`)
    await tx.query(sql`
      create table if not exists schema_migrations (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`)
    const pending = await pendingMigrations(tx, migrations)
    for (const migration of pending) {
      if (!(isBaseline(migration) && (await adoptBaseline(tx, migration)))) {
        for (const statement of splitStatements(migration.script)) await tx.query(raw(statement))
      }
      await tx.query(sql`
        insert into schema_migrations (version, name, checksum)
        values (${migration.version}, ${migration.name}, ${migration.checksum})`)
    }
    const applied = pending.map((migration) => migration.name)
    if (migrations.some(isBaseline)) await tx.query(protectTrail)
    return (await settleOrigin(tx)) ? [...applied, NEW_HISTORY] : applied
  })
}

/**
 * The migrations that `migrate` would apply; all of them for an empty database. Changes nothing.
 * @throws as `migrate`
 */
export async function pendingMigrations(
  database: Queryable,
  migrations = allMigrations(),
): Promise<Migration[]> {
  const [exists] = await database.query<{ found: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as found`,
  )
  const applied = exists?.found
    ? await database.query<{ version: number; name: string; checksum: string }>(
        sql`select version, name, checksum from schema_migrations order by version`,
      )
    : []
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  const [first] = migrations
  if (first !== undefined && isBaseline(first) && requireLastFormer(applied, first)) return migrations
  for (const row of applied) {
    const migration = known.get(row.version)
    if (migration === undefined) {
      throw new Error(
        `the database was migrated by a newer version of Sojourn (it has ${row.name}); update Sojourn`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new Error(`migration ${row.name} has changed since it was applied to this database`)
    }
    known.delete(row.version)
  }
  return [...known.values()]
}
