/** All sessions of a list as a file. */

import type { Center } from '../centers/center.ts'
import type { MovedSince } from '../changes/feed-sql.ts'
import type { AskedFile } from '../files/file-parameters.ts'
import { recordsMax } from '../files/records-max.ts'
import type { Column } from '../files/table.ts'
import { writeFile } from '../files/write-file.ts'
import type { Language } from '../locale/languages.ts'
import type { Bounds } from '../request/bounds.ts'
import type { FilePlan, Rows } from '../request/operation.ts'
import { presentSession, type SessionRow } from './present-session.ts'
import { idsOfSessions, selectSessionRows } from './sessions-sql.ts'

const SESSIONS_PER_CHUNK = 100

const column = (name: string, kind: Column['kind'] = 'text'): Column => ({
  name,
  kind,
  shown: [name],
  raw: [name],
})

const COLUMNS: readonly Column[] = [
  column('_id'),
  column('name'),
  column('number'),
  column('text'),
  { ...column('availablePrograms', 'list'), of: { shown: 'name', raw: '_id' } },
  { ...column('availableUnits', 'list'), of: { shown: 'name', raw: '_id' } },
  column('startDate', 'moment'),
  column('endDate', 'moment'),
]

interface SessionFile {
  readonly asked: AskedFile
  readonly center: Center
  readonly language: Language
  readonly bounds: Bounds
  readonly moved: MovedSince | undefined
}

export function sessionFile({ asked, center, language, bounds, moved }: SessionFile): FilePlan {
  const written = { name: 'sessions', columns: COLUMNS, zone: center.timezone }
  const select = (after?: string, limit?: number) =>
    selectSessionRows(center.id, bounds, language, moved, after, limit)
  return {
    format: asked.format,
    fileName: 'sessions',
    recordsMax: recordsMax(asked, false),
    ids: idsOfSessions(center.id, bounds, moved),
    rowsPerChunk: SESSIONS_PER_CHUNK,
    reading: () => ({
      statement: select(),
      rowsAfter: (last, limit) => select(last && String(last[0]), limit),
      write: (rows, manifest) => writeFile(asked, written, records(rows), manifest),
    }),
  }
}

async function* records(chunks: AsyncIterable<Rows>) {
  // The values are in the order of the select list.
  for await (const rows of chunks) {
    yield (rows as readonly unknown[] as readonly SessionRow[]).map((row) => presentSession(row))
  }
}
