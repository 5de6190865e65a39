import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/core/access/keys/scopes.ts'
import { guestsMatching } from '../../../src/core/api/guests/guests-sql.ts'
import { REPORT_COLUMNS } from '../../../src/core/api/meal-skipping/meals-sql.ts'
import { showsInMeals } from '../../../src/parts/changes/groups.ts'
import { portionColumns } from '../../../src/parts/kitchen/portions-sql.ts'
import { type Asker, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { guest, LODGE, lodge, metaField, order, session, spa } from '../../support/world.ts'
import { cursorOf, type Entry, entriesOf, follow, said } from './follower.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa(),
      lodge(),
      metaField('diet'),
      session('s1', '2025-03-01T14:00', '2025-03-08T10:00'),
      session('s2', '2025-04-01T14:00', '2025-04-08T10:00'),
      order('o1', { orderDate: '2025-03-01T12:00' }),
      ...guest('b1', {
        sessionIds: ['s1'],
        startDate: '2025-03-01T14:00',
        endDate: '2025-03-08T10:00',
        orderUuid: 'o1',
      }),
      ...guest('b2', { sessionIds: ['s2'], startDate: '2025-04-01T14:00', endDate: '2025-04-08T10:00' }),
    ],
  })
})

const write = (statement: Sql) => api.database.query(statement)
let count = 0
const value = () => {
  count += 1
  return `value ${count}`
}
const booking = (set: Sql, id = 'b1') =>
  write(sql`update bookings set ${set} where center_id = 'spa' and id = ${id}`)
const customer = (set: Sql) => write(sql`update customers set ${set} where center_id = 'spa' and id = 'c-b1'`)
const doctor = () => booking(sql`doctor_name = ${value()}`)

describe('200', () => {
  it('without a cursor: none of what was, and the cursor of this moment', async () => {
    const answer = await api.get('/v1/changes')
    expect(answer.body).toEqual({ data: [], cursor: expect.any(String), more: false })
    await doctor()
    const later = await api.get(`/v1/changes?after=${cursorOf(answer)}`)
    expect(entriesOf(later)).toEqual([
      {
        kind: 'guests',
        id: 'b1',
        operation: 'changed',
        groups: ['guests'],
        sessionIds: ['s1'],
        days: [{ from: '2025-03-01', to: '2025-03-08' }],
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      } satisfies Entry,
    ])
    const again = await api.get(`/v1/changes?after=${cursorOf(later)}`)
    expect(again.body).toEqual({ data: [], cursor: cursorOf(later), more: false })
  })

  it('in pages: every entry once, in the order of the commits', async () => {
    const follower = await follow(api, { length: '2' })
    const all = await follow(api)
    await write(sql`update customers set last_name = ${value()} where center_id = 'spa'`)
    await doctor()
    await write(sql`update sessions set text = ${value()} where center_id = 'spa'`)
    const found = said(await follower.next())
    expect(found).toEqual([
      'changed guests b1',
      'changed guests b2',
      'changed orders o1',
      'changed guests b1',
      'changed sessions s1',
      'changed sessions s2',
    ])
    expect(said(await all.next())).toEqual(found)
  })

  it('of what came and what went', async () => {
    const follower = await follow(api)
    const row = sql`'spa', 'new', 'c-b1', 'guest', 'confirmed', '2025-03-02', '2025-03-03', '{s1}'`
    await write(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      values (${row})`)
    await write(sql`delete from bookings where center_id = 'spa' and id = 'new'`)
    const entries = await follower.next()
    expect(said(entries)).toEqual([
      'changed guests b1',
      'created guests new',
      'changed guests b1',
      'deleted guests new',
    ])
    expect(entries[3]).toMatchObject({
      groups: ['guests', 'guests.personal', 'guests.medical', 'guests.financial', 'guests.paid'],
      sessionIds: ['s1'],
    })
  })

  it('of a kind as a whole: it is to be read again', async () => {
    const follower = await follow(api)
    await write(sql`update centers set phone = ${value()} where center_id = 'spa'`)
    const entries = await follower.next()
    expect(said(entries)).toEqual([
      'readAgain guests null',
      'readAgain orders null',
      'readAgain sessions null',
    ])
    expect(entries[0]).toMatchObject({ sessionIds: [], days: [] })
  })

  it.each([
    ['a doctor', () => doctor(), ['guests']],
    ['a diagnosis', () => booking(sql`medical = ${JSON.stringify({ notes: value() })}`), ['guests.medical']],
    [
      'a payment',
      () => booking(sql`financial = ${JSON.stringify({ total: count++ })}`),
      ['guests.financial', 'guests.paid'],
    ],
    ['a pin', () => customer(sql`pin = ${value()}`), ['guests.personal']],
    ['a custom field', () => customer(sql`meta = ${JSON.stringify({ k: value() })}`), ['guests.personal']],
    [
      'a pin and a payment',
      async () => {
        await api.database.transaction(async (tx) => {
          await tx.query(sql`update customers set pin = ${value()} where center_id = 'spa' and id = 'c-b1'`)
          await tx.query(sql`
            update bookings set financial = ${JSON.stringify({ total: count++ })}
            where center_id = 'spa' and id = 'b1'`)
        })
      },
      ['guests.personal', 'guests.financial', 'guests.paid'],
    ],
  ])('of %s: the groups of fields that moved', async (_, commit, groups) => {
    const follower = await follow(api, { kinds: 'guests' })
    await commit()
    expect((await follower.next()).map((entry) => entry.groups)).toEqual([groups])
  })

  it('where only the number of an order changed that no guest shows: the order alone', async () => {
    const follower = await follow(api)
    await write(sql`update orders set notes = ${value()} where center_id = 'spa'`)
    expect(said(await follower.next())).toEqual(['changed orders o1'])
  })

  it('of some kinds only, and only as many as were asked for', async () => {
    const start = cursorOf(await api.get('/v1/changes'))
    for (let n = 0; n < 3; n += 1) {
      await doctor()
      await write(sql`update orders set status = ${value()} where center_id = 'spa'`)
    }
    const first = await api.get(`/v1/changes?kinds=orders&length=2&after=${start}`)
    expect(said(entriesOf(first))).toEqual(['changed orders o1', 'changed orders o1'])
    expect(first.body.more).toBe(true)
    const second = await api.get(`/v1/changes?kinds=orders&length=2&after=${cursorOf(first)}`)
    expect(said(entriesOf(second))).toEqual(['changed orders o1'])
    expect(second.body.more).toBe(false)
  })

  it('of a session: its guests as they come and go, and the session itself', async () => {
    const follower = await follow(api, { sessionId: 's1' })
    await booking(sql`doctor_name = ${value()}`, 'b2')
    await booking(sql`session_ids = '{s1,s2}'`, 'b2')
    await write(sql`update sessions set text = ${value()} where center_id = 'spa'`)
    expect(said(await follower.next())).toEqual(['changed guests b2', 'changed sessions s1'])
    await booking(sql`session_ids = '{s2}'`, 'b2')
    expect(said(await follower.next())).toEqual(['deleted guests b2'])
    await booking(sql`doctor_name = ${value()}`, 'b2')
    expect(await follower.next()).toEqual([])
  })

  it('is 304 to a client that has it, and the cursor moves with every commit', async () => {
    const start = cursorOf(await api.get('/v1/changes'))
    const url = `/v1/changes?after=${start}`
    const first = await api.get(url)
    const etag = String(first.headers.etag)
    expect((await api.get(url, { 'if-none-match': etag })).status).toBe(304)
    await doctor()
    const second = await api.get(url, { 'if-none-match': etag })
    expect(second.status).toBe(200)
    expect(cursorOf(second)).not.toBe(start)
  })
})

describe('200 to a key with less', () => {
  const keyed = async (...scopes: Scope[]): Promise<Asker> => api.as(await api.createKey({ scopes }))

  it('only the kinds that it may read', async () => {
    const follower = await follow(await keyed('orders', 'sessions'))
    await write(sql`update orders set status = ${value()} where center_id = 'spa'`)
    await doctor()
    await write(sql`update centers set phone = ${value()} where center_id = 'spa'`)
    expect(said(await follower.next())).toEqual([
      'changed orders o1',
      'readAgain orders null',
      'readAgain sessions null',
    ])
  })

  it('tells a kitchen that meals changed and on which days, and never whose', async () => {
    const kitchen = await keyed('meals')
    const follower = await follow(kitchen)
    const ofSession = await follow(kitchen, { sessionId: 's2' })
    await booking(sql`skipping_meals = '{"breakfast": [], "lunch": ["2025-03-03"], "dinner": []}'`)
    const [entry, ...others] = await follower.next()
    expect(others).toEqual([])
    expect(entry).toEqual({
      kind: 'meals',
      id: null,
      operation: 'changed',
      groups: ['meals'],
      sessionIds: ['s1'],
      days: [{ from: '2025-03-01', to: '2025-03-08' }],
      at: expect.any(String),
    } satisfies Entry)
    // What no kitchen may see; of custom fields, whether this key may read one as a diet or not.
    await doctor()
    await customer(sql`pin = ${value()}`)
    await customer(sql`meta = ${JSON.stringify({ diet: value() })}`)
    await write(sql`update orders set notes = ${value()} where center_id = 'spa'`)
    expect(await follower.next()).toEqual([])
    const row = sql`'spa', 'eats', 'c-b1', 'guest', 'confirmed', '2025-03-02', '2025-03-03', '{s1}'`
    await write(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      values (${row})`)
    await write(sql`delete from bookings where center_id = 'spa' and id = 'eats'`)
    await write(sql`update centers set phone = ${value()} where center_id = 'spa'`)
    expect(said(await follower.next())).toEqual([
      'changed meals null',
      'changed meals null',
      'readAgain meals null',
    ])
    expect(said(await ofSession.next())).toEqual(['readAgain meals null'])
  })

  it('tells a kitchen of custom fields where it may read one', async () => {
    const key = await api.createKey({ scopes: ['meals'], customFields: ['diet'] })
    const follower = await follow(api.as(key))
    await customer(sql`meta = ${JSON.stringify({ diet: value() })}`)
    expect(said(await follower.next())).toEqual(['changed meals null'])
  })

  it('a follower of guests receives meals through them alone', async () => {
    const follower = await follow(await keyed('guests', 'meals'))
    const both = await follow(api, { kinds: 'guests,meals' })
    await booking(sql`status = 'arrived'`)
    expect(said(await follower.next())).toEqual(['changed guests b1'])
    expect(said(await both.next())).toEqual(['changed guests b1'])
  })

  it('every column that the kitchen is shown counts', () => {
    const shown = [
      ...guestsMatching({ lower: undefined, upper: undefined }, REPORT_COLUMNS).columns,
      ...portionColumns({
        language: 'en',
        withNames: true,
        diets: [
          { field: 'a', owner: 'customer' },
          { field: 'b', owner: 'booking' },
        ],
      }),
    ]
    expect(shown.filter((column) => !showsInMeals([column], true))).toEqual([])
  })

  it('names no group that it may not read, and is silent where nothing else changed', async () => {
    const follower = await follow(await keyed('guests', 'guests.financial'))
    await booking(sql`medical = ${JSON.stringify({ notes: value() })}`)
    await customer(sql`pin = ${value()}`)
    expect(await follower.next()).toEqual([])
    await booking(
      sql`medical = ${JSON.stringify({ notes: value() })}, financial = ${JSON.stringify({ total: count++ })}`,
    )
    await write(sql`update centers set phone = ${value()} where center_id = 'spa'`)
    expect((await follower.next()).map(({ groups }) => groups)).toEqual([
      ['guests.financial'],
      ['guests', 'guests.financial'],
    ])
  })
})

describe('another center', () => {
  it('sees nothing of it, and cannot use its cursor', async () => {
    const other = api.as(await api.createKey({ center: LODGE }))
    const follower = await follow(other)
    const ours = cursorOf(await api.get('/v1/changes'))
    await doctor()
    expect(await follower.next()).toEqual([])
    const answer = await other.get(`/v1/changes?after=${ours}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['after'])
  })
})

describe('400', () => {
  it.each([
    ['after=nonsense', ['after']],
    ['after=', ['after']],
    ['kinds=guests,rooms', ['kinds']],
    ['kinds=', ['kinds']],
    ['length=1001', ['length']],
    ['length=0', ['length']],
    ['wait=31', ['wait']],
    ['wait=-1', ['wait']],
    ['wait=10', ['wait']],
    ['sessionId=s1&kinds=orders', ['kinds']],
    ['sessionId=a/b', ['sessionId']],
    ['since=2025-01-01', ['since']],
    ['after=x&kinds=y&length=z', ['after', 'kinds', 'length']],
  ])('for %s', async (query, parameters) => {
    const answer = await api.get(`/v1/changes?${query}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(parameters)
  })

  it('for a cursor that somebody altered, in one sentence that says how to go on', async () => {
    const cursor = cursorOf(await api.get('/v1/changes'))
    const altered = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'Q' : 'A')
    const answer = await api.get(`/v1/changes?after=${altered}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toBe(
      'This is not a cursor of this center. Send the cursor of an earlier answer unchanged, or no cursor to start.',
    )
  })
})

describe('403', () => {
  it.each([
    [['sessions'], 'kinds=guests', 'kinds=guests needs the scope guests'],
    [
      ['guests'],
      'kinds=orders,sessions',
      'kinds=sessions needs the scope sessions; kinds=orders needs the scope orders',
    ],
    [
      ['orders'],
      'sessionId=s1',
      'kinds=guests needs the scope guests; kinds=sessions needs the scope sessions; kinds=meals needs the scope meals',
    ],
  ] as const)('to a key with %j for %s', async (scopes, query, words) => {
    const answer = await api.as(await api.createKey({ scopes: [...scopes] })).get(`/v1/changes?${query}`)
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toBe(`This key does not have a required scope: ${words}.`)
  })
})

describe('410', () => {
  it('where the changes after the cursor were pruned: says how to start again', async () => {
    const cursor = cursorOf(await api.get('/v1/changes'))
    await doctor()
    await doctor()
    await write(sql`
      delete from change_commits where center_id = 'spa'
        and revision < (select revision from center_revisions where center_id = 'spa')`)
    const answer = await api.get(`/v1/changes?after=${cursor}`)
    expect(answer.status).toBe(410)
    expect(answer.body.error).toMatchObject({
      code: 'GONE',
      message:
        'The changes after this cursor are older than those that are stored. Start again: get a new cursor from GET /changes without after, then read everything once.',
    })
    expect((await api.get('/v1/changes')).status).toBe(200)
  })

  it('where the center’s history is another one', async () => {
    const cursor = cursorOf(await api.get('/v1/changes'))
    await write(sql`update center_revisions set history_id = gen_random_uuid() where center_id = 'spa'`)
    // A commit, or the service would answer what it has.
    await doctor()
    const answer = await api.get(`/v1/changes?after=${cursor}`)
    expect(answer.status).toBe(410)
    expect(answer.body.error.message).toContain('restored or replaced')
  })
})
