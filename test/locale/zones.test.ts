import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLocalDate } from '../../src/core/locale/dates.ts'
import {
  endOfLocalDay,
  isTimeZone,
  localDateOf,
  MOMENT_MAX,
  MOMENT_MIN,
  momentFromLocal,
  startOfLocalDay,
} from '../../src/core/locale/zones.ts'

const ms = (iso: string) => Date.parse(iso)
const iso = (epochMs: number) => new Date(epochMs).toISOString()
const hours = 3_600_000

// Chosen for what they do: summer time north and south, half and quarter hours, midnights that do not exist or
// come twice, a skipped day, a day that came twice, changes of thirty minutes and of seconds.
const hardZones = [
  'UTC',
  'Europe/Bucharest',
  'Europe/Oslo',
  'Europe/London',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'America/Toronto',
  'America/Juneau',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Asia/Gaza',
  'Asia/Manila',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Africa/Monrovia',
  'Australia/Lord_Howe',
  'Australia/Eucla',
  'Antarctica/Troll',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
]

describe('isTimeZone', () => {
  test('takes names of the IANA database, aliases and any case included', () => {
    for (const name of [...hardZones, 'Asia/Calcutta', 'europe/oslo', 'Etc/GMT+5', 'US/Pacific', 'utc']) {
      expect(isTimeZone(name), name).toBe(true)
    }
  })

  test('every zone of the platform works', () => {
    for (const name of Intl.supportedValuesOf('timeZone')) {
      expect(isTimeZone(name), name).toBe(true)
      expect(localDateOf(name, ms('2025-06-15T12:00:00Z'))).toMatch(/^2025-06-1[56]$/)
    }
  })

  test('refuses everything else', () => {
    for (const name of [
      '',
      ' ',
      'Mars/Olympus',
      '+02:00',
      '02:00',
      'Europe/Oslo ',
      'Europe/Oslo\0',
      '2025-01-01T00:00[Europe/Oslo]',
      'constructor',
      '__proto__',
      'x'.repeat(100_000),
    ]) {
      expect(isTimeZone(name), JSON.stringify(name.slice(0, 40))).toBe(false)
    }
  })

  test('an unknown zone is a RangeError, not a wrong day', () => {
    expect(() => localDateOf('Mars/Olympus', 0)).toThrow(RangeError)
    expect(() => startOfLocalDay('+02:00', '2025-01-01')).toThrow(RangeError)
    expect(() => localDateOf('Europe/Oslo', Number.NaN)).toThrow(RangeError)
  })
})

describe('ruling 12: days are local days', () => {
  test('a summer night and a winter night in Bucharest', () => {
    expect(localDateOf('Europe/Bucharest', ms('2025-07-01T20:59:59.999Z'))).toBe('2025-07-01')
    expect(localDateOf('Europe/Bucharest', ms('2025-07-01T21:00:00Z'))).toBe('2025-07-02')
    expect(localDateOf('Europe/Bucharest', ms('2025-01-01T21:00:00Z'))).toBe('2025-01-01')
    expect(localDateOf('Europe/Bucharest', ms('2025-01-01T22:00:00Z'))).toBe('2025-01-02')
  })

  test('days with 23 and 25 hours', () => {
    const length = (date: string) =>
      endOfLocalDay('Europe/Oslo', date) + 1 - startOfLocalDay('Europe/Oslo', date)
    expect(length('2025-03-29')).toBe(24 * hours)
    expect(length('2025-03-30')).toBe(23 * hours)
    expect(length('2025-10-26')).toBe(25 * hours)
  })

  test('half and quarter hours', () => {
    expect(iso(startOfLocalDay('Asia/Kolkata', '2025-01-15'))).toBe('2025-01-14T18:30:00.000Z')
    expect(iso(startOfLocalDay('Asia/Kathmandu', '2025-01-15'))).toBe('2025-01-14T18:15:00.000Z')
    expect(iso(endOfLocalDay('Pacific/Chatham', '2025-01-15'))).toBe('2025-01-15T10:14:59.999Z')
  })

  test('a day begins at 01:00 where midnight does not exist', () => {
    expect(iso(startOfLocalDay('America/Sao_Paulo', '2018-11-04'))).toBe('2018-11-04T03:00:00.000Z')
    expect(iso(endOfLocalDay('America/Sao_Paulo', '2018-11-03'))).toBe('2018-11-04T02:59:59.999Z')
    expect(iso(startOfLocalDay('Asia/Beirut', '2025-03-30'))).toBe('2025-03-29T22:00:00.000Z')
    expect(localDateOf('Asia/Beirut', ms('2025-03-29T21:59:59.999Z'))).toBe('2025-03-29')
  })

  test('a day begins at 00:30 where clocks skip over midnight', () => {
    expect(iso(startOfLocalDay('America/Toronto', '1919-03-31'))).toBe('1919-03-31T04:30:00.000Z')
  })

  test('the day before keeps the hour that comes twice before midnight', () => {
    expect(iso(startOfLocalDay('America/Sao_Paulo', '2018-02-18'))).toBe('2018-02-18T03:00:00.000Z')
    expect(localDateOf('America/Sao_Paulo', ms('2018-02-18T02:30:00Z'))).toBe('2018-02-17')
  })

  test('the first of two midnights begins the day', () => {
    expect(iso(startOfLocalDay('America/Havana', '2025-11-02'))).toBe('2025-11-02T04:00:00.000Z')
  })

  test('a day that was skipped altogether is empty and leaves no gap', () => {
    expect(iso(endOfLocalDay('Pacific/Apia', '2011-12-29'))).toBe('2011-12-30T09:59:59.999Z')
    expect(iso(startOfLocalDay('Pacific/Apia', '2011-12-30'))).toBe('2011-12-30T10:00:00.000Z')
    expect(iso(endOfLocalDay('Pacific/Apia', '2011-12-30'))).toBe('2011-12-30T09:59:59.999Z')
    expect(iso(startOfLocalDay('Pacific/Apia', '2011-12-31'))).toBe('2011-12-30T10:00:00.000Z')
    expect(localDateOf('Pacific/Apia', ms('2011-12-30T10:00:00Z'))).toBe('2011-12-31')
  })

  test('bounds stay within the years a database can read', () => {
    for (const zone of hardZones) {
      expect(startOfLocalDay(zone, '0001-01-01')).toBeGreaterThanOrEqual(MOMENT_MIN)
      expect(endOfLocalDay(zone, '9999-12-31')).toBeLessThanOrEqual(MOMENT_MAX)
    }
    expect(iso(MOMENT_MIN)).toBe('0001-01-01T00:00:00.000Z')
    expect(iso(MOMENT_MAX)).toBe('9999-12-31T23:59:59.999Z')
  })
})

describe('ruling 12: local times', () => {
  test('a time that clocks skip is read with the offset before the change', () => {
    expect(iso(momentFromLocal('Europe/Oslo', '2025-03-30', 2.5 * hours))).toBe('2025-03-30T01:30:00.000Z')
  })

  test('a time that clocks show twice is the first', () => {
    expect(iso(momentFromLocal('Europe/Oslo', '2025-10-26', 2.5 * hours))).toBe('2025-10-26T00:30:00.000Z')
  })

  test('the end of the day is the beginning of the next', () => {
    expect(momentFromLocal('Europe/Oslo', '2025-10-26', 24 * hours)).toBe(
      startOfLocalDay('Europe/Oslo', '2025-10-27'),
    )
  })
})

describe('held to Temporal', () => {
  const zone = fc.constantFrom(...hardZones)
  const moment = fc.oneof(
    fc.integer({ min: ms('1850-01-01T00:00:00Z'), max: ms('2150-01-01T00:00:00Z') }),
    fc.integer({ min: MOMENT_MIN + 2 * 86_400_000, max: MOMENT_MAX - 800 * 86_400_000 }),
  )
  // Random moments hardly ever meet a change of clocks, so half of them are moved next to one.
  const nearChange = fc
    .tuple(
      zone,
      moment,
      fc.boolean(),
      fc.integer({ min: -3 * 24 * 60, max: 3 * 24 * 60 }),
      fc.integer({ min: -1, max: 1 }),
    )
    .map(([name, at, move, minutes, off]): [string, number] => {
      const change = move
        ? Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).getTimeZoneTransition('next')
        : null
      return [name, change === null ? at : change.epochMilliseconds + minutes * 60_000 + off]
    })
  const runs = { numRuns: 5000 }

  test('the local date of any moment', () => {
    fc.assert(
      fc.property(nearChange, ([name, at]) => {
        const theirs = Temporal.Instant.fromEpochMilliseconds(at)
          .toZonedDateTimeISO(name)
          .toPlainDate()
          .toString()
        expect(localDateOf(name, at)).toBe(theirs)
      }),
      runs,
    )
  })

  test('the first and last moment of any day', () => {
    fc.assert(
      fc.property(nearChange, ([name, at]) => {
        const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).toPlainDate()
        expect(isLocalDate(date.toString())).toBe(true)
        expect(startOfLocalDay(name, date.toString())).toBe(date.toZonedDateTime(name).epochMilliseconds)
        const next = date.add({ days: 1 })
        expect(endOfLocalDay(name, date.toString())).toBe(next.toZonedDateTime(name).epochMilliseconds - 1)
      }),
      runs,
    )
  })

  test('the moment of any local time', () => {
    fc.assert(
      fc.property(nearChange, fc.integer({ min: 0, max: 86_399_999 }), ([name, at], msOfDay) => {
        const local = Temporal.Instant.fromEpochMilliseconds(at)
          .toZonedDateTimeISO(name)
          .toPlainDate()
          .toPlainDateTime()
          .add({ milliseconds: msOfDay })
        const theirs = local.toZonedDateTime(name).epochMilliseconds
        expect(momentFromLocal(name, local.toPlainDate().toString(), msOfDay)).toBe(theirs)
      }),
      runs,
    )
  })

  test('and to Intl, which has its own zone data, around now', () => {
    const formatters = new Map(
      hardZones.map((name) => [name, new Intl.DateTimeFormat('sv', { timeZone: name, dateStyle: 'short' })]),
    )
    fc.assert(
      fc.property(
        zone,
        fc.integer({ min: ms('1975-01-01T00:00:00Z'), max: ms('2037-01-01T00:00:00Z') }),
        (name, at) => {
          expect(localDateOf(name, at)).toBe(formatters.get(name)!.format(at))
        },
      ),
      runs,
    )
  })
})
