/** The log of imports: who imported, and with what result. It holds neither the contents nor the names of files. */
import type { Queryable } from '../database/database.ts'
import { isoMoment } from '../locale/dates.ts'
import type { RejectCause } from '../records/sources/delivery.ts'
import type { CenterCounts } from './counts.ts'
import { addImportSql } from './import-log-sql.ts'
import type { FileDigest } from './lines/digests.ts'
import { centersSql } from './merge/center-facts-sql.ts'

/** Who imports, and from what. */
export interface ImportOrigin {
  readonly way: 'command' | 'watch' | 'intake'
  readonly by: { readonly user: string } | { readonly publicKey: string }
  /** called after all input has been read */
  readonly files: () => readonly FileDigest[]
  /** the source that the operator named */
  readonly source?: string | undefined
  /** when the file was last written to, epoch ms */
  readonly fileTime?: number | undefined
}

export interface ImportEnd {
  readonly id: string
  readonly outcome: 'done' | 'refused' | 'failed'
  readonly durationMs: number
  readonly lines: number
  readonly rejected: number
  readonly problems: number
  /** by center, for every center that the records named */
  readonly counts: ReadonlyMap<string, CenterCounts>
  /** by center: lines left out because of erased people */
  readonly erased: ReadonlyMap<string, number>
  readonly causes: readonly RejectCause[]
}

/** For imports that concern no existing center. */
const NO_CENTER = ''

/**
 * Adds a line for each center that the import concerned. If the import was not applied, only for centers that exist.
 */
export async function logImport(tx: Queryable, origin: ImportOrigin, end: ImportEnd): Promise<void> {
  const named = [...end.counts.keys()]
  const existing = end.outcome === 'done' ? named : await existingOf(tx, named)
  const centers = existing.length === 0 ? [NO_CENTER] : existing
  const lines = centers.map((center) => {
    const counts = end.outcome === 'done' ? end.counts.get(center) : undefined
    return {
      center_id: center,
      id: end.id,
      way: origin.way,
      by_user: 'user' in origin.by ? origin.by.user : null,
      by_key: 'publicKey' in origin.by ? origin.by.publicKey : null,
      files: origin.files(),
      duration_ms: Math.round(end.durationMs),
      outcome: end.outcome,
      lines: end.lines,
      rejected: end.rejected,
      problems: end.problems,
      erased: end.outcome === 'done' ? (end.erased.get(center) ?? 0) : 0,
      counts: counts?.withoutZeros() ?? {},
      changed: counts?.changes ?? 0,
      source: origin.source ?? null,
      file_time: origin.fileTime === undefined ? null : isoMoment(origin.fileTime),
      causes: end.causes,
    }
  })
  await tx.query(addImportSql(JSON.stringify(lines)))
}

async function existingOf(tx: Queryable, centers: string[]): Promise<string[]> {
  const rows = await tx.query<{ center_id: string }>(centersSql(centers))
  return rows.map(({ center_id }) => center_id)
}
