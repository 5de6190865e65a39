/** The dates of birth that a person may mean by what was typed. */

import { daysMeant } from '../../core/api/guests/match-likeness.ts'
import { isLocalDate } from '../../core/locale/dates.ts'
import { plainDigits } from '../../core/locale/digits.ts'

export interface DatesMeant {
  /** YYYY-MM-DD; of an ambiguous date, such as 03/05/80, each that it may be */
  readonly meant: readonly string[]
  /** those that it may be an error for */
  readonly similar: readonly string[]
}

export const NO_DATE: DatesMeant = { meant: [], similar: [] }

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})\.?$/
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{2})$/

/** Dots are written between day, month and year in this order; with a slash or a dash, either may be first. */
export function datesMeant(text: string, today: string): DatesMeant {
  const typed = plainDigits(text).replaceAll(/\s/g, '')
  const first = YEAR_FIRST.exec(typed)
  if (first !== null) return meaning([date(first[1], first[3], first[4])], today)
  const [, one, sign, other, year = ''] = YEAR_LAST.exec(typed) ?? []
  const years = year.length === 2 ? [`19${year}`, `20${year}`] : year === '' ? [] : [year]
  return meaning(
    years.flatMap((of) => [date(of, other, one), ...(sign === '.' ? [] : [date(of, one, other)])]),
    today,
  )
}

const date = (year = '', month = '', day = '') => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/** Nobody is born tomorrow. */
function meaning(dates: readonly string[], today: string): DatesMeant {
  const meant = [...new Set(dates.filter((day) => isLocalDate(day) && day <= today))]
  const similar = meant.flatMap((day) => daysMeant(day) ?? []).filter((day) => !meant.includes(day))
  return { meant, similar: [...new Set(similar)] }
}
