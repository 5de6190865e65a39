import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  ageOn,
  birthdayDuringStay,
  daysBetween,
  formatLocalDate,
  formatMomentDate,
  isLocalDate,
  isoMoment,
  parseMoment,
} from '../../src/core/locale/dates.ts'
import { LANGUAGES } from '../../src/core/locale/languages.ts'
import { MOMENT_MAX, MOMENT_MIN } from '../../src/core/locale/zones.ts'

const oslo = 'Europe/Oslo'
const parsed = (text: string, zone = oslo) => {
  const moment = parseMoment(text, zone)
  return moment === undefined ? undefined : new Date(moment).toISOString()
}
const anyDay = fc
  .integer({ min: 0, max: 3_652_058 })
  .map((days) => new Date(MOMENT_MIN + days * 86_400_000).toISOString().slice(0, 10))

describe('isLocalDate', () => {
  test('ruling 11: a day that does not exist is no date', () => {
    for (const text of [
      '2025-02-29',
      '2025-02-30',
      '1900-02-29',
      '2025-04-31',
      '2025-13-01',
      '2025-00-10',
      '2025-01-00',
      '2025-01-32',
      '0000-01-01',
    ]) {
      expect(isLocalDate(text), text).toBe(false)
    }
    for (const text of ['0001-01-01', '2000-02-29', '2024-02-29', '2025-12-31', '9999-12-31']) {
      expect(isLocalDate(text), text).toBe(true)
    }
  })

  test('ruling 13: only YYYY-MM-DD', () => {
    for (const text of [
      '',
      'now',
      'infinity',
      'today',
      '2025-1-1',
      '20250101',
      '2025/01/01',
      '01-01-2025',
      '+2025-01-01',
      '-025-01-01',
      '10000-01-01',
      ' 2025-01-01',
      '2025-01-01 ',
      '2025-01-01T00:00',
      '2025-01-0\0',
      '2025-01-1e',
      '２０２５-01-01',
      '2025−01−01',
    ]) {
      expect(isLocalDate(text), JSON.stringify(text)).toBe(false)
    }
  })

  test('agrees with the calendar', () => {
    fc.assert(fc.property(anyDay, (day) => void expect(isLocalDate(day)).toBe(true)))
    const two = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), two, two, (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${month}-${day}`
        const at = new Date(`${text}T00:00:00Z`)
        const real = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
        expect(isLocalDate(text), text).toBe(real)
      }),
    )
  })
})

describe('parseMoment', () => {
  test('ruling 13: full ISO 8601 in its usual forms', () => {
    const shown: Record<string, string> = {
      '2025-01-15T08:00Z': '2025-01-15T08:00:00.000Z',
      '2025-01-15T08:00:30Z': '2025-01-15T08:00:30.000Z',
      '2025-01-15t08:00:30.5z': '2025-01-15T08:00:30.500Z',
      '2025-01-15T08:00:30.123456789Z': '2025-01-15T08:00:30.123Z',
      '2025-01-15T08:00:30.999999Z': '2025-01-15T08:00:30.999Z',
      '2025-01-15T08:00:00+02:00': '2025-01-15T06:00:00.000Z',
      '2025-01-15T08:00:00+0530': '2025-01-15T02:30:00.000Z',
      '2025-01-15T08:00:00-03': '2025-01-15T11:00:00.000Z',
      '2025-01-15T08:00+14:00': '2025-01-14T18:00:00.000Z',
      '2025-01-15T08:00:00-00:00': '2025-01-15T08:00:00.000Z',
      '2025-01-15T08:00:00+23:59': '2025-01-14T08:01:00.000Z',
      '2025-01-15T08:00:00.123456789+02:00': '2025-01-15T06:00:00.123Z',
      '2025-01-15T24:00:00Z': '2025-01-16T00:00:00.000Z',
      '2025-12-31T24:00Z': '2026-01-01T00:00:00.000Z',
      '0001-01-01T00:00:00Z': '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
    }
    for (const [text, moment] of Object.entries(shown)) expect(parsed(text), text).toBe(moment)
  })

  test("ruling 12: without an offset it is the center's local time", () => {
    expect(parsed('2025-01-15T08:00')).toBe('2025-01-15T07:00:00.000Z')
    expect(parsed('2025-07-15T08:00:00.250')).toBe('2025-07-15T06:00:00.250Z')
    expect(parsed('2025-07-15T08:00', 'Asia/Kolkata')).toBe('2025-07-15T02:30:00.000Z')
    expect(parsed('2025-03-30T02:30')).toBe('2025-03-30T01:30:00.000Z')
    expect(parsed('2025-10-26T02:30')).toBe('2025-10-26T00:30:00.000Z')
    expect(parsed('2025-10-26T24:00')).toBe('2025-10-26T23:00:00.000Z')
  })

  test('refuses what is no moment, and what a database would stumble over', () => {
    for (const text of [
      '',
      'now',
      'infinity',
      '-infinity',
      'epoch',
      'today',
      '2025-01-15',
      '2025-02-30T08:00Z',
      '2025-01-15 08:00Z',
      '2025-01-15T08Z',
      '2025-01-15T0800Z',
      '2025-01-15T8:00Z',
      '2025-01-15T08:0Z',
      '2025-01-15T25:00Z',
      '2025-01-15T24:01Z',
      '2025-01-15T24:00:01Z',
      '2025-01-15T24:00:00.001Z',
      '2025-01-15T08:60Z',
      '2025-01-15T08:00:60Z',
      '2025-01-15T08:00:0Z',
      '2025-01-15T08:00:00.Z',
      '2025-01-15T08:00:00,5Z',
      '2025-01-15T08:00:00.1234567890Z',
      '2025-01-15T08:00:00+99:00',
      '2025-01-15T08:00:00+24:00',
      '2025-01-15T08:00:00+02:60',
      '2025-01-15T08:00:00+2',
      '2025-01-15T08:00:00+020',
      '2025-01-15T08:00:00+02:0',
      '2025-01-15T08:00:00+02-00',
      '2025-01-15T08:00:00+02:00Z',
      '2025-01-15T08:00:00ZZ',
      '2025-01-15T08:00:00 02:00',
      '2025-01-15T08:00:00Z ',
      '2025-01-15T08:00:00[Europe/Oslo]',
      '2025-01-15T08:00:00Z\0',
      '2025-01-15T08:00\0',
      '2025-01-15\x1408:00Z',
      '+002025-01-15T08:00Z',
      '1736928000000',
      `2025-01-15T08:00:00.${'1'.repeat(100_000)}Z`,
    ]) {
      expect(parsed(text), JSON.stringify(text.slice(0, 60))).toBeUndefined()
    }
  })

  test('refuses moments outside the years 0001 to 9999 in UTC', () => {
    expect(parsed('0001-01-01T00:00:00+14:00')).toBeUndefined()
    expect(parsed('9999-12-31T23:00:00-12:00')).toBeUndefined()
    expect(parsed('9999-12-31T24:00:00Z')).toBeUndefined()
    expect(parsed('0001-01-01T00:00', 'Asia/Tokyo')).toBeUndefined()
  })

  test('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => void parseMoment(text, oslo)),
    )
    const alphabet = fc.constantFrom(...'0123456789-:.+TZtz ')
    fc.assert(
      fc.property(
        fc.array(alphabet, { maxLength: 22 }),
        (tail) => void parseMoment(`2025-01-15${tail.join('')}`, oslo),
      ),
    )
  })

  test('reads what isoMoment writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: MOMENT_MIN, max: MOMENT_MAX }), (at) => {
        expect(parseMoment(isoMoment(at), oslo)).toBe(at)
      }),
    )
  })
})

describe('isoMoment', () => {
  test('ruling 15: UTC with milliseconds', () => {
    expect(isoMoment(Date.UTC(2025, 0, 15, 8))).toBe('2025-01-15T08:00:00.000Z')
    expect(isoMoment(-1)).toBe('1969-12-31T23:59:59.999Z')
  })

  test('equals Date everywhere', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -8.64e15, max: 8.64e15 }),
        fc.integer({ min: -4e12, max: 8e12 }),
        (far, near) => {
          expect(isoMoment(far)).toBe(new Date(far).toISOString())
          expect(isoMoment(near)).toBe(new Date(near).toISOString())
        },
      ),
      { numRuns: 5000 },
    )
    expect(() => isoMoment(Number.NaN)).toThrow(RangeError)
    expect(() => isoMoment(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })
})

describe('shown dates', () => {
  test('ruling 36: DD.MM.YYYY in ro and no, MM/DD/YYYY in every other language', () => {
    for (const language of LANGUAGES) {
      const shown = language === 'ro' || language === 'no' ? '05.11.2025' : '11/05/2025'
      expect(formatLocalDate(language, '2025-11-05')).toBe(shown)
    }
    expect(formatLocalDate('en', '0001-02-03')).toBe('02/03/0001')
  })

  test("ruling 15: the center's local day, not the day in UTC", () => {
    const at = Date.UTC(2025, 0, 15, 23, 30)
    expect(formatMomentDate('ro', 'Europe/Bucharest', at)).toBe('16.01.2025')
    expect(formatMomentDate('en', 'UTC', at)).toBe('01/15/2025')
    expect(formatMomentDate('de', 'America/New_York', at)).toBe('01/15/2025')
  })
})

describe('ruling 25: age', () => {
  test('in whole years, the birthday itself included', () => {
    expect(ageOn('1980-06-15', '2025-06-14')).toBe(44)
    expect(ageOn('1980-06-15', '2025-06-15')).toBe(45)
    expect(ageOn('2025-06-15', '2025-06-15')).toBe(0)
    expect(ageOn('1899-12-31', '2025-01-01')).toBe(125)
  })

  test('29 February counts on 28 February in other years', () => {
    expect(ageOn('2000-02-29', '2023-02-27')).toBe(22)
    expect(ageOn('2000-02-29', '2023-02-28')).toBe(23)
    expect(ageOn('2000-02-29', '2024-02-28')).toBe(23)
    expect(ageOn('2000-02-29', '2024-02-29')).toBe(24)
  })

  test('no age before birth', () => {
    expect(ageOn('2025-06-16', '2025-06-15')).toBeUndefined()
  })
})

describe('ruling 25: birthday during the stay', () => {
  test('first and last day count', () => {
    expect(birthdayDuringStay('1980-06-15', '2025-06-15', '2025-06-20')).toBe(true)
    expect(birthdayDuringStay('1980-06-20', '2025-06-15', '2025-06-20')).toBe(true)
    expect(birthdayDuringStay('1980-06-14', '2025-06-15', '2025-06-20')).toBe(false)
    expect(birthdayDuringStay('1980-06-21', '2025-06-15', '2025-06-20')).toBe(false)
  })

  test('over New Year', () => {
    expect(birthdayDuringStay('1980-01-02', '2025-12-28', '2026-01-05')).toBe(true)
    expect(birthdayDuringStay('1980-12-30', '2025-12-28', '2026-01-05')).toBe(true)
    expect(birthdayDuringStay('1980-01-06', '2025-12-28', '2026-01-05')).toBe(false)
  })

  test('29 February counts on 28 February in other years', () => {
    expect(birthdayDuringStay('2000-02-29', '2025-02-25', '2025-02-28')).toBe(true)
    expect(birthdayDuringStay('2000-02-29', '2025-03-01', '2025-03-05')).toBe(false)
    expect(birthdayDuringStay('2000-02-29', '2024-02-25', '2024-02-28')).toBe(false)
    expect(birthdayDuringStay('2000-02-29', '2024-02-29', '2024-03-05')).toBe(true)
  })

  test('always in a stay of a year or more, never in one that ends before it begins', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.integer({ min: 1, max: 9000 }),
        fc.integer({ min: 1, max: 28 }),
        (dob, year, day) => {
          const first = `${String(year).padStart(4, '0')}-03-${String(day).padStart(2, '0')}`
          expect(birthdayDuringStay(dob, first, addDays(first, 366))).toBe(true)
          expect(birthdayDuringStay(dob, first, addDays(first, 2000))).toBe(true)
          expect(birthdayDuringStay(dob, first, addDays(first, -1))).toBe(false)
        },
      ),
    )
  })
})

describe('days', () => {
  test('addDays passes months, leap days and years', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
    expect(addDays('2025-02-28', 1)).toBe('2025-03-01')
    // The last day of the calendar's cycle of 400 years has an arithmetic of its own.
    expect(addDays('2000-02-28', 1)).toBe('2000-02-29')
    expect(addDays('2000-02-28', 2)).toBe('2000-03-01')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
    expect(addDays('2025-06-15', 0)).toBe('2025-06-15')
    expect(daysBetween('2024-01-01', '2025-01-01')).toBe(366)
    expect(daysBetween('2025-01-02', '2025-01-01')).toBe(-1)
  })

  test('addDays and daysBetween undo each other', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (from, to) => {
        expect(addDays(from, daysBetween(from, to))).toBe(to)
        expect(daysBetween(from, to)).toBe((Date.parse(to) - Date.parse(from)) / 86_400_000)
      }),
    )
  })

  test('the calendar ends where its dates stop sorting as texts', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError)
    expect(() => addDays('0001-01-01', -1)).toThrow(RangeError)
    expect(() => addDays('2025-01-01', Number.NaN)).toThrow(RangeError)
  })
})
