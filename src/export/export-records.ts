/**
 * Gives records out as an import takes them in, so that a center moves between databases and versions as
 * `export | import`. Each center is read in one statement: from one snapshot, in flat memory, and on the embedded
 * database without keeping its session while somebody reads slowly.
 */
import { type CenterId, centerId } from '../centers/center.ts'
import { type CenterRow, selectCenters } from '../centers/centers-sql.ts'
import type { Database } from '../database/database.ts'
import { type Json, type JsonObject, KIND_NAMES, type Kind, type KindName } from '../intake/kinds/kind.ts'
import { KINDS } from '../intake/kinds.ts'
import { isoMoment } from '../locale/dates.ts'
import { columnsOf, selectRecords } from './export-sql.ts'
import { recordOfRow } from './record-of-row.ts'

export interface ExportOptions {
  /** This center only; all of them where it is left out. */
  readonly center?: string | undefined
  /** With the keys, whose secrets stand in it as hashes. */
  readonly keys?: boolean | undefined
}

/** There is nothing to export; the message says what there is. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

const ROWS_PER_CHUNK = 500

/**
 * The records of each center in turn, by kind and key: the same for the same data.
 * @throws {ExportError} where there is no such center
 */
export async function* exportRecords(
  database: Database,
  { center, keys = false }: ExportOptions,
): AsyncGenerator<JsonObject[]> {
  const kinds = KIND_NAMES.filter((name) => keys || name !== 'key').map((name: KindName) => KINDS[name])
  for (const id of await centersToExport(database, center)) {
    for await (const rows of database.stream(selectRecords(id, kinds), ROWS_PER_CHUNK)) {
      yield rows.map(([place, , , record]) => readRecord(kinds[Number(place)]!, record as Json[]))
    }
  }
}

async function centersToExport(database: Database, center: string | undefined): Promise<CenterId[]> {
  const known = (await database.query<CenterRow>(selectCenters())).map((row) => row.center_id)
  if (center === undefined) return known.map(centerId)
  if (known.includes(center)) return [centerId(center)]
  const there = known.length === 0 ? 'there are none' : `there are ${known.slice(0, 10).join(', ')}`
  throw new ExportError(`There is no center ${JSON.stringify(center)}; ${there}.`)
}

function readRecord(kind: Kind, values: readonly Json[]): JsonObject {
  const row: JsonObject = {}
  for (const [index, { name, type }] of columnsOf(kind).entries()) {
    const value = values[index] ?? null
    if (value === null) continue
    row[name] =
      type === 'timestamptz' ? isoMoment(Number(value)) : type === 'bytea' ? `\\x${String(value)}` : value
  }
  const key = Object.fromEntries(kind.key.map(({ field, column }) => [field, row[column] ?? null]))
  return recordOfRow(kind, String(row.center_id), row, key)
}
