/** What the desk's pages compute: who is expected, here or leaving (ruling 50), rooms, birthdays; and rows for a spreadsheet. */
import { describe, expect, it } from 'vitest'
import {
  hasUnknownHour,
  isHereNow,
  isHereTonight,
  presenceOf,
  presenceText,
  whenOf,
} from '../../console/src/base/presence.ts'
import { textOfRows } from '../../console/src/guests/rows-text.ts'
import { birthdaysFrom, byRoom, type DayGuest, dayGuestOf } from '../../console/src/today/day-guests.ts'
import english from '../../console/words/en.json' with { type: 'json' }
import { wordsOf } from '../../src/documents/words.ts'

const DAY = '2026-11-21'
const STANDARD = { arrival: ['15:00'], departure: ['11:00'] }
const ZONE = 'Europe/Bucharest'

const stay = (startDate: string, endDate: string, more: Record<string, unknown> = {}): DayGuest =>
  dayGuestOf(
    { id: 'a', name: 'Ana', ...more, ids: { startDate, endDate, ...(more.ids as object) } },
    ZONE,
    STANDARD,
  )

/** In UTC; Bucharest is two hours ahead in November. */
const BEFORE = '2026-11-17T12:00:00.000Z'
const AFTER = '2026-11-26T08:30:00.000Z'
const at = (day: string, time: string) => `${day}T${time}:00.000Z`

describe('presence', () => {
  it.each([
    ['stays', BEFORE, AFTER, 'here', true, true],
    ['arrives at a known hour, later', at(DAY, '15:40'), AFTER, 'expected', false, true],
    ['arrived at a known hour', at(DAY, '07:00'), AFTER, 'here', true, true],
    ['arrives at a standard hour, which is not known', at(DAY, '13:00'), AFTER, 'here', true, true],
    ['arrives on a day without an hour', at('2026-11-20', '22:00'), AFTER, 'here', true, true],
    ['leaves at a known hour, later', BEFORE, at(DAY, '10:30'), 'leaving', true, false],
    ['left at a known hour', BEFORE, at(DAY, '07:00'), 'leaving', false, false],
    ['leaves at a standard hour, which is not known', BEFORE, at(DAY, '09:00'), 'leaving', true, false],
    ['comes for the day, later', at(DAY, '15:40'), at(DAY, '17:00'), 'expected', false, false],
  ] as const)('ruling 50: a guest who %s', (_, start, end, presence, isNow, isTonight) => {
    const guest = stay(start, end)
    const now = { day: DAY, time: '10:02' }
    expect(presenceOf(guest, DAY, now)).toBe(presence)
    expect(isHereNow(guest, now)).toBe(isNow)
    expect(isHereTonight(guest, DAY)).toBe(isTonight)
    expect(whenOf(guest, now)).toBe(isNow ? 'now' : presence === 'expected' ? 'coming' : 'past')
  })

  it('ruling 50: who arrives at 20:45 is expected until then, and said to be expected with the hour', () => {
    const guest = stay(at(DAY, '18:45'), AFTER)
    const said = (time: string) => presenceText(wordsOf(english), guest, DAY, { day: DAY, time })
    expect([said('20:44'), said('20:45')]).toEqual(['expected 20:45', 'here'])
  })

  it('of a day to come, everybody who arrives is expected; of a day that was, nobody', () => {
    const guest = stay(at(DAY, '13:00'), AFTER)
    expect(presenceOf(guest, DAY, { day: '2026-11-20', time: '10:00' })).toBe('expected')
    expect(presenceOf(guest, DAY, { day: '2026-11-22', time: '10:00' })).toBe('here')
    expect(hasUnknownHour(guest, DAY)).toBe(true)
    expect(hasUnknownHour(guest, '2026-11-22')).toBe(false)
  })
})

it('rooms are in the order of the list, whatever is between their guests', () => {
  const of = (id: string, room: string | null) =>
    stay(BEFORE, AFTER, { id, acc: { roomId: room }, ids: { acc: { roomId: room } } })
  const rooms = byRoom([of('a', '2'), of('b', '10'), of('c', '2'), of('d', null)])
  expect(rooms.map(({ name, guests }) => [name, guests.map(({ id }) => id)])).toEqual([
    ['2', ['a', 'c']],
    ['10', ['b']],
    [null, ['d']],
  ])
})

describe('birthdays', () => {
  const born = (dob: string | null, from = BEFORE, until = '2027-03-20T08:00:00.000Z') =>
    stay(from, until, { dob: dob ?? null, ids: { dob } })

  it.each([
    ['1966-11-21', DAY, [['2026-11-21', 60]]],
    ['1966-11-27', DAY, [['2026-11-27', 60]]],
    ['1966-11-28', DAY, []],
    ['1966-11-20', DAY, []],
    // Over the end of a year.
    ['1970-01-02', '2026-12-29', [['2027-01-02', 57]]],
    // Ruling 25: 29 February counts on 28 February in other years.
    ['1980-02-29', '2027-02-26', [['2027-02-28', 47]]],
  ])('of %s, in the seven days from %s', (dob, first, found) => {
    expect(birthdaysFrom([born(dob)], first).map(({ day, age }) => [day, age])).toEqual(found)
  })

  it('of guests who are in the house on that day only, and of nobody whose date is not known', () => {
    expect(birthdaysFrom([born('1966-11-27', BEFORE, AFTER), born(null)], DAY)).toEqual([])
  })
})

it('copied rows have a line of headings, no line breaks or tabs in cells, and nothing that a spreadsheet would compute', () => {
  const column = (name: string, label: string) => ({ name, label, raw: null }) as never
  const text = textOfRows(
    [
      { name: 'Ana\tPop\nescu', phone: '+40 721 234 567' },
      { name: '=HYPERLINK("x")', phone: null },
    ],
    [column('name', 'Name'), column('phone', 'Phone')],
    { language: 'en', zone: ZONE, words: wordsOf(english) },
  )
  expect(text).toBe('Name\tPhone\nAna Pop escu\t+40 721 234 567\n\'=HYPERLINK("x")\t\n')
})
