/** `snapshot`: all pages of a list show it as of one cursor, and the last page proves that it was read completely. */

import { CURSOR_LENGTH, looksLikeCursor, readCursor } from '../changes/cursor.ts'
import { judgePosition, newestCursor } from '../changes/read-feed.ts'
import { errors, type Problem } from '../errors/api-error.ts'
import type { CenterId } from '../records/centers/center.ts'
import type { Pin, Plan, Rows, SnapshotPlan } from './operation.ts'
import { booleanParameter } from './parameter-kinds.ts'
import { type Parameter, quote } from './parameters.ts'

const asBoolean = booleanParameter({ description: '' })

/** Whether a snapshot is requested, or the cursor of one that was begun. */
export const snapshotParameter: Parameter<boolean | string> & { default: false } = {
  description:
    '`true` on the first page; on all others the `Snapshot-Cursor` of the first, which the URLs in the `Link` header have. Each page then shows the list as of that cursor, or is a 409 if the page has changed since. A cursor of `GET /changes` works too.',
  default: false,
  list: false,
  schema: {
    anyOf: [
      ...(asBoolean.schema.anyOf as readonly unknown[]),
      { type: 'string', minLength: CURSOR_LENGTH, maxLength: CURSOR_LENGTH },
    ],
    default: false,
  },
  read(texts) {
    const [text = ''] = texts
    if (looksLikeCursor(text)) return { value: text }
    const read = asBoolean.read(texts)
    return 'value' in read ? read : { problem: `${quote(text)} is not allowed: ${ALLOWED}` }
  },
}

const ALLOWED =
  'give true on the first page, and on the others the Snapshot-Cursor of the first, as its Link header does.'

const FORGED: Problem = {
  parameter: 'snapshot',
  message: `This is not a cursor of this center: ${ALLOWED}`,
}

/**
 * A first page keeps the newest cursor, which remains valid for all later requests, but only as long as the changes
 * after it are retained, which is at least a day.
 */
const FIRST_PAGE_CACHED_MS = 3_600_000

export interface AskedSnapshot {
  /** its part of the request in normal form; empty if no snapshot is requested */
  readonly text: readonly string[]
  readonly problems: readonly Problem[]
  /** the properties that it adds to the list's plan */
  of(list: Omit<SnapshotPlan, 'pin'>): Pick<Plan, 'snapshot' | 'cacheMs'>
}

export const NO_SNAPSHOT: AskedSnapshot = { text: [], problems: [], of: () => ({}) }

/** @param value the parameter's value if it was valid */
export function readSnapshot(value: boolean | string, center: CenterId): AskedSnapshot {
  if (value === false) return NO_SNAPSHOT
  if (value === true) {
    return {
      text: ['snapshot'],
      problems: [],
      of: (list) => ({ snapshot: { pin: undefined, ...list }, cacheMs: FIRST_PAGE_CACHED_MS }),
    }
  }
  const position = readCursor(center, value)
  if (position === undefined) return { ...NO_SNAPSHOT, problems: [FORGED] }
  return {
    text: [`snapshot ${value}`],
    problems: [],
    of: (list) => ({ snapshot: { pin: { cursor: value, position }, ...list } }),
  }
}

/**
 * @param rows of `selectTouchedSince` for the pin's position
 * @throws {ApiError} 400 for a cursor that was not made here, 410 if the changes since are not known, 409 if what the
 * page shows has changed
 */
export function judgeSnapshot(center: CenterId, { position }: Pin, rows: Rows): void {
  const lost = judgePosition(position, rows)
  if (lost?.outcome === 'forged') throw errors.invalidParameters([FORGED])
  if (lost?.outcome === 'gone') throw errors.snapshotGone(lost.why)
  if (rows[0]?.[TOUCHED] !== false) throw errors.snapshotMoved(newestCursor(center, rows))
}

/** After the five values that describe the end of the feed. */
const TOUCHED = 5
