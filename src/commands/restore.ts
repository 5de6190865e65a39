/** `sojourn restore`: makes an empty database of a backup. */
import { accessSync, constants, existsSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import type { Sql } from 'sql-template-tag'
import { type CommandContext, CommandError } from '../core/command-line/context.ts'
import { counted } from '../core/command-line/words.ts'
import { type Config, readConfig } from '../core/config/config.ts'
import type { Queryable, Row } from '../core/database/database.ts'
import { connectionFor, placeOf } from '../core/database/open.ts'
import { beginNewHistory } from '../core/database/origin.ts'
import type { PostgresConnection } from '../core/database/postgres/postgres-tls.ts'
import { clusterOf, formerProblem, isNewFolder, writeProblem } from '../core/database/private/cluster.ts'
import { CannotServe, removeCluster, usePrivateServer } from '../core/database/private/private-server.ts'
import { allMigrations, migrateWithin } from '../core/database/schema/migrate.ts'
import { typeReaders } from '../core/database/types.ts'
import { ERASURE_LOG } from '../core/intake/erased/erased.ts'
import { cannotOpen } from '../core/intake/lines/read-bytes.ts'
import {
  type HeadsRow,
  type MonthRow,
  selectHeads,
  selectIsEmpty,
  selectMonths,
  selectTables,
  setSequence,
  type TableRow,
} from './backup/backup-sql.ts'
import { type Proven, proveBackup, tablesOf } from './backup/read-backup.ts'
import { copyFrom, identifier, inOrder } from './backup/write-backup.ts'

export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('restore a backup into an empty database: a new DATA_DIR, or an empty database of a server')
    .argument('<file>', 'a file that "sojourn backup" made')
    .addHelpText(
      'after',
      `
Stop the service first. DATA_DIR must have no database, or DATABASE_URL must name a database without tables: nothing is replaced.
The backup is read as a whole before anything is written. One that was changed or cut off is refused, and changes nothing. All of
it is written in one transaction.

The database is then that of the moment of the backup. Clients that have followed changes get a 410 and read again, and the audit
trail ends where it ended then. The next "sojourn serve" applies migrations of this version, and erases again who was erased
since, if DATA_DIR has the log of erasures.

Examples:
  $ mv /var/lib/sojourn /var/lib/sojourn.old
  $ DATA_DIR=/var/lib/sojourn sojourn restore /backup/sojourn-2026-05-14.zst
  $ cp -p /var/lib/sojourn.old/erasures.ndjson /var/lib/sojourn/
  $ DATABASE_URL=postgres://sojourn@db/sojourn sojourn restore /backup/sojourn-2026-05-14.zst
`,
    )
    .action((file: string) => restore(context, file))
}

async function restore(context: CommandContext, file: string): Promise<void> {
  const config = readConfig(context.env)
  const signal = context.interrupts()
  requireReadable(file)
  const proven = await proveBackup(file, signal)
  const migrations = migrationsOf(proven)
  const place = await intoEmpty(config, async (client) => {
    const tx = queryableOn(client)
    await migrateWithin(tx, migrations)
    await fill(client, tx, file, proven, signal)
  })
  const { at, sojourn } = proven.head
  const { rows } = proven.end
  const has = (table: string, one: string, many?: string) => counted(rows[table] ?? 0, one, many)
  const isLogged = existsSync(join(resolve(config.dataDir), ERASURE_LOG))
  context.stderr.write(
    `Restored the database of ${at} (Sojourn ${sojourn}) into ${place}: ${has('centers', 'center')}, ${has('bookings', 'booking')}, ${has('orders', 'order')}, ${has('audit_entries', 'entry', 'entries')} of the audit trail.\n${isLogged ? '' : `If people were erased since, put the newest ${ERASURE_LOG} into the folder before you start the service.\n`}`,
  )
}

function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw new CommandError(`${cannotOpen(file, error)}.`)
  }
}

/** The migrations that make the schema of the backup. */
function migrationsOf({ head: { schema, sojourn } }: Proven) {
  const all = allMigrations()
  const own = all.filter(({ version }) => version <= schema)
  if ((all.at(-1)?.version ?? 0) < schema) {
    throw new CommandError(
      `The backup was made by a newer version of Sojourn (${sojourn}, schema ${schema}); update Sojourn. Nothing was changed.`,
    )
  }
  if (own.length === 0) {
    throw new CommandError(
      `The backup has the schema ${schema}, which this version cannot make; restore it with Sojourn ${sojourn}. Nothing was changed.`,
    )
  }
  return own
}

/**
 * Runs `work` in one transaction on a database without tables. A folder gets the database only when that is done.
 * @returns the place in words
 */
async function intoEmpty(config: Config, work: (client: pg.Client) => Promise<void>): Promise<string> {
  if (config.databaseUrl !== undefined) {
    await onConnection(connectionFor(config.databaseUrl, config), async (client) => {
      const [found] = await queryableOn(client).query<{ empty: boolean }>(selectIsEmpty)
      if (!found?.empty) {
        throw new CommandError(
          `${placeOf(config.databaseUrl ?? '')} has tables already. Create an empty database, and name it in DATABASE_URL. Nothing was changed.`,
        )
      }
      await work(client)
    })
    return placeOf(config.databaseUrl)
  }
  const folder = resolve(config.dataDir)
  const problem = formerProblem(folder) ?? writeProblem(folder)
  if (problem !== undefined) throw new CommandError(problem)
  if (!isNewFolder(folder)) {
    throw new CommandError(
      `DATA_DIR, ${folder}, has a database already. Move it away, or set DATA_DIR to another folder. Nothing was changed.`,
    )
  }
  const draft = join(folder, DRAFT)
  // A restore that was killed has left it.
  if (!isNewFolder(draft) && !(await removeCluster(draft))) {
    throw new CommandError(`Another restore into ${folder} is running. Nothing was changed.`)
  }
  try {
    const server = await usePrivateServer(draft)
    try {
      await onConnection(server.connection, work)
    } finally {
      await server.close()
    }
    renameSync(clusterOf(draft), clusterOf(folder))
  } catch (error) {
    if (error instanceof CannotServe) throw new CommandError(error.message)
    throw error
  } finally {
    if (!isNewFolder(draft)) await removeCluster(draft)
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

const DRAFT = 'restoring'

async function onConnection(
  connection: PostgresConnection,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'restore', types: TYPES })
  await client.connect()
  try {
    await client.query("set timezone to 'UTC'")
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

const TYPES = {
  getTypeParser: (oid: number) => typeReaders.get(oid) ?? ((text: string) => text),
} as pg.CustomTypesConfig

const queryableOn = (client: pg.Client): Queryable => ({
  async query<R extends object = Row>({ text, values }: Sql) {
    const { rows } = await client.query(text, values)
    return rows as R[]
  },
})

async function fill(
  client: pg.Client,
  tx: Queryable,
  file: string,
  { head, end }: Proven,
  signal: AbortSignal,
): Promise<void> {
  // What the migrations have left to the end of the transaction.
  await client.query('set constraints all immediate')
  await makeMonths(client, await tx.query<MonthRow>(selectMonths), head.months)
  const tables = inOrder(await tx.query<TableRow>(selectTables))
  // Triggers note changes and renumber: the rows have all of that already.
  for (const { name } of tables) await client.query(`alter table ${identifier(name)} disable trigger user`)
  // A migration may have written some, which are in the backup as they were then.
  for (const { name } of tables.toReversed()) await client.query(`delete from ${identifier(name)}`)
  for await (const table of tablesOf(file, signal)) {
    const rows = client.query(from(copyFrom(table)))
    await pipeline(Readable.from(table.rows), rows)
    if (rows.rowCount !== end.rows[table.table]) {
      throw new CommandError(
        `${table.table} has ${rows.rowCount} rows and not ${end.rows[table.table]}. Nothing was restored.`,
      )
    }
  }
  await client.query('set constraints all immediate')
  for (const { name } of tables) await client.query(`alter table ${identifier(name)} enable trigger user`)
  for (const { name, last } of end.sequences) if (last !== null) await tx.query(setSequence(name, last))
  const [heads] = await tx.query<HeadsRow>(selectHeads)
  if (heads?.heads !== end.heads || heads.revisions !== end.revisions) {
    throw new CommandError('The restored database is not as it was. Nothing was restored.')
  }
  // Numbers of transactions are another server's from now on: older cursors return 410.
  await beginNewHistory(tx)
}

/** The months of the trail as they were, in place of those of today. */
async function makeMonths(client: pg.Client, made: readonly MonthRow[], wanted: readonly MonthRow[]) {
  for (const { name } of made) await client.query(`drop table ${identifier(name)}`)
  for (const { name, bound } of wanted) {
    const table = identifier(name)
    // `bound` is not taken from the file as it is: it becomes a part of a statement.
    const range = bound === null ? undefined : boundOf(bound)
    await client.query(
      range === undefined
        ? `create table ${table} (like audit_entries including defaults including constraints)`
        : `create table ${table} partition of audit_entries ${range}`,
    )
    await client.query(`alter table ${table} add primary key (center_id, seq)`)
    await client.query(`create index on ${table} (center_id, at)`)
    await client.query(`create index on ${table} (center_id, record_list) where record_list is not null`)
  }
}

const BOUND = /^(?:DEFAULT|FOR VALUES FROM \((?:MINVALUE|'[\d\-: +.]+')\) TO \((?:MAXVALUE|'[\d\-: +.]+')\))$/

function boundOf(bound: string): string {
  if (!BOUND.test(bound))
    throw new CommandError('The backup has a month of the trail that no backup has. Nothing was restored.')
  return bound
}
