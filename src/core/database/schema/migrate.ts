/**
 * Applies the migrations: the numbered files in `migrations/`, in order, each once and in a transaction of its own, under
 * an advisory lock. So running it twice or twenty times at once is harmless, and a failure leaves nothing of its migration.
 * The first one is the baseline, which has replaced earlier migrations (`baseline.ts`). `docs/upgrades.md` says what a
 * migration may do while the service runs, and `migration-locks.ts` how it waits for locks.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { raw } from 'sql-template-tag'
import type { Database, Queryable } from '../database.ts'
import { isFromElsewhere, NEW_HISTORY, settleOrigin } from '../origin.ts'
import { splitStatements } from '../postgres/split-statements.ts'
import { protectTrail } from '../trail-privileges-sql.ts'
import { adoptBaseline, isBaseline, requireLastFormer } from './baseline.ts'
import * as statements from './migrate-sql.ts'
import { type LockOptions, withShortLocks } from './migration-locks.ts'

export interface Migration {
  readonly version: number
  /** `0040-baseline` */
  readonly name: string
  readonly script: string
  /** SHA-256 of the script. A migration must not be edited once it was applied. */
  readonly checksum: string
}

const FOLDER = new URL('../migrations/', import.meta.url)

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
 * What the header of a migration says: comments at its beginning, one `-- name: value` per line.
 * `reads_from` is the number of the oldest migration whose code may still run after this one. Without a header, all older
 * processes must have ended.
 */
export function headerOf({ script, version }: Pick<Migration, 'script' | 'version'>): MigrationHeader {
  const [comments = ''] = /^(?:--.*\n)*/.exec(script) ?? []
  const lines = [...comments.matchAll(/^-- (phase|locks|reads_from): (.+)$/gm)]
  const values = Object.fromEntries(lines.map(([, name, value]) => [name ?? '', value ?? '']))
  return {
    phase: values.phase,
    locks: values.locks,
    readsFrom: values.reads_from === undefined ? version : Number(values.reads_from),
  }
}

export interface MigrationHeader {
  /** `expand` adds what older code does not see; `contract` removes what no running code uses any more */
  readonly phase: string | undefined
  /** existing tables that it locks against reads or writes, or `none` */
  readonly locks: string | undefined
  readonly readsFrom: number
}

/**
 * Brings the database to the schema of this version. If its schema is already that of the baseline, by the migrations
 * that the baseline has replaced, only the log of migrations is replaced. If it was restored from another server, a new
 * history of changes begins. A migration that waits for a lock lets reads pass every second and tries again.
 * @returns the names of the migrations that were applied, and `NEW_HISTORY`; empty if there was nothing to do
 * @throws if a newer version migrated the database and this one may not run on it, an applied migration has changed since,
 * the schema is older than the baseline or differs from it, older processes run that could not continue, or a lock was not
 * free in time. What was applied before stays.
 */
export async function migrate(
  database: Database,
  migrations = allMigrations(),
  locks: LockOptions = {},
): Promise<string[]> {
  const pending = await pendingMigrations(database, migrations)
  // Writes nothing if there is nothing to do, so a folder opens on a nearly full disk.
  if (pending.length === 0 && !(await isFromElsewhere(database))) return []
  const applied: string[] = []
  let isNewHistory = false
  const apply = (migration: Migration | undefined) => async (tx: Queryable) => {
    if (migration !== undefined && (await applyOne(tx, migration, migrations))) applied.push(migration.name)
    if (migrations.some(isBaseline)) await tx.query(protectTrail)
    if (await settleOrigin(tx)) isNewHistory = true
  }
  for (const migration of pending) {
    const named = `migration ${migration.name}`
    await withShortLocks(database, named, apply(migration), locks)
  }
  if (pending.length === 0) await database.transaction(apply(undefined))
  return isNewHistory ? [...applied, NEW_HISTORY] : applied
}

/** Applies migrations to a database without tables, in the transaction of the caller. */
export async function migrateWithin(tx: Queryable, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) await applyOne(tx, migration, migrations)
  await tx.query(protectTrail)
  await settleOrigin(tx)
}

/** @returns false if another process has applied it in the meantime */
async function applyOne(
  tx: Queryable,
  migration: Migration,
  migrations: readonly Migration[],
): Promise<boolean> {
  await tx.query(statements.createLog)
  const [log] = await tx.query<{ complete: boolean }>(statements.selectHasReadsFrom)
  if (!log?.complete) await tx.query(statements.addReadsFrom)
  const pending = await pendingMigrations(tx, migrations)
  if (!pending.some(({ version }) => version === migration.version)) return false
  const { readsFrom } = headerOf(migration)
  await refuseOlderProcesses(tx, migration, readsFrom)
  if (!(isBaseline(migration) && (await adoptBaseline(tx, migration)))) {
    for (const statement of splitStatements(migration.script)) await tx.query(raw(statement))
  }
  await tx.query(statements.insertMigration(migration, readsFrom))
  return true
}

/** @throws if processes of a version that could not read the new schema are connected */
async function refuseOlderProcesses(tx: Queryable, { name }: Migration, readsFrom: number): Promise<void> {
  const processes = await tx.query<{ application: string; connections: number }>(statements.selectProcesses)
  const older = processes.filter(({ application }) => schemaOf(application) < readsFrom)
  if (older.length === 0) return
  const connections = older.reduce((sum, one) => sum + one.connections, 0)
  throw new Error(
    `migration ${name} requires that all processes have at least the schema ${numbered(readsFrom)}, and older ones are connected (${connections} connections of ${older.map(({ application }) => application).join(', ')}): update them first. If a pooler keeps connections of processes that have ended, let it reconnect`,
  )
}

const numbered = (version: number) => String(version).padStart(4, '0')

/** How a process introduces itself to the server: with the newest migration that it knows. */
export const applicationName = (): string => `sojourn/${newestFile()?.slice(0, 4) ?? numbered(0)}`

/** Its name alone: every connection pool asks for it, and the scripts are long. */
const newestFile = () =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .at(-1)

/** Versions before this rule had no number. */
const schemaOf = (application: string) => Number(/^sojourn\/(\d+)$/.exec(application)?.[1] ?? 0)

/**
 * The migrations that `migrate` would apply; all of them for an empty database. Changes nothing. Migrations of newer
 * versions are no obstacle if their header says that this version may still run.
 * @throws as `migrate`
 */
export async function pendingMigrations(
  database: Queryable,
  migrations: readonly Migration[] = allMigrations(),
): Promise<readonly Migration[]> {
  const [exists] = await database.query<{ found: boolean }>(statements.selectHasLog)
  const applied = exists?.found ? await database.query<Applied>(statements.selectMigrations) : []
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  const [first] = migrations
  if (first !== undefined && isBaseline(first) && requireLastFormer(applied, first)) return migrations
  const own = migrations.at(-1)?.version ?? 0
  for (const row of applied) {
    const migration = known.get(row.version)
    if (migration === undefined) {
      if (row.version > own && row.reads_from !== null && row.reads_from <= own) continue
      throw new Error(
        `the database was migrated by a newer version of Sojourn (it has ${row.name}, and this version knows migrations to ${numbered(own)}); update Sojourn`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new Error(`migration ${row.name} has changed since it was applied to this database`)
    }
    known.delete(row.version)
  }
  return [...known.values()]
}

interface Applied {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly reads_from: number | null
}
