/** What an import of a file did, or would do, as a page shows it. */
import { inEnglish, type Sentence } from '../../locale/said.ts'
import type { ChangedRecord, KindCounts } from '../counts.ts'
import type { ImportSummary } from '../import-records.ts'
import { KIND_NAMES } from '../kinds/kind.ts'
import type { LeftOut } from '../lines/left-out.ts'
import type { RecordLine } from '../lines/record-line.ts'
import type { ImportProblem } from '../rejects/problem-report.ts'
import { withValue } from '../rejects/problems.ts'
import { cellText } from '../spreadsheets.ts'

/** Why a row is refused; the page has it in its reader's language. */
interface RowProblem {
  readonly columns: readonly string[]
  readonly says: Sentence
}

/** A row, or a line, that is refused, as it is in the file. */
export interface RefusedRow {
  readonly sheet?: string
  readonly row: number
  /** the columns; empty for a line of JSON */
  readonly header: readonly string[]
  readonly cells: readonly string[]
  readonly problems: readonly RowProblem[]
  /** rows of one record that contradict each other have the same text here: a person chooses one of them */
  readonly contradiction?: string
}

/** The records of a row. */
export interface RowPreview {
  readonly sheet?: string
  readonly row: number
  readonly records: readonly unknown[]
}

export interface FileOutcome {
  /** the identifier in the log of imports; null for a check */
  readonly import: string | null
  readonly applied: boolean
  /** records in the file */
  readonly lines: number
  /** records refused */
  readonly rejected: number
  /** people who were erased */
  readonly erased: number
  readonly withoutBooking: number
  readonly counts: Readonly<Record<string, KindCounts>>
  /** the first of them; none if the key may not see stored values */
  readonly changes: readonly ChangedRecord[]
  /** Whether records and values are left out, because the key sees numbers only. */
  readonly oldValuesWithheld: boolean
  readonly refused: readonly RefusedRow[]
  /** refused rows that are not listed */
  readonly refusedMore: number
  readonly preview: readonly RowPreview[]
  readonly leftOut: LeftOut
  /** for a file that is complete: records that it lacks; `examples` only for a key that may see stored values */
  readonly missing?: {
    readonly count: number
    readonly kinds: Readonly<Record<string, number>>
    readonly examples: readonly string[]
    readonly allowed: number
  }
  /** diets that the center's meal rules get */
  readonly diets: readonly string[]
  readonly seconds: number
}

/** Nobody corrects more on a page; the download has all. */
const REFUSED_MAX = 100
const PREVIEW_MAX = 20
const CHANGES_MAX = 200

/** Collects what an import reports while it runs. */
export class OutcomeNotes {
  readonly #refused = new Map<string, RefusedRow & { problems: RowProblem[] }>()
  #more = new Set<string>()
  readonly #preview = new Map<string, { sheet?: string; row: number; records: unknown[] }>()
  leftOut: LeftOut = { tables: [], sheets: [] }

  addProblem(problem: ImportProblem): void {
    const { line, sheet, rows, record, terms, likeness } = problem
    const { message, says, columns = [], field } = withValue(problem)
    const isTable = rows !== undefined
    const all = rows ?? [{ number: line, cells: record === undefined ? [] : [record] }]
    for (const { number, cells } of all) {
      const key = `${sheet ?? ''}\n${number}`
      let row = this.#refused.get(key)
      if (row === undefined) {
        if (this.#refused.size >= REFUSED_MAX) {
          this.#more.add(key)
          continue
        }
        row = {
          ...(sheet !== undefined && { sheet }),
          row: number,
          header: isTable ? (terms?.header ?? []) : [],
          cells: cells.map(cellText),
          problems: [],
          ...(likeness?.is === 'contradiction' && { contradiction: message }),
        }
        this.#refused.set(key, row)
      }
      const known = columns.length > 0 || field === undefined ? columns : [field]
      if (!row.problems.some((one) => inEnglish(one.says) === message && one.columns.join() === known.join()))
        row.problems.push({ columns: known, says })
    }
  }

  addLine({ line, sheet, value }: RecordLine): void {
    if (typeof value !== 'object' || value === null) return
    const key = `${sheet ?? ''}\n${line}`
    let row = this.#preview.get(key)
    if (row === undefined) {
      if (this.#preview.size >= PREVIEW_MAX) return
      row = { ...(sheet !== undefined && { sheet }), row: line, records: [] }
      this.#preview.set(key, row)
    }
    row.records.push(value)
  }

  /** @param seesStored whether the key may see values that are stored */
  outcome(summary: ImportSummary, seesStored: boolean): FileOutcome {
    const { id, applied, lines, rejected, erased, withoutBooking, kinds, records, missing, diets } = summary
    const counts = KIND_NAMES.flatMap((kind) =>
      Object.values(kinds[kind]).some((count) => count > 0) ? [[kind, kinds[kind]] as const] : [],
    )
    return {
      import: id,
      applied,
      lines,
      rejected,
      erased,
      withoutBooking,
      counts: Object.fromEntries(counts),
      // Which record changes, and in which field, tells whether a guess is right.
      changes: seesStored ? records.slice(0, CHANGES_MAX) : [],
      oldValuesWithheld: !seesStored && records.some(({ effect }) => effect !== 'created'),
      refused: [...this.#refused.values()],
      refusedMore: this.#more.size,
      // A row that is refused becomes nothing.
      preview: [...this.#preview].flatMap(([key, row]) =>
        this.#refused.has(key) || this.#more.has(key) ? [] : [row],
      ),
      leftOut: this.leftOut,
      ...(missing && { missing: { ...missing, examples: seesStored ? missing.examples : [] } }),
      diets: diets?.added ?? [],
      seconds: summary.seconds,
    }
  }
}
