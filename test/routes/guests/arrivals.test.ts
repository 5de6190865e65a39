import ICAL from 'ical.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest, session, stay, type TestRecord } from '../../support/world.ts'

const RECORDS: readonly TestRecord[] = [
  session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
  ...stay('a', '2025-01-06', '2025-01-12', { sessionIds: ['s1'] }),
  ...stay('b', '2025-01-06', '2025-01-08', { role: 'companion' }),
  // Late at night by the center's clocks, on the day before by UTC's.
  ...guest(
    'late',
    { startDate: '2025-01-07T00:30', endDate: '2025-01-12T10:00', role: 'guest' },
    { firstName: 'Zoe', lastName: 'Late\r\nEND:VEVENT' },
  ),
  ...stay('gone', '2025-01-06', '2025-01-12', { status: 'cancelled' }),
  ...stay('off', '2025-01-06', '2025-01-12', { status: 'offer' }),
  ...stay('void', '2025-01-06', '2025-01-12', { status: 'voided' }),
  // There all the time: neither comes nor leaves.
  ...stay('long', '2024-12-01', '2025-02-12'),
  ...stay('far', '2026-12-01', '2026-12-12'),
]
const URL = '/v1/guests/arrivals.ics'
const MONTH = `${URL}?startDate=2025-01-01&endDate=2025-01-31`

let api: TestApi
let center: TestCenter
beforeAll(async () => {
  api = await startTestApi({ now: '2025-01-11T12:00:00Z' })
  center = await api.newCenter(RECORDS)
})

const eventsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => {
    const { uid, summary, description, startDate, endDate } = new ICAL.Event(event)
    return { uid: uid.split('@')[0], summary, description, days: `${startDate}/${endDate}` }
  })

const read = async (url: string, headers = {}) => {
  const answer = await center.get(url, headers)
  expect(answer.status, answer.text).toBe(200)
  return eventsOf(answer.text)
}

describe('GET /guests/arrivals.ics', () => {
  it('says which days it is about: after them, nothing is not none', async () => {
    const descriptionOf = async (url: string) =>
      new ICAL.Component(ICAL.parse((await center.get(url)).text)).getFirstPropertyValue('x-wr-caldesc')
    expect(await descriptionOf(MONTH)).toBe('2025-01-01 – 2025-01-31')
    // Of those around today.
    expect(await descriptionOf(URL)).toBe('2024-12-28 – 2025-03-12')
  })

  it('counts by local day who comes and who leaves, and names nobody', async () => {
    const { text } = await center.get(MONTH)
    expect(eventsOf(text)).toEqual([
      {
        uid: 'arrivals.2025-01-06',
        summary: 'Arrivals: 2',
        description: 'Patient: 1\nCompanion: 1',
        days: '2025-01-06/2025-01-07',
      },
      {
        uid: 'arrivals.2025-01-07',
        summary: 'Arrivals: 1',
        description: 'Guest: 1',
        days: '2025-01-07/2025-01-08',
      },
      {
        uid: 'departures.2025-01-08',
        summary: 'Departures: 1',
        description: 'Companion: 1',
        days: '2025-01-08/2025-01-09',
      },
      {
        uid: 'departures.2025-01-12',
        summary: 'Departures: 2',
        description: 'Patient: 1\nGuest: 1',
        days: '2025-01-12/2025-01-13',
      },
    ])
    expect(text).not.toMatch(/Pop|Late/)
  })

  it('says that events are newer when a guest moves, leaves the list or is renamed, and not for anything else', async () => {
    const own = await api.newCenter([
      ...stay('a', '2025-01-06', '2025-01-12'),
      ...stay('b', '2025-01-06', '2025-01-09'),
    ])
    const sequences = async (more = '') => [
      ...new Set(
        new ICAL.Component(ICAL.parse((await own.get(`${MONTH}${more}`)).text))
          .getAllSubcomponents('vevent')
          .map((event) => Number(event.getFirstPropertyValue('sequence'))),
      ),
    ]
    const load = (records: readonly TestRecord[]) =>
      api.load(records.map((record) => ({ ...record, centerId: own.id })))
    const [first] = await sequences()
    await load(stay('b', '2025-01-07', '2025-01-09'))
    const [moved] = await sequences()
    expect(moved).toBeGreaterThan(first!)
    await load(stay('b', '2025-01-07', '2025-01-09', { status: 'cancelled' }))
    const [cancelled] = await sequences()
    expect(cancelled).toBeGreaterThan(moved!)
    const named = await sequences('&includeGuestNames=true')
    await load([{ ...stay('a', '2025-01-06', '2025-01-12')[0]!, firstName: 'Renamed' }])
    expect(await sequences()).toEqual([cancelled])
    expect((await sequences('&includeGuestNames=true'))[0]).toBeGreaterThan(named[0]!)
    // Outside these days.
    await load(stay('c', '2025-06-07', '2025-06-09'))
    expect(await sequences()).toEqual([cancelled])
  })

  it('names everybody where that is asked for, as text', async () => {
    const events = await read(`${MONTH}&includeGuestNames=true`)
    expect(events).toHaveLength(4)
    expect(events[3]!.description).toBe('Patient: 1\nGuest: 1\nAna Pop\nZoe Late\nEND:VEVENT')
  })

  it('shows names to a key with guests alone, and numbers to the kitchen too', async () => {
    const kitchen = api.as(await api.createKey({ center: center.id, scopes: ['meals'] }))
    expect((await kitchen.get(MONTH)).status).toBe(200)
    const refused = await kitchen.get(`${MONTH}&includeGuestNames=true`)
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toContain('guests')
    const books = api.as(await api.createKey({ center: center.id, scopes: ['orders', 'sessions'] }))
    expect((await books.get(MONTH)).status).toBe(403)
  })

  it('takes a session, a language, and without dates the days around today', async () => {
    expect((await read(`${MONTH}&sessionId=s1`)).map(({ summary }) => summary)).toEqual([
      'Arrivals: 1',
      'Departures: 1',
    ])
    const [first] = await read(MONTH, { 'x-locale': 'fr' })
    expect(first).toMatchObject({ summary: 'Arrivées : 2', description: 'Patient: 1\nAccompagnant: 1' })
    expect(await read(URL)).toHaveLength(5)
  })

  it('refuses more days than it has, fewer of them with names', async () => {
    const days = (end: string, more = '') => center.get(`${URL}?startDate=2025-01-01&endDate=${end}${more}`)
    expect((await days('2026-01-01')).status).toBe(200)
    expect((await days('2026-01-02')).body.error.details![0]!.message).toContain('at most 366.')
    expect((await days('2025-04-10', '&includeGuestNames=true')).status).toBe(200)
    expect((await days('2025-04-11', '&includeGuestNames=true')).body.error.details![0]!.message).toContain(
      'at most 100 with includeGuestNames',
    )
  })

  it('is a valid calendar without events where nobody comes', async () => {
    expect(await read(`${URL}?startDate=2023-01-01&endDate=2023-01-31`)).toEqual([])
  })
})
