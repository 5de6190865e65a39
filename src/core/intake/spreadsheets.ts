/**
 * The one entry point for tables of any layout: `explain` proposes a mapping for a file, and `readSpreadsheet` reads a file by
 * a mapping. Code outside of the import uses only this file (tools/folders.ts).
 */
import { inEnglish, type Said } from '../locale/said.ts'
import { InputError } from './input-error.ts'
import { type Corrections, corrected } from './lines/corrections.ts'
import type { LeftOut } from './lines/left-out.ts'
import { unpack } from './lines/read-bytes.ts'
import type { RecordLine } from './lines/record-line.ts'
import { refuseRejectedRows } from './rejects/rejects-given.ts'
import type { TableDescription } from './spreadsheets/explain/describe-tables.ts'
import type { Proposal } from './spreadsheets/explain/propose-table.ts'
import type { Trial } from './spreadsheets/explain/try-mapping.ts'
import { mapTables } from './spreadsheets/mapping/map-rows.ts'
import { columnsOf, DIET_MEANINGS, dietsOf, type Mapping } from './spreadsheets/mapping/mapping.ts'
import { readMapping, readMappingTree } from './spreadsheets/mapping/read-mapping.ts'
import { storedForm } from './spreadsheets/mapping/stored-form.ts'
import { foldWord } from './spreadsheets/mapping/words.ts'
import { MAPPING_BYTES_MAX, readTree, type TreeNode } from './spreadsheets/mapping/yaml-tree.ts'
import type { CsvForm } from './spreadsheets/tables/csv-rows.ts'
import { decodeText } from './spreadsheets/tables/encodings.ts'
import { formWords } from './spreadsheets/tables/form-words.ts'
import { readTables } from './spreadsheets/tables/read-tables.ts'

export {
  type AskedQuestion,
  addTable,
  answerQuestion,
  questionsOf,
  removeTable,
  setColumn,
  setMeanings,
  type WordMeaning,
} from './spreadsheets/mapping/edit-mapping.ts'
export { cellText } from './spreadsheets/tables/table.ts'
export type { TableDescription, TreeNode, Trial }
export {
  type CsvForm,
  DIET_MEANINGS,
  dietsOf,
  formWords,
  MAPPING_BYTES_MAX,
  type Mapping,
  readMapping,
  readMappingTree,
  readTree,
}

/** Whether every word of a text is one for food, diets or none. */
export const loadFoodWords = async (): Promise<(text: string) => boolean> =>
  (await import('./spreadsheets/explain/diets.ts')).saysFoodAlone

/** A stored mapping without some words of its diets. */
export function mappingWithoutWords(text: string, isLeftOut: (word: string) => boolean): string {
  try {
    return storedForm(readTree(text, 'mapping'), (_, word) => !isLeftOut(word))
  } catch (error) {
    // Somebody else wrote it into the database. It is no mapping before or after.
    if (error instanceof InputError) return text
    throw error
  }
}

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
export const explain = async (file: SpreadsheetFile, now: Date): Promise<string> =>
  (await explained(file, now)).text

/** The same proposal in parts, for a page that shows it. @param sheet if it is to be for one alone @throws {InputError} */
export async function propose(file: SpreadsheetFile, now: Date, sheet?: string): Promise<ProposedMapping> {
  const { mapping, looks, proposals, trial } = await explained(file, now, sheet)
  const { describeTables } = await import('./spreadsheets/explain/describe-tables.ts')
  const parsed = readMapping(mapping, file.mappingName, { now, isTrial: true })
  return {
    mapping,
    tables: describeTables(looks, parsed, proposals),
    says: saidIn([...proposals.values()]),
    trial,
  }
}

export interface ProposedMapping {
  readonly mapping: string
  readonly tables: readonly TableDescription[]
  /** By their English texts, which the mapping has: the questions, their answers, and what these mean. */
  readonly says: ReadonlyMap<string, Said>
  readonly trial: Trial
}

const saidIn = (proposals: readonly Pick<Proposal, 'questions'>[]): ReadonlyMap<string, Said> =>
  new Map(
    proposals
      .flatMap(({ questions }) =>
        questions.flatMap(({ ask, answers }) => [
          ask,
          ...answers.flatMap(({ answer, means }) => [answer, means]),
        ]),
      )
      .map((said) => [inEnglish(said), said]),
  )

/** What the columns of a file become by a mapping, if there is one. @throws {InputError} */
export async function describeFile(
  { open, name, isPacked }: SpreadsheetFile,
  mapping: Mapping | undefined,
  now: Date,
): Promise<readonly TableDescription[]> {
  const { lookAtAll } = await import('./spreadsheets/explain/explain.ts')
  const { describeTables } = await import('./spreadsheets/explain/describe-tables.ts')
  const tables = await readTables(unpack(await open(), name, isPacked), name, {
    acceptsRival: true,
    encoding: mapping?.encoding,
    delimiter: mapping?.delimiter,
  })
  const { looks } = await lookAtAll(tables, now.toISOString().slice(0, 10))
  return describeTables(looks, mapping)
}

/** Whether a file has every column and sheet that a mapping names. */
export function readsAll(tables: readonly TableDescription[], mapping: Mapping): boolean {
  return mapping.tables.every(({ sheet, header, records }) => {
    const table =
      sheet === undefined
        ? tables[0]
        : tables.find((one, at) => one.sheet === sheet || (typeof sheet === 'number' && at === sheet - 1))
    if (table === undefined || header === 0) return false
    const names = new Set(table.columns.map(({ name }) => foldWord(name)))
    const wanted = records.flatMap(({ when, fields }) => [
      ...when.flatMap(({ columns }) => columns),
      ...fields.flatMap(({ source }) => columnsOf(source)),
    ])
    return wanted.length > 0 && wanted.every(({ name }) => names.has(foldWord(name)))
  })
}

async function explained({ open, name, isPacked, mappingName }: SpreadsheetFile, now: Date, sheet?: string) {
  let form: CsvForm | undefined
  let sheets: readonly string[] | undefined
  // An import does not need the terms of all languages.
  const { explainInParts } = await import('./spreadsheets/explain/explain.ts')
  return explainInParts({
    name,
    mappingName,
    now,
    sheet,
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
  /** Rows that a person has corrected since the file was written. */
  readonly corrections?: Corrections | undefined
  /** Ends the wait for other files that are read. */
  readonly signal?: AbortSignal | undefined
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
  { onForm, onLeftOut, corrections, signal }: ReadSpreadsheetOptions = {},
): AsyncGenerator<RecordLine> {
  const { encoding, delimiter } = mapping
  const tables = readTables(bytes, name, { encoding, delimiter, signal, ...(onForm && { onForm }) })
  return mapTables(corrected(refuseRejectedRows(tables, name), corrections), mapping, name, onLeftOut)
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
