/** Days, texts and spans, counted with Temporal and Intl only. */
import {
  byStart,
  type CountedStay,
  endOf,
  isListed,
  localDay as localDayOf,
  startOf,
} from '../../test/support/guests-oracle.ts'

export const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds
export const localDay = (text: string, zone: string) => localDayOf(at(text), zone)
export const american = (text: string, zone: string) => {
  const [year, month, day] = localDay(text, zone).split('-')
  return `${month}/${day}/${year}`
}
export const collator = new Intl.Collator('und')

export interface Span {
  readonly from: string
  readonly to: string
}

interface Dated {
  readonly id: string
  readonly startDate: string
  readonly endDate: string
  readonly sessionIds?: readonly string[] | undefined
}

/** As the one model counts them. */
export const counted = ({ id, startDate, endDate, sessionIds = [] }: Dated): CountedStay => ({
  ...{ id, sessionIds, start: at(startDate), end: at(endDate) },
})

/** Ruling 14: it ends at or after the lower bound and begins at or before the upper bound. */
export const overlaps = (span: Span, zone: string) => {
  const range = { from: startOf(span.from, zone), to: endOf(span.to, zone) }
  return (one: Dated) => isListed(counted(one), range)
}
export const inOrder = (a: Dated, b: Dated) => byStart(counted(a), counted(b))

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
