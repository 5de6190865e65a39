/** Passes problems on in the order of their lines, as far as bounded memory allows. */

import { type Reason, reason } from '../../locale/said.ts'
import type { RejectCause } from '../../records/sources/delivery.ts'
import type { KindName } from '../kinds/kind.ts'
import type { Origin } from '../lines/record-line.ts'
import { Slices } from '../slices.ts'
import type { Likeness } from '../spreadsheets/mapping/advice.ts'
import { type Terms, termsFor } from '../spreadsheets/mapping/terms.ts'
import type { Row } from '../spreadsheets/tables/table.ts'
import { LoggedCauses } from './logged-causes.ts'
import type { FieldProblem } from './problems.ts'

/** One problem of one line. */
export interface ImportProblem extends Reason {
  readonly file?: string
  /** The sheet, if the file has sheets. */
  readonly sheet?: string
  /** 1-based line of the file, or row of the sheet. */
  readonly line: number
  readonly kind?: KindName
  /** The record's identifier, if the line has one. */
  readonly id?: string
  /** The field's path; absent if the problem is about the whole line. */
  readonly field?: string
  /** The columns that a mapping makes the field from. */
  readonly columns?: readonly string[]
  /** The table's own terms, if the line is from a table. */
  readonly terms?: Terms
  /** What the refused text looks like. */
  readonly likeness?: Likeness
  /** Whether it is gone when another one of these records is corrected. */
  readonly isConsequence?: true
  /** The refused text, if the message does not show it (`withValue`). It may be personal. */
  readonly value?: string
  /** The rows of a table that the record was made from, if they were requested. */
  readonly rows?: readonly Row[]
  /** The line as given: JSON text, or other text if it is not JSON. It may contain personal data. */
  readonly record?: string
}

/** A line with all its problems. */
export interface RefusedLine
  extends Omit<ImportProblem, 'field' | 'columns' | 'message' | 'says' | 'value' | 'likeness'>,
    Origin {
  /** The line's position in the input. */
  readonly seq: number
  readonly problems: readonly FieldProblem[]
}

// Lines are refused while reading, and again while writing kind by kind. Up to this many are sorted before they are
// passed on. A file in which everything is wrong is reported in sorted runs instead of filling the memory.
const LINES_MAX = 10_000
const CHARACTERS_MAX = 16_000_000

/**
 * How much of a row or line belongs to erased people: all its records, some of them, or only something that was removed
 * from a record of other people.
 */
export type ErasedShare = 'whole' | 'part' | 'cleared'

/** Rows or lines with something of erased people, by `rowName`. */
export type ErasedRows = ReadonlyMap<string, ErasedShare>

/** A name for a row or line that is unique within an import. */
export const rowName = ({ file = '', sheet = '' }: Origin, line: number) => `${file}\n${sheet}\n${line}`

/** Called for each problem, one after the other. The next problem waits for it, so that output does not accumulate in memory. */
export type ProblemListener = (problem: ImportProblem) => void | Promise<void>

/** Collects refused lines and reports their problems in order. */
export class ProblemReport {
  readonly #onProblem: ProblemListener
  readonly #slices = new Slices()
  #refused: RefusedLine[] = []
  #characters = 0
  #problems = 0
  #erased: ErasedRows = new Map()
  /** of the lines that were passed on */
  readonly #causes = new LoggedCauses()

  constructor(onProblem: ProblemListener) {
    this.#onProblem = onProblem
  }

  /** Number of problems so far. The number of lines must be counted by the caller. */
  get problems(): number {
    return this.#problems
  }

  /** The causes of all problems so far, without values. */
  get causes(): readonly RejectCause[] {
    const all = new LoggedCauses(this.#causes)
    for (const line of this.#refused) all.add(line)
    return all.reported()
  }

  /**
   * From now on, reports no problems and no data of lines that belong only to erased people.
   * @returns the number of earlier lines that were discarded for this reason
   */
  withhold(erased: ErasedRows): number {
    this.#erased = erased
    const before = this.#refused
    this.#refused = before.filter((line) => {
      const isForgotten = erased.get(rowName(line, line.line)) === 'whole'
      if (isForgotten) this.#problems -= line.problems.length
      return !isForgotten
    })
    return before.length - this.#refused.length
  }

  async add(line: RefusedLine): Promise<void> {
    this.#refused.push(line)
    this.#problems += line.problems.length
    this.#characters += line.record?.length ?? 0
    if (this.#refused.length >= LINES_MAX || this.#characters >= CHARACTERS_MAX) await this.flush()
  }

  async flush(): Promise<void> {
    const lines = this.#refused.sort((a, b) => a.seq - b.seq)
    this.#refused = []
    this.#characters = 0
    for (const line of lines) this.#causes.add(line)
    for (const { seq: _, problems, ...line } of lines.map((refused) => this.#withoutErased(refused))) {
      for (const problem of problems) {
        await this.#slices.do(() => this.#onProblem({ ...line, ...inTerms(problem, line.terms) }))
        if (this.#slices.isOver) await this.#slices.letOthersRun()
      }
    }
  }

  #withoutErased(refused: RefusedLine): RefusedLine {
    const share = this.#erased.get(rowName(refused, refused.line))
    const rows = refused.rows?.filter(({ number }) => !this.#erased.has(rowName(refused, number)))
    if (share === undefined && rows?.length === refused.rows?.length) return refused
    const { record, rows: _, ...rest } = refused
    // A cleared record contains only what is left.
    const isShown = share === 'cleared' && record !== undefined
    return { ...rest, ...(isShown && { record }), ...(rows && { rows }) }
  }
}

/** Words a problem with the terms of its table. */
function inTerms(
  problem: FieldProblem,
  terms: Terms | undefined,
): Omit<FieldProblem, 'given' | 'also'> & Pick<ImportProblem, 'columns'> {
  const { given, also = [], ...reported } = problem
  const { columns: own = [], expects } = termsFor(terms, problem) ?? {}
  const others = also.flatMap((field) => termsFor(terms, { field })?.columns ?? [])
  const columns = [...new Set([...own, ...others])]
  return {
    ...reported,
    ...(columns.length === 0 ? {} : { columns }),
    ...(given !== undefined &&
      expects !== undefined &&
      reason({ key: 'expected', values: { given, expected: expects } })),
  }
}
