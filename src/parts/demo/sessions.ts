import { addDays, moment } from './calendar.ts'
import { demoTimeZone } from './centers.ts'
import { DEMO_CENTER_ID, type IntakeRecord } from './record.ts'
import { termIds } from './terms.ts'

/** A session of the demo center, with its local days. */
export type DemoSession = { id: string; number: number; firstDay: string; lastDay: string }

const sessionNames = [
  'Winter Rest',
  'New Strength',
  'Heart Days',
  'Snowdrop',
  'Gentle Detox',
  'Spring Water',
  'Joints in Motion',
  'White Spring',
  'Forest Air',
  'Sleep Well',
  'Balance',
  'Summer Baths',
  'Mountain Herbs',
  'Harvest',
]

/** Which session runs today. Seven lie before it and six after it, so that both have history to show. */
const runningNumber = 8
const lengthDays = 10
const daysSinceStart = 4

const sessionId = (number: number) => `session-${String(number).padStart(2, '0')}`

/** Identifier of the session that runs on the day the demo was made for. */
export function todaySessionId(): string {
  return sessionId(runningNumber)
}

/** The demo center's sessions: ten days each, one after the other, the eighth on its fifth day today. */
export function planSessions(today: string): DemoSession[] {
  return sessionNames.map((_, index) => {
    const number = index + 1
    const firstDay = addDays(today, (number - runningNumber) * lengthDays - daysSinceStart)
    return { id: sessionId(number), number, firstDay, lastDay: addDays(firstDay, lengthDays - 1) }
  })
}

/** The sessions as records. */
export function* sessionRecords(sessions: readonly DemoSession[]): Iterable<IntakeRecord> {
  for (const { id, number, firstDay, lastDay } of sessions) {
    yield {
      kind: 'session',
      centerId: DEMO_CENTER_ID,
      id,
      name: sessionNames[number - 1],
      number: String(number),
      // Every fifth session is left without the optional texts and lists: integrations meet those as well.
      ...(number % 5 !== 0 && {
        text: `Ten days of ${sessionNames[number - 1]?.toLowerCase()} with daily treatments and a final talk.`,
        programIds: termIds('program').filter((_, index) => index !== number % 5),
        unitIds: termIds('unit').slice(0, 1 + (number % 3)),
      }),
      startDate: moment(firstDay, '15:00', demoTimeZone),
      endDate: moment(lastDay, '11:00', demoTimeZone),
    }
  }
}
