/** Finds arrival and departure by the cells, where the headings do not say which columns they are. */
import { stayPairs } from './choose-formats.ts'
import { HOURS, type Question } from './draft.ts'
import type { Assigned } from './evidence.ts'
import type { Look } from './look.ts'
import type { Profile } from './profile.ts'

/** The columns with the fields that were found, and what is asked. */
interface Stay {
  readonly columns: readonly Assigned[]
  readonly questions: Question[]
}

/**
 * Two columns of dates of which one is never earlier than the other are arrival and departure. If several pairs are, which
 * one is a question.
 */
export function findStay({ columns: found, header }: Pick<Look, 'columns' | 'header'>): Stay {
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
    ask: `Which columns are arrival and departure? Each of these pairs could be: ${pairs.map((each) => `${each.start.name} and ${each.end.name}`).join('; ')}.`,
    answers: pairs.map((each) => ({
      answer: `${each.start.name} and ${each.end.name}`,
      means: `${each.start.samples[0]} to ${each.end.samples[0]}`,
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
