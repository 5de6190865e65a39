/** Time zones that this runtime knows but the database does not: it gives booking identifiers by them. */
import type { Queryable } from '../database/database.ts'
import { unknownZonesSql } from './database-zones-sql.ts'
import type { StagedLine } from './stage-sql.ts'

/** Of the time zones that these centers' lines name, those the database would fail on. */
export async function unknownTimeZones(tx: Queryable, lines: readonly StagedLine[]): Promise<Set<string>> {
  const zones = new Set(
    lines
      .map(({ body }) => (JSON.parse(body) as Record<string, unknown>).timezone)
      .filter((zone) => typeof zone === 'string' && zone.length <= 64 && !zone.includes('\0')),
  )
  if (zones.size === 0) return new Set()
  const rows = await tx.query<{ name: string }>(unknownZonesSql([...zones] as string[]))
  return new Set(rows.map(({ name }) => name))
}
