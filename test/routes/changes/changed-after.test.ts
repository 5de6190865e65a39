/** `changedAfter`: of each list only what has changed since a cursor. What all lists do is in test/lists/every-list.test.ts. */
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Asker, startTestApi, type TestApi } from '../../support/api.ts'
import { guest, lodge, order, session, spa } from '../../support/world.ts'
import { cursorOf } from './follower.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa(),
      lodge(),
      ...['s1', 's2'].map((id, at) => session(id, `2025-0${3 + at}-01T14:00`, `2025-0${3 + at}-08T10:00`)),
      ...['o1', 'o2'].map((uuid) => order(uuid, { orderDate: '2025-03-01T12:00' })),
      ...['b1', 'b2', 'b3'].flatMap((id) =>
        guest(id, {
          sessionIds: ['s1'],
          startDate: '2025-03-01T14:00',
          endDate: '2025-03-08T10:00',
          ...(id === 'b1' ? { orderUuid: 'o1' } : {}),
        }),
      ),
    ],
  })
})

const write = (statement: Sql) => api.database.query(statement)
let count = 0
const value = () => {
  count += 1
  return `value ${count}`
}
const booking = (set: Sql, id = 'b2') =>
  write(sql`update bookings set ${set} where center_id = 'spa' and id = ${id}`)

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'
const cursor = async (asker: Asker = api) => cursorOf(await asker.get('/v1/changes'))

async function guests(after: string, query = 'sessionId=s1', project = 'id,doctorName') {
  const answer = await api.get(`/v1/guests?${query}&project=${project}&changedAfter=${after}`)
  expect(answer.status, answer.text).toBe(200)
  return { ids: answer.body.data.map(({ id }) => id), total: answer.body.total }
}

describe('guests', () => {
  it('are those that changed since, in pages, with the same filters', async () => {
    const before = await cursor()
    expect(await guests(before)).toEqual({ ids: [], total: 0 })
    await booking(sql`doctor_name = ${value()}`)
    await booking(sql`doctor_name = ${value()}`, 'b3')
    expect(await guests(before)).toEqual({ ids: ['b2', 'b3'], total: 2 })
    expect(await guests(before, `${YEAR}&length=1&start=2`)).toEqual({ ids: ['b3'], total: 2 })
    expect(await guests(before, 'sessionId=s2')).toEqual({ ids: [], total: 0 })
    const between = await cursor()
    await booking(sql`doctor_name = ${value()}`, 'b1')
    expect(await guests(between)).toEqual({ ids: ['b1'], total: 1 })
  })

  it('are no others in a file, which is read a chunk at a time', async () => {
    const before = await cursor()
    await booking(sql`doctor_name = ${value()}`, 'b3')
    const file = await api.get(
      `/v1/guests?sessionId=s1&project=id,doctorName&format=csv&values=raw&bom=false&changedAfter=${before}`,
    )
    expect(file.status, file.text).toBe(200)
    const [, ...rows] = file.text.trimEnd().split('\r\n')
    expect(rows).toEqual([`b3,value ${count}`])
  })

  it('are those of which something changed that the request shows', async () => {
    const before = await cursor()
    await booking(sql`medical = ${JSON.stringify({ height: 170 + count++ })}`)
    expect((await guests(before)).ids).toEqual([])
    expect((await guests(before, 'sessionId=s1', 'id,height')).ids).toEqual(['b2'])
  })

  it('are also those that came into the list since, and not those that left it', async () => {
    const before = await cursor()
    await booking(sql`session_ids = '{s1,s2}'`)
    expect((await guests(before, 'sessionId=s2')).ids).toEqual(['b2'])
    await booking(sql`session_ids = '{s1}'`)
    expect((await guests(before, 'sessionId=s2')).ids).toEqual([])
  })

  it('are all of them where the kind changed as a whole', async () => {
    const before = await cursor()
    await write(sql`update centers set phone = ${value()} where center_id = 'spa'`)
    expect((await guests(before)).ids).toEqual(['b1', 'b2', 'b3'])
  })

  it('are a 304 to clients that have them, until one of them changes', async () => {
    const before = await cursor()
    const url = `/v1/guests?sessionId=s1&changedAfter=${before}`
    const { etag } = (await api.get(url)).headers
    await write(sql`update sessions set text = ${value()} where center_id = 'spa'`)
    expect((await api.get(url, { 'if-none-match': String(etag) })).status).toBe(304)
    await write(sql`update customers set last_name = ${value()} where center_id = 'spa' and id = 'c-b3'`)
    const after = await api.get(url, { 'if-none-match': String(etag) })
    expect(after.status).toBe(200)
    expect(after.body.total).toBe(1)
  })
})

it('sessions and orders are those that changed since', async () => {
  const before = await cursor()
  const names = async (path: string) => {
    const answer = await api.get(`/v1/${path}${path.includes('?') ? '&' : '?'}${YEAR}&changedAfter=${before}`)
    expect(answer.status, answer.text).toBe(200)
    return (Array.isArray(answer.body) ? answer.list : answer.body.data).map(({ uuid, _id }) => uuid ?? _id)
  }
  expect([await names('sessions'), await names('orders')]).toEqual([[], []])
  await write(sql`update sessions set text = ${value()} where center_id = 'spa' and id = 's2'`)
  await write(sql`update orders set status = ${value()} where center_id = 'spa' and uuid = 'o2'`)
  expect([await names('sessions'), await names('orders')]).toEqual([['s2'], ['o2']])
  await write(sql`update customers set last_name = ${value()} where center_id = 'spa' and id = 'c-b1'`)
  expect(await names('orders')).toEqual(['o2'])
  expect(await names('orders?includeGuestNames=true')).toEqual(['o1', 'o2'])
})

describe.each(['guests', 'sessions', 'orders'])('%s', (path) => {
  const url = (after: string) => `/v1/${path}?${YEAR}&changedAfter=${after}`

  it('is a 410 if the server cannot know any more what changed since', async () => {
    const before = await cursor()
    await booking(sql`doctor_name = ${value()}`)
    await booking(sql`doctor_name = ${value()}`)
    await write(sql`
      delete from change_commits where center_id = 'spa'
        and revision < (select revision from center_revisions where center_id = 'spa')`)
    const answer = await api.get(url(before))
    expect(answer.status).toBe(410)
    expect(answer.body.error.code).toBe('GONE')
  })
})
