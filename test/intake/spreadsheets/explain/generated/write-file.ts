/** Writes a generated table as CSV in an encoding and a dialect, or as a workbook with what workbooks have besides values. */
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'

export type Value = string | number | Date

export interface WrittenTable {
  readonly rows: readonly (readonly Value[])[]
  /** Ranges of rows of a column that share a cell; the value is in the first row. */
  readonly merges: readonly { readonly column: number; readonly from: number; readonly until: number }[]
  readonly hasHiddenSheet: boolean
}

export interface Dialect {
  readonly delimiter: string
  readonly lineEnd: string
  readonly encoding: string
  /** Whether each row is a text in quotes. */
  readonly isWrapped: boolean
  /** Whether quotes within a cell are not doubled. */
  readonly isBare: boolean
}

export async function writeWorkbook(
  { rows, merges, hasHiddenSheet }: WrittenTable,
  format: 'xlsx' | 'ods',
): Promise<Buffer> {
  const sheets = [
    {
      name: 'Guests',
      rows: rows.map((row) => [...row]),
      merges: merges.map(({ column, from, until }) => ({
        startRow: from,
        endRow: until,
        startCol: column,
        endCol: column,
      })),
    },
    ...(hasHiddenSheet
      ? [
          {
            name: 'Prices',
            hidden: true,
            rows: [
              ['Season', 'Price'],
              ['Summer', 120],
            ],
          },
        ]
      : []),
  ]
  return Buffer.from(await (format === 'xlsx' ? writeXlsx({ sheets }) : writeOds({ sheets })))
}

export function writeCsv({ rows }: WrittenTable, dialect: Dialect): Buffer {
  const { delimiter, lineEnd, encoding, isWrapped, isBare } = dialect
  const width = Math.max(...rows.map(({ length }) => length))
  const special = [delimiter, '\r', '\n']
  const quoted = (text: string) => {
    if (!special.some((one) => text.includes(one)) && !text.startsWith('"') && !text.includes('"'))
      return text
    if (isBare && !special.some((one) => text.includes(one))) return text
    return `"${text.replaceAll('"', '""')}"`
  }
  const lines = rows.map((row) => {
    const line = Array.from({ length: width }, (_, at) => quoted(String(row[at] ?? ''))).join(delimiter)
    return isWrapped ? `"${line.replaceAll('"', '""')}"` : line
  })
  return encode(`${lines.join(lineEnd)}${lineEnd}`, encoding)
}

/** @param encoding UTF-8, with or without a mark, UTF-16, or one with a byte for each character */
export function encode(text: string, encoding: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-8-bom') return Buffer.from(`\ufeff${text}`)
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le')
  const bytes = bytesOfCharacters(encoding)
  return Buffer.from([...text].map((character) => bytes.get(character) ?? 0x3f))
}

/** Whether an encoding has all characters of a text. */
export function fits(text: string, encoding: string): boolean {
  if (encoding.startsWith('utf')) return true
  const bytes = bytesOfCharacters(encoding)
  return [...text].every((character) => bytes.has(character))
}

/**
 * How many different letters of a text would be other ones in the encoding of Western or Central Europe. Of a file with one or
 * two of them, nobody knows the encoding: `Kovač` or `Kovaè`.
 */
export function differences(text: string, encoding: string): number {
  const other = bytesOfCharacters(encoding === 'windows-1252' ? 'windows-1250' : 'windows-1252')
  const bytes = bytesOfCharacters(encoding)
  const letters = new Set([...text.toLowerCase()])
  return [...letters].filter((letter) => bytes.get(letter) !== other.get(letter)).length
}

const encodings = new Map<string, ReadonlyMap<string, number>>()

function bytesOfCharacters(encoding: string): ReadonlyMap<string, number> {
  const known = encodings.get(encoding)
  if (known !== undefined) return known
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  encodings.set(encoding, bytes)
  return bytes
}
