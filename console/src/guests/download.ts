/** Every guest of a question in one file: all pages, or none. */
import type { Row } from './values.ts'
import { csvLine, valueAt } from './values.ts'

export type Format = 'csv' | 'ndjson'

export interface Wanted {
  readonly format: Format
  /** names of fields, with their headings */
  readonly columns: readonly { readonly name: string; readonly label: string }[]
}

export const TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv;charset=utf-8',
  ndjson: 'application/x-ndjson',
}

/** So that Excel reads letters with accents. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * @param guests every one of them once, as the client walks the pages of one snapshot
 * @param onProgress how many have come
 * @returns the file in pieces
 */
export async function writeFile(
  guests: AsyncIterable<Row>,
  { format, columns }: Wanted,
  onProgress: (count: number) => void,
): Promise<string[]> {
  const pieces = format === 'csv' ? [BYTE_ORDER_MARK + csvLine(columns.map(({ label }) => label))] : []
  let count = 0
  for await (const guest of guests) {
    pieces.push(
      format === 'csv'
        ? csvLine(columns.map(({ name }) => valueAt(guest, name)))
        : `${JSON.stringify(guest)}\n`,
    )
    count += 1
    onProgress(count)
  }
  return pieces
}
