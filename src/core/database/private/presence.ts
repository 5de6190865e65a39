/** Who uses a private server. */
import type { Queryable } from '../database.ts'
import { selectOtherProcesses } from './presence-sql.ts'

/** The processes that use the server of this database, besides this one. */
export async function countOtherProcesses(database: Queryable): Promise<number> {
  const [found] = await database.query<{ count: number }>(selectOtherProcesses)
  return found?.count ?? 0
}
