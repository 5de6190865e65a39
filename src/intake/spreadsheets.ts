/**
 * The one entry point for tables of any layout: `explain` proposes a mapping for a file, and `readSpreadsheet` reads a file by
 * a mapping. Code outside of the import uses only this file (tools/folders.ts).
 */
import type { LeftOut } from './left-out.ts'
import { unpack } from './read-bytes.ts'
import type { RecordLine } from './record-line.ts'
import { refuseRejectedRows } from './rejects-given.ts'
import { mapTables } from './spreadsheets/mapping/map-rows.ts'
import type { Mapping } from './spreadsheets/mapping/mapping.ts'
import { MAPPING_BYTES_MAX } from './spreadsheets/mapping/yaml-tree.ts'
import type { CsvForm } from './spreadsheets/tables/csv-rows.ts'
import { decodeText } from './spreadsheets/tables/encodings.ts'
import { formWords } from './spreadsheets/tables/form-words.ts'
import { readTables } from './spreadsheets/tables/read-tables.ts'

export { dietsOf, type Mapping } from './spreadsheets/mapping/mapping.ts'
export { readMapping } from './spreadsheets/mapping/read-mapping.ts'
export { type CsvForm, formWords }

export interface SpreadsheetFile {
  /** Opens the file; called twice, to look at it and to try the proposal. */
  readonly open: () => Promise<AsyncIterable<Buffer>>
  /** The file's name, for messages. */
  readonly name: string
  /** Whether its name says that it is compressed. */
  readonly isPacked: boolean
  /** The name that the mapping is proposed to have. */
  readonly mappingName: string
}

/**
 * Describes a file, and proposes a mapping for it that was tried on all of its rows.
 * @returns the mapping, below the description as comments
 * @throws {InputError} if the file has no rows or cannot be read
 */
export async function explain(
  { open, name, isPacked, mappingName }: SpreadsheetFile,
  now: Date,
): Promise<string> {
  let form: CsvForm | undefined
  let sheets: readonly string[] | undefined
  // An import does not need the terms of all languages.
  const { explainTables } = await import('./spreadsheets/explain/explain.ts')
  return explainTables({
    name,
    mappingName,
    now,
    encoding: () => form?.encoding,
    seen() {
      if (sheets !== undefined)
        return [`a workbook with ${sheets.map((sheet) => JSON.stringify(sheet)).join(', ')}`]
      return form === undefined ? [] : formWords(form)
    },
    async open() {
      const tables = await readTables(unpack(await open(), name, isPacked), name, {
        acceptsRival: true,
        onForm(found) {
          form = found
        },
      })
      sheets = tables.sheets
      return tables
    },
  })
}

export interface ReadSpreadsheetOptions {
  /** Called with the detected form of a CSV file, first before its rows and again after them. */
  readonly onForm?: (form: CsvForm) => void
  /** Called once the file is read, with what became no record. */
  readonly onLeftOut?: (leftOut: LeftOut) => void
}

/**
 * The records of a file, as a mapping makes them of its rows.
 * @param bytes not compressed
 * @param name the file's name, for messages
 * @throws {InputError} if the file cannot be read, or lacks a sheet or a column of the mapping
 */
export function readSpreadsheet(
  bytes: AsyncIterable<Buffer>,
  name: string,
  mapping: Mapping,
  { onForm, onLeftOut }: ReadSpreadsheetOptions = {},
): AsyncGenerator<RecordLine> {
  const { encoding, delimiter } = mapping
  const tables = readTables(bytes, name, { encoding, delimiter, ...(onForm && { onForm }) })
  return mapTables(refuseRejectedRows(tables, name), mapping, name, onLeftOut)
}

/** The text of a mapping up to its length limit, in any encoding that an editor or a shell writes. */
export async function mappingText(bytes: AsyncIterable<Buffer>, name: string): Promise<string> {
  let text = ''
  for await (const part of decodeText(beginning(bytes), name, undefined)) text += part
  return text
}

async function* beginning(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of bytes) {
    yield chunk
    length += chunk.length
    // UTF-16 takes two bytes for a character. A longer file is refused as too long.
    if (length > 2 * MAPPING_BYTES_MAX + 2) return
  }
}
