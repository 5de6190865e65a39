/**
 * What a report says, before it has a format: every format is rendered from this value, so a PDF, a table and a text have
 * the same numbers. It is JSON, so the last good copy can be stored and rendered later.
 */

/** One row of a table. */
export interface Row {
  readonly cells: readonly string[]
  /** the row is a heading of those below it, and has one cell */
  readonly isGroup?: boolean
  /** what must not be overlooked */
  readonly isStrong?: boolean
}

export interface Table {
  readonly kind: 'table'
  /** for readers who hear it; printed only if `showsCaption` */
  readonly caption: string
  readonly showsCaption?: boolean
  readonly headings: readonly string[]
  readonly rows: readonly Row[]
  /** which columns are numbers, and so right-aligned */
  readonly numbers?: readonly number[]
  /** `plates`: the first row is read from two metres */
  readonly style?: 'plates'
  /** relative widths of the columns; by the length of the texts unless given */
  readonly widths?: readonly number[]
}

export interface Paragraph {
  readonly kind: 'paragraph'
  readonly text: string
  /** `notice`: in a box, because something is missing */
  readonly style?: 'notice' | 'heading' | 'small'
}

export type Block = Table | Paragraph

/** A cell of a table file: a number stays a number. */
export type FileCell = string | number | boolean | null

export interface ReportDocument {
  /** of the document, with its day: `Kitchen: Saturday 21/11/2026` */
  readonly title: string
  /** in large letters, and what follows it in lighter ones */
  readonly heading: readonly [name: string, day: string]
  readonly center: string
  /** BCP 47 */
  readonly language: string
  /** IANA name */
  readonly zone: string
  /** when its data was read: epoch ms */
  readonly asOf: number
  /** `As of 06:00` */
  readonly asOfText: string
  /** how old its data is, a line for each kind */
  readonly ages: readonly { readonly text: string; readonly isLate: boolean }[]
  readonly blocks: readonly Block[]
  /** `{n} of {total}` in the language, for the foot of a page */
  readonly pageText: string
  /** for CSV and XLSX: one table with stable headings */
  readonly file: {
    readonly name: string
    readonly headings: readonly string[]
    readonly rows: readonly (readonly FileCell[])[]
  }
}

export const FORMATS = ['pdf', 'csv', 'xlsx', 'text'] as const
export type Format = (typeof FORMATS)[number]

export interface Rendered {
  readonly bytes: Uint8Array
  readonly type: string
  readonly extension: string
  /** characters that no font has */
  readonly missing: readonly string[]
}
