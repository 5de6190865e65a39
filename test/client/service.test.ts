/** The client reads the demo center, and gives what the service answers. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { Sojourn, SojournError } from '../../client/src/index.ts'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { type Fields, startTestApi, type TestApi } from '../support/api.ts'
import { guest } from '../support/world.ts'

const YEARS = { startDate: '2020-01-01', endDate: '2030-12-31' }
const SESSION = { sessionId: 'session-2025-01' }

let api: TestApi
let url: string
let sojourn: Sojourn
beforeAll(async () => {
  api = await startTestApi({ records: [...demoRecords({ today: '2026-05-14' })] })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  sojourn = new Sojourn({ url, key: api.key.apiKey })
})

async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Every page, read without the client. */
async function pages(path: string): Promise<Fields[]> {
  const all: Fields[] = []
  for (let start = 1; ; start += 1) {
    const { data, total } = (await api.get(`${path}&length=100&start=${start}`)).body
    all.push(...data)
    if (all.length >= total) return all
  }
}

describe('guests', () => {
  it('all gives the guests of every page', async () => {
    const guests = await listed(
      sojourn.guests.all({ ...YEARS, project: ['id', 'name', 'programId'], length: 37 }),
    )
    const direct = await pages('/v1/guests?startDate=2020-01-01&endDate=2030-12-31&project=id,name,programId')
    expect(guests.length).toBeGreaterThan(100)
    expect(guests).toEqual(direct)
  })

  it('all gives each guest once, where the desk takes one away between two pages', async () => {
    const ids = Array.from({ length: 25 }, (_, at) => `b${String(at).padStart(2, '0')}`)
    const stay = { startDate: '2025-03-01T14:00', endDate: '2025-03-08T10:00' }
    const center = await api.newCenter(ids.flatMap((id) => guest(id, stay)))
    const reading = new Sojourn({ url, key: center.key.apiKey }).guests.all({
      startDate: '2025-03-01',
      endDate: '2025-03-08',
      project: ['id'],
      length: 10,
    })
    const given: string[] = []
    for await (const { id } of reading) {
      given.push(id)
      if (given.length !== 5) continue
      await api.database.query(sql`delete from bookings where center_id = ${center.id} and id = ${ids[0]}`)
    }
    expect(given.toSorted()).toEqual(ids)
  })

  it('all gives no identifier that was not asked for', async () => {
    const guests = await listed(sojourn.guests.all({ ...SESSION, project: ['name'] }))
    expect(guests).toHaveLength(4)
    expect(guests.map((guest) => Object.keys(guest).sort())).toEqual(guests.map(() => ['ids', 'name']))
  })

  it('a page has the usual fields, with their raw values', async () => {
    const { data, total } = await sojourn.guests.list({ ...SESSION, length: 1 })
    expect(total).toBe(4)
    expect(data[0]?.email).toBe('ioana@example.com')
    expect(data[0]?.ids.startDate).toBe('2025-01-15T13:00:00.000Z')
  })

  it('speaks the language that it was made for', async () => {
    const romanian = new Sojourn({ url: `${url}/v1/`, key: api.key.apiKey, locale: 'ro' })
    const { data } = await romanian.guests.list({ ...SESSION, length: 1, project: ['startDate'] })
    expect(data[0]?.startDate).toBe('15.01.2025')
  })

  it('the report is the one of the service', async () => {
    const { body } = await api.get('/v1/guests/meal-skipping-report?sessionId=session-2025-01')
    expect(await sojourn.guests.mealSkippingReport(SESSION)).toEqual(body)
  })
})

describe('sessions and orders', () => {
  it('all gives the sessions of every page', async () => {
    const direct = await pages('/v1/sessions?startDate=2020-01-01&endDate=2030-12-31')
    expect(direct.length).toBeGreaterThan(5)
    expect(await listed(sojourn.sessions.all({ ...YEARS, length: 3 }))).toEqual(direct)
  })

  it('all gives the orders of the list, and get gives one of them', async () => {
    const orders = await listed(sojourn.orders.all({ ...YEARS, includeGuestNames: true }))
    const { list } = await api.get(
      '/v1/orders?startDate=2020-01-01&endDate=2030-12-31&includeGuestNames=true',
    )
    expect(orders.length).toBeGreaterThan(5)
    expect(orders).toEqual(list)
    const [first] = orders
    const order = await sojourn.orders.get(first?.uuid ?? '', { includeGuestNames: true })
    expect(order.totalAmount).toBe(first?.ids.totalAmount)
    expect(order.guestNames?.join(', ')).toBe(first?.guestNames)
  })
})

describe('changes', () => {
  it('follow receives changes through the stream of the service, once and in order', async () => {
    const center = await api.newCenter(
      guest('b', { startDate: '2025-03-01T14:00', endDate: '2025-03-08T10:00' }),
    )
    const streamed: string[] = []
    const follower = new Sojourn({
      url,
      key: center.key.apiKey,
      async fetch(address, init) {
        if (String(address).includes('/stream')) streamed.push(String(address))
        return fetch(address, init)
      },
    })
    const { cursor: from } = await follower.changes.list()
    const move = (doctor: string) =>
      api.database.query(
        sql`update bookings set doctor_name = ${doctor} where center_id = ${center.id} and id = 'b'`,
      )
    await move('first')
    const given: string[][] = []
    for await (const { data } of follower.changes.follow({ from })) {
      // A cursor may move on by itself.
      if (data.length === 0) continue
      given.push(data.map(({ operation, id }) => `${operation} ${id}`))
      if (given.length === 3) break
      // The one before has come, so it is one more.
      await move(`number ${given.length}`)
    }
    expect(given).toEqual([['changed b'], ['changed b'], ['changed b']])
    expect(streamed).toHaveLength(1)
  })
})

describe('what a key can do', () => {
  it('me, fields and usage are those of the service', async () => {
    expect((await sojourn.me()).center.id).toBe('demo')
    expect(await sojourn.fields()).toEqual((await api.get('/v1/fields')).body.data)
    expect((await sojourn.usage()).days).toEqual([])
  })

  it('a refusal is an error with its code, its details and the identifier of the request', async () => {
    const refused = sojourn.guests.list({ sessionId: 's', project: ['meta.nothing'] })
    await expect(refused).rejects.toThrow(SojournError)
    const error = await refused.catch((reason: SojournError) => reason)
    expect(error).toMatchObject({
      code: 'INVALID_PARAMETER',
      status: 400,
      details: [{ parameter: 'project', message: expect.stringContaining('meta.nothing') }],
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  it('a key without the scope gets an error that names it', async () => {
    const { apiKey } = await api.createKey({ center: 'demo', scopes: ['guests'] })
    await expect(new Sojourn({ url, key: apiKey }).orders.list(YEARS)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('orders'),
    })
  })
})
