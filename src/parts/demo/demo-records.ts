/**
 * The demo: a center with about 400 bookings around today, and a second, small one that must stay invisible to it. All of it is
 * invented: nobody can live at its addresses, and nobody can have its telephone numbers.
 */
import { readFileSync } from 'node:fs'

/** One intake record, version 1: what it is, and its fields as they would stand on a line of NDJSON. */
export type IntakeRecord = Record<string, unknown> & { kind: string }

/** Identifier of the demo center itself. */
export const DEMO_CENTER_ID = 'demo'

/** Identifier of the second center, whose data must never show in an answer of the first. */
export const OTHER_CENTER_ID = 'other'

/** Time zone of the demo center: today is a day in it. */
export const demoTimeZone = 'Europe/Bucharest'

/** The session that runs today. */
export const TODAY_SESSION_ID = 'session-08'

/** An order of today's session with three guests. */
export const EXAMPLE_ORDER_UUID = '7d3f1c52-8a4e-4b6f-9c21-0e5a6b7c8d90'

/** Days from today; for a birthday, years before that day; a local time, or how a date is written inside of a text. */
const RELATIVE = /\{([+-]\d+)(?: (\d+)y)?(?: (\d\d:\d\d))?(Z)?(?: ([a-z]+))?\}/g

const two = (number: number) => String(number % 100).padStart(2, '0')

const SHAPES: Readonly<Record<string, (day: Temporal.PlainDate) => string>> = {
  year: ({ year }) => String(year),
  yymmdd: ({ year, month, day }) => two(year) + two(month) + two(day),
  // Norwegian test persons have 80 added to the month.
  norwegian: ({ year, month, day }) => two(day) + two(month + 80) + two(year),
}

/**
 * The lines of `demo-records.ndjson` as intake records. They have no `centerId`: each record belongs to the center before it.
 * @param options.today the demo center's local day, YYYY-MM-DD
 */
export function* demoRecords(options: { today: string }): Iterable<IntakeRecord> {
  const today = Temporal.PlainDate.from(options.today)
  const lines = readFileSync(new URL('./demo-records.ndjson', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  let center = { id: '', timezone: '' }
  const written = (text: string) =>
    text.replace(RELATIVE, (_, days, years = 0, plainTime?: string, utc?: string, shape = '') => {
      const day = today.add({ days: Number(days) }).subtract({ years: Number(years) })
      if (plainTime === undefined) return SHAPES[shape]?.(day) ?? day.toString()
      const moment = day.toZonedDateTime({ timeZone: center.timezone, plainTime })
      return utc
        ? moment.toInstant().toString()
        : moment.toString({ timeZoneName: 'never', smallestUnit: 'second' })
    })
  for (const line of lines) {
    const { kind, ...fields } = JSON.parse(line, (_, value) =>
      typeof value === 'string' ? written(value) : value,
    )
    if (kind === 'center') center = fields
    yield kind === 'center' ? { kind, ...fields } : { kind, centerId: center.id, ...fields }
  }
}
