/** The guests and days of a kitchen request: of a session, of a range of dates, or of a session within dates. */
import type { Problem } from '../../errors/api-error.ts'
import { dateParameter, identifierParameter } from '../../request/parameter-kinds.ts'
import { datesNotSent, type SentParameters } from '../../request/parameters.ts'

export const rangeParameters = {
  sessionId: identifierParameter({
    description:
      'Session to analyze: its guests, and the days of their stays that belong to it. Required unless dates are given.',
  }),
  startDate: dateParameter({
    description:
      'First day to analyze. Required with `endDate` when `sessionId` is absent; with it, both apply.',
  }),
  endDate: dateParameter({ description: 'Last day to analyze.' }),
} as const

/** Requires `sessionId`, or both dates; one date alone is never enough. What is missing is one problem (ruling 8). */
export function rangeRule(sent: SentParameters): Problem[] {
  const missing = datesNotSent(sent)
  const [parameter] = missing
  if (parameter === undefined || (missing.length === 2 && sent.has('sessionId'))) return []
  const message =
    missing.length === 2
      ? 'Give sessionId, or both startDate and endDate as YYYY-MM-DD.'
      : `Only one of the two dates was given; ${parameter} is missing.`
  return [{ parameter, message }]
}
