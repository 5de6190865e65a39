/** Two databases, and a center that has a row in every table. */
import { raw } from 'sql-template-tag'
import { vi } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import { openPostgres } from '../../../src/core/database/postgres/postgres.ts'
import { selectTables, type TableRow } from '../../../src/parts/cells/move-sql.ts'
import { afterwards, newPostgresDatabase } from '../../support/database.ts'

export interface OpenDatabase {
  readonly url: string
  readonly database: Database
}

export async function openOwn(): Promise<OpenDatabase> {
  const url = await newPostgresDatabase()
  const database = openPostgres({ connection: { connectionString: url }, poolSize: 5, purpose: 'command' })
  afterwards(() => database.close())
  return { url, database }
}

/** The URL as a command line may have it. Its password is in PGPASSWORD until the test ends. */
export function withoutPassword(url: string): string {
  const changed = new URL(url)
  vi.stubEnv('PGPASSWORD', changed.password)
  afterwards(async () => vi.unstubAllEnvs())
  changed.password = ''
  return changed.href
}

export const tablesOf = (database: Database): Promise<TableRow[]> => database.query<TableRow>(selectTables)

/** All rows of a center in a table as text, in one order; without the numbers of transactions. */
export async function rowsOf(
  database: Database,
  { name, columns, types }: TableRow,
  center: string,
): Promise<string[]> {
  const own = [...columns].filter((_, at) => types[at] !== 'xid8').sort()
  const rows = await database.query<{ row: string }>(
    raw(
      `select row(${own.map((column) => `"${column}"`).join(', ')})::text as row from "${name}" where center_id = '${center}' order by 1`,
    ),
  )
  return rows.map(({ row }) => row)
}

/** By type. */
const VALUES: Readonly<Record<string, string>> = {
  text: "'x'",
  'text[]': "'{x}'",
  integer: '1',
  smallint: '1',
  bigint: '1',
  numeric: '1',
  boolean: 'false',
  date: "'2025-01-01'",
  'timestamp with time zone': 'now()',
  jsonb: "'{}'",
  json: "'{}'",
  bytea: "'\\x01'",
  uuid: 'gen_random_uuid()',
  xid8: 'pg_current_xact_id()',
  tstzmultirange: "'{}'",
}

/** Where a constraint wants another one. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  imports: { outcome: "'done'", way: "'command'" },
  meal_cut_offs: { meal: "'lunch'" },
  meta_fields: { owner: "'booking'", type: "'string'" },
  notice_mails: { event: "'begin'", state: "'waiting'" },
  report_deliveries: { state: "'waiting'" },
  report_runs: { state: "'sent'" },
  source_folders: { state: "'watching'" },
  source_problems: { kind: "'broken'" },
}

/** Adds a row to each table in which the center has none. @returns the names of the tables that are empty nevertheless */
export async function fillTables(database: Database, center: string): Promise<string[]> {
  const empty: string[] = []
  for (const { name } of await tablesOf(database)) {
    const columns = await database.query<{ name: string; type: string }>(
      raw(`select a.attname::text as name, format_type(a.atttypid, null) as type from pg_attribute a
        where a.attrelid = '${name}'::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull and a.attidentity = ''
          and not a.atthasdef
          and not exists (select from "${name}" where center_id = '${center}')`),
    )
    if (columns.length === 0) continue
    const values = columns.map((column) =>
      column.name === 'center_id'
        ? `'${center}'`
        : (OWN[name]?.[column.name] ?? VALUES[column.type] ?? 'null'),
    )
    await database.transaction(async (tx) => {
      await tx.query(raw('set local session_replication_role to replica'))
      await tx.query(
        raw(
          `insert into "${name}" (${columns.map((column) => `"${column.name}"`).join(', ')}) values (${values.join(', ')})`,
        ),
      )
    })
  }
  for (const table of await tablesOf(database)) {
    if ((await rowsOf(database, table, center)).length === 0) empty.push(table.name)
  }
  return empty
}
