/** Counts skipped meals for the kitchen: by date, by guest, and in total. */

import { csvLine } from '../../answer/files/csv.ts'
import { compareNames, fullName } from '../../locale/names.ts'
import { MEALS } from '../../records/fields/meals.ts'
import { eachInSlices, type Sliced, sortedInSlices } from '../../request/slices.ts'
import {
  countDays,
  type Day,
  inOrder,
  type ReportScope,
  type SkippingGuest,
  type SkippingRow,
  skipsOf,
  weighDay,
  weighGuest,
  weightOf,
} from './count-skips.ts'
import { reportJson } from './report-json.ts'

/** `csv`: a row for each skipped meal. */
export type ReportForm = 'json' | 'csv'

/** A report as text. */
export interface ReportText {
  /** the text of a `MealSkippingReport` in the requested form */
  readonly pieces: readonly string[] | readonly Buffer[]
  /** the guests that it shows */
  readonly ids: readonly string[]
}

/**
 * @param totalGuests the guests that were analyzed, with and without skips
 * @param rows those who have skips recorded
 */
export function* presentReport(
  totalGuests: number,
  rows: readonly SkippingRow[],
  scope: ReportScope,
  form: ReportForm,
): Sliced<ReportText> {
  const guests: SkippingGuest[] = []
  yield* eachInSlices(
    rows,
    (row) => {
      const skips = skipsOf(row, scope)
      if (skips.length > 0) guests.push({ id: row[0], name: fullName(row[1], row[2]), skips })
    },
    ([, , , , , skips]) => weightOf(MEALS.reduce((days, meal) => days + (skips[meal]?.length ?? 0), 0)),
  )
  const sorted = yield* sortedInSlices(
    guests,
    (a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1),
  )
  const byDate = new Map<string, Day>()
  yield* eachInSlices(sorted, (guest) => countDays(guest, byDate), weighGuest)
  const days = yield* sortedInSlices([...byDate.values()], inOrder)
  const ids = sorted.map(({ id }) => id)
  if (form === 'csv') {
    const pieces = [csvLine(['date', 'meal', 'id', 'name'])]
    yield* eachInSlices(days, (day) => pieces.push(csvOfDay(day)), weighDay)
    return { pieces, ids }
  }

  return { pieces: yield* reportJson(totalGuests, sorted, days), ids }
}

/** The rows of a date, in the order of the day. */
const csvOfDay = ({ date, guests }: Day): string =>
  MEALS.flatMap((meal, at) => (guests[at] ?? []).map(({ id, name }) => csvLine([date, meal, id, name]))).join(
    '',
  )
