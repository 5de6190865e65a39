/** Answers that are too big to keep: not compressed and not retained, yet a client that has one gets a 304. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { createReadOnce } from '../../src/core/answer/read-once.ts'
import { type Database, DatabaseUnavailable } from '../../src/core/database/database.ts'
import { createDatabaseQueue, type DatabaseQueue } from '../../src/core/database/queue/database-queue.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import type { Plan, StreamPlan } from '../../src/core/request/operation.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { listen } from '../support/socket.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { metricOf, startInstance } from './instances.ts'

/** The trail is written, or tried again, several times a second. */
const WRITTEN_WITHIN = { timeout: 60_000, interval: 100 }
const ORDERS = 1001
const URL = '/v1/orders?startDate=2025-01-01&endDate=2025-01-31'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
  await api.database.query(sql`
    insert into orders (center_id, uuid, order_date, total_amount, status)
    select 'spa', 'order_' || n, '2025-01-02T10:00Z'::timestamptz + n % 7 * interval '1 microsecond', n, 'confirmed'
    from generate_series(1, ${ORDERS}::int) n`)
})

describe('a streamed answer', () => {
  it('has a weak ETag that leads to 304, and sends nothing then', async () => {
    const watched = watchDatabase(api.database)
    const instance = await startInstance({ database: watched.database }, api.key)
    const first = await instance.get(URL)
    expect(first.status).toBe(200)
    const listed = (JSON.parse(first.text) as { uuid: string }[]).map(({ uuid }) => [uuid])
    expect(listed).toHaveLength(ORDERS)
    expect(listed).toEqual(
      await api.database.queryArrays(
        sql`select uuid from orders where center_id = 'spa' order by order_date, uuid`,
      ),
    )
    expect(first.headers.etag).toMatch(/^W\/"[\w-]{27}"$/)
    const streams = () => watched.sent.filter(({ by }) => by === 'stream').length
    expect(streams()).toBe(1)
    for (const header of [first.headers.etag ?? '', first.headers.etag?.slice(2) ?? '', '*']) {
      const unchanged = await instance.get(URL, { 'if-none-match': header })
      expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([
        304,
        '',
        first.headers.etag,
      ])
    }
    expect(streams()).toBe(1)
  })

  it('has another after a commit, in another language, and with other parameters', async () => {
    const instance = await startInstance(api, api.key)
    const { etag = '' } = (await instance.get(URL)).headers
    expect((await instance.get(URL, { 'if-none-match': etag, 'x-locale': 'no' })).status).toBe(200)
    expect((await instance.get(`${URL}&includeGuestNames=true`, { 'if-none-match': etag })).status).toBe(200)
    await api.database.query(
      sql`update orders set status = 'paid' where center_id = 'spa' and uuid = 'order_1'`,
    )
    const after = await instance.get(URL, { 'if-none-match': etag })
    expect(after.status).toBe(200)
    expect(after.headers.etag).not.toBe(etag)
  })

  it('has the same status and headers for HEAD, which sends nothing', async () => {
    const instance = await startInstance(api, api.key)
    const [get, head] = [await instance.get(URL), await instance.request('HEAD', URL)]
    const comparable = ({ headers }: typeof get) => {
      const { date, connection, 'x-request-id': _, 'transfer-encoding': __, ...rest } = headers
      return rest
    }
    expect(head.status).toBe(200)
    expect(comparable(head)).toEqual(comparable(get))
    expect(head.text).toBe('')
  })

  it('is not read for HEAD', async () => {
    let read = 0
    const database: Database = {
      ...api.database,
      async *stream(...asked) {
        for await (const rows of api.database.stream(...asked)) {
          read += 1
          yield rows
        }
      },
    }
    const instance = await startInstance({ database }, api.key)
    await instance.request('HEAD', URL)
    await instance.get('/v1/sessions')
    expect(read).toBe(0)
    await instance.get(URL)
    expect(read).toBeGreaterThan(0)
  })

  it('goes out as it is, whatever encoding the client takes', async () => {
    const instance = await startInstance(api, api.key)
    const answer = await instance.get(URL, { 'accept-encoding': 'br, gzip' })
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect(JSON.parse(answer.text)).toHaveLength(ORDERS)
  })

  it('never reaches a key without the scope, nor does its 304', async () => {
    const instance = await startInstance(api, api.key)
    const { etag = '' } = (await instance.get(URL)).headers
    const lesser = api.as(await api.createKey({ scopes: ['guests'] }))
    expect((await lesser.get(URL, { 'if-none-match': etag })).status).toBe(403)
  })

  it('takes none of the key’s streams where it is refused because the trail cannot be written', async () => {
    const trail = { broken: true, now: Date.parse('2025-02-01T09:00:00Z') }
    const database: Database = {
      ...api.database,
      transaction: (work) =>
        trail.broken
          ? Promise.reject(new DatabaseUnavailable('the disk is full'))
          : api.database.transaction(work),
    }
    const instance = await startInstance({ database }, api.key, {
      clock: () => trail.now,
      auditGraceSeconds: 0,
    })
    // The first reads only find out that it cannot be written.
    const statusOf = async () => (await instance.get(URL)).status
    await vi.waitFor(async () => {
      trail.now += 1000
      expect(await statusOf()).toBe(503)
    }, WRITTEN_WITHIN)
    // More than a key may have at a time.
    for (let refused = 0; refused < 5; refused++) expect(await statusOf()).toBe(503)
    trail.broken = false
    await vi.waitFor(async () => expect(await statusOf()).toBe(200), WRITTEN_WITHIN)
  })

  it('that its client breaks off is counted in the usage of its application', async () => {
    const key = await api.createKey()
    const app = await buildApp({
      database: api.database,
      logLevel: 'silent',
      usageFlushMs: 3_600_000,
      metricsEveryMs: 0,
    })
    const began = Promise.withResolvers<ServerResponse>()
    app.addHook('onRequest', async (request, reply) => {
      if (request.url !== URL) return
      // As that of a client that reads nothing: the answer is not sent to its end.
      request.raw.socket.cork()
      began.resolve(reply.raw)
    })
    const socket = connect(await listen(app), '127.0.0.1')
    const headers = Object.entries(key.headers).map(([name, value]) => `${name}: ${value}`)
    socket.write([`GET ${URL} HTTP/1.1`, 'host: a', ...headers, '', ''].join('\r\n'))
    const raw = await began.promise
    while (!raw.headersSent) await new Promise(setImmediate)
    const openNow = () => metricOf(app, 'sojourn_long_lists_open')
    expect(await openNow()).toBe(1)
    socket.destroy()
    await once(raw, 'close')
    while ((await openNow()) > 0) await new Promise(setImmediate)
    await app.close()
    const { days } = (await api.as(key).get('/v1/usage')).body as unknown as {
      days: readonly { endpoint: string; requests: number }[]
    }
    expect(days).toContainEqual(expect.objectContaining({ endpoint: '/orders', requests: 1 }))
  })
})

describe('a client that leaves before its answer begins', () => {
  it.each([
    ['a long list', URL],
    ['a file', `${URL}&format=xlsx`],
    ['the head of a file', `${URL}&format=csv`],
  ])('gives its place back, and what it holds of the database: %s', async (what, url) => {
    const begun = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    let reading = 0
    const database: Database = {
      ...api.database,
      async queryArrays(...asked) {
        begun.resolve()
        await left.promise
        return api.database.queryArrays(...asked)
      },
      async *stream(...asked) {
        reading += 1
        try {
          yield* api.database.stream(...asked)
        } finally {
          reading -= 1
        }
      },
    }
    const app = await buildApp({ database, logLevel: 'silent', usageFlushMs: 3_600_000, metricsEveryMs: 0 })
    onTestFinished(() => app.close())
    const headers = Object.entries(api.key.headers).map(([name, value]) => `${name}: ${value}`)
    const method = what.includes('head') ? 'HEAD' : 'GET'
    let raw: ServerResponse | undefined
    app.addHook('onRequest', async (request, reply) => {
      if (request.url === url) raw ??= reply.raw
    })
    const socket = connect(await listen(app), '127.0.0.1')
    socket.write([`${method} ${url} HTTP/1.1`, 'host: a', ...headers, '', ''].join('\r\n'))
    await begun.promise
    socket.resetAndDestroy()
    if (raw === undefined) throw new Error('it was not asked')
    await once(raw, 'close')
    left.resolve()
    // Its time is over when the same key is answered.
    for (let time = 0; time < 3; time += 1) {
      expect((await app.inject({ url, headers: api.key.headers })).statusCode).toBe(200)
    }
    await expect.poll(() => metricOf(app, 'sojourn_long_lists_open')).toBe(0)
    expect(reading).toBe(0)
  })
})

test('between the slices of an answer, and the pieces of a long one, its center rests', async () => {
  const events: string[] = []
  const queue = createDatabaseQueue(1)
  const resting: DatabaseQueue = {
    ...queue,
    async rest(center, tookMs) {
      events.push(`rest of ${center}`)
      expect(tookMs).toBeGreaterThanOrEqual(0)
    },
  }
  const read = createReadOnce(api.database, resting, { set() {} }, Date.now)
  const numbers = (count: number) => sql`select n from generate_series(1, ${count}::int) n`
  const stream: StreamPlan = {
    kind: 'stream',
    heldRowsMax: 1,
    count: () => sql`select 3`,
    statement: () => numbers(3),
    rowsPerChunk: 1,
    async *present(chunks) {
      for await (const rows of chunks) yield String(rows[0]?.[0])
    },
  }
  const plan: Plan = {
    requiredScopes: [],
    normalForm: 'numbers',
    dependencies: [],
    statement: numbers(2),
    revisionOf: () => 1,
    present: () => ({ body: '', revision: 1, records: { count: 0, ids: [] } }),
    inPieces: stream,
  }
  const basis = {
    center: centerId('spa'),
    generation: api.database.generation(),
    revision: 1,
    profileRevision: 1,
    operation: 'numbers',
    facts: {},
  }
  const answer = await read(plan, basis, 'numbers', 'app')
  if (!('pieces' in answer)) throw new Error('it is not long')
  for await (const piece of answer.pieces()) events.push(String(piece))
  expect(events.splice(0)).toEqual(['1', 'rest of spa', '2', 'rest of spa', '3', 'rest of spa'])

  const sliced: Plan = {
    ...plan,
    normalForm: 'slices',
    *present() {
      for (const slice of ['a', 'b']) {
        events.push(slice)
        // Shorter slices go on.
        for (const since = performance.now(); performance.now() - since < 1; );
        yield
      }
      return { body: ['"ab"'], revision: 1, records: { count: 2, ids: [] } }
    },
    inPieces: { ...stream, heldRowsMax: 2 },
  }
  await read(sliced, basis, 'slices', 'app')
  expect(events).toEqual(['a', 'rest of spa', 'b', 'rest of spa'])
})
