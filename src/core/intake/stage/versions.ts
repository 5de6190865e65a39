/** Versions of records: the newest version wins, in whatever order they arrive. */
import type { Queryable } from '../../database/database.ts'
import type { KindName } from '../kinds/kind.ts'
import type { StagedLine } from './stage-sql.ts'
import { noteVersionsSql, selectVersionsSql } from './versions-sql.ts'

interface Named {
  readonly centerId: string
  readonly key: string
  readonly lines: readonly StagedLine[]
}

const idOf = ({ centerId, key }: Pick<Named, 'centerId' | 'key'>) => `${centerId}/${key}`
const isVersioned = ({ lines }: Named) => lines.some(({ version }) => version !== null)

/** The stored versions of the records whose lines have one. */
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

/** Stores the current versions of the records. */
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
