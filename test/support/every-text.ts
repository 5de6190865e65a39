/** The whole content of a database as text, to search for something that must not be in it. */
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../src/core/database/database.ts'

/** @returns every row of every table, one per line, after the table's name */
export async function everyText(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(sql`
    select format('%I', table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
  const lines: string[] = []
  for (const { name } of tables) {
    const rows = await database.query<{ line: string }>(sql`select t::text as line from ${raw(name)} t`)
    lines.push(...rows.map(({ line }) => `${name} ${line}`))
  }
  return lines.join('\n')
}
