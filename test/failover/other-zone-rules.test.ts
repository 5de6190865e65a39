/**
 * A database server whose files of time zones are other ones than those of the service: older rules, rules that are a day
 * apart, and a zone that it does not know.
 */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { numberBookings } from '../../src/core/intake/numbering/number-bookings.ts'
import { startOfLocalDay } from '../../src/core/locale/zones.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import { writePiece } from '../../src/parts/usage/write-usage.ts'
import { startTestApi } from '../support/api.ts'
import { afterwards } from '../support/database.ts'
import { copyOfServer } from '../support/postgres-binaries.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { booking, customer, session, spa } from '../support/world.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let database: Database
beforeAll(async () => {
  const server = copyOfServer(inject('postgresBinaries'))
  const zones = join(server.native, 'share', 'postgresql', 'timezone')
  // An hour behind from November 2026, as before tzdata 2026b; and a day behind, as before December 2011.
  copyFileSync(join(zones, 'America/Los_Angeles'), join(zones, 'America/Vancouver'))
  copyFileSync(join(zones, 'Pacific/Pago_Pago'), join(zones, 'Pacific/Apia'))
  rmSync(join(zones, 'Asia/Almaty'))
  const { url, stop } = await startPostgres(server)
  afterwards(stop)
  database = openPostgres({ connection: { connectionString: url }, poolSize: 5, purpose: 'serve' })
  afterwards(() => database.close())
  await migrate(database)
})

const room = (id: string) => ({ kind: 'term', centerId: 'spa', set: 'room', id, name: id, beds: 2 })

describe.each(['America/Vancouver', 'Pacific/Apia', 'Asia/Almaty'])('a center in %s', (timezone) => {
  const start = async () => {
    onTestFinished(async () => {
      await database.query(sql`truncate centers, booking_counters, booking_ids_of_before cascade`)
    })
    return await startTestApi({
      database,
      now: '2026-12-31T20:00:00Z',
      records: [
        spa({ timezone, automaticBookingIds: true, bookingIdFormat: 'YY-SN-BN' }),
        room('r1'),
        room('r2'),
        session('new-year', '2027-01-01', '2027-01-11', { number: '7' }),
        session('july', '2027-07-01', '2027-07-11', { number: '8' }),
        customer('a'),
        customer('b', { firstName: 'Ben' }),
        booking('a', {
          customerId: 'a',
          ...{ startDate: '2027-01-10', endDate: '2027-01-20', acc: { roomId: 'r1' } },
        }),
        booking('b', {
          ...{ customerId: 'b', startDate: '2027-01-20', endDate: '2027-01-25' },
          accSegments: [
            { roomId: 'r1', from: '2027-01-20', until: '2027-01-22' },
            { roomId: 'r2', from: '2027-01-22', until: '2027-01-25' },
          ],
        }),
      ],
    })
  }

  it('has the same arrivals and departures in its rooms as in its list of guests', async () => {
    const api = await start()
    const counted: unknown[] = []
    for (const day of ['2027-01-09', '2027-01-10', '2027-01-19', '2027-01-20', '2027-01-22', '2027-01-25']) {
      const rooms = (await api.get(`/v1/rooms?date=${day}`)).body.data
      const total = (name: string) => rooms.reduce((sum, one) => sum + Number(one[name]), 0)
      const arriving = (await api.get(`/v1/guests?arriving=${day}&active=true`)).body.total
      const departing = (await api.get(`/v1/guests?departing=${day}&active=true`)).body.total
      expect([total('arriving'), total('departing')], day).toEqual([arriving, departing])
      counted.push([day, arriving, departing, rooms.find(({ id }) => id === 'r2')?.movingIn])
    }
    expect(counted).toEqual([
      ...[
        ['2027-01-09', 0, 0, 0],
        ['2027-01-10', 1, 0, 0],
        ['2027-01-19', 0, 0, 0],
      ],
      ...[
        ['2027-01-20', 1, 1, 0],
        ['2027-01-22', 0, 0, 1],
        ['2027-01-25', 0, 1, 0],
      ],
    ])
  })

  it('shows the room of the first day of a stay', async () => {
    const api = await start()
    const { body } = await api.get(
      '/v1/guests?startDate=2027-01-20&endDate=2027-01-30&project=firstName,acc.roomId',
    )
    expect(body.data.map(({ firstName, acc }) => [firstName, acc])).toContainEqual(['Ben', { roomId: 'r1' }])
  })

  it('numbers the guests of a session that begins on 1 January with its year', async () => {
    const api = await start()
    await api.load([
      booking('n', {
        customerId: 'a',
        ...{ sessionIds: ['new-year'], startDate: '2027-01-01', endDate: '2027-01-11' },
        status: 'arrived',
      }),
      booking('j', {
        customerId: 'b',
        ...{ sessionIds: ['july'], startDate: '2027-07-01', endDate: '2027-07-11' },
        status: 'arrived',
      }),
    ])
    const ids = await database.query(
      sql`select id, booking_id from bookings where booking_id is not null order by id`,
    )
    expect(ids).toEqual([
      { id: 'j', booking_id: '27-8-01' },
      { id: 'n', booking_id: '27-7-01' },
    ])
    // 31 December, an hour before midnight.
    await api.load([session('new-year', '2026-12-31T23:00', '2027-01-11')])
    await numberBookings(database, centerId('spa'), 'new-year', { dryRun: false })
    expect(await database.query(sql`select booking_id from bookings where id = 'n'`)).toEqual([
      { booking_id: '26-7-01' },
    ])
  })

  it('counts the use of a key on the center’s days', async () => {
    await start()
    const use = { center_id: 'spa', app_id: timezone, endpoint: '/guests', requests: 1, unchanged: 0 }
    const at = startOfLocalDay(timezone, '2027-01-05') / 1000
    const counts = [at - 900, at].map((when) => ({ ...use, at: when, refusals: 0, errors: 0, bytes: 1 }))
    await writePiece(database, { counts }, 10)
    expect(
      await database.query(
        sql`select to_char(day, 'YYYY-MM-DD') as day, requests from usage_days where app_id = ${timezone} order by day`,
      ),
    ).toEqual([
      { day: '2027-01-04', requests: 1 },
      { day: '2027-01-05', requests: 1 },
    ])
  })
})
