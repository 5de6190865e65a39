/** What is wrong with a delivery, as its sender is told: the first problems one by one, and how many there are. */
import type { ImportProblem } from '../intake/problem-report.ts'

/** A program mends by cause, and a person reads no more. */
const TOLD_MAX = 100

export type Complaint = Pick<ImportProblem, 'line' | 'kind' | 'id' | 'field' | 'message'>

export class Complaints {
  readonly told: Complaint[] = []
  #count = 0

  /** The record itself is not repeated: it may be personal. */
  add({ line, kind, id, field, message }: ImportProblem): void {
    this.#count += 1
    if (this.told.length >= TOLD_MAX) return
    this.told.push({
      line,
      ...(kind && { kind }),
      ...(id !== undefined && { id }),
      ...(field !== undefined && { field }),
      message,
    })
  }

  get leftOut(): number {
    return this.#count - this.told.length
  }
}
