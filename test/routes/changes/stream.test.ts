/** `GET /changes/stream`: what moves, as Server-Sent Events. The clock is the test's, and so is every commit. */
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import type { AppOptions } from '../../../src/core/app-options.ts'
import { metricOf } from '../../answer/instances.ts'
import { namedParameters, startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { randomCenter, randomCommit, runCommit, seededRandom } from '../../support/random-center.ts'
import { SEED } from '../../support/seed.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { guest, LODGE, lodge, order, session, spa } from '../../support/world.ts'
import { type OpenStream, openStream, type StreamEvent } from './events.ts'
import { cursorOf, entriesOf, follow } from './follower.ts'

const STAY = { sessionIds: ['s1'], startDate: '2025-03-01T14:00', endDate: '2025-03-08T10:00' }

let api: TestApi
let monotonic = 0
const CLOCKS = { lookEveryMs: 5, monotonic: () => monotonic }

beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa(),
      lodge(),
      session('s1', '2025-03-01T14:00', '2025-03-08T10:00'),
      session('s2', '2025-04-01T14:00', '2025-04-08T10:00'),
      order('o1', { orderDate: '2025-03-01T12:00' }),
      ...['b1', 'b2'].flatMap((id) => guest(id, STAY)),
    ],
    app: CLOCKS,
  })
})

let key: TestKey
beforeEach(async () => {
  // An application has one stream, so each test is another.
  key = await api.createKey()
})

const write = (statement: Sql) => api.database.query(statement)
let count = 0
const value = () => {
  count += 1
  return `value ${count}`
}
const doctor = (id = 'b1') =>
  write(sql`update bookings set doctor_name = ${value()} where center_id = 'spa' and id = ${id}`)

const open = (query = '', headers = {}, who = key) => openStream(api.app, who, query, headers)

/** Opened, and its position from then on. */
async function opened(query = '', who = key): Promise<{ stream: OpenStream; cursor: string }> {
  const stream = await open(query, {}, who)
  expect(await stream.next()).toMatchObject({ retry: '3000' })
  return { stream, cursor: String((await stream.next())?.id) }
}

const saidBy = ({ data = '' }: StreamEvent) => {
  const { operation, kind, id } = JSON.parse(data)
  return `${operation} ${kind} ${id}`
}

/** What a stream says when it ends because it may not go on. */
async function lastWords(stream: OpenStream) {
  const { event, data, retry } = await stream.change()
  expect(event).toBe('end')
  expect(await stream.next()).toBeUndefined()
  expect(stream.isComplete()).toBe(true)
  return { ...JSON.parse(data ?? '').error, retry }
}

/** An instance of its own, listening or not. */
async function startApp(options: Partial<AppOptions> = {}) {
  const app = await buildApp({
    database: api.database,
    logLevel: 'silent',
    usageFlushMs: 3_600_000,
    ...CLOCKS,
    ...options,
  })
  onTestFinished(() => app.close())
  return app
}

describe('a stream', () => {
  it('is of events, that no proxy may collect and nobody may keep', async () => {
    const { stream } = await opened()
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    })
  })

  it('sends the entries of GET /changes as they come, each with the cursor behind it', async () => {
    const { stream, cursor } = await opened()
    await doctor()
    await write(sql`update orders set status = ${value()} where center_id = 'spa'`)
    const events = [await stream.change(), await stream.change()]
    const { body } = await api.get(`/v1/changes?after=${cursor}`)
    expect(events.map(({ data = '' }) => JSON.parse(data))).toEqual(body.data)
    const after = entriesOf(await api.get(`/v1/changes?after=${events[0]?.id}`))
    expect(after).toEqual([body.data[1]])
    expect(entriesOf(await api.get(`/v1/changes?after=${events[1]?.id}`))).toEqual([])
  })

  it('begins with what came after a cursor, and Last-Event-ID counts before it', async () => {
    const first = cursorOf(await api.get('/v1/changes'))
    await doctor()
    const second = cursorOf(await api.get('/v1/changes'))
    await doctor('b2')
    const whole = await open(`after=${first}`)
    expect(saidBy(await whole.change())).toBe('changed guests b1')
    expect(saidBy(await whole.change())).toBe('changed guests b2')
    const part = await open(`after=${first}`, { 'last-event-id': second })
    expect(saidBy(await part.change())).toBe('changed guests b2')
    const none = await open('', { 'last-event-id': '' })
    expect([(await none.next())?.retry, (await none.next())?.data]).toEqual(['3000', undefined])
  })

  it('is of the kinds and of the session that are asked for, and moves on past all others', async () => {
    const app = await startApp({ metricsEveryMs: 0 })
    const stream = await openStream(app, key, 'kinds=sessions&sessionId=s2')
    for (let beginning = 0; beginning < 2; beginning += 1) await stream.next()
    // A read that shows nobody anything is none of the trail's.
    const reported = async () =>
      (await metricOf(app, 'sojourn_audit_waiting')) + (await metricOf(app, 'sojourn_audit_written_total'))
    expect(await reported()).toBe(1)
    await doctor()
    await write(sql`update sessions set text = ${value()} where center_id = 'spa' and id = 's1'`)
    // Nothing that is asked for came; but who opens it again does not begin with it.
    const { id: past, data } = (await stream.next()) ?? {}
    expect([typeof past, data]).toEqual(['string', undefined])
    expect(await reported()).toBe(1)
    await write(sql`update sessions set text = ${value()} where center_id = 'spa' and id = 's2'`)
    expect(saidBy(await stream.change())).toBe('changed sessions s2')
  })

  it('of more than is sent together has nothing between the entries', async () => {
    const from = cursorOf(await api.get('/v1/changes'))
    await write(sql`
      insert into sessions (center_id, id, name, start_date, end_date)
      select 'spa', 'many-' || n, 'Many', '2030-01-01', '2030-01-02' from generate_series(1, 101) n`)
    for (const kinds of ['', '&kinds=sessions']) {
      const stream = await open(`after=${from}${kinds}`, {}, await api.createKey())
      expect(await stream.next()).toMatchObject({ retry: '3000' })
      const events = []
      while (events.length < 101) events.push(await stream.next())
      expect(events.filter((event) => event?.data === undefined)).toEqual([])
      expect(new Set(events.map((event) => event?.id)).size).toBe(101)
    }
  })

  it('goes on when a connection that was full has room again', async () => {
    const app = await startApp()
    // Any event fills the connection.
    Object.assign(app.server, { highWaterMark: 1 })
    const stream = await openStream(app, key)
    for (const id of ['b1', 'b2']) {
      await doctor(id)
      expect(saidBy(await stream.change())).toBe(`changed guests ${id}`)
    }
  })

  it('has a heartbeat every 15 seconds, which says where to go on from', async () => {
    const { stream, cursor } = await opened()
    for (let beat = 0; beat < 2; beat += 1) {
      const next = stream.next()
      monotonic += 15_000
      expect(await next).toEqual({ id: cursor, event: undefined, data: undefined, retry: undefined })
    }
  })

  it('ends after an hour, to be opened again', async () => {
    const { stream } = await opened()
    monotonic += 3_600_000
    expect(await stream.next()).toBeUndefined()
    expect(stream.isComplete()).toBe(true)
  })

  it('answers HEAD with the headers, and ends no stream of the application', async () => {
    const { stream } = await opened()
    const head = await api.as(key).request('HEAD', '/v1/changes/stream')
    expect([head.status, head.text, head.headers['content-type']]).toEqual([
      200,
      '',
      'text/event-stream; charset=utf-8',
    ])
    await doctor()
    expect(saidBy(await stream.change())).toBe('changed guests b1')
  })

  it('asks the database for nothing of its own while it waits', async () => {
    const watched = watchDatabase(api.database)
    const app = await startApp({ database: watched.database })
    const streams = await Promise.all(
      Array.from({ length: 4 }, async () => openStream(app, await api.createKey())),
    )
    for (const stream of streams) for (let n = 0; n < 2; n += 1) await stream.next()
    watched.sent.length = 0
    const looks = () => watched.sent.filter(({ text }) => text.includes('from api_keys'))
    // One look for all of them, once all wait, on the connection that no reader can take.
    await vi.waitFor(() => expect(looks().at(-1)?.values[0]).toHaveLength(4), 60_000)
    expect(watched.sent.filter(({ by }) => by === 'queryArrays' || by === 'stream')).toEqual([])
  })
})

describe('it is refused', () => {
  it.each([
    ['after', (wrong: string) => [`after=${wrong}`, {}] as const],
    ['Last-Event-ID', (wrong: string) => ['', { 'last-event-id': wrong }] as const],
  ])('with 400 for a cursor in %s that is none, or another center’s', async (parameter, ask) => {
    const own = cursorOf(await api.get('/v1/changes'))
    const other = cursorOf(await api.as(await api.createKey({ center: LODGE })).get('/v1/changes'))
    for (const wrong of ['nonsense', other, own.slice(0, -1) + (own.endsWith('A') ? 'Q' : 'A')]) {
      const [query, headers] = ask(wrong)
      const answer = await api.as(key).get(`/v1/changes/stream?${query}`, headers)
      expect(answer.status).toBe(400)
      expect(namedParameters(answer)).toEqual([parameter])
    }
  })

  it('with 400 for a parameter that it does not take', async () => {
    const answer = await api.as(key).get('/v1/changes/stream?wait=5&length=3&kinds=guest')
    expect([answer.status, namedParameters(answer).sort()]).toEqual([400, ['kinds', 'length', 'wait']])
  })

  it('with 401 without a key, 405 for another method, at every form of its path', async () => {
    for (const path of ['/v1/changes/stream', '/changes/stream', '/changes/stream/']) {
      expect((await api.as(undefined).get(path)).status).toBe(401)
      expect((await api.as(key).request('POST', path)).status).toBe(405)
    }
  })

  it('with 403 to a key without any of the scopes, or without that of a kind', async () => {
    const medical = api.as(await api.createKey({ scopes: ['guests.medical'] }))
    expect((await medical.get('/v1/changes/stream')).status).toBe(403)
    const guests = api.as(await api.createKey({ scopes: ['guests'] }))
    const { status, body } = await guests.get('/v1/changes/stream?kinds=guests,orders')
    expect(status).toBe(403)
    expect(body.error.message).toContain('kinds=orders needs the scope orders')
  })

  it('with 410 for a cursor whose later changes are no longer stored', async () => {
    const own = await api.newCenter([session('s1', '2025-03-01T14:00', '2025-03-08T10:00')])
    const old = cursorOf(await own.get('/v1/changes'))
    for (let n = 0; n < 2; n += 1) {
      await write(sql`update sessions set text = ${value()} where center_id = ${own.id}`)
    }
    await write(sql`
      delete from change_commits where center_id = ${own.id}
        and revision < (select revision from center_revisions where center_id = ${own.id})`)
    for (const [query, headers] of [
      [`after=${old}`, {}],
      ['', { 'last-event-id': old }],
    ] as const) {
      const answer = await own.get(`/v1/changes/stream?${query}`, headers)
      expect([answer.status, answer.body.error.code]).toEqual([410, 'GONE'])
    }
  })
})

describe('a key', () => {
  it('receives what it may read, and nothing of another center', async () => {
    const lesser = await api.createKey({ scopes: ['guests', 'sessions'] })
    const { stream } = await opened('', lesser)
    const { stream: theirs } = await opened('', await api.createKey({ center: LODGE }))
    await write(sql`update orders set status = ${value()} where center_id = 'spa'`)
    await write(
      sql`update bookings set medical = ${JSON.stringify({ height: 100 + count++ })} where center_id = 'spa' and id = 'b1'`,
    )
    await write(sql`
      update bookings set doctor_name = ${value()}, medical = ${JSON.stringify({ height: 100 + count++ })}
      where center_id = 'spa' and id = 'b2'`)
    const event = await stream.change()
    expect(saidBy(event)).toBe('changed guests b2')
    expect(JSON.parse(event.data ?? '').groups).toEqual(['guests'])
    await write(sql`update centers set phone = ${value()} where center_id = ${LODGE}`)
    const { data } = await theirs.change()
    expect(JSON.parse(data ?? '')).toMatchObject({ operation: 'readAgain', id: null })
  })

  it.each([
    [
      'is revoked',
      (publicKey: string) => sql`update api_keys set revoked_at = now() where public_key = ${publicKey}`,
      401,
    ],
    [
      'expires',
      (publicKey: string) => sql`update api_keys set expires_at = now() where public_key = ${publicKey}`,
      401,
    ],
    [
      'may not be used from there any more',
      (publicKey: string) =>
        sql`update api_keys set allowed_addresses = '{192.0.2.1}' where public_key = ${publicKey}`,
      403,
    ],
  ])('that %s ends its stream with the reason, though nothing moves', async (_, statement, status) => {
    const { stream } = await opened()
    await write(statement(key.publicKey))
    expect((await lastWords(stream)).code).toBe(status === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN')
    expect((await api.as(key).get('/v1/changes/stream')).status).toBe(status)
  })

  it('that loses a scope ends its stream rather than receiving less, at the next heartbeat', async () => {
    const { stream } = await opened()
    await write(sql`update api_keys set scopes = '{guests,sessions}' where public_key = ${key.publicKey}`)
    const words = lastWords(stream)
    monotonic += 15_000
    expect(await words).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('the scope orders'),
    })
  })

  it('whose center switches access off ends its stream', async () => {
    const own = await api.newCenter([])
    const { stream } = await opened('', own.key)
    await write(sql`update centers set api_access = false where center_id = ${own.id}`)
    expect((await lastWords(stream)).code).toBe('FORBIDDEN')
  })
})

describe('of streams', () => {
  it('an application has one: a new one takes over, and the old one is informed and does not reconnect soon', async () => {
    const { stream: old, cursor } = await opened()
    const { stream: taken } = await opened(`after=${cursor}`)
    expect(await lastWords(old)).toMatchObject({ code: 'RATE_LIMITED', retry: '60000' })
    await doctor()
    expect(saidBy(await taken.change())).toBe('changed guests b1')
    // The one that was refused has taken nothing over.
    expect((await api.as(key).get('/v1/changes/stream?after=nonsense')).status).toBe(400)
    await doctor()
    expect(saidBy(await taken.change())).toBe('changed guests b1')
  })

  it('an application has one for each device, and twenty-five in all; each is notified within the same look', async () => {
    const own = await api.newCenter(
      guest('b1', { startDate: '2025-01-06T12:00', endDate: '2025-01-19T10:00' }, { firstName: 'Ana' }),
    )
    const open = (device: string) => openStream(api.app, own.key, `device=${device}`)
    const devices = Array.from({ length: 24 }, (_, at) => `screen-${at}`)
    const streams = await Promise.all(devices.map(open))
    const unnamed = await openStream(api.app, own.key)
    expect([...streams, unnamed].map(({ status }) => status)).toEqual(Array(25).fill(200))
    const refused = await open('one-more')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5'])
    expect(await refused.text()).toContain('This application already has 25 streams of changes')
    // The same device comes back, and takes its own slot.
    const back = await open('screen-0')
    expect(await lastWords(streams[0]!)).toMatchObject({ code: 'RATE_LIMITED', retry: '60000' })
    const moved = guest(
      'b1',
      { startDate: '2025-01-06T12:00', endDate: '2025-01-18T10:00' },
      { firstName: 'Ana' },
    )
    await api.load(moved.map((record) => ({ ...record, centerId: own.id })))
    const reported = await Promise.all([back, unnamed, ...streams.slice(1)].map((stream) => stream.change()))
    expect(new Set(reported.map(saidBy))).toEqual(new Set(['changed guests b1']))
  })

  it('the center that has the most gives its newest one to a center without', async () => {
    const app = await startApp({ eventStreamsMax: 4 })
    const own = [await api.newCenter([]), await api.newCenter([]), await api.newCenter([])]
    const open = (at: number, device: string) => openStream(app, own[at]!.key, `device=${device}`)
    const first = [await open(0, 'a'), await open(0, 'b')]
    const second = [await open(1, 'a'), await open(1, 'b')]
    const third = await open(2, 'a')
    expect(third.status).toBe(200)
    expect(await lastWords(second[1]!)).toMatchObject({ code: 'RATE_LIMITED', retry: '60000' })
    // Who has one already takes none from who has two.
    expect((await open(2, 'b')).status).toBe(503)
    for (const stream of [...first, second[0]!]) expect(stream.isComplete()).toBe(false)
  })

  it('a center has half, and all have so many; one that ends is free for the next', async () => {
    const app = await startApp({ eventStreamsMax: 3, metricsEveryMs: 0 })
    const openNow = () => metricOf(app, 'sojourn_change_streams_open')
    expect(await openNow()).toBe(0)
    const openOf = async (center: string) => openStream(app, await api.createKey({ center }))
    const ofSpa = [await openOf('spa'), await openOf('spa')]
    const third = await openOf('spa')
    expect([third.status, third.headers['retry-after']]).toEqual([429, '5'])
    expect(await third.text()).toContain('This center already has 2 streams of changes')
    expect((await openOf(LODGE)).status).toBe(200)
    // A center without any gets one of the two.
    const own = await api.newCenter([])
    expect((await openStream(app, own.key)).status).toBe(200)
    expect(await lastWords(ofSpa[1]!)).toMatchObject({ code: 'RATE_LIMITED' })
    const last = await api.newCenter([])
    expect((await openStream(app, last.key)).status).toBe(503)
    expect(await openNow()).toBe(3)
    ofSpa[0]?.close()
    let next = await openOf('spa')
    while (next.status === 503) next = await openOf('spa')
    expect(next.status).toBe(200)
    expect(await openNow()).toBe(3)
  })

  it('one whose client does not read is ended, and its slot is free', async () => {
    const app = await startApp({
      eventStreamsMax: 1,
      connectionBounds: {
        checkMs: 10,
        progress: { withinMs: 50, bytesMin: 16_384, waitingBytesMax: 1_000_000 },
      },
    })
    app.addHook('onRequest', async (request) => {
      // As that of a client that reads nothing: what is written stays here.
      if (request.headers['x-unread'] !== undefined) request.raw.socket.cork()
    })
    const openUnread = () => void openStream(app, key, '', { 'x-unread': 'yes' }).catch(() => {})
    const other = await api.createKey()
    openUnread()
    let next = await openStream(app, other)
    while (next.status === 200) {
      next.close()
      // It may have been ended already.
      openUnread()
      next = await openStream(app, other)
    }
    expect([429, 503]).toContain(next.status)
    while (next.status !== 200) next = await openStream(app, other)
    await doctor()
    expect(saidBy(await next.change())).toBe('changed guests b1')
  })

  it('all end with the service, as they are meant to, and none begins after', async () => {
    const app = await startApp()
    const streams = await Promise.all(
      Array.from({ length: 3 }, async () => openStream(app, await api.createKey())),
    )
    for (const stream of streams) for (let n = 0; n < 2; n += 1) await stream.next()
    await app.close()
    for (const stream of streams) {
      expect(await stream.next()).toBeUndefined()
      expect(stream.isComplete()).toBe(true)
    }
  })
})

describe('what is known of a stream afterwards', () => {
  it.each([
    ['the service ended it', false],
    ['the client broke it off', true],
  ])('is one request of the application in its usage, where %s', async (_, isBrokenOff) => {
    // No look at the database notices that the client has left: its connection tells.
    const app = await startApp({ metricsEveryMs: 0, lookEveryMs: 3_600_000 })
    const stream = await openStream(app, key)
    for (let n = 0; n < 2; n += 1) await stream.next()
    if (isBrokenOff) {
      stream.close()
      const openNow = () => metricOf(app, 'sojourn_change_streams_open')
      await vi.waitFor(async () => expect(await openNow()).toBe(0), 60_000)
    }
    await app.close()
    const { days } = (await api.as(key).get('/v1/usage')).body as unknown as {
      days: readonly { endpoint: string; requests: number; bytes: number }[]
    }
    const of = days.filter(({ endpoint }) => endpoint === '/changes/stream')
    expect(of).toMatchObject([{ requests: 1 }])
    expect(of[0]?.bytes).toBeGreaterThan('retry: 3000'.length)
  })

  it('is why it was ended, among the errors of the application', async () => {
    const app = await startApp()
    const stream = await openStream(app, key)
    for (let n = 0; n < 2; n += 1) await stream.next()
    await write(sql`update api_keys set revoked_at = now() where public_key = ${key.publicKey}`)
    await lastWords(stream)
    await app.close()
    const reported = await api.database.query(sql`
      select endpoint, code, message from usage_errors where center_id = 'spa' and app_id = ${key.appId}`)
    expect(reported).toEqual([
      { endpoint: '/changes/stream', code: 'UNAUTHORIZED', message: 'The key was revoked.' },
    ])
  })

  it('is each reading in the trail, and nothing of what was only waited for', async () => {
    const app = await startApp()
    const cursor = cursorOf(await api.get('/v1/changes'))
    await doctor()
    const stream = await openStream(app, key, `after=${cursor}`)
    await stream.change()
    monotonic += 15_000
    await stream.next()
    await write(sql`
      update bookings set doctor_name = ${value()} where center_id = 'spa' and id in ('b1', 'b2')`)
    for (let n = 0; n < 2; n += 1) await stream.change()
    await app.close()
    const entries = await api.database.query<{ records: number; reads: number; query: string }>(sql`
      select records, reads, query from audit_entries
      where center_id = 'spa' and public_key = ${key.publicKey} and operation = 'streamChanges' order by seq`)
    expect(entries.map(({ records, reads }) => records * reads)).toEqual([1, 2])
    expect(entries[0]?.query).toBe(`after=${cursor}`)
  })
})

describe('who comes back with the id of the newest event', () => {
  it('has every change once, in order, wherever the break was, from any instance', async () => {
    const random = seededRandom(SEED)
    const own = await api.newCenter(randomCenter(random))
    const follower = await follow(own)
    let id = follower.cursor()
    const apps = [await startApp(), await startApp()]
    const reported: unknown[] = []
    for (let round = 0; round < 12; round += 1) {
      // One of them is another process meanwhile.
      if (round === 6) apps[0] = await startApp()
      for (let commit = random.below(4); commit > 0; commit -= 1) {
        const statements = randomCommit(random).map(({ strings, values }) =>
          sql(strings, ...values.map((one) => (one === 'spa' ? own.id : one))),
        )
        await api.database.transaction((tx) => runCommit(tx, statements))
      }
      const stream = await openStream(apps[round % 2] ?? api.app, own.key, '', { 'last-event-id': id })
      expect(stream.status).toBe(200)
      const expected = entriesOf(await own.get(`/v1/changes?after=${id}&length=1000`)).length
      // At most as many as there are; the last round takes them all.
      const taken = round === 11 ? expected : random.below(expected + 1)
      for (let n = 0; n < taken; n += 1) {
        const event = await stream.change()
        reported.push(JSON.parse(event.data ?? ''))
        id = String(event.id)
      }
      stream.close()
    }
    expect(reported, `SEED=${SEED}`).toEqual(await follower.next())
    expect(reported.length).toBeGreaterThan(10)
  })
})
