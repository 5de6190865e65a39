/** `GET /sessions` with `includeGuestCounts=true`: how many active bookings each session has, by role. */
import { beforeAll, describe, expect, it } from 'vitest'
import { BOOKING_STATUSES, ROLES } from '../../../src/core/records/fields/statuses.ts'
import { type Asker, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { seededRandom } from '../../support/random-center.ts'
import { guest, SPA, session, spa, type TestRecord } from '../../support/world.ts'

const YEAR = '/v1/sessions?startDate=2025-01-01&endDate=2025-12-31'
const COUNTED = `${YEAR}&includeGuestCounts=true`
const ZERO = { total: 0, patient: 0, companion: 0, guest: 0 }

const SESSIONS: readonly TestRecord[] = [
  session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
  session('s2', '2025-02-06T12:00', '2025-02-12T12:00'),
  session('s3', '2025-03-06T12:00', '2025-03-12T12:00'),
]
const GUESTS: readonly TestRecord[] = [
  ...guest('a', { sessionIds: ['s1'] }),
  ...guest('b', { sessionIds: ['s1', 's2'], role: 'companion', status: 'departed' }),
  ...guest('c', { sessionIds: ['s1'], status: 'cancelled' }),
  ...guest('d', { sessionIds: ['s1'], status: 'voided' }),
  ...guest('e', { sessionIds: ['s1'], status: 'offer' }),
  ...guest('f', { sessionIds: ['s2'], status: 'waitingList' }),
  ...guest('g', { sessionIds: [], role: 'guest' }),
]

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

const countsOf = async (api: Asker, url = COUNTED) => {
  const answer = await api.get(url)
  expect(answer.status, answer.text).toBe(200)
  return Object.fromEntries(answer.body.data.map((one) => [one._id, one.guestCounts]))
}

describe('200', () => {
  it('ruling 50: counts the active bookings of each session by role, in each session of a booking', async () => {
    const api = await service.newCenter([...SESSIONS, ...GUESTS])
    // Bookings of another center in sessions of the same name.
    await service.newCenter([
      ...SESSIONS,
      ...guest('x', { sessionIds: ['s1'] }),
      ...guest('y', { sessionIds: ['s3'] }),
    ])
    expect(await countsOf(api)).toEqual({
      s1: { total: 2, patient: 1, companion: 1, guest: 0 },
      s2: { total: 1, patient: 0, companion: 1, guest: 0 },
      s3: ZERO,
    })
    expect((await api.get(YEAR)).body.data.every((one) => !('guestCounts' in one))).toBe(true)
    expect((await api.get(`${YEAR}&includeGuestCounts=false`)).body).toEqual((await api.get(YEAR)).body)
  })

  it('ruling 50: counts by the center’s own settings', async () => {
    const api = await service.newCenter([...SESSIONS, ...GUESTS], {
      mealReportExcludedStatuses: ['departed'],
      mealRules: { alsoCookFor: ['offer'] },
    })
    expect(await countsOf(api)).toMatchObject({
      s1: { total: 3, patient: 3 },
      s2: { total: 1, patient: 1 },
    })
  })

  it('counts as many as the list of guests has, in random centers', async () => {
    for (let seed = 1; seed <= 4; seed += 1) {
      const random = seededRandom(seed)
      const ids = ['s1', 's2', 's3']
      const guests = Array.from({ length: 40 }, (_, at) =>
        guest(`g${at}`, {
          sessionIds: ids.filter(() => random.below(2) === 0),
          status: random.pick(BOOKING_STATUSES),
          role: random.pick(ROLES),
        }),
      ).flat()
      const api = await service.newCenter([...SESSIONS, ...guests])
      const counts = await countsOf(api)
      for (const id of ids) {
        const total = async (role: string) =>
          (await api.get(`/v1/guests?sessionId=${id}&active=true&length=1${role}`)).body.total
        expect(counts[id]).toEqual({
          total: await total(''),
          patient: await total('&role=patient'),
          companion: await total('&role=companion'),
          guest: await total('&role=guest'),
        })
      }
    }
  })

  it('the next request has the new number, and what shows no number leaves the answer as it is', async () => {
    const api = await service.newCenter([...SESSIONS, ...GUESTS])
    const before = await api.get(COUNTED)
    const again = () => api.get(COUNTED, { 'if-none-match': String(before.headers.etag) })
    const set = (what: string) =>
      service.database.runScript(`update bookings set ${what} where center_id = '${api.id}' and id = 'c'`)
    await set(`doctor_name = 'Dr. Pop'`)
    expect((await again()).status).toBe(304)
    await set(`status = 'paid'`)
    expect((await countsOf(api)).s1).toEqual({ total: 3, patient: 2, companion: 1, guest: 0 })
    await set(`role = 'guest'`)
    expect((await countsOf(api)).s1).toEqual({ total: 3, patient: 1, companion: 1, guest: 1 })
    await set(`session_ids = '{s3}'`)
    expect(await countsOf(api)).toMatchObject({ s1: { total: 2 }, s3: { total: 1 } })
    await service.database.runScript(`delete from bookings where center_id = '${api.id}' and id = 'c'`)
    expect((await countsOf(api)).s3).toEqual(ZERO)
  })

  it('files have the numbers too', async () => {
    const api = await service.newCenter([...SESSIONS, ...GUESTS])
    const csv = (await api.get(`${COUNTED}&format=csv&bom=false`)).text.split('\r\n')
    expect(csv[0]).toBe(
      '_id,name,number,text,availablePrograms,availableUnits,startDate,endDate,guestCounts.total,guestCounts.patient,guestCounts.companion,guestCounts.guest',
    )
    expect(csv[1]).toMatch(/,2,1,1,0$/)
    const [first] = (await api.get(`${COUNTED}&format=ndjson`)).text.split('\n')
    expect(JSON.parse(first ?? '')).toMatchObject({
      _id: 's1',
      guestCounts: { total: 2, patient: 1, companion: 1, guest: 0 },
    })
    expect((await api.get(`${YEAR}&format=csv&bom=false`)).text).not.toContain('guestCounts')
  })
})

describe('400', () => {
  it('with changedAfter: the counts of sessions that have not changed would be missing', async () => {
    const api = await service.newCenter(SESSIONS)
    const { cursor } = (await api.get('/v1/changes')).body
    const answer = await api.get(`${COUNTED}&changedAfter=${cursor}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['includeGuestCounts'])
  })
})

describe('403', () => {
  it('ruling 6: a key that may not read guests learns no number, and the error names the missing scope', async () => {
    const api = await startTestApi({ records: [spa(), ...SESSIONS, ...GUESTS] })
    const key = await api.createKey({ center: SPA, scopes: ['sessions', 'meals'] })
    for (const url of [COUNTED, `${COUNTED}&format=csv`, `${COUNTED}&startDate=nonsense`]) {
      const answer = await api.as(key).get(url)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('guests')
      expect(answer.text).toContain('includeGuestCounts')
    }
    expect((await api.as(key).get(YEAR)).status).toBe(200)
    // Also after another key has read the same.
    await api.get(COUNTED)
    expect((await api.as(key).get(COUNTED)).status).toBe(403)
  })
})

describe('409', () => {
  it('a page of a snapshot whose numbers have changed since is refused', async () => {
    const api = await service.newCenter([...SESSIONS, ...GUESTS])
    const first = await api.get(`${COUNTED}&snapshot=true&length=1`)
    const cursor = String(first.headers['snapshot-cursor'])
    const page = (start: number) => api.get(`${COUNTED}&snapshot=${cursor}&length=1&start=${start}`)
    expect((await page(2)).status).toBe(200)
    await service.database.runScript(
      `update bookings set status = 'cancelled' where center_id = '${api.id}' and id = 'b'`,
    )
    expect((await page(2)).status).toBe(409)
    expect((await page(3)).status).toBe(200)
  })
})
