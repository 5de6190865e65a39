/**
 * Local time in statements. The service alone knows the rules of time zones and gives its offsets to the database, whose own
 * rules may be older or newer: otherwise a stay would be on one day in a list and on another in the rooms.
 */
import sql, { type Sql } from 'sql-template-tag'
import { DAY_MS } from './civil.ts'
import { endOfLocalDay, type OffsetChanges, offsetChanges, startOfLocalDay } from './zones.ts'

/** Epoch milliseconds. */
interface Span {
  readonly from: number
  readonly until: number
}

/** Local days, both included. */
export interface Days {
  readonly first: string
  readonly last: string
}

/** Moments before and after have the first and the last offset of these years. */
const RECORDED: Span = { from: Date.UTC(1970), until: Date.UTC(2100) }

/** There are about 600 zones with their aliases. */
const recorded = new Map<string, OffsetChanges>()

function recordedChanges(zone: string): OffsetChanges {
  const changes = recorded.get(zone) ?? offsetChanges(zone, RECORDED.from, RECORDED.until)
  recorded.set(zone, changes)
  return changes
}

/** So far from these days that a moment outside is on another day, whatever its offset. */
export const aroundDays = (zone: string, { first, last }: Days): Span => ({
  from: startOfLocalDay(zone, first) - 2 * DAY_MS,
  until: endOfLocalDay(zone, last) + 2 * DAY_MS,
})

/**
 * The local time of a moment, as a timestamp without time zone.
 * @param span the moments whose local time matters, for days of any year
 */
export function localTime(moment: Sql, zone: string, span: Span = RECORDED): Sql {
  const { changes, offsets } =
    span === RECORDED ? recordedChanges(zone) : offsetChanges(zone, span.from, span.until)
  return sql`(${moment} at time zone 'UTC' + make_interval(secs =>
    (${offsets}::float8[])[width_bucket(extract(epoch from ${moment})::float8, ${changes}::float8[]) + 1]))`
}

/** The local day of a moment, as text. */
export const localDay = (moment: Sql, zone: string): Sql =>
  sql`to_char(${localTime(moment, zone)}, 'YYYY-MM-DD')`
