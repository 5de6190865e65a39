import { describe, expect, it } from 'vitest'
import { relativeDay } from '../../src/core/request/relative-days.ts'

/** A Sunday: the last day of its week, as weeks begin on Monday. */
const SUNDAY = '2026-11-22'

describe('a word for a day', () => {
  it.each([
    ['today', '2026-11-22'],
    ['tomorrow', '2026-11-23'],
    ['yesterday', '2026-11-21'],
    ['today+6', '2026-11-28'],
    ['today 6', '2026-11-28'],
    ['today-30', '2026-10-23'],
    ['week-start', '2026-11-16'],
    ['week-end', '2026-11-22'],
    ['week-start+1w', '2026-11-23'],
    ['month-start', '2026-11-01'],
    ['month-end+1m', '2026-12-31'],
    ['month-end+3m', '2027-02-28'],
    ['month-start-9m', '2026-02-01'],
    ['year-start', '2026-01-01'],
    ['year-end+1y', '2027-12-31'],
    ['today+1y', '2027-11-22'],
  ])('%s is %s', (text, day) => {
    expect(relativeDay(text, SUNDAY)).toBe(day)
  })

  it.each([
    'morgen',
    'today+9999y',
    'today+',
    'today+x',
    'today+12345',
    'Today',
    '',
    'to-day',
    'today++6',
    'constructor',
    '2026-11-22',
  ])('%j is none', (text) => {
    expect(relativeDay(text, SUNDAY)).toBeUndefined()
  })

  it('begins a week on the day itself where that is a Monday', () => {
    expect(relativeDay('week-start', '2026-11-16')).toBe('2026-11-16')
    expect(relativeDay('week-end', '2026-11-16')).toBe('2026-11-22')
  })
})
