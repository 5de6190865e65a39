/**
 * Exports records in the format of the import, so that `export | import` moves a center between databases and versions.
 * Each center is read in one statement: from one snapshot, and in flat memory.
 */
import { trails } from '../../audit/verify/verify-trail.ts'
import type { Database } from '../../database/database.ts'
import { NoSuchCenter } from '../../errors/no-such-center.ts'
import { isoMoment } from '../../locale/dates.ts'
import { type CenterId, centerId } from '../../records/centers/center.ts'
import { type CenterRow, selectCenters } from '../../records/centers/centers-sql.ts'
import { type Json, type JsonObject, KIND_NAMES, type Kind } from '../kinds/kind.ts'
import { KINDS } from '../kinds.ts'
import { recordOfRow } from '../lines/record-of-row.ts'
import { columnsOf, selectRecords } from './export-sql.ts'

export interface ExportOptions {
  /** only this center; undefined: all centers */
  readonly center?: string | undefined
  /** include the keys, whose secrets are exported as hashes */
  readonly keys?: boolean | undefined
  /** include the audit trail: the whole chain of each center */
  readonly audit?: boolean | undefined
  /** Called before anything of a center is read. If it rejects, nothing of the center is exported. */
  readonly beforeCenter?: ((center: CenterId) => Promise<void>) | undefined
}

const ROWS_PER_CHUNK = 500

/**
 * The records of one center after the other, by kind and key: the same data gives the same output. @throws
 * {NoSuchCenter}
 */
export async function* exportRecords(
  database: Database,
  options: ExportOptions,
): AsyncGenerator<JsonObject[]> {
  const kinds = KIND_NAMES.map((name): Kind => KINDS[name])
    .filter(({ only }) => only === undefined || options[only])
    .map((kind) => (kind.name === 'key' && !options.audit ? withoutLastUse(kind) : kind))
  for (const id of await centersToExport(database, options)) {
    await options.beforeCenter?.(id)
    for await (const rows of database.stream(selectRecords(id, kinds), ROWS_PER_CHUNK)) {
      yield rows.flatMap(([place, , , row]) => {
        const kind = kinds[Number(place)]!
        const record = readRecord(kind, row as Json[])
        return kind.inLines?.(record) ?? [record]
      })
    }
  }
}

/** The trail proves when a key was last used. Without it, `audit verify` would report missing reads. */
const withoutLastUse = (key: Kind): Kind => ({
  ...key,
  columns: key.columns.filter(({ field }) => field !== 'lastUsedAt'),
})

/** With the trail, these include removed centers, whose trail is retained. */
async function centersToExport(
  database: Database,
  { center, audit = false }: ExportOptions,
): Promise<CenterId[]> {
  const centers = (await database.query<CenterRow>(selectCenters())).map((row) => row.center_id)
  const known = [...new Set([...centers, ...(audit ? await trails(database) : [])])].sort()
  if (center === undefined) return known.map(centerId)
  if (known.includes(center)) return [centerId(center)]
  throw new NoSuchCenter(center, known)
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
