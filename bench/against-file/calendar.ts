/** Days, texts and spans, counted with Temporal and Intl only. */

export const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds
export const startOf = (day: string, zone: string) =>
  Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
export const afterEndOf = (day: string, zone: string) =>
  startOf(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), zone)
export const localDay = (text: string, zone: string) =>
  Temporal.Instant.from(text).toZonedDateTimeISO(zone).toPlainDate().toString()
export const american = (text: string, zone: string) => {
  const [year, month, day] = localDay(text, zone).split('-')
  return `${month}/${day}/${year}`
}
export const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
export const collator = new Intl.Collator('und')

export interface Span {
  readonly from: string
  readonly to: string
}

/** Ruling 14: it ends at or after the lower bound and begins at or before the upper bound. */
export const overlaps = (span: Span, zone: string) => {
  const [lower, upper] = [startOf(span.from, zone), afterEndOf(span.to, zone)]
  return (one: { startDate: string; endDate: string }) =>
    at(one.endDate) >= lower && at(one.startDate) < upper
}
export const inOrder = (a: { startDate: string; id: string }, b: { startDate: string; id: string }) =>
  at(a.startDate) - at(b.startDate) || bytewise(a.id, b.id)

/** Every month in which anything of these begins or ends. */
export function monthsOf(dates: readonly string[], zone: string): Span[] {
  const months = [...new Set(dates.map((date) => localDay(date, zone).slice(0, 7)))].sort()
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return []
  const spans: Span[] = []
  const end = Temporal.PlainYearMonth.from(last)
  for (
    let month = Temporal.PlainYearMonth.from(first);
    Temporal.PlainYearMonth.compare(month, end) <= 0;
    month = month.add({ months: 1 })
  ) {
    const from = month.toPlainDate({ day: 1 })
    spans.push({ from: from.toString(), to: month.toPlainDate({ day: month.daysInMonth }).toString() })
  }
  return spans
}
