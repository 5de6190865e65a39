/** Kitchen sheets are stored for two weeks after their day; older ones are deleted once a day. */
import type { Sql } from 'sql-template-tag'
import { deleteOldSheets, selectCentersWithSheets } from './sheets-sql.ts'

/** The parts of the database that it uses. */
interface Asks {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

/** May run in several instances at the same time. @returns the number of deleted sheets */
export async function pruneSheets(database: Asks): Promise<number> {
  const centers = await database.query<{ center_id: string }>(selectCentersWithSheets)
  let sheets = 0
  for (const { center_id } of centers) {
    const [gone] = await database.query<{ sheets: number }>(deleteOldSheets(center_id))
    sheets += gone?.sheets ?? 0
  }
  return sheets
}
