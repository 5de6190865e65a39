import type { Queryable } from '../../database/database.ts'
import { selectZones } from './centers-sql.ts'

/** The time zones of those of these centers that exist. */
export async function zonesOf(
  database: Queryable,
  centers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const zones = await database.query<{ center_id: string; timezone: string }>(selectZones(centers))
  return new Map(zones.map((row) => [row.center_id, row.timezone]))
}
