/** What is proposed of a table so far: its columns with their fields, and what to check and to ask. */
import type { Said } from '../../../locale/said.ts'
import { shown } from '../../rejects/problems.ts'
import type { ChosenDates, ChosenDecimals } from './choose-formats.ts'
import type { Assigned } from './evidence.ts'
import type { Profile } from './profile.ts'
import type { Look } from './table-profile.ts'

export type Fields = Record<string, unknown>

/** Proposed times for dates without a time; the user must check them. */
export const HOURS: Readonly<Record<string, string>> = { startDate: '15:00', endDate: '11:00' }

/** A question about what cells mean. Each answer is a merge patch of the table's mapping. */
export interface Question {
  readonly ask: Said
  /** By answer: what the cells then mean, and the patch. */
  readonly answers: readonly { readonly answer: Said; readonly means: Said; readonly patch: object }[]
}

/** `"A"`, as a cell has it. */
export const quoted = (text: string): string => `"${shown(text)}"`

/** `"A", "B" and "C"` */
export const allQuoted = (texts: readonly string[]): Said => ({ list: texts.map(quoted) })

export class Draft {
  readonly look: Look
  readonly columns: readonly Assigned[]
  readonly dates: ChosenDates
  readonly decimals: ChosenDecimals
  /** `YYYY-MM-DD`; a birth date is before it. */
  readonly today: string
  readonly questions: Question[]
  /** What to check, by its position in the mapping: `records booking startDate`. */
  readonly checks = new Map<string, string>()

  constructor(facts: Pick<Draft, 'look' | 'columns' | 'dates' | 'decimals' | 'today' | 'questions'>) {
    this.look = facts.look
    this.columns = facts.columns
    this.dates = facts.dates
    this.decimals = facts.decimals
    this.today = facts.today
    this.questions = facts.questions
  }

  /** The column that is this field, such as `booking.startDate`. */
  named(field: string): Profile | undefined {
    return this.columns.find((column) => column.field === field)?.profile
  }

  has(field: string): boolean {
    return this.named(field) !== undefined
  }

  check(kind: string, field: string, text: string): void {
    this.checks.set(`records ${kind} ${field}`, text)
  }
}
