/** All sessions of a list as a file. */

import type { Center } from '../centers/center.ts'
import { ROLES } from '../fields/statuses.ts'
import type { AskedFile } from '../files/file-parameters.ts'
import { recordsMax } from '../files/records-max.ts'
import type { Column } from '../files/table.ts'
import { writeFile } from '../files/write-file.ts'
import type { Language } from '../locale/languages.ts'
import type { Bounds } from '../request/bounds.ts'
import type { FilePlan, Rows } from '../request/operation.ts'
import { presentSession, type SessionRow } from './present-session.ts'
import { idsOfSessions, type SessionColumns, selectSessionRows } from './sessions-sql.ts'

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
  readonly also: SessionColumns
}

const COUNTS: readonly Column[] = ['total', ...ROLES].map((name) => {
  const of = ['guestCounts', name]
  return { name: of.join('.'), kind: 'number', shown: of, raw: of }
})

export function sessionFile({ asked, center, language, bounds, also }: SessionFile): FilePlan {
  const columns = also.counted === undefined ? COLUMNS : [...COLUMNS, ...COUNTS]
  const written = { name: 'sessions', columns, zone: center.timezone }
  const select = (after?: string, limit?: number) =>
    selectSessionRows(center.id, bounds, language, also, after, limit)
  return {
    format: asked.format,
    fileName: 'sessions',
    recordsMax: recordsMax(asked, false),
    ids: idsOfSessions(center.id, bounds, also.since),
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
