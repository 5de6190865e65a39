/** Makes the document of a report for one of its times, with the rights of its application's key at this moment. */
import type { Database } from '../../core/database/database.ts'
import { localDateOf } from '../../core/locale/zones.ts'
import { centerId, readCenter } from '../../core/records/centers/center.ts'
import { inactiveStatuses } from '../../core/records/fields/active-statuses.ts'
import { answerLanguage } from '../../core/request/language.ts'
import type { Operation } from '../../core/request/operation.ts'
import { AskRefused, type Inside } from './ask-inside.ts'
import { arrivalsList } from './documents/arrivals-list.ts'
import { contradictionsList } from './documents/contradictions-list.ts'
import { daySheet } from './documents/day-sheet.ts'
import type { ReportDocument } from './documents/document.ts'
import { ordersList } from './documents/orders-list.ts'
import { queryList } from './documents/query-list.ts'
import { roomsSheet } from './documents/rooms-sheet.ts'
import { weekSheet } from './documents/week-sheet.ts'
import type { Making } from './documents/writing.ts'
import type { ReportRow } from './reports-sql.ts'

export interface DocumentMaking {
  readonly database: Database
  readonly inside: Inside
  readonly operations: readonly Operation[]
  /** epoch ms */
  readonly clock: () => number
}

const NO_KEY = 'Its application has no active key.'

/**
 * @param publicKey of the application; null if it has no active key
 * @param slot the scheduled time, epoch ms: its local day is the day of the report
 * @throws {AskRefused | AskUnavailable | DatabaseUnavailable}
 */
export async function makeDocument(
  { database, inside, operations, clock }: DocumentMaking,
  row: ReportRow,
  publicKey: string | null,
  slot: number,
): Promise<ReportDocument> {
  if (publicKey === null) throw new AskRefused(NO_KEY)
  const opened = await inside.open(publicKey)
  if (opened === undefined) throw new AskRefused(NO_KEY)
  const center = await readCenter(database, centerId(row.center_id))
  if (center === undefined) throw new AskRefused('Its center no longer exists.')
  const making: Making = {
    ask: opened.ask,
    language: answerLanguage(row.language ?? undefined, center.language),
    center: {
      name: center.name,
      timezone: center.timezone,
      maximumPageLength: center.maximumPageLength,
      inactive: inactiveStatuses(center),
    },
    day: localDateOf(center.timezone, slot),
    now: clock(),
  }
  switch (row.kind) {
    case 'day':
      return daySheet(making)
    case 'week':
      return weekSheet(making)
    case 'arrivals':
      return arrivalsList(making)
    case 'rooms':
      return roomsSheet(making)
    case 'contradictions':
      return contradictionsList(making)
    case 'orders':
      return ordersList(making)
    case 'query':
      return queryList({ ...making, question: row.question ?? '', name: row.name, operations })
  }
}
