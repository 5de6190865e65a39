/** A table: what its columns are, and what is in a cell. CSV and XLSX are written from it. */
import { isLocalDate, parseMoment } from '../../locale/dates.ts'
import { localDateOf } from '../../locale/zones.ts'

/** As an answer in JSON has it. */
export type FileRecord = Readonly<Record<string, unknown>>

export interface Column {
  /** as `project` has it */
  readonly name: string
  /** in the language asked for, where there is one */
  readonly label?: string | undefined
  readonly kind: 'text' | 'number' | 'boolean' | 'day' | 'moment' | 'list'
  /** where the record has the value for people, and where the raw one; the same unless it is humanized */
  readonly shown: readonly string[]
  readonly raw: readonly string[]
  /** of a list of objects: which of their fields is meant */
  readonly of?: { readonly shown: string; readonly raw: string }
}

/** A local day, `YYYY-MM-DD`, and nothing else is an object of this kind. */
export class Day {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type TableCell = string | number | boolean | Day | null

/** For people, or as programs have it. */
export type Values = 'shown' | 'raw'

export interface TableForm {
  readonly values: Values
  /** IANA name */
  readonly zone: string
}

/** The names of the columns for people are their labels, where these are of one column each. */
export function headings(columns: readonly Column[], values: Values): readonly string[] {
  const labels = columns.map(({ label, name }) => label ?? name)
  return columns.map(({ name }, at) => {
    const label = labels[at] ?? name
    if (values === 'raw') return name
    return labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${label} (${name})`
  })
}

/** What makes the cells of a record. Compiled once for a table, because it runs for every row. */
export function cellsOf(
  columns: readonly Column[],
  { values, zone }: TableForm,
): (record: FileRecord) => TableCell[] {
  const readers = columns.map(({ kind, shown, raw, of }) => {
    // An amount in its own notation is no number, and a day in that of its language is another day in the next one's.
    const isTyped = kind === 'number' || kind === 'day' || kind === 'moment'
    const path = values === 'raw' || isTyped ? raw : shown
    if (of !== undefined) {
      const part = values === 'raw' ? of.raw : of.shown
      return (record: FileRecord) => {
        const items = valueAt(record, path)
        return Array.isArray(items)
          ? listText(
              items.map((item) => valueAt(item, [part])),
              values,
            )
          : null
      }
    }
    return (record: FileRecord) => cellOf(kind, valueAt(record, path), values, zone)
  })
  return (record) => readers.map((read) => read(record))
}

function cellOf(kind: Column['kind'], value: unknown, values: Values, zone: string): TableCell {
  if (value === null || value === undefined) return null
  if (kind === 'list') return Array.isArray(value) ? listText(value, values) : null
  if (typeof value === 'string') {
    if (kind === 'day' && isLocalDate(value)) return new Day(value)
    if (kind === 'moment' && values === 'shown') {
      const at = parseMoment(value, zone)
      return at === undefined ? value : new Day(localDateOf(zone, at))
    }
    return value
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : textOf(value)
}

const listText = (items: readonly unknown[], values: Values): string =>
  items.map(textOf).join(values === 'raw' ? '|' : ', ')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function valueAt(record: unknown, path: readonly string[]): unknown {
  let at: unknown = record
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as FileRecord)[step]
  }
  return at
}
