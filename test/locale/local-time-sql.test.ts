/** Local time in statements, compared with that of the service. */
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { DAY_MS, localDateOfDays } from '../../src/core/locale/civil.ts'
import { aroundDays, localDay, localTime } from '../../src/core/locale/local-time-sql.ts'
import { localDateOf, localDaysOf, localTimeOf, startOfLocalDay } from '../../src/core/locale/zones.ts'
import { openTestDatabase } from '../support/database.ts'

/** Without changes, with two and four a year, with offsets of part of an hour, and with a day that did not exist. */
const ZONES = [
  ...['UTC', 'Asia/Kolkata', 'Europe/Bucharest', 'America/Vancouver', 'Africa/Casablanca'],
  ...['Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'Pacific/Chatham', 'Asia/Almaty'],
]

const textOf = (zone: string, at: number) =>
  new Date(localDaysOf(zone, at) * DAY_MS + localTimeOf(zone, at)).toISOString().slice(0, -1)

describe('the local time of a moment in a statement', () => {
  it.each(ZONES)(
    'is that of the service in %s, before and after midnight and around each change',
    async (zone) => {
      const database = await openTestDatabase()
      const moments: number[] = []
      for (let day = -3; day < 365 * 80; day += 23) {
        const start = startOfLocalDay(zone, localDateOfDays(day))
        moments.push(start - 1, start, start + 12 * 3_600_000)
      }
      for (let at = Date.UTC(2009); at < Date.UTC(2033); at += DAY_MS / 4) {
        const offset = localTimeOf(zone, at) - localTimeOf(zone, at - 900_000)
        if (offset !== 900_000) moments.push(at - 900_000, at)
      }
      const of = moments.map((at) => new Date(at).toISOString())
      const at = sql`m.at`
      const rows = await database.query<{ time: string; day: string }>(sql`
      select to_char(${localTime(at, zone)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS') as time, ${localDay(at, zone)} as day
      from unnest(${of}::timestamptz[]) with ordinality as m (at, place) order by m.place`)
      expect(rows).toEqual(moments.map((one) => ({ time: textOf(zone, one), day: localDateOf(zone, one) })))
    },
  )

  it.each(['0001-03-02', '1899-07-01', '2187-07-15', '9999-12-30'])(
    'is exact around given days of any year: %s',
    async (day) => {
      const database = await openTestDatabase()
      const zone = 'Europe/Bucharest'
      const start = startOfLocalDay(zone, day)
      const of = [start - 1, start, start + DAY_MS / 2].map((at) => new Date(at).toISOString())
      const local = localTime(sql`m.at`, zone, aroundDays(zone, { first: day, last: day }))
      const rows = await database.query<{ day: string }>(sql`
        select to_char(${local}, 'YYYY-MM-DD') as day
        from unnest(${of}::timestamptz[]) with ordinality as m (at, place) order by m.place`)
      expect(rows.map((row) => row.day)).toEqual([localDateOf(zone, start - 1), day, day])
    },
  )
})
