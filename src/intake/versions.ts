/** Records that carry a version: the newest one is what stays, whatever order they arrive in. */
import type { Queryable } from '../database/database.ts'
import type { KindName } from './kinds/kind.ts'
import type { StagedLine } from './stage-sql.ts'
import { noteVersionsSql, selectVersionsSql } from './versions-sql.ts'

interface Named {
  readonly centerId: string
  readonly key: string
  readonly lines: readonly StagedLine[]
}

const idOf = ({ centerId, key }: Pick<Named, 'centerId' | 'key'>) => `${centerId}/${key}`
const isVersioned = ({ lines }: Named) => lines.some(({ version }) => version !== null)

/** The versions that the records have in the database, for those whose lines carry one. */
export async function readVersions(
  tx: Queryable,
  kind: KindName,
  groups: readonly Named[],
): Promise<(group: Named) => number | undefined> {
  const versioned = groups.filter(isVersioned)
  if (versioned.length === 0) return () => undefined
  const rows = await tx.query<{ center_id: string; key: string; version: number }>(
    selectVersionsSql(
      kind,
      versioned.map(({ centerId }) => centerId),
      versioned.map(({ key }) => key),
    ),
  )
  const known = new Map(rows.map((row) => [`${row.center_id}/${row.key}`, row.version]))
  return (group) => known.get(idOf(group))
}

/** Notes the versions that the records have now. */
export async function noteVersions(
  tx: Queryable,
  kind: KindName,
  records: readonly { centerId: string; key: string; version: number | undefined }[],
): Promise<void> {
  const versioned = records.flatMap(({ centerId, key, version }) =>
    version === undefined ? [] : [{ centerId, key, version }],
  )
  if (versioned.length === 0) return
  await tx.query(
    noteVersionsSql(
      kind,
      versioned.map(({ centerId }) => centerId),
      versioned.map(({ key }) => key),
      versioned.map(({ version }) => version),
    ),
  )
}
