/** Active bookings are those that the kitchen counts, whatever the statuses, the stays and the center's rules are. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { BOOKING_STATUSES } from '../../../src/core/records/fields/statuses.ts'
import { guestIds, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { guest, session } from '../../support/world.ts'

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

const DAYS = Array.from({ length: 9 }, (_, at) => `2025-01-0${at + 1}`)
const day = fc.nat(DAYS.length - 1)
const sessions = [session('s0', '2025-01-01T12:00', '2025-01-09T12:00')]

const centers = fc.record({
  stays: fc.array(
    fc.record({
      from: day,
      to: day,
      hours: fc.constantFrom(['00:00', '00:00'], ['15:00', '11:00'], ['23:30', '23:59']),
      status: fc.constantFrom(...BOOKING_STATUSES),
      sessionIds: fc.constantFrom(['s0'], []),
    }),
    { maxLength: 14 },
  ),
  alsoCookFor: fc.subarray(['voided', 'offer']),
  excluded: fc.option(fc.subarray([...BOOKING_STATUSES]), { nil: undefined }),
})

interface PortionDay {
  readonly date: string
  readonly guests: number
  readonly arriving: number
  readonly departing: number
}

it('ruling 50: active guests are as many as the kitchen counts, in the house, arriving and leaving', async () => {
  await fc.assert(
    fc.asyncProperty(centers, async ({ stays, alsoCookFor, excluded }) => {
      const records = stays.flatMap(({ from, to, hours: [arrival, departure], status, sessionIds }, at) =>
        guest(`g${at}`, {
          startDate: `${DAYS[Math.min(from, to)]}T${arrival}`,
          endDate: `${DAYS[Math.max(from, to)]}T${from === to ? arrival : departure}`,
          status,
          sessionIds,
        }),
      )
      const api = await service.newCenter([...sessions, ...records], {
        mealRules: { alsoCookFor },
        ...(excluded === undefined ? {} : { mealReportExcludedStatuses: excluded }),
      })
      const range = `startDate=${DAYS[0]}&endDate=${DAYS.at(-1)}`
      const portions = await api.get(`/v1/meals/portions?${range}`)
      const total = async (query: string) =>
        (await api.get(`/v1/guests?${query}&project=id&length=1`)).body.total
      for (const { date, guests, arriving, departing } of portions.body.days as readonly PortionDay[]) {
        expect(await total(`inHouse=${date}&active=true`)).toBe(guests)
        expect(await total(`arriving=${date}&active=true`)).toBe(arriving)
        expect(await total(`departing=${date}&active=true`)).toBe(departing)
      }
      // Nobody is in both, and nobody in neither.
      for (const where of [range, 'sessionId=s0']) {
        const active = await guestIds(api, `${where}&active=true`)
        const others = await guestIds(api, `${where}&active=false`)
        expect([...active, ...others].sort()).toEqual((await guestIds(api, where)).sort())
      }
    }),
    { numRuns: 12 },
  )
})

describe('active', () => {
  it('ruling 50: leaves out what is excluded, voided or offered, unless the center cooks for it', async () => {
    const stays = BOOKING_STATUSES.flatMap((status) => guest(status, { status }))
    const where = 'startDate=2025-01-01&endDate=2025-01-31'
    const usual = await service.newCenter(stays)
    expect((await guestIds(usual, `${where}&active=false`)).sort()).toEqual(
      ['cancelled', 'offer', 'review', 'voided', 'waitingList'].sort(),
    )
    const own = await service.newCenter(stays, {
      mealReportExcludedStatuses: ['departed'],
      mealRules: { alsoCookFor: ['offer'] },
    })
    expect((await guestIds(own, `${where}&active=false`)).sort()).toEqual(['departed', 'voided'])
    // The filters of the interface keep their meaning, and combine.
    expect(await guestIds(own, `${where}&active=true&status=voided,offer`)).toEqual(['offer'])
    expect(await guestIds(own, `${where}&status=voided`)).toEqual(['voided'])
  })

  it('another setting of the center is another answer, also to a cached request', async () => {
    const stays = [...guest('a', { status: 'offer' }), ...guest('b')]
    const api = await service.newCenter(stays)
    const asked = 'startDate=2025-01-01&endDate=2025-01-31&active=true'
    expect(await guestIds(api, asked)).toEqual(['b'])
    const record = { kind: 'center', id: api.id, mealRules: { alsoCookFor: ['offer'] } }
    await service.load([{ ...record, name: 'Center', timezone: 'Europe/Bucharest', currency: 'EUR' }])
    expect(await guestIds(api, asked)).toEqual(['a', 'b'])
  })

  it.each([
    ['yes', 'active'],
    ['', 'active'],
  ])('%j is refused', async (text, parameter) => {
    const answer = await service.get(`/v1/guests?startDate=2025-01-01&endDate=2025-01-31&active=${text}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual([parameter])
  })
})
