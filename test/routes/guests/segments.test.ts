/** A stay in several rooms: which of them is shown (records.md: `accSegments`). */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { session, stay, term } from '../../support/world.ts'

let service: TestApi
let api: TestCenter
beforeAll(async () => {
  service = await startTestApi({ now: '2025-01-12T10:00:00Z' })
  api = await service.newCenter([
    term('room', 'a', 'Room A', { names: { ro: 'Camera A' } }),
    session('early', '2025-01-08T09:00', '2025-01-13T09:00'),
    session('late', '2025-01-14T09:00', '2025-01-20T09:00'),
    ...stay('moves', '2025-01-10', '2025-01-16', {
      sessionIds: ['early', 'late'],
      acc: { roomId: 'old', floor: '9', bedType: 'old' },
      formData: { accommodationDetails: 'Quiet' },
      accSegments: [
        { from: '2025-01-10', until: '2025-01-12', roomId: 'a', floor: '1', bedType: 'double' },
        { from: '2025-01-12', until: '2025-01-14', roomId: 'b', roomSize: '20' },
        { from: '2025-01-14', until: '2025-01-16' },
      ],
    }),
    ...stay('stays', '2025-01-10', '2025-01-16', { acc: { roomId: 'a' }, accSegments: [] }),
  ])
})

interface Shown {
  readonly id: string
  readonly acc: Record<string, string | null>
  readonly ids: { readonly acc: Record<string, string | null> }
}
async function shown(query: string, id = 'moves'): Promise<Shown> {
  const answer = await api.get(`/v1/guests?${query}&project=id,acc.roomId,acc.floor,acc.bedType,acc.roomSize`)
  expect(answer.status, answer.text).toBe(200)
  return (answer.body.data as unknown as Shown[]).find((guest) => guest.id === id)!
}
const roomIn = async (query: string) => (await shown(query)).ids.acc.roomId

describe('accSegments: the segment of the first day that the stay and the requested range share', () => {
  it.each([
    ['a range that begins before the stay', 'startDate=2025-01-01&endDate=2025-01-31', 'a'],
    ['a range within the first segment', 'startDate=2025-01-11&endDate=2025-01-31', 'a'],
    ['the day of the move', 'startDate=2025-01-12&endDate=2025-01-12', 'b'],
    ['the local day of a moment', 'startDate=2025-01-11T22:30:00Z&endDate=2025-01-31', 'b'],
    ['a segment without a room', 'startDate=2025-01-14&endDate=2025-01-14', null],
    ['the day of departure belongs to the last night', 'startDate=2025-01-16&endDate=2025-01-20', null],
    ['in the house on a day', 'inHouse=2025-01-13', 'b'],
    ['in the house, with a wider range', 'inHouse=2025-01-13&startDate=2025-01-01&endDate=2025-01-31', 'b'],
    ['arriving', 'arriving=2025-01-10', 'a'],
    ['departing', 'departing=2025-01-16', null],
    ['a session begins before the stay', 'sessionId=early', 'a'],
    ['a session begins during the stay', 'sessionId=late', null],
    ['the first of several sessions', 'sessionIds=early,late', 'a'],
    ['a session and dates', 'sessionId=early&startDate=2025-01-12&endDate=2025-01-31', 'b'],
  ])('ruling 41: %s', async (_, query, room) => {
    expect(await roomIn(query)).toBe(room)
  })

  it('ruling 41: replaces all values of acc, and nothing else of the form', async () => {
    const first = await shown('inHouse=2025-01-10')
    expect(first.acc).toEqual({ roomId: 'Room A', floor: '1', bedType: 'double', roomSize: null })
    expect(first.ids.acc).toMatchObject({ roomId: 'a', bedType: 'double' })
    expect((await shown('inHouse=2025-01-12')).acc).toEqual({
      roomId: 'b',
      floor: null,
      bedType: null,
      roomSize: '20',
    })
    const answer = await api.get('/v1/guests?inHouse=2025-01-12&project=id,formData.accommodationDetails')
    expect(answer.text).toContain('Quiet')
  })

  it('ruling 41: an empty list of segments is none', async () => {
    expect((await shown('inHouse=2025-01-12', 'stays')).acc.roomId).toBe('Room A')
  })

  it('ruling 41: files show the same, and a search too', async () => {
    const file = await api.get('/v1/guests?inHouse=2025-01-12&project=id,acc.roomId&format=csv')
    expect(file.text).toContain('moves,b')
    expect(await roomIn('inHouse=2025-01-11&q=pop')).toBe('a')
  })

  it('ruling 41: portions and sheets use the segment of each day', async () => {
    const answer = await api.get(
      '/v1/meals/portions?startDate=2025-01-10&endDate=2025-01-16&includeGuests=true',
    )
    const days = answer.body.days as { guestList: { id: string; room: string | null }[] }[]
    const rooms = days.map(({ guestList }) => guestList.find(({ id }) => id === 'moves')?.room)
    expect(rooms).toEqual(['Room A', 'Room A', 'b', 'b', null, null, null])
    const sheet = await api.get('/v1/meals/sheets/2025-01-12')
    expect(sheet.text).toContain('"room":"b"')
  })
})

describe('accSegments: a change of a segment changes what shows it', () => {
  it('a cached answer is replaced, its tag changes, and the feed names the room', async () => {
    const center = await service.newCenter([
      ...stay('g', '2025-01-10', '2025-01-16', {
        accSegments: [{ from: '2025-01-10', until: '2025-01-16', roomId: 'a' }],
      }),
    ])
    const path = '/v1/guests?inHouse=2025-01-12&project=id,acc.roomId'
    const first = await center.get(path)
    const { cursor } = (await center.get('/v1/changes')).body as unknown as { cursor: string }
    expect((await center.get(path, { 'if-none-match': String(first.headers.etag) })).status).toBe(304)
    await service.load([
      {
        kind: 'booking',
        centerId: center.id,
        id: 'g',
        accSegments: [
          { from: '2025-01-10', until: '2025-01-12', roomId: 'a' },
          { from: '2025-01-12', until: '2025-01-16', roomId: 'b' },
        ],
      },
    ])
    const second = await center.get(path, { 'if-none-match': String(first.headers.etag) })
    expect(second.status).toBe(200)
    expect(second.text).toContain('"roomId":"b"')
    const changes = await center.get(`/v1/changes?after=${cursor}`)
    expect(changes.body.data).toMatchObject([{ id: 'g', groups: ['guests'] }])
  })

  it('a session that begins on another day shows another segment', async () => {
    const begins = (startDate: string) => session('s', startDate, '2025-01-20T09:00')
    const center = await service.newCenter([
      begins('2025-01-09T09:00'),
      ...stay('g', '2025-01-10', '2025-01-16', {
        sessionIds: ['s'],
        accSegments: [
          { from: '2025-01-10', until: '2025-01-12', roomId: 'a' },
          { from: '2025-01-12', until: '2025-01-16', roomId: 'b' },
        ],
      }),
    ])
    const path = '/v1/guests?sessionId=s&project=acc.roomId'
    expect((await center.get(path)).text).toContain('"roomId":"a"')
    await service.load([{ ...begins('2025-01-13T09:00'), centerId: center.id }])
    expect((await center.get(path)).text).toContain('"roomId":"b"')
  })
})
