/** `snapshot`: pages of a list that all show it as it was at one place in the changes, and in the end prove it. */
import type { CenterId } from '../centers/center.ts'
import { CURSOR_LENGTH, looksLikeCursor, readCursor } from '../changes/cursor.ts'
import { judgePlace, newestCursor } from '../changes/read-feed.ts'
import { errors, type Problem } from '../errors/api-error.ts'
import type { Pin, Plan, Rows, SnapshotPlan } from './operation.ts'
import { booleanParameter } from './parameter-kinds.ts'
import { type Parameter, quote } from './parameters.ts'

const asBoolean = booleanParameter({ description: '' })

/** Whether one is asked for, or the cursor of one that was begun. */
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
 * A list that is begun now has the newest cursor, which every later answer of it stays good for; but not for longer
 * than the changes after it are kept, a day at least.
 */
const FIRST_PAGE_KEPT_MS = 3_600_000

export interface AskedSnapshot {
  /** what the request in normal form has of it: nothing, where none is asked for */
  readonly text: readonly string[]
  readonly problems: readonly Problem[]
  /** what the plan of the list has of it */
  of(list: Omit<SnapshotPlan, 'pin'>): Pick<Plan, 'snapshot' | 'keptMs'>
}

const NONE: AskedSnapshot = { text: [], problems: [], of: () => ({}) }

/** @param value the parameter's, where it was sent right */
export function readSnapshot(value: boolean | string, center: CenterId): AskedSnapshot {
  if (value === false) return NONE
  if (value === true) {
    return {
      text: ['snapshot'],
      problems: [],
      of: (list) => ({ snapshot: { pin: undefined, ...list }, keptMs: FIRST_PAGE_KEPT_MS }),
    }
  }
  const place = readCursor(center, value)
  if (place === undefined) return { ...NONE, problems: [FORGED] }
  return {
    text: [`snapshot ${value}`],
    problems: [],
    of: (list) => ({ snapshot: { pin: { cursor: value, place }, ...list } }),
  }
}

/**
 * @param rows of `selectTouchedSince`, asked with the place of the pin
 * @throws {ApiError} 400 for a cursor that was not made here, 410 for one of which it is not known what came after, 409
 * where what the page shows has changed
 */
export function judgeSnapshot(center: CenterId, { place }: Pin, rows: Rows): void {
  const lost = judgePlace(place, rows)
  if (lost?.outcome === 'forged') throw errors.invalidParameters([FORGED])
  if (lost?.outcome === 'gone') throw errors.snapshotGone(lost.why)
  if (rows[0]?.[TOUCHED] !== false) throw errors.snapshotMoved(newestCursor(center, rows))
}

/** Behind the five values that tell where the feed ends. */
const TOUCHED = 5
