/** Actions that are sent too slowly, too often, at once, or not completely (ruling 48). */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import { ANSWERS_PER_APPLICATION_MAX } from '../../../src/core/api/actions/action-answers-sql.ts'
import { pruneActionAnswers } from '../../../src/core/api/actions/prune-answers.ts'
import { BODY_BYTES_MAX } from '../../../src/core/api/actions/receive-body.ts'
import { confirmSheet } from '../../../src/parts/kitchen/confirm-sheet.ts'
import { storeSheet } from '../../../src/parts/kitchen/store-sheet.ts'
import { readsInTrail } from '../../audit/reads.ts'
import {
  ACTION_DAY,
  ACTION_NOW,
  actionBody,
  actionHeaders,
  sendAction,
} from '../../support/action-requests.ts'
import { namedParameters, startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { listen, sendLines } from '../../support/socket.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'

const PATH = '/v1/actions/store-sheet'

let api: TestApi
beforeEach(async () => {
  api = await startTestApi({ records: twinCenters(), now: ACTION_NOW })
  await listen(api.app)
})

const sheets = async () =>
  (await api.database.query<{ count: number }>(sql`select count(*)::integer as count from meal_sheets`))[0]
    ?.count

const head = (key: TestKey, ...more: string[]) => [
  `POST ${PATH} HTTP/1.1`,
  'Host: localhost',
  'Content-Type: application/json',
  'Idempotency-Key: abuse',
  ...Object.entries(key.headers).map(([name, value]) => `${name}: ${value}`),
  ...more,
]

/** Begins a request whose body never ends. */
async function hang(key: TestKey): Promise<Socket> {
  const socket = connect(await listen(api.app), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write([...head(key, 'Content-Length: 100'), '', '{"day": '].join('\r\n'))
  return socket
}

describe('a body', () => {
  it('ruling 48: of more than 4 kB is refused before it is read, or as soon as it is longer', async () => {
    const announced = await sendLines(api.app, [...head(api.key, 'Content-Length: 1000000000'), '', '{'])
    expect(announced.status).toBe(400)
    expect(announced.body).toContain(`may have ${BODY_BYTES_MAX} bytes`)
    expect(announced.head).toMatch(/^connection: close$/im)
    const chunk = 'x'.repeat(BODY_BYTES_MAX + 1)
    const chunked = await sendLines(api.app, [
      ...head(api.key, 'Transfer-Encoding: chunked'),
      '',
      chunk.length.toString(16),
      chunk,
    ])
    expect(chunked.status).toBe(400)
    expect(chunked.body).toContain(`may have ${BODY_BYTES_MAX} bytes`)
    expect(await sheets()).toBe(0)
  })

  it('ruling 48: of exactly 4 kB is read', async () => {
    const body = actionBody(storeSheet).padEnd(BODY_BYTES_MAX)
    expect((await sendAction(api, storeSheet, { body })).status).toBe(200)
    expect((await sendAction(api, storeSheet, { body: `${body} ` })).status).toBe(400)
  })

  it('is not read before the credentials are checked', async () => {
    const answer = await sendLines(api.app, [
      `POST ${PATH} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      'Content-Length: 100',
      '',
      '{',
    ])
    expect(answer.status).toBe(401)
  })

  it('that is compressed, or not UTF-8, is refused', async () => {
    const packed = await sendAction(api, storeSheet, { headers: { 'content-encoding': 'gzip' } })
    expect(namedParameters(packed)).toEqual(['Content-Encoding'])
    const latin = await sendLines(api.app, [...head(api.key, 'Content-Length: 11'), '', '{"day":"\xe9"}'])
    expect(latin.status).toBe(400)
    expect(latin.body).toContain('not UTF-8')
  })

  it('that breaks off performs nothing', async () => {
    const socket = await hang(api.key)
    const gone = once(api.app.server, 'connection').catch(() => {})
    socket.destroy()
    await Promise.race([gone, once(socket, 'close')])
    expect((await sendAction(api, storeSheet, { headers: actionHeaders('abuse') })).status).toBe(200)
    expect(await sheets()).toBe(1)
  })

  it('that never ends holds up neither its own application nor others', async () => {
    const lodge = api.as(await api.createKey({ center: LODGE }))
    const sockets = await Promise.all(Array.from({ length: 40 }, () => hang(api.key)))
    // All of them have been received, because a later request on another connection is answered.
    for (const asker of [api, lodge, api]) expect((await sendAction(asker, storeSheet)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  it('is not read of a key that was revoked in the meantime', async () => {
    const key = await api.createKey()
    const socket = await hang(key)
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    // The head was received before this request.
    await sendAction(api, confirmSheet)
    await api.database.query(sql`update api_keys set revoked_at = now() where public_key = ${key.publicKey}`)
    const rest = `"${ACTION_DAY}"}`.padEnd(100 - '{"day": '.length)
    socket.write(rest)
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(await sheets()).toBe(0)
  })
})

describe('many at once', () => {
  it('ruling 48: repetitions of one request, on two instances, are one action with one answer', async () => {
    const other = await startTestApi({ database: api.database, records: twinCenters(), now: ACTION_NOW })
    const headers = actionHeaders()
    const answers = await Promise.all(
      [api, other, api, other].map((instance) => sendAction(instance.as(api.key), storeSheet, { headers })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    expect(await readsInTrail(api.database, { operations: ['storeSheet'] })).toHaveLength(1)
  })

  it('ruling 48: a flood of one application is refused beyond its share, and others act meanwhile', async () => {
    const lodge = api.as(await api.createKey({ center: LODGE }))
    const flood = Array.from({ length: 60 }, () => sendAction(api, storeSheet))
    const theirs = await sendAction(lodge, storeSheet)
    expect(theirs.status).toBe(200)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect((await sendAction(api, storeSheet)).status).toBe(200)
  })

  it('count in the limits of the key', async () => {
    const asker = api.as(await api.createKey({ perMinute: 2 }))
    const statuses = []
    for (let n = 0; n < 3; n += 1) statuses.push((await sendAction(asker, confirmSheet)).status)
    expect(statuses).toEqual([200, 200, 429])
  })
})

describe('what is stored', () => {
  it('ruling 48: is at most a thousand answers of an application, the oldest deleted first', async () => {
    await api.database.query(sql`
      insert into action_answers (center_id, app_id, idempotency_key, request, answer, at)
      select ${'spa'}, ${api.key.appId}, convert_to(n::text, 'UTF8'), '', '{}', now() - make_interval(secs => 100 + n)
      from generate_series(1, ${ANSWERS_PER_APPLICATION_MAX + 100}) as n`)
    expect((await sendAction(api, confirmSheet)).status).toBe(200)
    const [remaining] = await api.database.query<{ count: number; oldest: string }>(sql`
      select count(*)::integer as count, max(convert_from(idempotency_key, 'UTF8')::integer)::text as oldest
      from action_answers where app_id = ${api.key.appId} and request = ''`)
    expect(remaining).toEqual({
      count: ANSWERS_PER_APPLICATION_MAX - 1,
      oldest: String(ANSWERS_PER_APPLICATION_MAX - 1),
    })
  })

  it('ruling 48: is stored for a week', async () => {
    const headers = actionHeaders()
    await sendAction(api, confirmSheet, { headers })
    expect(await pruneActionAnswers(api.database)).toBe(0)
    await api.database.query(sql`update action_answers set at = now() - interval '8 days'`)
    expect(await pruneActionAnswers(api.database)).toBe(1)
    const again = await sendAction(api, confirmSheet, { headers })
    expect(again.headers['idempotency-replayed']).toBeUndefined()
  })

  it('ruling 48: is nothing if the audit trail cannot be written, and the same request succeeds later', async () => {
    const headers = actionHeaders()
    await api.database.query(sql`alter table audit_entries rename to audit_entries_away`)
    const failed = await sendAction(api, storeSheet, { headers })
    await api.database.query(sql`alter table audit_entries_away rename to audit_entries`)
    expect(failed.status).toBeGreaterThanOrEqual(500)
    expect(await sheets()).toBe(0)
    const [stored] = await api.database.query<{ count: number }>(
      sql`select count(*)::integer as count from action_answers`,
    )
    expect(stored?.count).toBe(0)
    const again = await sendAction(api, storeSheet, { headers })
    expect(again.status).toBe(200)
    expect(again.headers['idempotency-replayed']).toBeUndefined()
  })
})
