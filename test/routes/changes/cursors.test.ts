/** Cursors that were altered, cut, or given to somebody else, wherever a request takes one. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Asker, startTestApi, type TestAnswer, type TestApi } from '../../support/api.ts'
import { guest, LODGE, lodge, order, session, spa } from '../../support/world.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-12-31&project=id'

/** Each way to send a cursor. A stream is opened with HEAD, which does not stay. */
const WAYS: readonly (readonly [string, (asker: Asker, cursor: string) => Promise<TestAnswer>])[] = [
  ['after', (asker, cursor) => asker.get(`/v1/changes?after=${encodeURIComponent(cursor)}`)],
  ['changedAfter', (asker, cursor) => asker.get(`${GUESTS}&changedAfter=${encodeURIComponent(cursor)}`)],
  ['snapshot', (asker, cursor) => asker.get(`${GUESTS}&snapshot=${encodeURIComponent(cursor)}`)],
  [
    'Last-Event-ID',
    (asker, cursor) => asker.request('HEAD', '/v1/changes/stream', { 'last-event-id': cursor }),
  ],
]

let api: TestApi
let cursor: string
let others: string

const cursorOf = async (asker: Asker) => String((await asker.get('/v1/changes')).body.cursor)

beforeAll(async () => {
  api = await startTestApi({
    records: [spa(), lodge(), session('s1', '2025-01-06T12:00', '2025-01-12T12:00'), ...guest('g1')],
  })
  cursor = await cursorOf(api)
  others = await cursorOf(api.as(await api.createKey({ center: LODGE })))
})

describe.each(WAYS)('a cursor in %s', (_, send) => {
  it('is taken from any key of its center', async () => {
    expect((await send(api, cursor)).status).toBe(200)
    expect((await send(api.as(await api.createKey({ scopes: ['guests'] })), cursor)).status).toBe(200)
  })

  it('is refused with a bit of any byte changed, cut anywhere, made longer, and from another center', async () => {
    const bytes = Buffer.from(cursor, 'base64url')
    const altered = Array.from(bytes, (byte, at) => {
      const other = Buffer.from(bytes)
      other[at] = byte ^ (1 << (at % 8))
      return other.toString('base64url')
    })
    const cut = Array.from({ length: cursor.length - 1 }, (__, at) => cursor.slice(0, at + 1))
    const longer = [
      `${cursor}A`,
      cursor + cursor,
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}\u0000`,
      cursor.toUpperCase(),
    ]
    for (const wrong of [...altered, ...cut, ...longer, others]) {
      const { status } = await send(api, wrong)
      // 410 where the history that signed it is another one: nobody knows whether the center had it.
      expect([400, 410], wrong).toContain(status)
    }
  })
})

describe('a cursor of a key with more scopes', () => {
  it('shows a key with less only what that key may read, and one that lost a scope no more of it', async () => {
    const key = await api.createKey({ scopes: ['guests', 'orders'] })
    const asker = api.as(key)
    const before = await cursorOf(asker)
    await api.load([order('o1', { orderDate: '2025-01-10T10:00:00Z' }), ...guest('g2')])
    const kinds = async (who: Asker) =>
      new Set((await who.get(`/v1/changes?after=${before}`)).body.data.map(({ kind }) => kind))
    expect(await kinds(asker)).toEqual(new Set(['guests', 'orders']))
    expect(await kinds(api.as(await api.createKey({ scopes: ['orders'] })))).toEqual(new Set(['orders']))
    const { database } = api
    await database.runScript(`update api_keys set scopes = '{guests}' where public_key = '${key.publicKey}'`)
    expect(await kinds(asker)).toEqual(new Set(['guests']))
    expect((await asker.get(`/v1/changes?after=${before}&kinds=orders`)).status).toBe(403)
  })
})
