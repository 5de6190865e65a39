/** The day that many days later (or earlier, when negative), as YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** The same day that many years earlier; 29 February becomes 28 February where the year has none. */
export function yearsEarlier(day: string, years: number): string {
  return Temporal.PlainDate.from(day).subtract({ years }).toString()
}

/** All days from the first to the last, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

/** The earlier of two days. */
export function earliest(one: string, other: string): string {
  return one < other ? one : other
}

/** A local time of a day as a moment with the zone's offset on that day, such as 2025-01-15T15:00:00+02:00. */
export function moment(day: string, time: string, timeZone: string): string {
  return Temporal.PlainDate.from(day)
    .toZonedDateTime({ timeZone, plainTime: time })
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })
}

/** The same, written in UTC: source systems differ in which they send, and the demo holds both. */
export function momentInUtc(day: string, time: string, timeZone: string): string {
  return Temporal.Instant.from(moment(day, time, timeZone)).toString()
}
