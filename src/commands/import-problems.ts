/** What is wrong with an import, for people: the first problems one by one, and what there are many of by its cause. */
import { STDIN } from '../intake/files.ts'
import type { ImportProblem } from '../intake/problem-report.ts'
import { NOT_IN_THE_FILE } from '../intake/stage.ts'
import { counted, number } from './words.ts'

/** Who has read so many wants to know what they have in common. */
const TOLD_MAX = 100
/** Of a file that is all wrong in different ways. */
const CAUSES_MAX = 50
const PLACES_MAX = 3

interface Cause {
  count: number
  readonly places: string[]
}

export class ImportProblems {
  readonly #causes = new Map<string, Cause>()
  #count = 0

  /** @returns the line to print for it; undefined where enough were printed */
  add(problem: ImportProblem): string | undefined {
    this.#count += 1
    const cause = causeOf(problem)
    let known = this.#causes.get(cause)
    if (known === undefined) {
      known = { count: 0, places: [] }
      if (this.#causes.size < CAUSES_MAX) this.#causes.set(cause, known)
    }
    known.count += 1
    if (known.places.length < PLACES_MAX) known.places.push(placeOf(problem))
    if (this.#count > TOLD_MAX) return undefined
    return `${placeOf(problem)}: ${textOf(problem)}\n`
  }

  /** Every cause with how often it was met and where first; empty where all problems were told. */
  summary(): string {
    if (this.#count <= TOLD_MAX) return ''
    const causes = [...this.#causes].sort(([, a], [, b]) => b.count - a.count)
    const lines = causes.map(
      ([cause, { count, places }]) => `${number(count)} × ${cause} (${places.join(', ')})`,
    )
    const other = this.#count - causes.reduce((sum, [, { count }]) => sum + count, 0)
    if (other > 0) lines.push(`${number(other)} × other problems`)
    const head = `${counted(this.#count, 'problem')} in all; the first ${TOLD_MAX} are above. By cause, with the first places:`
    return `${[head, ...lines].join('\n')}\n`
  }
}

/** `guests.ndjson:12`, `guests.xlsx:Guests:12` */
const placeOf = ({ file, sheet, line, kind, id }: ImportProblem): string => {
  if (file === NOT_IN_THE_FILE) return `${file} (${kind} ${id})`
  return [
    file === undefined || file === STDIN ? 'stdin' : file,
    ...(sheet === undefined ? [] : [sheet]),
    line,
  ].join(':')
}

/** In the terms of the file where it has its own: `Anreise (startDate): is …` */
function textOf({ field, columns, message }: ImportProblem): string {
  if (field === undefined) return message
  return columns === undefined ? `${field}: ${message}` : `${columns.join(' + ')} (${field}): ${message}`
}

/** The problem without what stands in one record alone: quoted values, numbers, and the entry of a list. */
function causeOf(problem: ImportProblem): string {
  const text = textOf(problem)
    // The last quote may be missing: a search for it from each quote would be quadratic.
    .replaceAll(/"(?:[^"\\]|\\.)*"?/g, '"…"')
    .replaceAll(/\d+/g, 'n')
  return problem.kind === undefined ? text : `${problem.kind}: ${text}`
}
