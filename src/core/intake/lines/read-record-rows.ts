/**
 * Reads CSV of one kind as records. The header names fields: nested ones with dots (`acc.roomId`). The values of a list
 * are separated by `|`. An empty cell leaves its field out, `\N` clears it (null). A list of objects (`items`) is
 * written as JSON.
 */
import type { Sentence } from '../../locale/said.ts'
import { InputError } from '../input-error.ts'
import { type JsonObject, KIND_NAMES, type KindName } from '../kinds/kind.ts'
import { OWN_TERMS } from '../spreadsheets/mapping/terms.ts'
import type { Tables } from '../spreadsheets/tables/read-tables.ts'
import { cellsAre, cellText, type Row } from '../spreadsheets/tables/table.ts'
import { type CsvColumn, columnsOf, readCell } from './csv-columns.ts'
import { put } from './json-paths.ts'
import type { LeftOut } from './left-out.ts'
import type { Origin, RecordLine } from './record-line.ts'

/** The kind that a file or a sheet is named after. */
export const kindOfName = (name: string): KindName | undefined =>
  KIND_NAMES.find((kind) => [kind, `${kind}s`].some((word) => word.toLowerCase() === name.toLowerCase()))

/**
 * The records of a CSV file, or of every sheet named after a kind; of the first sheet if `kind` is given. Hidden sheets
 * are not read: a mapping can name them.
 * @param name the file's name, for messages
 * @param onLeftOut called once all is read, with the sheets that were not read
 */
export async function* readKinds(
  tables: Promise<Tables>,
  kind: KindName | undefined,
  name: string,
  onLeftOut?: (leftOut: LeftOut) => void,
): AsyncGenerator<RecordLine> {
  const { sheets, hidden, table, close } = await tables
  try {
    const all = sheets ?? ['']
    const visible = [...all.keys()].filter((index) => !hidden.has(all[index] ?? ''))
    const kinds = new Map(
      kind === undefined
        ? visible.flatMap((index) => {
            const found = kindOfName(all[index] ?? '')
            return found === undefined ? [] : [[index, found] as const]
          })
        : [[visible[0] ?? 0, kind]],
    )
    if (sheets !== undefined && kinds.size === 0) {
      throw new InputError(
        `${name} has no sheet that is named after a kind, such as customers; use --kind to give the kind of its first sheet, or --map with a mapping of its columns`,
      )
    }
    for (const [index, found] of kinds) {
      const isNamed = sheets !== undefined && kind === undefined
      yield* readRecordRows(table(index), found, isNamed ? `${name}:${all[index]}` : name)
    }
    const reason = kind === undefined ? 'it is not named after a kind' : '--kind reads the first sheet only'
    const unread = (sheets ?? []).filter((_, index) => !kinds.has(index))
    onLeftOut?.({
      tables: [],
      sheets: unread.map((sheet) => ({ sheet, reason: hidden.has(sheet) ? 'it is hidden' : reason })),
    })
  } finally {
    await close()
  }
}

/**
 * @param rows the header and all rows below it
 * @param isPadded whether a row may have fewer cells than the header, or extra empty ones
 * @param name the table's name, for messages
 */
export async function* readRecordRows(
  {
    rows,
    sheet,
    isPadded = sheet !== undefined,
  }: { rows: AsyncIterable<Row> | Iterable<Row>; sheet?: string; isPadded?: boolean },
  kind: KindName,
  name: string,
): AsyncGenerator<RecordLine> {
  let columns: CsvColumn[] | undefined
  let origin: Origin = {}
  for await (const row of rows) {
    const { number: line, cells } = row
    const texts = cells.map(cellText)
    if (columns === undefined) {
      columns = columnsOf(kind, texts, name)
      const terms = { ...OWN_TERMS, header: texts, table: kind }
      origin = { ...(sheet === undefined ? {} : { sheet }), terms }
      continue
    }
    const isCut = texts.length !== columns.length && !isPadded
    const problem: Sentence | undefined =
      row.problem ?? (isCut ? cellsAre(texts.length, columns.length) : undefined)
    yield problem === undefined
      ? { ...origin, line, value: toRecord(kind, columns, texts), loose: true, rows: [row] }
      : { ...origin, line, problem, text: JSON.stringify(texts), rows: [row] }
  }
}

function toRecord(kind: KindName, columns: readonly CsvColumn[], cells: readonly string[]): JsonObject {
  const record: JsonObject = { kind }
  for (const [index, { path, schema }] of columns.entries()) {
    const value = readCell(schema, cells[index] ?? '')
    if (value !== undefined) put(record, path, value)
  }
  // A column that marks removals is false in all other rows.
  if (record.deleted === false) delete record.deleted
  return record
}
