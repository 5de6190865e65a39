/** `wait`: a request that is held until something comes. The clock is the test's, and so is every commit. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { revokeLink } from '../../../src/parts/links/manage-links.ts'
import { metricOf, startInstance } from '../../answer/instances.ts'
import { makeLink } from '../../parts/links/make-link.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { guest, session } from '../../support/world.ts'
import { cursorOf, entriesOf, said } from './follower.ts'

let api: TestApi
let monotonic = 0
let start = ''

beforeAll(async () => {
  api = await startTestApi({
    records: [
      session('s1', '2025-03-01T14:00', '2025-03-08T10:00'),
      ...guest('b1', { sessionIds: ['s1'], startDate: '2025-03-01T14:00', endDate: '2025-03-08T10:00' }),
    ],
    app: { lookEveryMs: 5, monotonic: () => monotonic, metricsEveryMs: 0 },
  })
})

beforeEach(async () => {
  start = cursorOf(await api.get('/v1/changes'))
})

let count = 0
const doctor = () => {
  count += 1
  return api.database.query(sql`update bookings set doctor_name = ${`D${count}`} where center_id = 'spa'`)
}
const waiting = (query = '') => `/v1/changes?wait=30&after=${start}${query}`

/** Comes back when so many requests wait: they were let in, and nothing came yet. */
const untilWaiting = (number = 1, app = api.app) =>
  expect.poll(() => metricOf(app, 'sojourn_change_polls_waiting'), { interval: 1 }).toBe(number)

describe('a request that waits', () => {
  it('is answered at once where something came already', async () => {
    await doctor()
    expect(said(entriesOf(await api.get(waiting())))).toEqual(['changed guests b1'])
  })

  it('is answered when something comes', async () => {
    const answer = api.get(waiting())
    await untilWaiting()
    await doctor()
    expect(said(entriesOf(await answer))).toEqual(['changed guests b1'])
  })

  it('is not woken for good by what it did not ask for', async () => {
    const answer = api.get(waiting('&kinds=sessions'))
    await doctor()
    await doctor()
    await api.database.query(sql`update sessions set text = 'Rest' where center_id = 'spa'`)
    expect(said(entriesOf(await answer))).toEqual(['changed sessions s1'])
  })

  it('is answered empty when its time is over, with a cursor to go on', async () => {
    let ended = false
    const answer = api.get(waiting()).finally(() => {
      ended = true
    })
    // However late it begins to wait, its thirty seconds pass.
    while (!ended) {
      monotonic += 30_000
      await new Promise(setImmediate)
    }
    const { status, body } = await answer
    expect(status).toBe(200)
    expect(body).toEqual({ data: [], cursor: start, more: false })
  })

  it('waits to the last millisecond of its time', async () => {
    const answer = api.get(waiting())
    await untilWaiting()
    monotonic += 29_999
    // Ten looks.
    await pause(50)
    await untilWaiting()
    await api.database.query(sql`update sessions set text = 'Late' where center_id = 'spa'`)
    expect(said(entriesOf(await answer))).toEqual(['changed sessions s1'])
  })

  it('has as long for its answer as any other: the time that it waited does not count', async () => {
    const watched = watchDatabase(api.database)
    const app = await buildApp({
      database: watched.database,
      logLevel: 'silent',
      lookEveryMs: 5,
      metricsEveryMs: 0,
    })
    onTestFinished(() => app.close())
    let elapsedMs = 0
    app.addHook('onRequest', async (_, reply) => {
      Object.defineProperty(reply, 'elapsedTime', { get: () => elapsedMs })
    })
    const { headers } = api.key
    const answer = app.inject({ url: waiting(), headers })
    await untilWaiting(1, app)
    elapsedMs = 20_000
    const reading = Promise.withResolvers<void>()
    const givenUp = Promise.withResolvers<void>()
    watched.before = async ({ by }) => {
      if (by !== 'queryArrays') return
      reading.resolve()
      await givenUp.promise
    }
    await doctor()
    await reading.promise
    const another = await app.inject({ url: '/v1/changes?kinds=sessions', headers })
    givenUp.resolve()
    expect([another.statusCode, (await answer).statusCode]).toEqual([503, 200])
  })

  it('ends with 401 when its key is revoked, though nothing comes', async () => {
    const key = await api.createKey()
    const answer = api.as(key).get(waiting())
    await api.database.query(sql`update api_keys set revoked_at = now() where public_key = ${key.publicKey}`)
    expect((await answer).status).toBe(401)
  })

  it('ends with 404 when the link it came by is revoked', async () => {
    const { path, link } = await makeLink(
      api.database,
      { key: api.key.appId, question: waiting() },
      Date.now(),
    )
    const answer = api.as(undefined).get(path)
    await untilWaiting()
    await revokeLink(api.database, link.id, { now: Date.now() })
    expect((await answer).status).toBe(404)
  })

  it('ends with 403 when the center switches access off', async () => {
    const own = await api.newCenter([session('s1', '2025-03-01T14:00', '2025-03-08T10:00')])
    const cursor = cursorOf(await own.get('/v1/changes'))
    const answer = own.get(`/v1/changes?wait=30&after=${cursor}`)
    await untilWaiting()
    await api.database.query(sql`update centers set api_access = false where center_id = ${own.id}`)
    expect((await answer).status).toBe(403)
  })

  it('ends with the service, empty', async () => {
    const app = await buildApp({
      database: api.database,
      logLevel: 'silent',
      lookEveryMs: 5,
      metricsEveryMs: 0,
    })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = fetch(`${origin}${waiting()}`, { headers: api.key.headers })
    await untilWaiting(1, app)
    const closed = app.close()
    expect((await answer).status).toBe(200)
    await closed
  })
})

describe('of requests that wait', () => {
  it('an application has two; one more is a 429, and another reads on', async () => {
    const key = await api.createKey()
    // Whichever of the three is last is refused at once; the other two wait.
    const three = ['', '&length=7', '&length=8'].map((more) => api.as(key).get(waiting(more)))
    const refused = await Promise.race(three)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.body.error.message).toContain('is already waiting for changes with 2 requests')
    expect((await api.as(key).get('/v1/changes')).status).toBe(200)
    expect((await api.get('/v1/guests?sessionId=s1')).status).toBe(200)
    await doctor()
    expect((await Promise.all(three)).map(({ status }) => status).sort()).toEqual([200, 200, 429])
    // Both slots are free again.
    await doctor()
    expect((await api.as(key).get(waiting())).status).toBe(200)
  })

  it('however many, the database is asked once a moment for all', async () => {
    const watched = watchDatabase(api.database)
    const keys: TestKey[] = []
    for (let n = 0; n < 10; n += 1) keys.push(await api.createKey())
    const instance = await startInstance({ database: watched.database }, api.key, { lookEveryMs: 5 })
    const answers = keys.map((key) => instance.get(waiting(), key.headers))
    const looks = () => watched.sent.filter(({ text }) => text.includes('from api_keys')).length
    while (looks() < 30) await new Promise(setImmediate)
    const all = watched.sent.filter(({ text }) => text.includes('from api_keys'))
    // The first ones let the requests in; a look is for all of them after that.
    expect(all.slice(-5).map(({ values }) => (values[0] as readonly string[]).length)).toEqual([
      10, 10, 10, 10, 10,
    ])
    expect(await instance.metric('sojourn_change_polls_waiting')).toBe(10)
    await doctor()
    for (const answer of answers) expect((await answer).status).toBe(200)
    expect(await instance.metric('sojourn_change_polls_waiting')).toBe(0)
  })

  it('one whose client has left gives its slot to another', async () => {
    const key = await api.createKey()
    const app = await buildApp({
      database: api.database,
      logLevel: 'silent',
      lookEveryMs: 5,
      metricsEveryMs: 0,
    })
    onTestFinished(() => app.close())
    const origin = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const gone = [0, 1].map((n) => {
      const socket = connect(Number(origin.port), origin.hostname)
      const headers = Object.entries(key.headers).map(([name, value]) => `${name}: ${value}`)
      socket.write(
        [`GET ${waiting(`&length=${20 + n}`)} HTTP/1.1`, 'host: a', ...headers, '', ''].join('\r\n'),
      )
      return socket
    })
    const third = () => app.inject({ url: waiting('&length=9'), headers: key.headers })
    await untilWaiting(2, app)
    expect((await third()).statusCode).toBe(429)
    for (const socket of gone) {
      socket.destroy()
      await once(socket, 'close')
    }
    // Nothing has come and no time has passed: the slot is free because its client is gone.
    await untilWaiting(0, app)
    const next = third()
    await untilWaiting(1, app)
    await doctor()
    expect((await next).statusCode).toBe(200)
  })
})
