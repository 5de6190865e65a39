/** Hours that more than half of the bookings share are proposed as standard times (ruling 43). */
import { describe, expect, it } from 'vitest'
import type { Assigned } from '../../../../src/core/intake/spreadsheets/explain/evidence.ts'
import { standardTimes } from '../../../../src/core/intake/spreadsheets/explain/standard-times.ts'

const columns = (start: readonly string[], end: readonly string[]) =>
  [
    { field: 'booking.startDate', profile: { texts: start } },
    { field: 'booking.endDate', profile: { texts: end } },
  ] as unknown as Assigned[]
const days = (times: readonly string[]) => times.map((time, at) => `2026-03-0${at + 1}${time}`)

describe('ruling 43: import --explain', () => {
  it('proposes an hour that more than half of the bookings share, each side by itself', () => {
    const start = days([' 15:00', ' 15:00', ' 15:00', ' 22:30', ' 09:00'])
    const end = days(['T11:00:00', 'T11:00', ' 11:00 AM', ' 9:30 pm', ''])
    expect(standardTimes(columns(start, end))).toEqual([
      expect.stringMatching(/^3 of 5 bookings have 15:00 as the hour of arrival\. /),
      expect.stringContaining('{"standardTimes": {"arrival": ["15:00"]}}'),
      expect.stringMatching(/^3 of 5 bookings have 11:00 as the hour of departure\. /),
      expect.stringContaining('{"standardTimes": {"departure": ["11:00"]}}'),
    ])
  })

  it.each([
    ['half of them', [' 15:00', ' 15:00', ' 15:00', ' 12:00', ' 13:00', ' 14:00']],
    ['a few bookings', [' 15:00', ' 15:00', ' 15:00', ' 15:00']],
    ['midnight, which is no hour', [' 00:00', ' 00:00', ' 00:00', ' 00:00', ' 00:00']],
    ['dates without an hour', ['', '', '', '', '']],
    [
      'moments with an offset, which is not local time',
      ['T15:00Z', 'T15:00Z', 'T15:00Z', 'T15:00+02:00', 'T15:00Z'],
    ],
  ])('proposes nothing for %s', (_, times) => {
    expect(standardTimes(columns(days(times), []))).toEqual([])
  })
})
