/** Reads the sources of a center. */
import type { Queryable } from '../../database/database.ts'
import type { CenterId } from '../centers/center.ts'
import { type Delivery, FEED_KINDS, type Source, type SourceKind } from './delivery.ts'
import { evaluateSource, type SourceState } from './evaluate-source.ts'
import { type DeliveryValues, type SourceValues, selectSources } from './sources-sql.ts'

/** Converts the values of a delivery. */
export const toDelivery = ([
  id,
  at,
  way,
  outcome,
  counts,
  lines,
  rejected,
  causes,
  files,
  fileTime,
]: DeliveryValues): Delivery => ({ id, at, way, outcome, counts, lines, rejected, causes, files, fileTime })

/** Converts an element of the array that `selectSources` returns. */
export function toSource(values: SourceValues): Source & { readonly appId: string | null } {
  const [name, kinds, schedule, scheduledAt, appId, deliveries, folder, keys, committed] = values
  return {
    name,
    kinds,
    schedule,
    scheduledAt,
    appId,
    deliveries: deliveries.map(toDelivery),
    folder: folder && {
      at: folder[0],
      state: folder[1],
      unfinishedSince: folder[2],
      emptySince: folder[3],
      waitingSince: folder[4],
      isDiskFull: folder[5],
    },
    keys: keys ?? undefined,
    committedAt: committed === null ? undefined : byKind(committed, kinds),
  }
}

/** @param kinds that the source has; null: all */
const byKind = (
  committed: Readonly<Record<string, number>>,
  kinds: readonly SourceKind[] | null,
): ReadonlyMap<SourceKind, number> =>
  new Map(
    Object.entries(committed).flatMap(([kind, at]) =>
      (FEED_KINDS[kind] ?? [])
        .filter((own) => kinds === null || kinds.includes(own))
        .map((own): [SourceKind, number] => [own, at]),
    ),
  )

/** The sources of a center. */
export async function readSources(
  database: Queryable,
  center: CenterId,
): Promise<{ readonly sources: readonly Source[]; readonly now: number }> {
  const [row] = await database.query<{ sources: SourceValues[]; now: number }>(selectSources(center))
  return { sources: (row?.sources ?? []).map(toSource), now: row?.now ?? 0 }
}

/** The sources of a center with their states, now by the database's clock. */
export async function readSourceStates(
  database: Queryable,
  center: CenterId,
  zone: string,
): Promise<readonly SourceState[]> {
  const { sources, now } = await readSources(database, center)
  return sources.map((source) => evaluateSource(source, zone, now))
}
