/** The problems of an import in words, with a line for each cause. */

import { counted } from '../core/command-line/words.ts'
import { visible } from '../core/errors/visible.ts'
import { STDIN } from '../core/intake/lines/files.ts'
import { Causes, type Place, type ReportedCause } from '../core/intake/rejects/causes.ts'
import type { ImportProblem } from '../core/intake/rejects/problem-report.ts'
import { withValue } from '../core/intake/rejects/problems.ts'
import { NOT_IN_THE_FILE } from '../core/intake/stage/stage.ts'

/** Users correct at most this many before they try again. */
const SHOWN_MAX = 50

/** A cause in JSON, which leaves out what is undefined. */
interface CauseForPrograms {
  readonly count: number
  readonly message: string
  readonly places: readonly { readonly [name in keyof Place]: Place[name] | undefined }[]
}

export class ImportProblems {
  readonly #causes = new Causes()

  add(problem: ImportProblem): void {
    this.#causes.add(withValue(problem))
  }

  /** In the form of an answer of `/intake`, with files and sheets. */
  causes(): CauseForPrograms[] {
    return this.#causes
      .reported()
      .slice(0, SHOWN_MAX)
      .map(({ count, text, places }) => ({
        count,
        message: text,
        places: places.map(({ file, sheet, line, kind, id }) => ({ file, sheet, line, kind, id })),
      }))
  }

  /** A line for each cause; empty if there were no problems. */
  text(): string {
    const causes = this.#causes.reported()
    const more = causes.slice(SHOWN_MAX)
    const others = more.reduce((sum, { count }) => sum + count, this.#causes.others)
    const lines = [
      ...causes.slice(0, SHOWN_MAX).map(lineOf),
      ...(others > 0 ? [`… and ${counted(others, 'other problem')}`] : []),
    ]
    return lines.map((line) => `${line}\n`).join('')
  }
}

/** `300 rows: … (guests.csv:2, 3, 4 …)`. A cause of a single row begins with its file and line. */
function lineOf({ count, isTable, places, text }: ReportedCause): string {
  const [first, ...others] = places
  if (first === undefined || count === 1) return `${first && placeOf(first)}: ${text}`
  const further = others.map((place, at) => {
    const before = places[at]
    const isSame =
      place.file === before?.file && place.sheet === before?.sheet && place.file !== NOT_IN_THE_FILE
    return isSame ? `${place.line}` : placeOf(place)
  })
  const shown = [placeOf(first), ...further].join(', ')
  return `${counted(count, isTable ? 'row' : 'line')}: ${text} (${shown}${count > places.length ? ' …' : ''})`
}

/** `guests.ndjson:12`, `guests.xlsx:Guests:12` */
function placeOf({ file, sheet, line, kind, id }: Place): string {
  if (file === NOT_IN_THE_FILE) return `${file} (${kind} ${id})`
  const name = file === undefined || file === STDIN ? 'stdin' : file
  return [visible(name), ...(sheet === undefined ? [] : [visible(sheet)]), line].join(':')
}
