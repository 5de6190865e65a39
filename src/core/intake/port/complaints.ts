/** What is wrong with a delivery, as its sender reads it: by cause, and the first problems one by one. */

import type { ImportSummary } from '../import-records.ts'
import { Causes, type Place } from '../rejects/causes.ts'
import type { ImportProblem } from '../rejects/problem-report.ts'
import { Refusal } from './refusal.ts'

/** A program corrects by cause, and a person reads no more. */
const REPORTED_MAX = 100
const CAUSES_MAX = 50

export type Complaint = Pick<ImportProblem, 'line' | 'kind' | 'id' | 'field' | 'message'>

/** What one change corrects, with the lines that it is about. */
export interface DeliveryCause {
  /** of lines */
  readonly count: number
  readonly message: string
  /** the first of them */
  readonly places: readonly Pick<ImportProblem, 'line' | 'kind' | 'id'>[]
}

export class Complaints {
  readonly #reported: Complaint[] = []
  readonly #causes = new Causes()

  /** The record itself is not repeated: it may be personal. */
  add(problem: ImportProblem): void {
    this.#causes.add(problem)
    const { field, message } = problem
    if (this.#reported.length >= REPORTED_MAX) return
    this.#reported.push({ ...placeOf(problem), ...(field !== undefined && { field }), message })
  }

  /** As the body of the answer has them. */
  reported(): { causes: DeliveryCause[]; complaints: readonly Complaint[]; leftOut: number } {
    const causes = this.#causes.reported().slice(0, CAUSES_MAX)
    return {
      causes: causes.map(({ count, text, places }) => ({
        count,
        message: text,
        places: places.map(placeOf),
      })),
      complaints: this.#reported,
      leftOut: this.#causes.problems - this.#reported.length,
    }
  }
}

/** What a delivery with problems is answered with. @param problemsMax with so many, the rest was not looked at */
export function recordsRefused(
  { id, lines, rejected, problems }: ImportSummary,
  complaints: Complaints,
  problemsMax: number,
): Refusal {
  const complete = problems < problemsMax
  const rest = complete ? '' : ` With ${problemsMax} problems, the rest is not checked.`
  return new Refusal(
    'RECORDS_REFUSED',
    `Nothing was imported: ${rejected} of ${lines} lines are invalid.${rest} Correct them, and send all records again.`,
    { import: id, lines, rejected, problems, complete, ...complaints.reported() },
  )
}

const placeOf = ({ line, kind, id }: Place) => ({
  line,
  ...(kind && { kind }),
  ...(id !== undefined && { id }),
})
