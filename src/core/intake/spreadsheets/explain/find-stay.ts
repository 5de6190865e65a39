/** Finds arrival and departure by the cells, where the headings do not say which columns they are. */

import type { Said } from '../../../locale/said.ts'
import { timeFormatOf } from '../mapping/written-forms.ts'
import { stayPairs } from './choose-formats.ts'
import { HOURS, type Question } from './draft.ts'
import type { Assigned } from './evidence.ts'
import { fieldsNamed } from './headings.ts'
import type { Profile } from './profile.ts'
import type { Look } from './table-profile.ts'

/** The columns with the fields that were found, and what is asked. */
interface Stay {
  readonly columns: readonly Assigned[]
  readonly questions: Question[]
}

/**
 * Two columns of dates of which one is never earlier than the other are arrival and departure. If several pairs are, which
 * one is a question.
 */
export function findStay(look: Pick<Look, 'columns' | 'header'>): Stay {
  const { columns, questions } = findDays(look)
  return { columns: withHours(columns), questions }
}

/**
 * Columns of times of day are those of the arrival and of the departure, if their headings say so or they follow the day, which
 * has no time.
 */
function withHours(columns: readonly Assigned[]): Assigned[] {
  const result = [...columns]
  for (const [day, hour] of [
    ['booking.startDate', 'startTime'],
    ['booking.endDate', 'endTime'],
  ] as const) {
    const at = columns.findIndex(({ field }) => field === day)
    const dates = columns[at]?.profile.dates
    if (dates === undefined || dates.hasTimes) continue
    const times = columns.filter(({ field, profile }) => field === undefined && isTimes(profile))
    const named = times.filter(({ profile }) => fieldsNamed(profile.name).has(day))
    const next = columns[at + 1]
    const found =
      named.length === 1 ? named[0] : next !== undefined && times.includes(next) ? next : undefined
    if (found === undefined) continue
    result[columns.indexOf(found)] = { profile: found.profile, field: hour, isByCells: true }
  }
  return result
}

const isTimes = ({ texts, filled }: Profile) =>
  filled > 0 && texts.every((text) => text === '' || timeFormatOf(text) !== undefined)

const namesOf = ({ start, end }: { readonly start: Profile; readonly end: Profile }): Said => ({
  list: [start.name, end.name],
})

function findDays({ columns: found, header }: Pick<Look, 'columns' | 'header'>): Stay {
  const columns = [...found]
  const questions: Question[] = []
  const named = (field: string) => columns.find((column) => column.field === field)?.profile
  const [start, end] = [named('booking.startDate'), named('booking.endDate')]
  const isEndOpen = [end, named('nights'), named('lastNight')].every((profile) => profile === undefined)
  if (start !== undefined && !isEndOpen) return { columns, questions }
  if (!columns.some(({ field }) => field !== undefined) && header !== 0) return { columns, questions }
  const free = columns
    .filter(
      ({ field, profile, twin }) =>
        field === undefined && twin === undefined && (profile.dates?.share ?? 0) > 0.8,
    )
    .map(({ profile }) => profile)
  const pairs = stayPairs(start === undefined ? free : [start], end === undefined ? free : [end])
  const give = (profile: Profile, field: string) => {
    const at = columns.findIndex((column) => column.profile === profile)
    if (columns[at]?.field === undefined) columns[at] = { profile, field, isByCells: true }
  }
  const [pair, ...others] = pairs
  if (pair === undefined) return { columns, questions }
  give(pair.start, 'booking.startDate')
  give(pair.end, 'booking.endDate')
  if (others.length === 0) return { columns, questions }
  questions.push({
    ask: { key: 'whichPair', values: { pairs: { list: pairs.map(namesOf), by: '; ' } } },
    answers: pairs.map((each) => ({
      answer: namesOf(each),
      means: `${each.start.samples[0]} – ${each.end.samples[0]}`,
      patch: {
        records: {
          booking: {
            startDate: { column: each.start.name, time: HOURS.startDate },
            endDate: { column: each.end.name, time: HOURS.endDate },
          },
        },
      },
    })),
  })
  return { columns, questions }
}
