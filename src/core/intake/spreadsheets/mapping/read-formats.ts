/** Reads `dates`, `times`, `decimals` and `booleans` of a mapping or of one of its fields. */
import { clash, dateFormat, type Formats, ISO, timeFormat, withTimes } from './formats.ts'
import type { Decimals } from './numbers.ts'
import { mayBeValue, VALUE_LENGTH_MAX } from './text-lengths.ts'
import type { TreeReader } from './tree-reader.ts'
import { foldWord } from './words.ts'
import type { MapNode } from './yaml-tree.ts'

export const FORMAT_KEYS = ['dates', 'times', 'decimals', 'booleans'] as const

/** Each date format is also tried with each time format. */
const FORMATS_MAX = 20

/** Formats as declared. A field without its own declaration uses those of the mapping. */
export interface NamedFormats {
  readonly dates: readonly string[]
  readonly times: readonly string[]
  readonly decimals: Decimals | undefined
  readonly booleans: ReadonlyMap<string, boolean>
}

export const NO_NAMED_FORMATS: NamedFormats = {
  dates: [],
  times: ['HH:mm', 'HH:mm:ss'],
  decimals: undefined,
  booleans: new Map([
    ['true', true],
    ['false', false],
  ]),
}

/**
 * Reads declared formats and adds what is wrong with them to the reader's problems.
 * @param above the formats used for what this part does not declare
 */
export function readFormats(reader: TreeReader, node: MapNode, above: NamedFormats): NamedFormats {
  const named = (key: 'dates' | 'times', read: (text: string) => object | undefined, example: string) => {
    const entry = node.entries.get(key)
    if (entry === undefined) return above[key]
    const given = reader.texts(entry, key)
    const beyond = given[FORMATS_MAX]
    if (beyond !== undefined) reader.problem(beyond.at, `there are more than ${FORMATS_MAX} ${key}`)
    return given.slice(0, FORMATS_MAX).flatMap(({ at, text }) => {
      if (read(text) !== undefined) return [text]
      reader.problem(at, `"${text}" is not a format; expected one such as ${example}`)
      return []
    })
  }
  const dates = named('dates', dateFormat, 'DD.MM.YYYY or MM/DD/YY')
  const entry = node.entries.get('dates')
  const [one, other] = dates.flatMap((format) => {
    const found = dates.find((next) => clash(format, next))
    return found === undefined ? [] : [format, found]
  })
  if (entry !== undefined && one !== undefined) {
    reader.problem(
      entry.value.at,
      `dates has ${one} and ${other}, which read 03/04 as two different days; leave one of them here, and name the other one at the fields that have it, such as {column: …, dates: ${other}}`,
    )
  }
  return {
    dates,
    times: named('times', timeFormat, 'HH:mm or h:mm A'),
    decimals: reader.word(node.entries.get('decimals'), 'decimals', [',', '.']) ?? above.decimals,
    booleans: readBooleans(reader, node) ?? above.booleans,
  }
}

function readBooleans(reader: TreeReader, node: MapNode): Map<string, boolean> | undefined {
  const entry = node.entries.get('booleans')
  const map = entry && reader.map(entry.value, 'booleans', ['true', 'false'])
  if (map === undefined) return undefined
  const words = new Map<string, boolean>()
  for (const meaning of [true, false]) {
    for (const { at, text } of reader.texts(map.entries.get(String(meaning)), 'a word')) {
      if ((words.get(foldWord(text)) ?? meaning) !== meaning)
        reader.problem(at, `"${text}" means both true and false`)
      if (!mayBeValue(text)) reader.problem(at, `a word has more than ${VALUE_LENGTH_MAX} characters`)
      words.set(foldWord(text), meaning)
    }
  }
  return words
}

/** The formats, parsed. */
export function formatsOf({ dates, times, decimals, booleans }: NamedFormats): Formats {
  const known = <T>(formats: (T | undefined)[]) => formats.filter((format) => format !== undefined)
  const timesRead = known(times.map(timeFormat))
  return {
    // A date in ISO 8601 is unambiguous.
    dates: withTimes(known([ISO, ...dates].map(dateFormat)), timesRead),
    times: timesRead,
    decimals,
    booleans,
  }
}
