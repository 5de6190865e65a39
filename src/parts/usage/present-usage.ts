/** An application's usage as it is shown, in answers and on the command line. */

import { isoMoment } from '../../core/locale/dates.ts'
import type { DayRow, ErrorDayRow, UsagePeriod } from './usage-sql.ts'

export type PresentedUsage = ReturnType<typeof presentUsage>

export const presentUsage = (
  { startDate, endDate }: Pick<UsagePeriod, 'startDate' | 'endDate'>,
  days: readonly DayRow[],
  errors: readonly ErrorDayRow[],
) => ({
  startDate,
  endDate,
  days: days.map(([date, endpoint, requests, unchanged, refusals, wrong, bytes]) => ({
    date,
    endpoint,
    requests,
    unchanged,
    refusals,
    errors: wrong,
    bytes,
  })),
  errors: errors.map(
    ([firstAt, lastAt, times, endpoint, status, code, message, details, requestId, publicKey]) => ({
      firstAt: isoMoment(firstAt),
      lastAt: isoMoment(lastAt),
      times,
      endpoint,
      status,
      code,
      message,
      details,
      requestId,
      publicKey,
    }),
  ),
})
