/** `snapshot`: pages that show a list as it was at one moment, or are refused, and in the end prove it. */
import fc from 'fast-check'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startInstance } from '../../answer/instances.ts'
import { type Asker, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { guest, LODGE, lodge, order, session, spa, term } from '../../support/world.ts'
import { cursorOf, follow, said } from './follower.ts'
import { allPages, digestOf, idsOf, linkOf } from './reader.ts'

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'
const GUESTS = '/v1/guests?sessionId=s1&project=id,doctorName,programId&length=2'
const SESSIONS = `/v1/sessions?${YEAR}&length=2`
const ORDERS = `/v1/orders?${YEAR}`
const LISTS: Readonly<Record<string, string>> = { guests: GUESTS, sessions: SESSIONS, orders: ORDERS }

let api: TestApi
let now = Date.parse('2025-02-01T09:00:00Z')

beforeAll(async () => {
  api = await startTestApi({
    clock: () => now,
    records: [
      spa(),
      lodge(),
      term('program', 'p1', 'Rest'),
      ...['s1', 's2', 's3', 's4', 's5'].map((id, at) =>
        session(id, `2025-0${3 + at}-01T14:00`, `2025-0${3 + at}-08T10:00`),
      ),
      ...['o1', 'o2', 'o3'].map((uuid) => order(uuid, { orderDate: '2025-03-01T12:00' })),
      ...['b1', 'b2', 'b3', 'b4', 'b5', 'elsewhere'].flatMap((id) =>
        guest(id, {
          sessionIds: [id === 'elsewhere' ? 's2' : 's1'],
          programId: 'p1',
          startDate: '2025-03-01T14:00',
          endDate: '2025-03-08T10:00',
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
const booking = (set: Sql, id: string) =>
  write(sql`update bookings set ${set} where center_id = 'spa' and id = ${id}`)
const elsewhere = () => booking(sql`doctor_name = ${value()}`, 'elsewhere')

/** The first page of a snapshot, and what leads to its second. */
async function begin(url = GUESTS, asker: Asker = api) {
  const answer = await asker.get(`${url}&snapshot=true`)
  expect(answer.status, answer.text).toBe(200)
  return { answer, cursor: String(answer.headers['snapshot-cursor']), next: String(linkOf(answer, 'next')) }
}

describe.each([
  ['guests', GUESTS, ['b1', 'b2', 'b3', 'b4', 'b5'], 3],
  ['sessions', SESSIONS, ['s1', 's2', 's3', 's4', 's5'], 3],
  ['orders', ORDERS, ['o1', 'o2', 'o3'], 1],
] as const)('a snapshot of %s', (_, url, expected, pages) => {
  it('is whole where the client follows next, and its last page proves it', async () => {
    const { ids, last, pages: read } = await allPages(api, `${url}&snapshot=true`)
    expect([ids, read]).toEqual([expected, pages])
    expect(last.headers).toMatchObject({
      'snapshot-count': String(expected.length),
      'snapshot-digest': digestOf(ids),
    })
  })

  it('of nothing has the digest of nothing', async () => {
    const { headers } = await api.get(`${url.replaceAll('2025', '1999').replace('s1', 's9')}&snapshot=true`)
    expect(headers).toMatchObject({ 'snapshot-count': '0', 'snapshot-digest': digestOf([]) })
  })

  it('has a cursor from which to follow what changes', async () => {
    const { cursor } = await begin(url)
    expect((await api.get(`/v1/changes?after=${cursor}`)).body.data).toEqual([])
    await elsewhere()
    const { body } = await api.get(`/v1/changes?after=${cursor}`)
    expect(body.data.map(({ id }) => id)).toEqual(['elsewhere'])
  })

  it('may begin at a cursor of GET /changes', async () => {
    const cursor = cursorOf(await api.get('/v1/changes'))
    await elsewhere()
    const { ids, last } = await allPages(api, `${url}&snapshot=${cursor}`)
    expect(ids).toEqual(expected)
    expect(last.headers).toMatchObject({ 'snapshot-cursor': cursor, 'snapshot-digest': digestOf(expected) })
  })

  it('is not asked for by false: the same answer as without', async () => {
    const [without, unasked] = [await api.get(url), await api.get(`${url}&snapshot=false`)]
    expect(unasked.text).toBe(without.text)
    expect(unasked.headers.etag).toBe(without.headers.etag)
    for (const name of ['snapshot-cursor', 'snapshot-count', 'snapshot-digest'])
      expect(unasked.headers).not.toHaveProperty(name)
  })

  it('is a 400 for what is neither a yes or no nor a cursor, or for another center’s', async () => {
    const other = cursorOf(await api.as(await api.createKey({ center: LODGE })).get('/v1/changes'))
    const own = cursorOf(await api.get('/v1/changes'))
    const altered = own.slice(0, -1) + (own.endsWith('A') ? 'Q' : 'A')
    for (const wrong of ['yes', '2', '', other, altered, `true&snapshot=true`]) {
      const answer = await api.get(`${url}&snapshot=${wrong}`)
      expect(answer.status, wrong).toBe(400)
      expect(namedParameters(answer)).toEqual(['snapshot'])
    }
  })

  it('is a 410 where the database has another history, as a restored copy has', async () => {
    const { cursor } = await begin(url)
    const before = await write(sql`select history_id from center_revisions where center_id = 'spa'`)
    await write(sql`update center_revisions set history_id = gen_random_uuid() where center_id = 'spa'`)
    const answer = await api.get(`${url}&snapshot=${cursor}`)
    expect([answer.status, answer.body.error.code]).toEqual([410, 'GONE'])
    expect(answer.body.error.message).toContain('snapshot=true')
    const { history_id } = before[0] as { history_id: string }
    await write(sql`update center_revisions set history_id = ${history_id} where center_id = 'spa'`)
    expect((await api.get(`${url}&snapshot=${cursor}`)).status).toBe(200)
  })
})

describe('a later page', () => {
  let next = ''
  beforeEach(async () => {
    next = (await begin()).next
  })

  it.each([
    ['a guest of another session', () => elsewhere()],
    ['a field that is not shown', () => booking(sql`medical = ${JSON.stringify({ n: value() })}`, 'b3')],
    ['a guest of a page that was read', () => booking(sql`doctor_name = ${value()}`, 'b1')],
    ['a session', () => write(sql`update sessions set text = ${value()} where center_id = 'spa'`)],
    ['an order', () => write(sql`update orders set status = ${value()} where center_id = 'spa'`)],
    ['another center', () => write(sql`update centers set phone = ${value()} where center_id = 'lodge'`)],
  ])('is answered after a commit that moved %s', async (_, commit) => {
    await commit()
    expect(idsOf(await api.get(next))).toEqual(['b3', 'b4'])
  })

  it.each([
    ['what it shows', () => booking(sql`doctor_name = ${value()}`, 'b4')],
    ['who is in the list', () => booking(sql`session_ids = '{s2,s1}'`, 'elsewhere')],
    ['who is in the list no more', () => booking(sql`session_ids = '{s2}'`, 'elsewhere')],
    ['the order of the list', () => booking(sql`start_date = start_date + interval '1 minute'`, 'b5')],
    ['a name that it shows', () => write(sql`update terms set name = ${value()} where center_id = 'spa'`)],
    ['the center’s profile', () => write(sql`update centers set phone = ${value()} where center_id = 'spa'`)],
  ])('is a 409 after a commit that moved %s, with a cursor to start again', async (_, commit) => {
    await commit()
    const answer = await api.get(next)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    const cursor = String(answer.headers['snapshot-cursor'])
    const again = await allPages(api, `${GUESTS}&snapshot=${cursor}`)
    expect(again.last.status).toBe(200)
    expect(again.last.headers['snapshot-digest']).toBe(digestOf(again.ids))
  })

  it('is a 304 to a client that has it, after commits elsewhere, from another instance', async () => {
    const { etag } = (await api.get(next)).headers
    await elsewhere()
    const other = await startInstance(api, api.key, { clock: () => now })
    for (const asker of [api, other]) {
      const answer = await asker.get(next, { 'if-none-match': String(etag) })
      expect(answer.status).toBe(304)
      expect(linkOf(answer, 'next')).toBeDefined()
    }
  })

  it('that was cached is a 409 all the same once what it shows has changed, from every instance', async () => {
    const other = await startInstance(api, api.key, { clock: () => now })
    const etags = [(await api.get(next)).headers.etag, (await other.get(next)).headers.etag]
    expect(etags[0]).toBe(etags[1])
    await booking(sql`doctor_name = ${value()}`, 'b3')
    for (const asker of [api, other]) {
      expect((await asker.get(next, { 'if-none-match': String(etags[0]) })).status).toBe(409)
    }
  })

  it('is a 409 where the guest has changed back: what was read before may be of the time between', async () => {
    await booking(sql`session_ids = '{s2,s1}'`, 'elsewhere')
    await booking(sql`session_ids = '{s2}'`, 'elsewhere')
    expect((await api.get(next)).status).toBe(409)
    // And it is not for ever: who starts again has a new position.
    expect((await allPages(api, `${GUESTS}&snapshot=true`)).last.status).toBe(200)
  })

  it('is a 410 where the changes after its snapshot are no longer stored', async () => {
    await elsewhere()
    await elsewhere()
    await write(sql`
      delete from change_commits where center_id = 'spa'
        and revision < (select revision from center_revisions where center_id = 'spa')`)
    const answer = await api.get(next)
    expect([answer.status, answer.body.error.code]).toEqual([410, 'GONE'])
    expect(answer.body.error.message).toContain('snapshot=true')
  })

  it('has the headers for HEAD too', async () => {
    const last = String(linkOf(await api.get(next), 'last'))
    const head = await api.request('HEAD', last)
    expect(head.headers).toMatchObject({ 'snapshot-count': '5', 'snapshot-cursor': expect.any(String) })
  })
})

describe('a first page', () => {
  it('is stored, with its cursor, through commits elsewhere, for an hour', async () => {
    const { answer, cursor } = await begin()
    await elsewhere()
    const again = await api.get(`${GUESTS}&snapshot=true`, { 'if-none-match': String(answer.headers.etag) })
    expect([again.status, again.headers['snapshot-cursor']]).toEqual([304, cursor])
    // Much later the changes after the old cursor might be pruned, and all who start again would meet it.
    now += 3_600_000
    expect((await begin()).cursor).not.toBe(cursor)
  })

  it('of a list that moves while it is read is read again', async () => {
    const watched = watchDatabase(api.database)
    const instance = await startInstance({ database: watched.database }, api.key, { clock: () => now })
    let left = 2
    watched.before = async ({ text }) => {
      if (!text.includes('touched') || left === 0) return
      left -= 1
      await booking(sql`doctor_name = ${value()}`, 'b2')
    }
    const answer = await instance.get(`${GUESTS}&snapshot=true`)
    expect([answer.status, left]).toEqual([200, 0])
    expect(answer.text).toContain(`value ${count}`)
    left = 3
    expect((await instance.get(`${GUESTS}&snapshot=true&role=patient`)).status).toBe(409)
  })
})

it('changedAfter and snapshot together: what changed between two cursors', async () => {
  const before = cursorOf(await api.get('/v1/changes'))
  for (const id of ['b1', 'b3', 'b5']) await booking(sql`doctor_name = ${value()}`, id)
  const { ids, last } = await allPages(api, `${GUESTS}&changedAfter=${before}&snapshot=true`, elsewhere)
  expect(ids).toEqual(['b1', 'b3', 'b5'])
  expect(last.headers['snapshot-digest']).toBe(digestOf(ids))
  const { ids: part, last: refused } = await allPages(
    api,
    `${GUESTS}&changedAfter=${before}&snapshot=true`,
    () => booking(sql`doctor_name = ${value()}`, 'b2'),
  )
  expect([part, refused.status]).toEqual([['b1', 'b3'], 409])
})

it('lists of several kinds are at one cursor', async () => {
  const follower = await follow(api)
  const cursor = follower.cursor()
  for (const url of Object.values(LISTS)) {
    expect((await allPages(api, `${url}&snapshot=${cursor}`)).last.status).toBe(200)
  }
  await write(sql`update orders set status = ${value()} where center_id = 'spa' and uuid = 'o2'`)
  expect((await allPages(api, `${ORDERS}&snapshot=${cursor}`)).last.status).toBe(409)
  expect((await allPages(api, `${GUESTS}&snapshot=${cursor}`)).last.status).toBe(200)
  expect(said(await follower.next())).toEqual(['changed orders o2'])
})

describe('a stream of orders', () => {
  const MANY = 1001
  const STREAM = `/v1/orders?startDate=2026-01-01&endDate=2026-01-31`

  beforeAll(async () => {
    await write(sql`
      insert into orders (center_id, uuid, order_date, total_amount, status)
      select 'spa', 'many_' || n, '2026-01-02T10:00Z', n, 'confirmed' from generate_series(1, ${MANY}::int) n`)
  })

  it('is at its cursor, with count and digest', async () => {
    const answer = await api.get(`${STREAM}&snapshot=true`)
    expect(answer.headers).toMatchObject({
      'snapshot-count': String(MANY),
      'snapshot-digest': digestOf(idsOf(answer)),
    })
    await elsewhere()
    const again = await api.get(`${STREAM}&snapshot=${answer.headers['snapshot-cursor']}`)
    expect(again.text).toBe(answer.text)
    await write(sql`update orders set notes = ${value()} where center_id = 'spa' and uuid = 'many_7'`)
    expect((await api.get(`${STREAM}&snapshot=${answer.headers['snapshot-cursor']}`)).status).toBe(409)
  })

  it('breaks off where the orders have changed before it began to be read', async () => {
    const watched = watchDatabase(api.database)
    const instance = await startInstance({ database: watched.database }, api.key, { clock: () => now })
    watched.before = async ({ by }) => {
      if (by === 'stream')
        await write(sql`update orders set notes = ${value()} where center_id = 'spa' and uuid = 'many_7'`)
    }
    await expect(instance.get(`${STREAM}&snapshot=true`)).rejects.toThrow()
    watched.before = () => {}
    expect((await instance.get(`${STREAM}&snapshot=true`)).status).toBe(200)
  })
})

describe('whatever is committed between pages', () => {
  const IDS = Array.from({ length: 12 }, (_, at) => `r${String(at).padStart(2, '0')}`)

  it('every guest is returned once, as at the cursor, or the iteration ends with a 409', async () => {
    const own = await api.newCenter([
      ...['s1', 's2'].map((id) => session(id, '2025-03-01T14:00', '2025-03-08T10:00')),
      ...IDS.flatMap((id, at) =>
        guest(id, {
          sessionIds: [at % 3 === 0 ? 's2' : 's1'],
          startDate: '2025-03-01T14:00',
          endDate: '2025-03-08T10:00',
        }),
      ),
    ])
    const change = (set: Sql, id: string) =>
      write(sql`update bookings set ${set} where center_id = ${own.id} and id = ${id}`)
    const commits: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      nothing: async () => {},
      name: (id) => change(sql`doctor_name = ${value()}`, id),
      hidden: (id) => change(sql`medical = ${JSON.stringify({ n: value() })}`, id),
      session: (id) =>
        change(sql`session_ids = array[case session_ids[1] when 's1' then 's2' else 's1' end]`, id),
      start: (id) => change(sql`start_date = start_date + interval '1 minute'`, id),
      away: (id) => write(sql`delete from bookings where center_id = ${own.id} and id = ${id}`),
      anew: (id) =>
        write(sql`
          insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
          values (${own.id}, ${id}, ${`c-${id}`}, 'patient', 'confirmed', '2025-03-02', '2025-03-08', '{s1}')
          on conflict do nothing`),
    }
    const outcomes = { whole: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(fc.tuple(fc.constantFrom(...Object.keys(commits)), fc.constantFrom(...IDS)), {
            maxLength: 2,
          }),
          { minLength: 4, maxLength: 4 },
        ),
        fc.constantFrom('id', 'id,doctorName'),
        async (between, project) => {
          const list = `/v1/guests?sessionId=s1&project=${project}`
          const before = await own.get(`${list}&length=100`)
          const steps = [...between]
          const { ids, last } = await allPages(own, `${list}&length=3&snapshot=true`, async () => {
            for (const [what, id] of steps.shift() ?? []) await commits[what]?.(id)
          })
          if (last.status === 409) {
            outcomes.refused += 1
            return
          }
          outcomes.whole += 1
          expect(last.status).toBe(200)
          expect(ids).toEqual(idsOf(before))
          expect(last.headers).toMatchObject({
            'snapshot-count': String(ids.length),
            'snapshot-digest': digestOf(ids),
          })
        },
      ),
      { numRuns: 60, seed: 20251122 },
    )
    expect(Math.min(outcomes.whole, outcomes.refused)).toBeGreaterThan(5)
  })
})
