/**
 * Relative days in a saved query: `today`, `week-start`, `today+6`, `month-end-1m`. They become local days of the
 * center when the link is used.
 */

const WORDS: Readonly<Record<string, (day: Temporal.PlainDate) => Temporal.PlainDate>> = {
  today: (day) => day,
  // Weeks begin on Monday, as in ISO 8601.
  'week-start': (day) => day.subtract({ days: day.dayOfWeek - 1 }),
  'week-end': (day) => day.add({ days: 7 - day.dayOfWeek }),
  'month-start': (day) => day.with({ day: 1 }),
  'month-end': (day) => day.with({ day: day.daysInMonth }),
  'year-start': (day) => day.with({ month: 1, day: 1 }),
  'year-end': (day) => day.with({ month: 12, day: 31 }),
}

const UNITS: Readonly<Record<string, 'days' | 'weeks' | 'months' | 'years'>> = {
  d: 'days',
  w: 'weeks',
  m: 'months',
  y: 'years',
}

/** An unescaped plus in a URL arrives as a space. */
const MOVING_DAY = /^([a-z]+(?:-[a-z]+)?)(?:([-+ ])(\d{1,4})([dwmy]?))?$/

export const MOVING_DAYS = `${Object.keys(WORDS).join(', ')}, each with + or - a number of days, or of weeks, months or years (today+6, week-start+1w, month-end-1m)`

/** @param today the center's local day @returns the day as `YYYY-MM-DD`; undefined if the text is not a relative day */
export function movingDay(text: string, today: string): string | undefined {
  const [, word = '', sign, count = '0', unit = ''] = MOVING_DAY.exec(text) ?? []
  const dayOf = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  if (dayOf === undefined) return undefined
  const by = { [UNITS[unit] ?? 'days']: Number(count) * (sign === '-' ? -1 : 1) }
  const from = Temporal.PlainDate.from(today)
  // Months and years are added before the first or last day is taken: the end of next month is month-end+1m.
  const moved = unit === 'm' || unit === 'y' ? dayOf(from.add(by)) : dayOf(from).add(by)
  return moved.toString()
}
