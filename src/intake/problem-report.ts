/** Hands problems on in the order of their lines, as far as a bounded memory allows. */
import type { KindName } from './kinds/kind.ts'
import type { Likeness } from './mapping/likeness.ts'
import { type Terms, termsFor } from './mapping/terms.ts'
import type { FieldProblem } from './problems.ts'
import type { Origin } from './record-line.ts'
import { Slices } from './slices.ts'
import type { Row } from './tables/table.ts'

/** One thing that is wrong with one line. */
export interface ImportProblem {
  readonly file?: string
  /** The sheet, where the file has sheets. */
  readonly sheet?: string
  /** 1-based line of the file, or row of the sheet. */
  readonly line: number
  readonly kind?: KindName
  /** The record's identifier, where the line names one. */
  readonly id?: string
  /** The field's path; absent where the whole line is meant. */
  readonly field?: string
  /** The columns that a mapping makes the field from. */
  readonly columns?: readonly string[]
  /** What its table calls things, where it is of a table. */
  readonly terms?: Terms
  /** What the refused text looks like. */
  readonly likeness?: Likeness
  readonly message: string
  /** The rows of a table that the record was made from, where they are wanted. */
  readonly rows?: readonly Row[]
  /** The line as it was given: JSON text, unless it is no JSON. It may hold personal data. */
  readonly record?: string
}

/** A line with all that is wrong with it. */
export interface RefusedLine
  extends Omit<ImportProblem, 'field' | 'columns' | 'message' | 'likeness'>,
    Origin {
  /** The order in which lines came. */
  readonly seq: number
  readonly problems: readonly FieldProblem[]
}

// Lines are refused while reading and again while writing, kind by kind. Up to this many are put in order
// before they are handed on; a file that is all wrong is reported in sorted runs instead of filling the memory.
const LINES_MAX = 10_000
const CHARACTERS_MAX = 16_000_000

/** Rows, or lines, of people who were erased, by `rowName`: whether nobody else's record is made of it. */
export type ErasedRows = ReadonlyMap<string, boolean>

export const rowName = ({ file = '', sheet = '' }: Origin, line: number) => `${file}\n${sheet}\n${line}`

/** Told of each problem in turn; the next one waits for it, so that what is printed fills no memory. */
export type ProblemListener = (problem: ImportProblem) => void | Promise<void>

export class ProblemReport {
  readonly #onProblem: ProblemListener
  readonly #slices = new Slices()
  #refused: RefusedLine[] = []
  #characters = 0
  #problems = 0
  #erased: ErasedRows = new Map()

  constructor(onProblem: ProblemListener) {
    this.#onProblem = onProblem
  }

  /** How many problems there are so far, in how many lines has to be asked of whoever refused them. */
  get problems(): number {
    return this.#problems
  }

  /**
   * From here on nothing is told of these rows but what is wrong with those that others have a part in.
   * @returns how many lines of before are forgotten, because they are of these people alone
   */
  withhold(erased: ErasedRows): number {
    this.#erased = erased
    const before = this.#refused
    this.#refused = before.filter((line) => {
      const isForgotten = erased.get(rowName(line, line.line)) === true
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
    for (const { seq: _, problems, ...line } of lines.map((refused) => this.#withoutErased(refused))) {
      for (const problem of problems) {
        await this.#slices.do(() => this.#onProblem({ ...line, ...inTerms(problem, line.terms) }))
        if (this.#slices.isOver) await this.#slices.othersTurn()
      }
    }
  }

  #withoutErased(refused: RefusedLine): RefusedLine {
    const isTheirs = this.#erased.has(rowName(refused, refused.line))
    const rows = refused.rows?.filter(({ number }) => !this.#erased.has(rowName(refused, number)))
    if (!isTheirs && rows?.length === refused.rows?.length) return refused
    const { record: _, rows: __, ...rest } = refused
    return { ...rest, ...(rows && { rows }) }
  }
}

/** A problem as the file that it is about would say it. */
function inTerms(
  problem: FieldProblem,
  terms: Terms | undefined,
): Omit<FieldProblem, 'given'> & Pick<ImportProblem, 'columns'> {
  const { given, ...told } = problem
  const { columns = [], expects } = termsFor(terms, problem) ?? {}
  return {
    ...told,
    ...(columns.length === 0 ? {} : { columns }),
    ...(given === undefined || expects === undefined ? {} : { message: `${given}; expected ${expects}` }),
  }
}
