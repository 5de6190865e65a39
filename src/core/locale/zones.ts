import { DAY_MS, daysOfLocalDate, localDateOfDays } from './civil.ts'

/**
 * Local days and local times of IANA time zones, fast enough for every date of every record. Temporal knows when a
 * zone's offset changes, but a call for each moment takes microseconds. Between two changes the offset is constant, so
 * each zone caches the spans that were needed as `[from, to) → offset`, and a moment takes two comparisons and an
 * addition.
 */

/** A span of epoch milliseconds `[from, to)` in which local time is UTC plus `offset` milliseconds. */
interface Span {
  readonly from: number
  readonly to: number
  readonly offset: number
}

interface Zone {
  readonly name: string
  /** The cached spans, in ascending order and without overlaps; there may be gaps. */
  spans: Span[]
  /** The span of the last result, because the records of a page are usually in the same season. */
  last: Span
  /** The last local day, in epoch milliseconds `[dayFrom, dayTo)`: nearly every request asks for today. */
  dayFrom: number
  dayTo: number
  day: string
}

/** 0001-01-01T00:00:00.000Z, the first moment that is supported. */
export const MOMENT_MIN = -62_135_596_800_000
/** 9999-12-31T23:59:59.999Z, the last one. */
export const MOMENT_MAX = 253_402_300_799_999

// Both limits are far above real numbers (about 600 zones with their aliases; two changes a year). They only keep
// absurd input from growing the process: at the limit the table is cleared.
const zoneCountMax = 1024
const spanCountMax = 2048

const zones = new Map<string, Zone>()
const noSpan: Span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, offset: 0 }

// A name begins with a letter, so neither offsets (`+02:00`) nor the annotated timestamps that Temporal also accepts
// are zones.
const zoneNamePattern = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/** Whether `name` is a time zone of the IANA database (any case, aliases too). Offsets such as `+02:00` are not. */
export function isTimeZone(name: string): boolean {
  if (zones.has(name)) return true
  if (!zoneNamePattern.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/**
 * The local day, `YYYY-MM-DD`, of a moment (whole epoch milliseconds) in a zone (rulings 12, 15). Throws RangeError for
 * an unknown zone and for NaN.
 */
export function localDateOf(zone: string, epochMs: number): string {
  const known = zones.get(zone)
  if (known !== undefined && epochMs >= known.dayFrom && epochMs < known.dayTo) return known.day
  const found = zoneOf(zone)
  const { from, to, offset } = spanAt(found, epochMs)
  const days = Math.floor((epochMs + offset) / DAY_MS)
  found.dayFrom = Math.max(from, days * DAY_MS - offset)
  found.dayTo = Math.min(to, (days + 1) * DAY_MS - offset)
  found.day = localDateOfDays(days)
  return found.day
}

/** The same as whole days since 1970-01-01. Throws as `localDateOf` does. */
export function localDaysOf(zone: string, epochMs: number): number {
  return Math.floor((epochMs + spanAt(zoneOf(zone), epochMs).offset) / DAY_MS)
}

/** What the zone's clocks show at a moment, in milliseconds since 00:00. Throws as `localDateOf` does. */
export function localTimeOf(zone: string, epochMs: number): number {
  const local = epochMs + spanAt(zoneOf(zone), epochMs).offset
  return local - Math.floor(local / DAY_MS) * DAY_MS
}

/**
 * The first moment of a local day, in epoch milliseconds: the meaning of a date as a lower bound (ruling 12). Usually
 * local midnight. If clocks skip midnight, the day begins later (01:00); a day that a zone skipped completely begins
 * with the next day. If clocks go back across midnight, it is the first of the two. Never before `MOMENT_MIN`, so that
 * the year is one that a database accepts. `localDate` must have passed `isLocalDate`. Throws RangeError for an unknown
 * zone.
 */
export function startOfLocalDay(zone: string, localDate: string): number {
  return Math.max(MOMENT_MIN, startOfDay(zoneOf(zone), daysOfLocalDate(localDate) * DAY_MS))
}

/**
 * The last millisecond of a local day, in epoch milliseconds: the meaning of a date as an upper bound (ruling 12). It
 * is the millisecond before the next day begins, so there is no gap between days. For a day that a zone skipped, it is
 * therefore just before `startOfLocalDay`: to check the order of a range, compare the dates and not these moments.
 * Never after `MOMENT_MAX`. `localDate` must have passed `isLocalDate`. Throws RangeError for an unknown zone.
 */
export function endOfLocalDay(zone: string, localDate: string): number {
  return Math.min(MOMENT_MAX, startOfDay(zoneOf(zone), (daysOfLocalDate(localDate) + 1) * DAY_MS) - 1)
}

/**
 * The moment, in epoch milliseconds, at which a zone's clocks show `localDate` and `msOfDay` (milliseconds since 00:00
 * on the clock, 0 … 86,400,000): the meaning of a time without an offset (ruling 12). For a time that clocks show
 * twice, it is the first one. A time that clocks skip is read with the offset before the change (02:30 becomes 03:30),
 * as in Temporal and iCalendar. `localDate` must have passed `isLocalDate`. Throws RangeError for an unknown zone.
 */
export function momentFromLocal(zone: string, localDate: string, msOfDay = 0): number {
  return momentOf(zoneOf(zone), daysOfLocalDate(localDate) * DAY_MS + msOfDay, false)
}

/** Where the offset of a zone changes, in epoch seconds, and its offsets in seconds before, between and after these changes. */
export interface OffsetChanges {
  readonly changes: readonly number[]
  readonly offsets: readonly number[]
}

/** The changes of a zone's offset between two moments, in epoch milliseconds. Throws RangeError for an unknown zone. */
export function offsetChanges(name: string, from: number, until: number): OffsetChanges {
  const zone = zoneOf(name)
  const spans = [spanAt(zone, from)]
  for (let { to } = zone.last; to < until; { to } = zone.last) spans.push(spanAt(zone, to))
  return {
    changes: spans.slice(1).map((span) => span.from / 1000),
    offsets: spans.map(({ offset }) => offset / 1000),
  }
}

function startOfDay(zone: Zone, localMs: number): number {
  return momentOf(zone, localMs, true)
}

/**
 * The moment at which the zone's clocks show `localMs` (the time on the clock as if it were UTC). If they skip it: the
 * moment of the change with `orChange`, otherwise `localMs` with the offset before the change.
 */
function momentOf(zone: Zone, localMs: number, orChange: boolean): number {
  // More than two days away from any change there is only one result.
  const { from, to, offset } = zone.last
  const guess = localMs - offset
  if (guess - from > 2 * DAY_MS && to - guess > 2 * DAY_MS) return guess

  // Every offset is less than a day, so every moment with this local time is within a day of it, and only the spans of
  // those two days can contain it. The first one that does is the result.
  let span = spanAt(zone, localMs - DAY_MS)
  for (;;) {
    const moment = localMs - span.offset
    if (moment < span.to) {
      if (moment >= span.from) return moment
      // The span before ended before this time and this one begins after it: the time was skipped.
      return orChange ? span.from : localMs - spanAt(zone, span.from - 1).offset
    }
    span = spanAt(zone, span.to)
  }
}

function zoneOf(name: string): Zone {
  const known = zones.get(name)
  if (known !== undefined) return known
  if (!isTimeZone(name)) throw new RangeError(`unknown time zone: ${name}`)
  if (zones.size >= zoneCountMax) zones.clear()
  const zone: Zone = { name, spans: [], last: noSpan, dayFrom: 0, dayTo: 0, day: '' }
  zones.set(name, zone)
  return zone
}

function spanAt(zone: Zone, epochMs: number): Span {
  const last = zone.last
  if (epochMs >= last.from && epochMs < last.to) return last
  const spans = zone.spans
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (spans[middle]!.to <= epochMs) low = middle + 1
    else high = middle
  }
  const found = spans[low]
  if (found !== undefined && epochMs >= found.from) {
    zone.last = found
    return found
  }
  const fresh = askTemporal(zone.name, epochMs)
  if (spans.length >= spanCountMax) zone.spans = [fresh]
  else spans.splice(low, 0, fresh)
  zone.last = fresh
  return fresh
}

function askTemporal(name: string, epochMs: number): Span {
  const here = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(name)
  // `previous` means strictly before, and the moment of a change belongs to the span that it begins.
  const before = here.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  const after = here.getTimeZoneTransition('next')
  return {
    from: before === null ? Number.NEGATIVE_INFINITY : before.epochMilliseconds,
    to: after === null ? Number.POSITIVE_INFINITY : after.epochMilliseconds,
    offset: here.offsetNanoseconds / 1e6,
  }
}
