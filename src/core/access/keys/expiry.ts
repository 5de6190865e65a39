/** Parses durations and times as people write them: `90d`, `24h`, `2026-12-31`, `2026-12-31T12:00:00Z`. */
import { KeyError } from './key.ts'

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

const SPAN = /^(\d{1,6})\s*([smhdw])$/
// A hundred years. More is a mistake, and this stays far from the last date that can be represented.
const SPAN_MAX_MS = 36_525 * 86_400_000

/** @returns the milliseconds of `0`, `90d`, `24h`, `30m`, `45s` or `2w`; undefined for other text */
export function readSpan(text: string): number | undefined {
  if (text === '0') return 0
  const [, count, unit] = SPAN.exec(text.trim()) ?? []
  const unitMs = UNIT_MS[unit ?? '']
  if (unitMs === undefined) return undefined
  const milliseconds = Number(count) * unitMs
  return milliseconds <= SPAN_MAX_MS ? milliseconds : undefined
}

/**
 * The time that `text` means, in epoch ms: a duration from now, the end of a day in the center's time zone (ruling 12),
 * or a timestamp, which without an offset is in the center's local time.
 * @throws {KeyError} for other text
 */
export function readExpiry(text: string, { now, zone }: { now: number; zone: string }): number {
  const span = readSpan(text)
  if (span !== undefined) return now + span
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
      return Temporal.PlainDate.from(text).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
    }
    if (/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text)) {
      return Temporal.Instant.from(text).epochMilliseconds
    }
    if (/^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text)) {
      return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
    }
  } catch {
    // A date or time that does not exist is refused like any other text.
  }
  throw new KeyError(
    `${JSON.stringify(text.slice(0, 60))} is not an expiry: give a duration (90d, 12h), a day (2026-12-31) or a timestamp (2026-12-31T12:00:00Z).`,
  )
}
