/** `changedAfter`: limits a list to records that have changed since a cursor of `GET /changes`. */

import { type Cursor, readCursor } from '../changes/cursor.ts'
import { selectFeedState } from '../changes/feed-sql.ts'
import { judgePosition } from '../changes/read-feed.ts'
import { errors, type Problem } from '../errors/api-error.ts'
import type { CenterId } from '../records/centers/center.ts'
import type { Plan } from './operation.ts'
import { cursorParameter, NO_CURSOR } from './parameter-kinds.ts'

export const changedAfterParameter = cursorParameter({
  description:
    'A cursor of `GET /changes`: only records that were added since, or changed in the fields that this request returns. Only `GET /changes` reports deletions.',
})

const FORGED: Problem = { parameter: 'changedAfter', message: NO_CURSOR }

export interface ChangedAfter {
  /** its part of the request in normal form; empty if it was not sent */
  readonly text: readonly string[]
  readonly position: Cursor | undefined
  readonly problems: readonly Problem[]
  readonly check: Plan['check']
}

/** @param text the parameter's value if it was sent and valid */
export function readChangedAfter(text: string | undefined, center: CenterId): ChangedAfter {
  const position = text === undefined ? undefined : readCursor(center, text)
  if (position === undefined) {
    return { text: [], position, problems: text === undefined ? [] : [FORGED], check: undefined }
  }
  const check: Plan['check'] = {
    statement: selectFeedState(center, position),
    judge(rows) {
      const lost = judgePosition(position, rows)
      if (lost?.outcome === 'forged') throw errors.invalidParameters([FORGED])
      if (lost?.outcome === 'gone') throw errors.cursorGone(lost.why)
    },
  }
  return { text: text === undefined ? [] : [text], position, problems: [], check }
}
