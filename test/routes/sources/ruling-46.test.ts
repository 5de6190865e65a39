/** Ruling 46: how old the data is, in the header `Data-Received` of every answer. */
import { describe, expect, it } from 'vitest'
import { createReceivedData } from '../../../src/core/access/data-age.ts'
import type { Scope } from '../../../src/core/access/keys/scopes.ts'
import { centerId, readCenter } from '../../../src/core/records/centers/center.ts'
import { keyState } from '../../access/key-state.ts'
import { startTestApi } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../../support/operations.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { booking, customer, lodge, order, session } from '../../support/world.ts'
import { guests, HOUR, NOW, startSourcesWorld } from './deliver.ts'

const seconds = (ms: number) => Math.floor(ms / 1000)
const NIGHTLY = ['sources', 'set', '--center', 'spa', 'night', '--kinds', 'bookings', '--schedule']

describe('the header Data-Received', () => {
  it('ruling 46: is on every 200 and 304, of GET and HEAD, with the kinds that the key may read', async () => {
    const api = await startTestApi()
    await api.load(OPERATION_RECORDS)
    for (const { url, scope } of OPERATION_REQUESTS) {
      const answer = await api.get(url)
      expect(answer.status, url).toBe(200)
      expect(answer.headers['data-received'], url).toMatch(
        /^bookings=@\d+, customers=@\d+, sessions=@\d+, orders=@\d+$/,
      )
      const again = await api.get(url, { 'if-none-match': String(answer.headers.etag) })
      if (again.status === 304) expect(again.headers['data-received'], url).toBeTypeOf('string')
      expect((await api.request('HEAD', url)).headers['data-received'], url).toBeTypeOf('string')
      expect(scope).not.toBe('')
    }
    const kinds = async (...scopes: Scope[]) => {
      const key = await api.createKey({ scopes })
      const { headers } = await api.as(key).get('/v1/me')
      return String(headers['data-received']).replaceAll(/=@\d+/g, '')
    }
    expect(await kinds('meals')).toBe('bookings, customers')
    expect(await kinds('sessions', 'orders')).toBe('sessions, orders')
    expect(await kinds('sources')).toBe('undefined')
    for (const url of ['/v1/guests', '/v1/nothing']) {
      expect((await api.get(url)).headers['data-received']).toBeUndefined()
    }
    expect((await api.as(undefined).get('/v1/me')).headers['data-received']).toBeUndefined()
  })

  it('ruling 46: has the time of the last delivery that counts, and late once the next one is missing', async () => {
    const world = await startSourcesWorld()
    const header = async () => (await world.api.get('/v1/guests?sessionId=s1')).headers['data-received']
    expect((await world.run([...NIGHTLY, 'every night by 04:00'])).code).toBe(0)
    expect(await header()).toMatch(/^bookings=\?0;every=86400;due=@\d+, customers=@/)
    expect((await world.deliver('night', guests(3))).code).toBe(0)
    // 04:04 in Bucharest.
    const due = Date.parse('2026-11-22T02:04:00.000Z')
    const fresh = `bookings=@${seconds(NOW)};every=86400;due=@${seconds(due)}`
    expect(await header()).toContain(`${fresh}, `)
    world.now = due - 1000
    expect(await header()).toContain(`${fresh}, `)
    world.now = due
    expect(await header()).toContain(`${fresh};late, `)
    world.now = due + HOUR
    // Refused: the data does not become newer.
    expect((await world.deliver('night', [booking('b', { customerId: 'nobody' })])).code).toBe(1)
    expect(await header()).toContain(`${fresh};late, `)
    expect((await world.deliver('night', guests(3))).code).toBe(0)
    expect(await header()).toMatch(new RegExp(`^bookings=@${seconds(due + HOUR)};every=86400;due=@\\d+, `))
  })

  it('ruling 46: is no part of a tag: old and fresh data have the same one, and a 304 says how old it is', async () => {
    const world = await startSourcesWorld()
    await world.run([...NIGHTLY, 'hourly'])
    await world.deliver('night', guests(3))
    const url = '/v1/guests?sessionId=s1'
    const fresh = await world.api.get(url)
    world.now = NOW + 3 * HOUR
    const late = await world.api.get(url, { 'if-none-match': String(fresh.headers.etag) })
    expect(late.status).toBe(304)
    expect(late.headers['data-received']).toContain(';late')
    expect(late.headers.etag).toBe(fresh.headers.etag)
    // A delivery without changes.
    await world.deliver('night', guests(3))
    const again = await world.api.get(url, { 'if-none-match': String(fresh.headers.etag) })
    expect(again.status).toBe(304)
    expect(again.headers['data-received']).toContain(`bookings=@${seconds(world.now)};`)
    expect(again.headers['data-received']).not.toContain('late')
  })

  it('ruling 46: needs no query for a repeated read', async () => {
    const { database, statements } = await watched()
    const center = await readCenter(database, centerId('spa'))
    if (center === undefined) throw new Error('no center')
    const data = createReceivedData(database)
    const state = (more: object) => keyState({ center: 'spa', generation: database.generation(), ...more })
    const before = statements.length
    await data.get(state({ revision: 5 }), center)
    const read = statements.length - before
    expect(read).toBe(2)
    expect(data.get(state({ revision: 5 }), center)).not.toBeInstanceOf(Promise)
    expect(statements).toHaveLength(before + read)
    // A commit matters, because no source delivers these records.
    await data.get(state({ revision: 6 }), center)
    expect(statements).toHaveLength(before + read + 1)
    await data.get(state({ revision: 6, sourcesRevision: 1 }), center)
    expect(statements).toHaveLength(before + read + 3)
  })

  it('ruling 46: is missing if it cannot be read, and the answer comes all the same', async () => {
    const { database } = await watched()
    const center = await readCenter(database, centerId('spa'))
    if (center === undefined) throw new Error('no center')
    const failing = { ...database, query: () => Promise.reject(new Error('no')) }
    const data = createReceivedData(failing)
    const state = keyState({ center: 'spa', generation: database.generation() })
    expect(await data.get(state, center)).toMatchObject({ kinds: new Map() })
  })

  it('ruling 46: shows nothing of another center', async () => {
    const world = await startSourcesWorld([lodge()])
    await world.run([...NIGHTLY, 'hourly'])
    await world.deliver('night', guests(3))
    const other = world.api.as(await world.api.createKey({ center: 'lodge' }))
    expect((await other.get('/v1/me')).headers['data-received']).toBeUndefined()
    // Records of the other center in a delivery do not make this one newer.
    world.now = NOW + 3 * HOUR
    const foreign = [
      customer('x', { centerId: 'lodge' }),
      booking('x', { centerId: 'lodge', customerId: 'x' }),
    ]
    expect((await world.deliver('night', foreign)).code).toBe(0)
    expect((await other.get('/v1/me')).headers['data-received']).toBe(
      `bookings=@${seconds(world.now)}, customers=@${seconds(world.now)}`,
    )
    expect((await world.api.get('/v1/me')).headers['data-received']).toContain(
      `bookings=@${seconds(NOW)};every=3600;due=@${seconds(NOW) + 3840};late`,
    )
  })

  it('ruling 46: may be read by pages of allowed origins', async () => {
    const world = await startSourcesWorld()
    const { headers } = await world.api.get('/v1/me', { origin: 'https://desk.example' })
    expect(headers['access-control-expose-headers']).toContain('Data-Received')
  })

  it('ruling 46: is in files too: the manifest of NDJSON and a second sheet of XLSX, and not in CSV', async () => {
    const world = await startSourcesWorld()
    await world.run([...NIGHTLY, 'hourly'])
    await world.deliver('night', [...guests(3), session('s1', '2025-01-06', '2025-01-12'), order('order_1')])
    world.now = NOW + 3 * HOUR
    const get = (format: string) =>
      world.api.app.inject({
        url: `/v1/guests?startDate=2025-01-01&endDate=2025-01-31&format=${format}`,
        headers: world.api.key.bearer,
      })
    const { manifest } = JSON.parse((await get('ndjson')).body.trim().split('\n').at(-1) ?? '')
    const received = new Date(NOW).toISOString()
    expect(manifest.received).toEqual([
      {
        kind: 'bookings',
        at: received,
        everySeconds: 3600,
        dueAt: new Date(NOW + HOUR + 240_000).toISOString(),
        late: true,
      },
      ...['customers', 'sessions', 'orders'].map((kind) => ({
        kind,
        at: received,
        everySeconds: null,
        dueAt: null,
        late: false,
      })),
    ])
    const { readXlsx } = await import('hucre/xlsx')
    const { sheets } = await readXlsx((await get('xlsx')).rawPayload)
    expect(sheets).toHaveLength(2)
    expect(sheets[0]?.rows).toHaveLength(4)
    expect(sheets[1]?.rows.slice(0, 2)).toEqual([
      ['data', 'last received', 'usual seconds between deliveries', 'late from', 'late'],
      ['bookings', '2026-11-21 10:00', 3600, '2026-11-21 11:04', true],
    ])
    expect((await get('csv')).body).not.toContain('received')
  })
})

async function watched() {
  const database = await openTestDatabase()
  await startTestApi({ database })
  const { database: own, sent } = watchDatabase(database)
  return { database: own, statements: sent }
}
