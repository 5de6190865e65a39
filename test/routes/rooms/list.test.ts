/** `GET /rooms`: the rooms of a day. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { seededRandom } from '../../support/random-center.ts'
import { stay, term } from '../../support/world.ts'

let service: TestApi
let api: TestCenter
beforeAll(async () => {
  service = await startTestApi({ now: '2025-01-12T22:30:00Z' })
  api = await service.newCenter([
    term('room', '101', 'Room 101', { beds: 2, names: { ro: 'Camera 101' } }),
    term('room', '102', 'Room 102', { beds: 1 }),
    term('room', '103', 'Room 103'),
    ...stay('leaves', '2025-01-08', '2025-01-13', { acc: { roomId: '101' } }),
    ...stay('arrives', '2025-01-13', '2025-01-16', { acc: { roomId: '101' } }),
    ...stay('next', '2025-01-16', '2025-01-20', { acc: { roomId: '101' } }),
    ...stay('moves', '2025-01-10', '2025-01-18', {
      accSegments: [
        { from: '2025-01-10', until: '2025-01-13', roomId: '101' },
        { from: '2025-01-13', until: '2025-01-18', roomId: 'Chalet' },
      ],
    }),
    ...stay('later', '2025-01-20', '2025-01-22', { acc: { roomId: '102' } }),
    ...stay('unknown', '2025-01-12', '2025-01-15'),
    ...stay('cancelled', '2025-01-12', '2025-01-15', { acc: { roomId: '103' }, status: 'cancelled' }),
    ...stay('offer', '2025-01-12', '2025-01-15', { acc: { roomId: '103' }, status: 'offer' }),
  ])
})

type Room = Readonly<Record<string, unknown>>
async function roomsOf(query = '', from = api): Promise<readonly Room[]> {
  const answer = await from.get(`/v1/rooms${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const NOBODY = {
  ...{ guests: 0, arriving: 0, departing: 0, movingIn: 0, movingOut: 0, tonight: 0 },
}

describe('GET /rooms', () => {
  it('ruling 50: the rooms of today in the center’s zone, with rooms without a term and guests without a room', async () => {
    const date = '2025-01-13'
    const answer = await api.get('/v1/rooms')
    expect(answer.body).toEqual({
      data: [
        {
          ...{ id: '101', name: 'Room 101', date, beds: 2, guests: 2, arriving: 1, departing: 1 },
          ...{ movingIn: 0, movingOut: 1, tonight: 1, freeFrom: '2025-01-20' },
        },
        { id: '102', name: 'Room 102', date, beds: 1, ...NOBODY, freeFrom: date },
        { id: '103', name: 'Room 103', date, beds: null, ...NOBODY, freeFrom: date },
        {
          ...{
            id: 'Chalet',
            name: 'Chalet',
            date,
            beds: null,
            ...NOBODY,
            guests: 1,
            movingIn: 1,
            tonight: 1,
          },
          freeFrom: '2025-01-18',
        },
        { id: null, name: 'No room', date, beds: null, ...NOBODY, guests: 1, tonight: 1, freeFrom: null },
      ],
      total: 5,
    })
  })

  it('ruling 50: counts the guests that the list of guests has in the house', async () => {
    for (const day of ['2025-01-08', '2025-01-12', '2025-01-13', '2025-01-18', '2025-01-23']) {
      const rooms = await roomsOf(`?date=${day}`)
      const counted = rooms.reduce((sum, { guests }) => sum + (guests as number), 0)
      const inHouse = await api.get(`/v1/guests?inHouse=${day}&active=true&project=id`)
      expect(counted, day).toBe(inHouse.body.total)
    }
  })

  it('ruling 50: an offer counts where the kitchen cooks for it', async () => {
    const center = await service.newCenter(
      [...stay('offer', '2025-01-12', '2025-01-15', { acc: { roomId: '1' }, status: 'offer' })],
      { mealRules: { alsoCookFor: ['offer'] } },
    )
    expect(await roomsOf('', center)).toMatchObject([{ id: '1', guests: 1, tonight: 1 }])
  })

  it('a room is free from the first night that nobody spends there, and null if that is not within a year', async () => {
    const center = await service.newCenter([
      ...stay('a', '2025-01-10', '2025-01-15', { acc: { roomId: 'gap' } }),
      ...stay('b', '2025-01-16', '2025-01-20', { acc: { roomId: 'gap' } }),
      ...stay('c', '2025-01-10', '2025-01-15', { acc: { roomId: 'touch' } }),
      ...stay('d', '2025-01-15', '2025-01-20', { acc: { roomId: 'touch' } }),
      ...stay('e', '2025-01-11', '2025-01-14', { acc: { roomId: 'touch' } }),
      ...stay('f', '2024-01-10', '2027-01-15', { acc: { roomId: 'years' } }),
    ])
    const free = Object.fromEntries(
      (await roomsOf('', center)).map(({ id, freeFrom }) => [id as string, freeFrom]),
    )
    expect(free).toEqual({ gap: '2025-01-15', touch: '2025-01-20', years: null })
  })

  it.each([1, 2, 3])('ruling 50: each day is what the days of each guest say, with seed %i', async (seed) => {
    const random = seededRandom(seed)
    const day = (at: number) => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10)
    const rooms = ['1', '2', '3', '4', undefined]
    const guests = Array.from({ length: 40 }, (_, index) => {
      const first = random.below(30)
      const last = first + random.below(12)
      const moves = [first, first + 1 + random.below(5), last + 1]
      const segments = moves.slice(0, -1).flatMap((from, at) => {
        const until = moves[at + 1] ?? from
        return from < until ? [{ from, until, room: random.pick(rooms) }] : []
      })
      const isSplit = segments.length === 2
      const whole = random.pick(rooms)
      const roomOn = (at: number) =>
        isSplit ? (segments.findLast(({ from }) => from <= at) ?? segments[0])?.room : whole
      return { id: `g${index}`, first, last, roomOn, whole, segments: isSplit ? segments : [] }
    })
    const center = await service.newCenter([
      term('room', '1', 'One', { beds: 2 }),
      ...guests.flatMap(({ id, first, last, whole, segments }) =>
        stay(id, day(first), day(last), {
          endDate: `${day(last)}T18:00`,
          ...(whole === undefined ? {} : { acc: { roomId: whole } }),
          ...(segments.length === 0
            ? {}
            : {
                accSegments: segments.map(({ from, until, room }) => ({
                  from: day(from),
                  until: day(until),
                  ...(room === undefined ? {} : { roomId: room }),
                })),
              }),
        }),
      ),
    ])
    for (let at = 0; at < 44; at += 1) {
      const inHouse = guests.filter(({ first, last }) => first <= at && at <= last)
      const moved = inHouse.filter(({ first, roomOn }) => first < at && roomOn(at - 1) !== roomOn(at))
      const asleep = (room: string | undefined, night: number) =>
        guests.some(({ first, last, roomOn }) => first <= night && night < last && roomOn(night) === room)
      const freeFrom = (room: string) => {
        let night = at
        while (asleep(room, night)) night += 1
        return day(night)
      }
      const listed = ['1', '2', '3', '4', undefined].flatMap((room) => {
        const here = inHouse.filter(({ roomOn }) => roomOn(at) === room)
        const movingOut = moved.filter(({ roomOn }) => roomOn(at - 1) === room).length
        if (room !== '1' && here.length + movingOut === 0) return []
        return [
          {
            ...{ id: room ?? null, name: room === '1' ? 'One' : (room ?? 'No room'), date: day(at) },
            beds: room === '1' ? 2 : null,
            guests: here.length,
            arriving: here.filter(({ first }) => first === at).length,
            departing: here.filter(({ last }) => last === at).length,
            movingIn: moved.filter(({ roomOn }) => roomOn(at) === room).length,
            ...{ movingOut, tonight: here.filter(({ last }) => last > at).length },
            freeFrom: room === undefined ? null : freeFrom(room),
          },
        ]
      })
      expect(await roomsOf(`?date=${day(at)}`, center), `seed ${seed}, ${day(at)}`).toEqual(listed)
    }
  })

  it('names are those of the language, and pages have a total and links', async () => {
    const answer = await api.get('/v1/rooms?length=2&start=2', { 'x-locale': 'ro' })
    expect(answer.body).toMatchObject({ data: [{ id: '103' }, { id: 'Chalet' }], total: 5 })
    expect(answer.headers.link).toContain('rel="next"')
    const first = await api.get('/v1/rooms?length=1', { 'x-locale': 'ro' })
    expect(first.body.data[0]).toMatchObject({ name: 'Camera 101' })
    expect((await api.get('/v1/rooms?start=9')).body).toEqual({ data: [], total: 5 })
  })

  it('files have every room', async () => {
    const csv = await api.get('/v1/rooms?format=csv')
    const [head, ...lines] = csv.text.trim().split('\r\n')
    expect(head).toContain('id,name,date,beds,guests,arriving,departing,movingIn,movingOut,tonight,freeFrom')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toBe('101,Room 101,2025-01-13,2,2,1,1,0,1,1,2025-01-20')
    const ndjson = await api.get('/v1/rooms?format=ndjson')
    expect(ndjson.text.trim().split('\n')).toHaveLength(6)
  })

  it('a last day of the calendar and a first one are days', async () => {
    expect(await roomsOf('?date=9999-12-31')).toHaveLength(3)
    expect(await roomsOf('?date=1000-01-01')).toHaveLength(3)
  })

  it('a day that does not exist is a 400 that says so', async () => {
    const answer = await api.get('/v1/rooms?date=2025-02-30')
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toMatchObject([{ parameter: 'date' }])
  })

  it('ruling 49: needs the scope rooms, which guests does not include', async () => {
    const guests = await service.createKey({ center: api.id, scopes: ['guests', 'meals'] })
    const answer = await service.as(guests).get('/v1/rooms')
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toContain('rooms')
    const rooms = await service.createKey({ center: api.id, scopes: ['rooms'] })
    expect((await service.as(rooms).get('/v1/rooms')).status).toBe(200)
  })

  it('a move is a new answer, and what changes no room is a 304', async () => {
    const center = await service.newCenter(stay('g', '2025-01-10', '2025-01-15', { acc: { roomId: '1' } }))
    const first = await center.get('/v1/rooms')
    const tag = String(first.headers.etag)
    const change = (fields: object) =>
      service.load([{ kind: 'booking', centerId: center.id, id: 'g', ...fields }])
    await change({ doctorName: 'Dr. A' })
    expect((await center.get('/v1/rooms', { 'if-none-match': tag })).status).toBe(304)
    await change({ accSegments: [{ from: '2025-01-10', until: '2025-01-15', roomId: '2' }] })
    const second = await center.get('/v1/rooms', { 'if-none-match': tag })
    expect(second.status).toBe(200)
    expect(second.body.data).toMatchObject([{ id: '2', guests: 1 }])
  })
})
