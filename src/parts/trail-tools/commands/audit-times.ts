/** The options `--since` and `--until` of commands about the trail. */
import { readSpan } from '../../../core/access/keys/expiry.ts'
import { UsageError } from '../../../core/command-line/context.ts'
import { isLocalDate, parseMoment } from '../../../core/locale/dates.ts'

/**
 * @param ofDay the time of a day in a time zone: its start or its end
 * @returns epoch ms by time zone; undefined without the option
 */
export function readTime(
  option: string,
  text: string | undefined,
  now: number,
  ofDay: (zone: string, day: string) => number,
): ((zone: string) => number) | undefined {
  if (text === undefined) return undefined
  const span = readSpan(text)
  if (span !== undefined) return () => now - span
  if (isLocalDate(text)) return (zone) => ofDay(zone, text)
  if (parseMoment(text, 'UTC') !== undefined) return (zone) => parseMoment(text, zone) ?? 0
  throw new UsageError(
    `${option} is ${JSON.stringify(text.slice(0, 60))}; expected a day (2026-01-31), a timestamp (2026-01-31T12:00:00Z) or a duration ago (7d, 24h).`,
  )
}
