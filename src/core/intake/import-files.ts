/** Imports files: by a mapping or as they are, in one transaction. What the command and the import page share. */
import type { Database } from '../database/database.ts'
import { type ImportOptions, type ImportSummary, importRecords } from './import-records.ts'
import type { Files } from './lines/files.ts'
import { type ReadFilesOptions, readFiles } from './lines/read-files.ts'
import type { RecordLine } from './lines/record-line.ts'
import { dietsOf } from './spreadsheets.ts'

export interface FilesImport {
  readonly names: readonly string[]
  readonly files: Pick<Files, 'open'>
  readonly reading: ReadFilesOptions
  readonly importing: ImportOptions
  /** Sees each line as it is read. */
  readonly onLine?: (line: RecordLine) => void
}

/** @throws {ImportConflict} {InputError} {NoSuchCenter}; nothing was imported then */
export async function importFiles(
  database: Database,
  { names, files, reading, importing, onLine }: FilesImport,
): Promise<ImportSummary> {
  const diets = reading.mapping === undefined ? [] : dietsOf(reading.mapping)
  const lines = await readFiles(names, files, { ...reading, signal: importing.signal })
  return importRecords(database, onLine === undefined ? lines : seen(lines, onLine), {
    ...importing,
    ...(diets.length > 0 && { diets }),
  })
}

async function* seen(
  lines: AsyncIterable<RecordLine>,
  onLine: (line: RecordLine) => void,
): AsyncGenerator<RecordLine> {
  for await (const line of lines) {
    onLine(line)
    yield line
  }
}
