/** What every page of the console uses: days, addresses, problems. */
import { describe, expect, it } from 'vitest'
import { SojournError } from '../../client/src/index.ts'
import { problemOf } from '../../console/src/base/problem.ts'
import { readRoute, to } from '../../console/src/base/routes.ts'
import english from '../../console/words/en.json' with { type: 'json' }
import {
  addDays,
  daysBetween,
  isDay,
  localTime,
  weekday,
  writtenDay,
  writtenShort,
} from '../../src/documents/days.ts'
import { wordsOf } from '../../src/documents/words.ts'

describe('days', () => {
  it('are counted over the ends of months, and over the change of the clocks', () => {
    expect([addDays('2026-02-28', 1), addDays('2026-03-28', 2), addDays('2026-01-01', -1)]).toEqual([
      '2026-03-01',
      '2026-03-30',
      '2025-12-31',
    ])
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  })

  it.each([
    ['ro', '21.11.2026', '21.11'],
    ['no', '21.11.2026', '21.11.'],
    ['de', '21.11.2026', '21.11.'],
    ['fr', '21/11/2026', '21/11'],
    ['is', '21.11.2026', '21.11'],
    ['hu', '2026. 11. 21.', '11. 21.'],
    ['en', '11/21/2026', '11/21'],
  ])('in %s are written as people write them there', (language, long, short) => {
    expect([writtenDay('2026-11-21', language), writtenShort('2026-11-21', language)]).toEqual([long, short])
  })

  it('that an address leaves out, or gets wrong, are shown as they are', () => {
    for (const given of ['', '2026-11', '2026-02-30']) {
      expect([writtenDay(given, 'de'), writtenShort(given, 'de')]).toEqual([given, given])
    }
  })

  it('have their names from the catalogue', () => {
    const t = wordsOf(english)
    expect([weekday(t, '2026-11-21'), weekday(t, '2026-11-22', 'short')]).toEqual(['Saturday', 'Sun'])
  })

  it('are those of the center, wherever the browser is', () => {
    expect(localTime('2026-11-21T22:30:00Z', 'Europe/Bucharest')).toEqual({
      day: '2026-11-22',
      time: '00:30',
    })
    expect(localTime('2026-11-21T02:00:00Z', 'America/St_Johns')).toEqual({
      day: '2026-11-20',
      time: '22:30',
    })
  })

  it.each(['', '2026-02-30', '2026-2-3', '20261121', '2026-11-21T10:00'])('%s is none', (text) => {
    expect(isDay(text)).toBe(false)
  })
})

describe('places', () => {
  it('are read from the text after #', () => {
    expect(readRoute('#/kitchen/week/?from=2026-11-21')).toEqual({
      path: 'kitchen/week',
      query: { from: '2026-11-21' },
    })
    expect(readRoute('')).toEqual({ path: '', query: {} })
  })

  it('are written so that they are read back, without what is not given', () => {
    const address = to('guests', { sessionId: 'a&b=c#d é', status: undefined, role: '' })
    expect(address).toBe('#/guests?sessionId=a%26b%3Dc%23d+%C3%A9')
    expect(readRoute(address).query).toEqual({ sessionId: 'a&b=c#d é' })
  })
})

describe('problems', () => {
  const of = (error: unknown) => problemOf(error, 1000)

  it.each([
    ['CONNECTION', 'offline', 11_000],
    ['TIMEOUT', 'offline', 11_000],
    ['UNAUTHORIZED', 'ended', undefined],
    ['FORBIDDEN', 'forbidden', undefined],
    ['INVALID_PARAMETER', 'refused', undefined],
    ['UNAVAILABLE', 'failed', 31_000],
    ['INTERNAL', 'failed', 31_000],
    ['BAD_ANSWER', 'failed', 31_000],
  ] as const)('%s is %s, and asked again at %s', (code, kind, againAt) => {
    expect(of(new SojournError(code, 'sentence'))).toMatchObject({ kind, againAt, since: 1000 })
  })

  it('a limit ends when the service says so', () => {
    expect(of(new SojournError('RATE_LIMITED', '', { retryAfterSeconds: 90 }))).toMatchObject({
      kind: 'limited',
      againAt: 92_000,
    })
  })

  it('what is wrong with a question is said in the service’s words, every part of it', () => {
    const details = [
      { parameter: 'startDate', message: 'One.' },
      { parameter: 'endDate', message: 'Two.' },
    ]
    expect(of(new SojournError('INVALID_PARAMETER', 'sentence', { details })).message).toBe('One. Two.')
  })

  it('an administrator gets the code and the request', () => {
    expect(of(new SojournError('INTERNAL', '', { requestId: 'r-1' })).code).toBe('INTERNAL r-1')
    expect(of(new TypeError('x is undefined'))).toMatchObject({
      kind: 'failed',
      code: 'TypeError: x is undefined',
    })
  })
})
