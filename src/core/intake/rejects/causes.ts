/**
 * Groups the problems of a file by cause: the number of rows, the first of them, and how to correct them. Three hundred
 * dates in an undeclared format are one cause, not three hundred.
 */
import { inWords } from '../../errors/in-words.ts'
import { RowSet } from '../lines/row-set.ts'
import type { Likeness } from '../spreadsheets/mapping/advice.ts'
import { adviceFor, type Likenesses, neededDates, type Setting } from '../spreadsheets/mapping/advice.ts'
import { termsFor, withoutPlaces } from '../spreadsheets/mapping/terms.ts'
import type { ImportProblem } from './problem-report.ts'

/** Bounds the memory for a file with more causes than anyone corrects one by one. */
const CAUSES_MAX = 500
const PLACES_MAX = 3
const EXAMPLES_MAX = 3
/** A column with more different words than this is not a list of words. */
const WORDS_MAX = 20

export type Place = Pick<ImportProblem, 'file' | 'sheet' | 'line' | 'kind' | 'id'>

export interface ReportedCause {
  /** Number of rows of a table, or of lines of a file. */
  readonly count: number
  readonly isTable: boolean
  /** The first of these rows. */
  readonly places: readonly Place[]
  /** whether it is gone when another one is corrected */
  readonly isConsequence: boolean
  /** `Anreise and Abreise look like DD.MM.YYYY; write "dates: DD.MM.YYYY" in guests.yaml` */
  readonly text: string
}

/** Collects problems and groups them by cause. */
export class Causes {
  readonly #causes = new Map<string, Cause>()
  /** Number of problems beyond CAUSES_MAX causes. */
  others = 0
  problems = 0

  add(problem: ImportProblem): void {
    this.problems += 1
    const key = keyOf(problem)
    let cause = this.#causes.get(key)
    if (cause === undefined) {
      if (this.#causes.size >= CAUSES_MAX) {
        this.others += 1
        return
      }
      cause = new Cause(problem)
      this.#causes.set(key, cause)
    }
    cause.add(problem)
  }

  /** The causes, those with the most rows first; what only follows from others comes after them. */
  reported(): ReportedCause[] {
    const merged = new Map<string, Cause>()
    for (const cause of this.#causes.values()) {
      const same = merged.get(cause.mergeKey)
      if (same === undefined) merged.set(cause.mergeKey, cause)
      else same.absorb(cause)
    }
    const causes = [...merged.values()]
    // A mapping has one list of formats, so each cause must name the formats that all of them need.
    for (const cause of causes) cause.compareWith(causes)
    return causes
      .map((cause) => cause.reported())
      .sort((a, b) => Number(a.isConsequence) - Number(b.isConsequence) || b.count - a.count)
  }
}

/** Quoted values and numbers, which differ between problems of one cause. */
const VARIABLE = /"(?:[^"\\]|\\.)*"?|\d{4}-\d\d-\d\d(?:T[\d:]+)?|\d+/g

/**
 * What the file's user calls the subject: the columns or the field; undefined if the problem is about the whole row.
 */
function subjectOf({ field, columns, terms, kind }: ImportProblem): string | undefined {
  if (field === undefined) return undefined
  if (columns !== undefined) return columns.join(' + ')
  const name = withoutPlaces(field)
  // A table is of one kind; lines of JSON may be of any.
  return terms !== undefined || kind === undefined || field === 'kind' ? name : `${kind}.${name}`
}

/** One problem by itself, shown next to its row: `Anreise: is "32.11.2026"; expected …` */
export function problemText(problem: ImportProblem): string {
  const { field, columns, message } = problem
  const subject = columns === undefined ? field : columns.join(' + ')
  return subject === undefined ? message : `${subject}: ${message}`
}

function keyOf(problem: ImportProblem): string {
  const { likeness, message } = problem
  const subject = subjectOf(problem)
  return likeness === undefined
    ? `${subject}\n${message.replaceAll(VARIABLE, '#')}`
    : `${subject}\n${likeness.is}\n${shapeOf(likeness)}`
}

/** Dates in one format have the same separators. */
const shapeOf = (likeness: Likeness) =>
  likeness.is === 'date' ? (likeness.formats[0] ?? '').replaceAll(/[A-Z]/g, '') : ''

/** Whether the likeness alone explains the problem, so that columns with the same likeness are one cause. */
const isEnough = (
  likeness: Likeness | undefined,
): likeness is Exclude<Likeness, { is: 'word' | 'missing' | 'contradiction' }> =>
  likeness !== undefined && !['word', 'missing', 'contradiction'].includes(likeness.is)

const tableOf = ({ file = '', sheet = '' }: Place) => `${file}\n${sheet}`

class Cause {
  readonly #first: ImportProblem
  /**
   * The rows of a cause that may be merged with others, which may have rows in common. For all others, a count is
   * enough.
   */
  readonly #rows: RowSet | undefined
  #count = 0
  #last: ImportProblem | undefined
  readonly #places: Place[] = []
  readonly #subjects = new Set<string>()
  readonly #fields = new Set<string>()
  /** The first few values of each variable part of the message. */
  readonly #variables: Set<string>[] = []
  readonly #words = new Map<string, boolean | undefined>()
  #forms: readonly string[] | undefined
  #isMixed = false
  #hasHalves = false
  #isCut = false
  /** The date formats that all causes of the same mapping need. */
  #allNeeded: readonly string[] = []

  constructor(first: ImportProblem) {
    this.#first = first
    this.#rows = isEnough(first.likeness) ? new RowSet() : undefined
  }

  add(problem: ImportProblem): void {
    const { field, likeness, message } = problem
    if (this.#isNewRow(problem)) {
      this.#count += 1
      if (this.#places.length < PLACES_MAX) this.#places.push(problem)
    }
    const subject = subjectOf(problem)
    if (subject !== undefined) this.#subjects.add(subject)
    if (field !== undefined) this.#fields.add(withoutPlaces(field))
    for (const [at, [text]] of [...message.matchAll(VARIABLE)].entries()) {
      this.#variables[at] ??= new Set()
      if (this.#variables[at].size <= EXAMPLES_MAX) this.#variables[at].add(text)
    }
    if (likeness === undefined || likeness.is === 'missing' || likeness.is === 'contradiction') return
    if (likeness.is === 'date') {
      this.#addForms(likeness.formats)
      this.#hasHalves ||= likeness.hasHalves
    } else if (likeness.is === 'number') this.#addForms(likeness.decimals)
    else if (this.#words.size < WORDS_MAX || this.#words.has(likeness.word)) {
      this.#words.set(likeness.word, likeness.is === 'flag' ? likeness.means : undefined)
    } else this.#isCut = true
  }

  #isNewRow(problem: ImportProblem): boolean {
    if (this.#rows !== undefined) return this.#rows.add(tableOf(problem), problem.line)
    const last = this.#last
    this.#last = problem
    return last?.line !== problem.line || tableOf(last) !== tableOf(problem)
  }

  #addForms(forms: readonly string[]): void {
    const before = this.#forms ?? forms
    const common = before.filter((form) => forms.includes(form))
    this.#isMixed ||= common.length === 0
    this.#forms = this.#isMixed ? [...new Set([...before, ...forms])] : common
  }

  /** Equal for causes that the same change corrects. */
  get mergeKey(): string {
    const { likeness, terms } = this.#first
    const own = keyOf(this.#first)
    if (!isEnough(likeness) || this.#isMixed || this.#advice() === undefined) return own
    const setting = [terms?.mapping, terms !== undefined, likeness.is]
    return JSON.stringify(
      likeness.is === 'flag' ? setting : [...setting, this.#forms, this.#hasHalves, this.#dates],
    )
  }

  absorb(other: Cause): void {
    if (this.#rows !== undefined && other.#rows !== undefined) {
      this.#rows.addAll(other.#rows)
      this.#count = this.#rows.size
    }
    for (const place of other.#places) {
      const isKnown = this.#places.some((own) => tableOf(own) === tableOf(place) && own.line === place.line)
      if (!isKnown && this.#places.length < PLACES_MAX) this.#places.push(place)
    }
    for (const subject of other.#subjects) this.#subjects.add(subject)
    for (const field of other.#fields) this.#fields.add(field)
    for (const [word, means] of other.#words) this.#words.set(word, means)
  }

  compareWith(causes: readonly Cause[]): void {
    const needed = causes.flatMap((cause) => (cause.#mapping === this.#mapping ? cause.#neededDates : []))
    this.#allNeeded = [...new Set(needed)]
  }

  get #mapping(): string | undefined {
    return this.#first.terms?.mapping
  }

  /** The date format to declare; none if the format is ambiguous or already read. */
  get #neededDates(): readonly string[] {
    if (this.#first.likeness?.is !== 'date' || this.#isMixed) return []
    return neededDates(this.#forms ?? [], this.#dates).slice(0, 1)
  }

  reported(): ReportedCause {
    return {
      count: this.#count,
      isTable: this.#first.terms !== undefined,
      places: this.#places,
      isConsequence: this.#first.isConsequence === true,
      text: this.#text(),
    }
  }

  #text(): string {
    const advice = this.#advice()
    const { likeness, columns } = this.#first
    const subjects = [...this.#subjects]
    const isMany = subjects.length > 1
    const fields = [...this.#fields].join(', ')
    const subject = isMany
      ? inWords(subjects)
      : columns === undefined
        ? subjects[0]
        : `${subjects[0]} (${fields})`
    if (subject === undefined) return this.#message()
    if (advice === undefined) return `${subject}: ${this.#message()}`
    if (isEnough(likeness)) return `${subject}${isMany ? '' : ':'} ${advice}`
    return `${subject}: ${this.#message()}; ${advice}`
  }

  /** The first problem's message, with the values of several problems. */
  #message(): string {
    // A pair of values says what differs; values of several records would not.
    if (this.#first.likeness?.is === 'contradiction') return this.#first.message
    let at = -1
    return this.#first.message.replaceAll(VARIABLE, (own) => {
      at += 1
      const values = [...(this.#variables[at] ?? [])]
      if (values.length <= 1) return own
      // Of dates, the pair of the first row says more than an ellipsis.
      if (/^\d+-/.test(own)) return own
      // Varying numbers are replaced by an ellipsis.
      if (!own.startsWith('"')) return '…'
      return `${values.slice(0, EXAMPLES_MAX).join(', ')}${values.length > EXAMPLES_MAX ? ' …' : ''}`
    })
  }

  get #dates(): readonly string[] {
    return termsFor(this.#first.terms, this.#first)?.dates ?? []
  }

  #advice(): string | undefined {
    const { likeness, terms, columns = [], field = '' } = this.#first
    if (likeness === undefined) return undefined
    const likenesses: Likenesses = {
      is: likeness.is,
      forms: this.#forms ?? [],
      isMixed: this.#isMixed,
      hasHalves: this.#hasHalves,
      words: this.#words,
      isCut: this.#isCut,
    }
    const setting: Setting = {
      mapping: terms?.mapping,
      isTable: terms !== undefined,
      field: withoutPlaces(field),
      columns,
      dates: this.#dates,
      allNeeded: this.#allNeeded,
      hasValues: termsFor(terms, this.#first)?.hasValues ?? false,
    }
    return adviceFor(likenesses, setting, this.#subjects.size > 1)
  }
}
