/** Everything that a database holds, as text: what must be nowhere is searched for in it. */
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../src/database/database.ts'

/** @returns every row of every table, a line each, with the table's name before it */
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
