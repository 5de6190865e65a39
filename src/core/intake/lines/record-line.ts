/** The lines that an import reads, whatever their source, and the record that each one names. */
import { didYouMean } from '../../errors/suggest.ts'
import { leaveOutStacks } from '../../errors/without-stack.ts'
import { onlyEnglish, type Reason, reason, type Sentence } from '../../locale/said.ts'
import { TERM_SETS } from '../../records/fields/term-sets.ts'
import { isIdentifier, oneOfWords } from '../../records/fields/values.ts'
import { KIND_NAMES, type Kind, type KindName } from '../kinds/kind.ts'
import { isKindName, KINDS } from '../kinds.ts'
import { type FieldProblem, findProblems, isObject, shown, valueIs } from '../rejects/problems.ts'
import type { Terms } from '../spreadsheets/mapping/terms.ts'
import type { Row } from '../spreadsheets/tables/table.ts'
import { type FirstLook, lookAt } from './first-check.ts'
import { LINE_SCHEMAS } from './line-schemas.ts'
import { isNestedTooDeep } from './nesting.ts'

/** One line of input: JSON text, a value, or the reason why it is neither. */
export interface RecordLine {
  /** Counted from 1 within its file or sheet. */
  readonly line: number
  /** The file's name, if there are several or it should be shown. */
  readonly file?: string
  /** The sheet's name, if the file has sheets. */
  readonly sheet?: string
  /** The file's terms for the fields, if it is a table. */
  readonly terms?: Terms
  readonly text?: string
  readonly value?: unknown
  /** Custom values are text (CSV, sheets) and must be converted to the types of their fields. */
  readonly loose?: boolean
  /** Why the line could not be read at all. */
  readonly problem?: Sentence
  /** The kind of the record, if it is known although the line could not be read. */
  readonly kind?: KindName
  /** The table rows that the record was made from. */
  readonly rows?: readonly Row[]
}

/** Where a line comes from. */
export type Origin = Pick<RecordLine, 'file' | 'sheet' | 'terms'>

/** The origin of a line, without its other properties. */
export const originOf = ({ file, sheet, terms }: Origin): Origin => ({
  ...(file === undefined ? {} : { file }),
  ...(sheet === undefined ? {} : { sheet }),
  ...(terms === undefined ? {} : { terms }),
})

/** Converts records given as values to lines, counted from 1. */
export async function* recordLines(
  records: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<RecordLine> {
  let line = 0
  for await (const value of records) {
    line += 1
    yield { line, value }
  }
}

/** The record that a line is about. */
export interface NamedRecord {
  readonly kind: KindName
  readonly centerId: string
  /** Its identifiers joined: `set/id` for a term. */
  readonly key: string
  /** the sender's version; undefined if the line has none, or an invalid one */
  readonly version?: number
  /** for a booking */
  readonly stay?: StayLine
}

/** To whom a booking belongs, as far as its line says. */
export interface StayLine {
  readonly customer?: string
  readonly order_uuid?: string
  readonly is_main: boolean
}

const stayOf = ({ customerId, orderUuid, isOrderMainGuest }: Record<string, unknown>): StayLine => ({
  ...(isIdentifier(customerId) && { customer: customerId }),
  ...(isIdentifier(orderUuid) && { order_uuid: orderUuid }),
  // In a table, the value may be text or a number.
  is_main: /^(true|1)$/i.test(String(isOrderMainGuest)),
})

/** Separates the parts of a key. No identifier contains it. */
const KEY_SEPARATOR = '/'

/** The parts of a key. */
export const splitKey = (key: string) => key.split(KEY_SEPARATOR)

/** A line that was read: its JSON text, and either the record that it names or its problems. */
export interface ReadLine {
  readonly text: string | undefined
  readonly record?: NamedRecord
  readonly kind?: KindName
  readonly problems?: FieldProblem[]
  /** for a line that names a record */
  readonly look?: FirstLook
}

/**
 * Reads which record a line is about.
 * @param center the center of lines that name none
 */
export function readLine(line: RecordLine, center: string | undefined): ReadLine {
  const { text, kind } = line
  if (line.problem !== undefined) return { text, ...(kind && { kind }), problems: [reason(line.problem)] }
  if (text !== undefined) {
    if (isNestedTooDeep(text)) return { text, problems: [onlyEnglish('is nested too deep to be a record')] }
    let value: unknown
    const keepStacks = leaveOutStacks()
    try {
      value = JSON.parse(text)
    } catch (error) {
      return { text, problems: [onlyEnglish(`is not JSON${position(error)}`)] }
    } finally {
      keepStacks()
    }
    return nameRecord(value, text, center)
  }
  try {
    return nameRecord(line.value, JSON.stringify(line.value), center)
  } catch {
    return { text, problems: [onlyEnglish('cannot be written as JSON')] }
  }
}

// The engine's own message quotes the text, which may be personal. Only the position is taken from it.
function position(error: unknown): string {
  const at = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  return at === undefined ? '' : ` (at character ${Number(at) + 1})`
}

function nameRecord(value: unknown, text: string | undefined, center: string | undefined): ReadLine {
  if (!isObject(value)) {
    return { text, problems: [onlyEnglish('is not a record; expected one JSON object per line')] }
  }
  const name = value.kind
  if (!isKindName(name)) return { text, problems: [{ field: 'kind', ...kindProblem(value) }] }

  const kind = KINDS[name]
  const own = kind.key.map(({ field, type }) => {
    const given = value[field]
    return type === 'bigint' && typeof given === 'number' ? String(given) : given
  })
  const centerId = name === 'center' ? own[0] : (value.centerId ?? center)
  if (
    isIdentifier(centerId) &&
    own.every((part, at) => isKeyPart(part, kind.key[at]?.type)) &&
    isKnownSet(name, value)
  ) {
    const { version } = value
    return {
      text,
      kind: name,
      look: lookAt(kind, value),
      record: {
        kind: name,
        centerId,
        key: own.join(KEY_SEPARATOR),
        ...(typeof version === 'number' && Number.isSafeInteger(version) && { version }),
        ...(name === 'booking' && { stay: stayOf(value) }),
      },
    }
  }
  const { record, removal } = LINE_SCHEMAS[name]
  const problems = findProblems('deleted' in value ? removal.schema : record.schema, value)
  if (centerId === undefined) {
    problems.unshift({ field: 'centerId', ...onlyEnglish('is required unless the import names a center') })
  }
  return { text, kind: name, problems }
}

const HASH = /^[0-9a-f]{64}$/

const isKeyPart = (part: unknown, type: Kind['key'][number]['type']): part is string =>
  isIdentifier(part) && (type !== 'hash' || HASH.test(part))

// The set is the only part of a key that must be a word of a list.
function isKnownSet(name: KindName, value: Record<string, unknown>): boolean {
  return name !== 'term' || (TERM_SETS as readonly unknown[]).includes(value.set)
}

/** Whether the object is a line of an answer of the interface, which looks similar to a record. */
const isAnswer = ({ ids, manifest, _id }: Record<string, unknown>) =>
  isObject(ids) || isObject(manifest) || _id !== undefined

const SHOWN_NOT_STORED =
  '. This is a line of the interface, which shows records for people; "sojourn export" writes them for import'

function kindProblem(value: Record<string, unknown>): Reason {
  const expected = `expected one of ${KIND_NAMES.join(', ')}`
  const given = value.kind
  if (given === undefined) {
    if (isAnswer(value)) return onlyEnglish(`is required; ${expected}${SHOWN_NOT_STORED}`)
    return reason({
      key: 'expected',
      values: { given: { key: 'required' }, expected: oneOfWords(KIND_NAMES) },
    })
  }
  if (typeof given !== 'string') return onlyEnglish(`is not text; ${expected}`)
  const hint = didYouMean(given, KIND_NAMES)
  if (hint !== '') return onlyEnglish(`is "${shown(given)}"; ${expected}${hint}`)
  return reason({
    key: 'expected',
    values: { given: valueIs(shown(given)), expected: oneOfWords(KIND_NAMES) },
  })
}
