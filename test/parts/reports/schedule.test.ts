/** When reports are sent: local times, also where the clocks of the center are changed. */
import { describe, expect, it } from 'vitest'
import { nextTime, scheduleProblem } from '../../../src/parts/reports/schedule.ts'

const ZONE = 'Europe/Bucharest'
const at = (text: string) => Date.parse(text)
const times = (schedule: { times: string[]; days: string }, from: string, count: number, zone = ZONE) => {
  const found: string[] = []
  for (let moment = at(from); found.length < count; ) {
    moment = nextTime(schedule, zone, moment)
    found.push(new Date(moment).toISOString().slice(0, 16))
  }
  return found
}

describe('the next time of a report', () => {
  it.each([
    [
      'each day',
      { times: ['06:00'], days: 'daily' },
      ['2025-01-10T04:00', '2025-01-11T04:00', '2025-01-12T04:00'],
    ],
    [
      'several times',
      { times: ['06:00', '17:30'], days: 'daily' },
      ['2025-01-09T15:30', '2025-01-10T04:00', '2025-01-10T15:30'],
    ],
    [
      'days of the week',
      { times: ['06:00'], days: 'mon-fri' },
      ['2025-01-10T04:00', '2025-01-13T04:00', '2025-01-14T04:00'],
    ],
    [
      'over the end of the week',
      { times: ['06:00'], days: 'sat-mon' },
      ['2025-01-11T04:00', '2025-01-12T04:00', '2025-01-13T04:00'],
    ],
    [
      'single days',
      { times: ['06:00'], days: 'tue,thu' },
      ['2025-01-14T04:00', '2025-01-16T04:00', '2025-01-21T04:00'],
    ],
    [
      'the first of the month',
      { times: ['06:00'], days: '1' },
      ['2025-02-01T04:00', '2025-03-01T04:00', '2025-04-01T03:00'],
    ],
    [
      'a day that a month does not have',
      { times: ['06:00'], days: '31' },
      ['2025-01-31T04:00', '2025-02-28T04:00', '2025-03-31T03:00'],
    ],
    [
      'the last of the month',
      { times: ['06:00'], days: 'last' },
      ['2025-01-31T04:00', '2025-02-28T04:00', '2025-03-31T03:00'],
    ],
  ] as const)('is on %s', (_, { times: given, days }, expected) => {
    expect(times({ times: [...given], days }, '2025-01-09T10:00:00Z', 3)).toEqual(expected)
  })

  it('is an hour later by the clock where the time does not exist, once', () => {
    // At 3:00 clocks are put forward to 4:00.
    expect(times({ times: ['03:30'], days: 'daily' }, '2025-03-29T12:00:00Z', 2)).toEqual([
      '2025-03-30T01:30',
      '2025-03-31T00:30',
    ])
  })

  it('is the first of two equal times where clocks are put back, once', () => {
    expect(times({ times: ['03:30'], days: 'daily' }, '2025-10-25T12:00:00Z', 2)).toEqual([
      '2025-10-26T00:30',
      '2025-10-27T01:30',
    ])
  })

  it('is on the day of the center, not of UTC', () => {
    expect(times({ times: ['23:30'], days: 'mon' }, '2025-01-09T10:00:00Z', 1, 'America/St_Johns')).toEqual([
      '2025-01-14T03:00',
    ])
  })
})

it.each([
  [['6:00'], 'daily', /is not a time/],
  [[], 'daily', /is not a time/],
  [['24:00'], 'daily', /is not a time/],
  [['06:00', '07:00', '08:00', '09:00', '10:00'], 'daily', /at most 4 times/],
  [['06:00'], 'someday', /does not name days/],
  [['06:00'], 'mon-', /does not name days/],
  [['06:00'], 'mon,1', /does not name days/],
  [['06:00'], '32', /does not name days/],
  [['06:00'], '', /does not name days/],
])('a schedule of %j on %s is refused with what is allowed', (given, days, message) => {
  expect(scheduleProblem({ times: given, days })).toMatch(message)
})
