/** Time zones that this runtime knows but the database does not. The database needs them for booking identifiers. */
import { type Queryable, sqlState } from '../database/database.ts'
import { isTimeZone } from '../locale/zones.ts'
import * as statements from './database-zones-sql.ts'
import type { StagedLine } from './stage-sql.ts'

const UNKNOWN_TIME_ZONE = '22023'

/** Of the time zones named in these lines of centers, those that the database does not know. */
export async function unknownTimeZones(tx: Queryable, lines: readonly StagedLine[]): Promise<Set<string>> {
  const named = new Set<string>()
  for (const { body } of lines) {
    const { timezone } = JSON.parse(body) as Record<string, unknown>
    if (typeof timezone === 'string' && isTimeZone(timezone)) named.add(timezone)
  }
  const unknown = new Set<string>()
  if (named.size === 0) return unknown
  for (const { name } of await tx.query<{ name: string }>(statements.newZonesSql([...named]))) {
    if (!(await isKnown(tx, name))) unknown.add(name)
  }
  return unknown
}

async function isKnown(tx: Queryable, zone: string): Promise<boolean> {
  await tx.query(statements.zoneSavepointSql)
  try {
    await tx.query(statements.tryZoneSql(zone))
    return true
  } catch (error) {
    if (sqlState(error) !== UNKNOWN_TIME_ZONE) throw error
    await tx.query(statements.rollbackToZoneSavepointSql)
    return false
  } finally {
    await tx.query(statements.releaseZoneSavepointSql)
  }
}
