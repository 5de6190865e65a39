import { DAY_MS, daysOfLocalDate, localDateOfDays } from './civil.ts'

/**
 * Local days and local times of IANA time zones, fast enough to be asked for every date of every record.
 *
 * Temporal knows where a zone's offset changes, but asking it for each moment costs microseconds. Between two
 * changes the offset is constant, so each zone keeps the spans it has met as `[from, to) → offset`, and a
 * moment costs two comparisons and an addition.
 */

/** A span of epoch milliseconds `[from, to)` in which local time is UTC plus `offset` milliseconds. */
interface Span {
  readonly from: number
  readonly to: number
  readonly offset: number
}

interface Zone {
  readonly name: string
  /** Spans met so far, ascending and without overlap, though not without holes. */
  spans: Span[]
  /** The span the last answer came from: records of one page mostly share a season. */
  last: Span
}

/** 0001-01-01T00:00:00.000Z, the first moment this service speaks of. */
export const MOMENT_MIN = -62_135_596_800_000
/** 9999-12-31T23:59:59.999Z, the last one. */
export const MOMENT_MAX = 253_402_300_799_999

// Both bounds are far above what is real (about 600 zones with their aliases; two changes a year) and only keep
// absurd input from growing the process: at the bound the table starts again.
const zoneCountMax = 1024
const spanCountMax = 2048

const zones = new Map<string, Zone>()
const noSpan: Span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, offset: 0 }

// A name begins with a letter, so neither bare offsets (`+02:00`) nor the annotated timestamps Temporal would
// also take pass for a zone.
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
 * The local day, `YYYY-MM-DD`, that a moment (whole epoch milliseconds) falls on in a zone (rulings 12, 15).
 * Throws RangeError for an unknown zone and for a moment that is no number.
 */
export function localDateOf(zone: string, epochMs: number): string {
  return localDateOfDays(localDaysOf(zone, epochMs))
}

/** The same as whole days since 1970-01-01. Throws as `localDateOf` does. */
export function localDaysOf(zone: string, epochMs: number): number {
  return Math.floor((epochMs + spanAt(zoneOf(zone), epochMs).offset) / DAY_MS)
}

/**
 * The first moment of a local day, in epoch milliseconds: what a bare date means as a lower bound (ruling 12).
 *
 * Usually local midnight. Where clocks skip midnight the day begins later (01:00), and a day that a zone skipped
 * altogether begins where the next one does. Where clocks go back over midnight, the first of the two.
 * Never before `MOMENT_MIN`, so that the answer is always a year a database can read.
 * `localDate` must have passed `isLocalDate`. Throws RangeError for an unknown zone.
 */
export function startOfLocalDay(zone: string, localDate: string): number {
  return Math.max(MOMENT_MIN, startOfDay(zoneOf(zone), daysOfLocalDate(localDate) * DAY_MS))
}

/**
 * The last millisecond of a local day, in epoch milliseconds: what a bare date means as an upper bound
 * (ruling 12).
 *
 * It is the millisecond before the next day begins, so days leave no gap between them. For a day that a zone
 * skipped it therefore lies just before `startOfLocalDay`: compare the dates themselves, not these moments, to
 * see whether a range is the wrong way round.
 * Never after `MOMENT_MAX`. `localDate` must have passed `isLocalDate`. Throws RangeError for an unknown zone.
 */
export function endOfLocalDay(zone: string, localDate: string): number {
  return Math.min(MOMENT_MAX, startOfDay(zoneOf(zone), (daysOfLocalDate(localDate) + 1) * DAY_MS) - 1)
}

/**
 * The moment, in epoch milliseconds, at which a zone's clocks show `localDate` and `msOfDay` (milliseconds since
 * 00:00 on the clock's face, 0 … 86,400,000): a moment given without offset (ruling 12).
 *
 * A time that clocks show twice means the first; one that they skip is read with the offset before the change
 * (02:30 becomes 03:30), which is also what Temporal and iCalendar do.
 * `localDate` must have passed `isLocalDate`. Throws RangeError for an unknown zone.
 */
export function momentFromLocal(zone: string, localDate: string, msOfDay = 0): number {
  return momentOf(zoneOf(zone), daysOfLocalDate(localDate) * DAY_MS + msOfDay, false)
}

function startOfDay(zone: Zone, localMs: number): number {
  return momentOf(zone, localMs, true)
}

/**
 * The moment at which the zone's clocks show `localMs` (the clock's face read as if it were UTC).
 * Where they skip it: the moment of the change itself with `orChange`, else `localMs` by the offset before it.
 */
function momentOf(zone: Zone, localMs: number, orChange: boolean): number {
  // Two days away from any change there is only one answer, and no need to look for another.
  const { from, to, offset } = zone.last
  const guess = localMs - offset
  if (guess - from > 2 * DAY_MS && to - guess > 2 * DAY_MS) return guess

  // No offset is as much as a day, so every moment with this local time lies within a day of it, and the spans
  // that meet those two days are all that can hold it. The first that does wins.
  let span = spanAt(zone, localMs - DAY_MS)
  for (;;) {
    const moment = localMs - span.offset
    if (moment < span.to) {
      if (moment >= span.from) return moment
      // The span before ended without reaching this time and this one begins after it: skipped.
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
  const zone: Zone = { name, spans: [], last: noSpan }
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
  // `previous` means strictly before, and a moment that is itself a change belongs to the span it begins.
  const before = here.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  const after = here.getTimeZoneTransition('next')
  return {
    from: before === null ? Number.NEGATIVE_INFINITY : before.epochMilliseconds,
    to: after === null ? Number.POSITIVE_INFINITY : after.epochMilliseconds,
    offset: here.offsetNanoseconds / 1e6,
  }
}
