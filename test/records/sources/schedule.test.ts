import { describe, expect, test } from 'vitest'
import { GRACE_MS, timingOf } from '../../../src/core/records/sources/deadlines.ts'
import { knownSchedule, readSchedule, type Schedule } from '../../../src/core/records/sources/schedule.ts'

const ZONE = 'Europe/Berlin'
const at = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).epochMilliseconds
const local = (ms: number | undefined) =>
  ms === undefined
    ? undefined
    : Temporal.Instant.fromEpochMilliseconds(ms - GRACE_MS)
        .toZonedDateTimeISO(ZONE)
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' })

function schedule(text: string): Schedule {
  const found = knownSchedule(text)
  if (found === undefined) throw new Error(`not a schedule: ${text}`)
  return found
}

/** When the source is late, as local time without the minutes of grace. */
const due = (text: string, arrivals: readonly string[], now: string, since = '2026-01-01T00:00') =>
  local(timingOf(schedule(text), ZONE, arrivals.map(at), at(since), at(now)).dueAt)

const isLate = (text: string, arrivals: readonly string[], now: string) =>
  timingOf(schedule(text), ZONE, arrivals.map(at), at('2026-01-01T00:00'), at(now)).lateSince !== undefined

describe('schedules as text', () => {
  test.each([
    'hourly',
    'Hourly 06:00–22:00',
    'hourly 06:00 - 24:00',
    'every 15 minutes',
    'every 2 hours 08:00-20:00 on mon–fri',
    'every night by 04:00',
    'every day by 18:30 on saturday, sun except 2026-12-25, 2026-12-26',
  ])('%s is read', (text) => {
    expect(readSchedule(text)).toHaveProperty('schedule')
  })

  test.each([
    ['sometimes', 'is not one of "hourly"'],
    ['', 'is not one of "hourly"'],
    ['every 2 minutes', 'from 5 minutes to 24 hours'],
    ['every 9999 hours', 'from 5 minutes to 24 hours'],
    ['hourly 22:00–06:00', 'end before they begin'],
    ['hourly 6–22', 'not of the form 06:00–22:00'],
    ['hourly 06:00–25:00', 'not of the form 06:00–22:00'],
    ['every night by 24:00', 'is not one of "hourly"'],
    ['hourly on mondy', 'is not one of mon, tue'],
    ['hourly on mon–', 'is not one of mon, tue'],
    ['hourly except 25.12.2026', 'is not a date of the form YYYY-MM-DD'],
    ['hourly except 2026-02-30', 'is not a date of the form YYYY-MM-DD'],
    [`hourly${' '.repeat(2000)}`, 'longer than 1000 characters'],
    [`hourly except ${Array.from({ length: 51 }, () => '2026-12-25').join()}`, 'may name 50 dates'],
  ])('%j is refused with what is allowed', (text, sentence) => {
    expect(readSchedule(text)).toEqual({ problem: expect.stringContaining(sentence) })
  })

  test('a range of days may pass Sunday', () => {
    expect([...schedule('hourly on sat–mon').days].sort()).toEqual([1, 6, 7])
  })
})

describe('an interval', () => {
  test('is counted from the last delivery', () => {
    expect(due('hourly', ['2026-11-21T09:17'], '2026-11-21T09:30')).toBe('2026-11-21T10:17')
  })

  test('runs only during the hours of the schedule', () => {
    expect(due('hourly 06:00–22:00', ['2026-11-21T21:40'], '2026-11-21T23:00')).toBe('2026-11-22T06:40')
    expect(due('hourly 06:00–22:00', ['2026-11-21T22:01'], '2026-11-22T05:00')).toBe('2026-11-22T07:00')
    expect(due('hourly 06:00–22:00', ['2026-11-21T04:00'], '2026-11-21T05:00')).toBe('2026-11-21T07:00')
  })

  test('runs only on the days of the schedule', () => {
    expect(due('every 2 hours 08:00–18:00 on mon–fri', ['2026-11-20T17:30'], '2026-11-21T12:00')).toBe(
      '2026-11-23T09:30',
    )
  })

  test('is longer by the hour that clocks show twice', () => {
    // Clocks go back at 03:00 on 25 October; the sender leaves out one of the two hours.
    const after = timingOf(
      schedule('hourly'),
      ZONE,
      [Date.UTC(2026, 9, 25, 0, 30)],
      0,
      Date.UTC(2026, 9, 25, 1),
    )
    expect(after.dueAt).toBe(Date.UTC(2026, 9, 25, 2, 30) + GRACE_MS)
  })

  test('is late only after minutes of grace', () => {
    expect(isLate('hourly', ['2026-11-21T09:17'], '2026-11-21T10:20')).toBe(false)
    expect(isLate('hourly', ['2026-11-21T09:17'], '2026-11-21T10:21')).toBe(true)
  })

  test('begins when the schedule is set', () => {
    expect(due('hourly', [], '2026-11-21T09:30', '2026-11-21T09:00')).toBe('2026-11-21T10:00')
  })
})

describe('a deadline', () => {
  const NIGHT = 'every night by 04:00'

  test('is met by a delivery that is nearer to it than to another one', () => {
    expect(due(NIGHT, ['2026-11-20T03:00'], '2026-11-20T12:00')).toBe('2026-11-21T04:00')
    expect(due(NIGHT, ['2026-11-20T23:30'], '2026-11-21T03:00')).toBe('2026-11-22T04:00')
    expect(due(NIGHT, ['2026-11-20T10:00'], '2026-11-21T03:00')).toBe('2026-11-21T04:00')
  })

  test('stays the first one that was missed until a delivery comes', () => {
    expect(due(NIGHT, ['2026-11-18T03:00'], '2026-11-21T12:00')).toBe('2026-11-19T04:00')
  })

  test('a late delivery is that of the night before, and the next night needs another', () => {
    const arrivals = ['2026-11-19T03:00', '2026-11-20T06:00']
    expect(due(NIGHT, arrivals, '2026-11-20T05:00')).toBe('2026-11-20T04:00')
    expect(due(NIGHT, arrivals, '2026-11-20T07:00')).toBe('2026-11-21T04:00')
    expect(due(NIGHT, arrivals, '2026-11-22T07:00')).toBe('2026-11-21T04:00')
    // Data that comes in the evening is new, whatever was missing before.
    expect(due(NIGHT, [...arrivals, '2026-11-21T19:00'], '2026-11-21T20:00')).toBe('2026-11-23T04:00')
  })

  test('leaves out days and dates', () => {
    expect(due(`${NIGHT} on mon–fri`, ['2026-11-20T03:00'], '2026-11-22T12:00')).toBe('2026-11-23T04:00')
    expect(due(`${NIGHT} except 2026-12-25`, ['2026-12-24T03:00'], '2026-12-25T12:00')).toBe(
      '2026-12-26T04:00',
    )
  })

  test('is in local time on both sides of a change of clocks', () => {
    expect(due(NIGHT, ['2026-03-28T03:30'], '2026-03-28T12:00')).toBe('2026-03-29T04:00')
    expect(due('every night by 02:30', ['2026-03-28T02:00'], '2026-03-28T12:00')).toBe('2026-03-29T03:30')
  })

  test('is not expected before the schedule was set', () => {
    expect(due(NIGHT, [], '2026-11-20T12:00', '2026-11-20T10:00')).toBe('2026-11-21T04:00')
  })
})
