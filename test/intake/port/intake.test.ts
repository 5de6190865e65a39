/** `POST /intake`: records over HTTP, whole or not at all, with keys that write and do not read. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { revokeKey } from '../../../src/core/access/keys/revoke-key.ts'
import { Spool } from '../../../src/core/intake/lines/spool.ts'
import { pruneDeliveryAnswers } from '../../../src/core/intake/port/idempotency.ts'
import { createIntakeServer } from '../../../src/core/intake/port/intake-server.ts'
import { REFUSALS } from '../../../src/core/intake/port/refusal.ts'
import { readsInTrail } from '../../audit/reads.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { afterwards } from '../../support/database.ts'
import { pageText } from '../../support/doc-examples.ts'
import { schemaChecker } from '../../support/json-schema.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { spa } from '../../support/world.ts'
import { booking, customer, type Fields } from '../import-lines.ts'

const BYTES_MAX = 2_000_000
const PROBLEMS_MAX = 400
/** Silence ends only the bodies of the one test that makes it short. */
const bounds = { bytesMax: BYTES_MAX, unpackedBytesMax: 8_000_000, silenceMs: 60_000, bytesPerSecondMin: 100 }

/** A busy machine takes its time. */
const DEADLINE_MS = 30_000

let api: TestApi
let server: Server
let base: string
let key: TestKey
let folder: string

beforeAll(async () => {
  folder = join(makeTemporaryFolder(), 'intake')
  const { openTestDatabase } = await import('../../support/database.ts')
  const database = await openTestDatabase()
  api = await startTestApi({
    database,
    records: [spa(), spa({ id: 'lodge' })],
    app: { intake: { database, folder, bounds, problemsMax: PROBLEMS_MAX } },
  })
  await api.app.ready()
  server = createIntakeServer(api.app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(async () => {
    server.closeAllConnections()
    server.close()
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  key = await api.createKey({ intake: true })
})

const ndjson = (...records: Fields[]) =>
  records.map(({ centerId: _, ...record }) => `${JSON.stringify(record)}\n`).join('')

async function post(body: string | Buffer, options: { url?: string; key?: TestKey; headers?: Fields } = {}) {
  const response = await fetch(`${base}${options.url ?? '/intake'}`, {
    method: 'POST',
    headers: { ...(options.key ?? key).bearer, ...options.headers } as Record<string, string>,
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

const count = async (id: string) =>
  (await api.database.query(sql`select 1 from customers where center_id = 'spa' and id = ${id}`)).length

const log = async () =>
  (
    await api.database.query(
      sql`select * from imports where center_id = 'spa' order by ended_at desc limit 1`,
    )
  )[0]

describe('a delivery', () => {
  it('goes in, and is reported, logged and in the trail', async () => {
    const body = ndjson(customer('k1'), booking('b1', { customerId: 'k1' }))
    const answer = await post(body)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      import: expect.stringMatching(/^[0-9a-f-]{36}$/),
      applied: true,
      dryRun: false,
      lines: 2,
      erased: 0,
      changes: 2,
      counts: {
        customer: { created: 1, changed: 0, unchanged: 0, removed: 0, older: 0 },
        booking: { created: 1, changed: 0, unchanged: 0, removed: 0, older: 0 },
      },
    })
    const sha256 = createHash('sha256').update(body).digest('hex')
    expect(await log()).toMatchObject({
      id: answer.body.import,
      way: 'intake',
      by_key: key.publicKey,
      by_user: null,
      files: [{ sha256, bytes: body.length }],
      outcome: 'done',
    })
    const [entry] = await api.database.query(sql`
      select public_key, app_id, operation, records, scopes, query from audit_entries
      where center_id = 'spa' and operation = 'takeRecords' order by seq desc limit 1`)
    expect(entry).toMatchObject({ public_key: key.publicKey, app_id: key.appId, records: 2, scopes: '' })
    expect(String(entry?.query)).toContain(`sha256=${sha256}&outcome=done&import=${answer.body.import}`)
  })

  it.each([
    ['/v1/intake', {}],
    ['/intake/', { 'content-encoding': 'gzip' }],
  ])('goes in at %s, packed or not', async (url, headers) => {
    const body = ndjson(customer(`k-${url.length}`))
    const sent = 'content-encoding' in headers ? gzipSync(body) : body
    expect(await post(sent, { url, headers })).toMatchObject({ status: 200, body: { lines: 1 } })
    expect(await count(`k-${url.length}`)).toBe(1)
  })

  it('is tried with dryRun, which leaves nothing but an entry in the trail', async () => {
    const before = await log()
    const answer = await post(ndjson(customer('dry')), { url: '/intake?dryRun=true' })
    expect(answer).toMatchObject({
      status: 200,
      body: { import: null, applied: false, dryRun: true, changes: 1, counts: { customer: { created: 1 } } },
    })
    expect(await count('dry')).toBe(0)
    expect(await log()).toEqual(before)
  })

  it('that is tried or refused is a read of the guests that it was compared with; one that went in is none', async () => {
    const stored = [customer('met'), booking('met-stay', { customerId: 'met' })]
    const asked = async () =>
      (await readsInTrail(api.database, { guest: { booking: 'met-stay' } })).map(
        ({ filters }) => filters.outcome,
      )
    expect((await post(ndjson(...stored))).status).toBe(200)
    expect(await asked()).toEqual([])
    await post(ndjson(customer('met', { lastName: 'Guess' })), { url: '/intake?dryRun=true' })
    await post(ndjson(customer('unmet')), { url: '/intake?dryRun=true' })
    expect(await asked()).toEqual(['dryRun'])
    await post(ndjson(booking('met-stay', { customerId: 'met', role: 7 })))
    expect(await asked()).toEqual(['refused', 'dryRun'])
  })

  it('goes in whole or not at all, with every complaint and no value of a record', async () => {
    const answer = await post(
      ndjson(
        customer('good'),
        customer('bad', { email: 5, dob: 'Secret' }),
        booking('b9', { customerId: 'none' }),
      ),
    )
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      error: { code: 'RECORDS_REFUSED', requestId: expect.any(String) },
      lines: 3,
      rejected: 2,
      problems: 3,
      leftOut: 0,
    })
    expect(answer.body.complaints).toContainEqual({
      line: 2,
      kind: 'customer',
      id: 'bad',
      field: 'email',
      message: expect.stringContaining('expected text'),
    })
    expect(answer.body.causes).toContainEqual({
      count: 1,
      message: expect.stringMatching(/^booking\.customerId: .*there is no such customer/),
      places: [{ line: 3, kind: 'booking', id: 'b9' }],
    })
    expect(answer.text).not.toContain('Secret')
    expect(await count('good')).toBe(0)
    expect(await log()).toMatchObject({ outcome: 'refused', problems: 3, id: answer.body.import })
    const dates = await post(
      ndjson(...Array.from({ length: 3 }, (_, at) => customer(`day-${at}`, { dob: `0${at + 1}.03.1941` }))),
    )
    expect(dates.body.causes).toMatchObject([
      { count: 3, message: expect.stringContaining('DD.MM.YYYY'), places: [{ line: 1 }, {}, {}] },
    ])
    const many = await post('x\n'.repeat(300))
    expect(many.body).toMatchObject({ problems: 300, complete: true, leftOut: 200 })
    expect(many.body.complaints).toHaveLength(100)
    expect(many.body.causes).toMatchObject([{ count: 300, places: [{ line: 1 }, { line: 2 }, { line: 3 }] }])
  })

  it('is answered as before when it is sent again under its key, and refused for another body', async () => {
    const headers = { 'idempotency-key': 'delivery-1' }
    const first = await post(ndjson(customer('once')), { headers })
    await api.database.query(sql`delete from customers where center_id = 'spa' and id = 'once'`)
    const again = await post(ndjson(customer('once')), { headers })
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await count('once')).toBe(0)
    const other = await post(ndjson(customer('twice')), { headers })
    expect(other).toMatchObject({ status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } })
    expect(await post('', { headers: { 'idempotency-key': 'a b' } })).toMatchObject({ status: 400 })
    // What was refused may be corrected elsewhere, so the same delivery is tried again.
    const missing = ndjson(booking('late', { customerId: 'late' }))
    const refused = { 'idempotency-key': 'delivery-2' }
    expect((await post(missing, { headers: refused })).status).toBe(422)
    await post(ndjson(customer('late')))
    expect((await post(missing, { headers: refused })).status).toBe(200)
    await api.database.query(
      sql`update intake_answers set at = at - interval '8 days' where center_id = 'spa'`,
    )
    await pruneDeliveryAnswers(api.database)
    expect(await api.database.query(sql`select 1 from intake_answers`)).toEqual([])
  })
})

describe('the document', () => {
  const documentAt = async (path: string) => {
    const response = await fetch(`${base}${path}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ])
    return JSON.parse(await response.text())
  }

  it('is served at this port alone, to everybody, and says what is answered and which records are taken', async () => {
    const document = await documentAt('/openapi.json')
    expect(await documentAt('/v1/openapi.json')).toEqual(document)
    for (const path of ['/intake/openapi.json', '/v1/intake/openapi.json'])
      expect((await api.get(path)).status, path).toBe(404)
    expect((await api.get('/openapi.json')).body).not.toEqual(document)
    const other = await fetch(`${base}/openapi.json`, { method: 'POST', headers: key.bearer, body: '{}' })
    expect(other.status).toBe(404)

    const problemsOf = schemaChecker(document)
    const good = [
      { ...customer('d1'), version: 3 },
      booking('d1', { customerId: 'd1' }),
      { kind: 'booking', id: 'd1', deleted: true },
    ]
    for (const record of good) expect(problemsOf('Record', record), JSON.stringify(record)).toEqual([])
    const bad = { ...customer('d2'), email: 5, colour: 'red' }
    expect(problemsOf('CustomerRecord', bad).map((text) => text.split(' ')[0])).toEqual(['', '/email'])
    expect(problemsOf('Delivered', (await post(ndjson(customer('d1')))).body)).toEqual([])
    const refused = await post(ndjson(bad))
    expect(problemsOf('Refused', refused.body)).toEqual([])
    const unnamed = await fetch(`${base}/intake`, { method: 'POST', body: '' })
    expect(problemsOf('Error', await unnamed.json())).toEqual([])
  })

  it('has every code and status of a refused delivery', async () => {
    const { paths, components } = await documentAt('/openapi.json')
    const { responses } = paths['/intake'].post
    for (const [code, status] of Object.entries(REFUSALS)) {
      expect(Object.keys(responses[status].content['application/json'].examples)).toContain(code)
      expect(components.schemas.Error.properties.error.properties.code.enum).toContain(code)
    }
  })
})

describe('who may', () => {
  it('refuses other centers, and what is not the center’s everyday data', async () => {
    const records = [
      { ...customer('x'), centerId: 'lodge' },
      { ...spa({ apiAccess: false }) },
      {
        kind: 'key',
        publicKey: 'p',
        appId: 'a',
        name: 'n',
        secretHash: '0',
        scopes: ['guests'],
        createdAt: '2025-01-01',
      },
    ]
    const answer = await post(records.map((record) => JSON.stringify(record)).join('\n'))
    expect(answer.status).toBe(422)
    expect(answer.body.complaints.map(({ line, field }: Fields) => `${line} ${field}`)).toEqual([
      '1 centerId',
      '2 kind',
      '3 kind',
    ])
    expect(answer.body.complaints[0].message).toBe('is "lodge"; only records of "spa" are taken')
  })

  it('lets an intake key read nothing, and a reading key bring nothing in', async () => {
    for (const path of [
      '/v1/guests?startDate=2025-01-01',
      '/v1/me',
      '/v1/fields',
      '/v1/changes',
      '/v1/usage',
    ]) {
      expect(await api.as(key).get(path), path).toMatchObject({ status: 403 })
    }
    expect(await post(ndjson(customer('r')), { key: api.key })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    })
    expect(await count('r')).toBe(0)
  })

  it('refuses a revoked key, one without credentials, and other methods', async () => {
    const revoked = await api.createKey({ intake: true, revokedAt: '2025-01-01T00:00:00Z' })
    expect((await post('', { key: revoked })).status).toBe(401)
    expect((await post('', { key: { ...key, bearer: {} } })).status).toBe(401)
    const got = await fetch(`${base}/intake`, { headers: key.bearer })
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    const put = await fetch(`${base}/intake`, { method: 'PUT', headers: key.bearer, body: 'x' })
    expect(put.status).toBe(405)
    for (const query of ['dryrun=true', 'dryRun=maybe', 'dryRun=', 'dryRun=true&dryRun=true'])
      expect((await post('', { url: `/intake?${query}` })).status, query).toBe(400)
    expect((await post('', { headers: { 'content-encoding': 'br' } })).status).toBe(400)
    const limited = await api.createKey({ intake: true, perMinute: 1 })
    expect((await post('', { key: limited })).status).toBe(200)
    expect((await post('', { key: limited })).status).toBe(429)
  })

  it('serves records at the one port, and everything else at the other', async () => {
    expect((await fetch(`${base}/v1/guests`, { headers: api.key.bearer })).status).toBe(404)
    expect(await api.as(key).request('POST', '/intake', {}, ndjson(customer('p')))).toMatchObject({
      status: 404,
    })
    expect(await count('p')).toBe(0)
  })
})

describe('abuse', () => {
  /** Sends what it is given by hand, and gives the status line that comes back. */
  function raw(
    head: string[],
    send: (write: (text: string | Buffer) => void, end: () => void) => void,
    onAnswer = () => {},
    by = key,
  ) {
    const { port } = server.address() as AddressInfo
    return new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += String(chunk)
        onAnswer()
      })
      socket.on('close', () => resolve(text))
      socket.on('error', () => {})
      const lines = ['POST /intake HTTP/1.1', 'host: x', `authorization: ${by.bearer.authorization}`, ...head]
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      send(
        (more) => void socket.write(more),
        () => socket.destroy(),
      )
    })
  }

  it('refuses a body that is too long before it is sent, and while it is', async () => {
    const asked = await raw([`content-length: ${BYTES_MAX + 1}`, 'expect: 100-continue'], () => {})
    expect(asked).toMatch(/^HTTP\/1\.1 413 /)
    expect(asked).toContain('BODY_TOO_LARGE')
    const chunk = `${(100_000).toString(16)}\r\n${'a'.repeat(100_000)}\r\n`
    const sent = await raw(['transfer-encoding: chunked'], (write) => {
      for (let at = 0; at < 25; at += 1) write(chunk)
    })
    expect(sent).toMatch(/^HTTP\/1\.1 413 /)
    const longest = await post('\n'.repeat(BYTES_MAX), { url: '/intake?dryRun=true' })
    expect(longest.status).toBe(200)
  })

  it('that meets another writer is to be sent again', async () => {
    await api.database.runScript(`
      create function conflict() returns trigger language plpgsql as $$
        begin raise exception 'another writer' using errcode = '40001'; end $$;
      create trigger conflict before insert on customers for each row when (new.id = 'conflict') execute function conflict();`)
    const answer = await post(ndjson(customer('conflict'))).finally(() =>
      api.database.runScript('drop trigger conflict on customers; drop function conflict'),
    )
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(answer.body.error.message).toContain(
      'Another program changed the same records. Nothing was imported.',
    )
  })

  it('lets a body that asks first be sent', async () => {
    const body = ndjson(customer('asked'))
    const reported = await raw(
      [`content-length: ${body.length}`, 'expect: 100-continue', 'connection: close'],
      (write) => write(body),
    )
    expect(reported).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  it('unpacks a packed body only as far as it may be', async () => {
    const bomb = gzipSync(Buffer.alloc(9_000_000, ' '))
    expect(await post(bomb)).toMatchObject({ status: 413, body: { error: { code: 'BODY_TOO_LARGE' } } })
    // More than an unpacked body may have, and more than a hundred times what was sent.
    const empty = gzipSync(Buffer.alloc(BYTES_MAX + 1, ' '))
    expect((await post(empty)).body.error).toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: expect.stringContaining('more than 2000000 bytes unpacked'),
    })
    const long = gzipSync(`{"kind":"customer","id":"${randomBytes(1_500_000).toString('hex')}"}`)
    expect((await post(long)).body.complaints).toEqual([{ line: 1, message: 'is longer than 1048576 bytes' }])
  })

  it('looks at no more of a body of which nothing is right than its sender reads, and says so', async () => {
    const { status, body } = await post(gzipSync('x\n'.repeat(2_000_000)))
    expect(status).toBe(422)
    expect(body).toMatchObject({ lines: PROBLEMS_MAX, problems: PROBLEMS_MAX, complete: false })
    expect(body.error.message).toBe(
      'Nothing was imported: 400 of 400 lines are invalid. With 400 problems, the rest is not checked. Correct them, and send all records again.',
    )
  })

  it('parses nothing that is nested deeper than records are, and leaves brackets within a text alone', async () => {
    const deep = `{"kind":"customer","id":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
    const parse = vi.spyOn(JSON, 'parse')
    const refused = await fetch(`${base}/intake`, {
      method: 'POST',
      headers: key.bearer as never,
      body: deep,
    })
    const parsed = parse.mock.calls.some(([text]) => text.length === deep.length)
    parse.mockRestore()
    expect(parsed).toBe(false)
    expect(await refused.json()).toMatchObject({
      complaints: [{ line: 1, message: 'is nested too deep to be a record' }],
    })
    const noted = { meta: null, address: { notes: `${'["\\'.repeat(2000)}` } }
    expect((await post(ndjson(customer('brackets', noted)))).status).toBe(200)
  })

  it('ends a slow body, and takes nothing of one that is cut', async () => {
    const { silenceMs } = bounds
    bounds.silenceMs = 50
    const slow = await raw(['content-length: 1000'], (write) => write('{"kind":'))
    bounds.silenceMs = silenceMs
    expect(slow).toMatch(/^HTTP\/1\.1 408 /)
    const line = ndjson(customer('cut'))
    await raw([`content-length: ${line.length * 2}`], (write, end) => {
      write(line)
      setTimeout(end, 20)
    })
    const packed = gzipSync(line)
    expect(await post(packed.subarray(0, -6))).toMatchObject({
      status: 400,
      body: { error: { code: 'BODY_INCOMPLETE' } },
    })
    expect(await count('cut')).toBe(0)
    expect((await post(ndjson(customer('after-cut')))).status).toBe(200)
  })

  it.each([
    ['UTF-16 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'UTF-8'],
    ['UTF-16', (text: string) => Buffer.from(text, 'utf16le'), 'UTF-8'],
    ['UTF-16, big-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'UTF-8'],
    ['packed UTF-16', (text: string) => gzipSync(Buffer.from(text, 'utf16le')), 'UTF-8'],
  ])('says what to do about a body that is %s, and never to send it again', async (_, encode, remedy) => {
    const answer = await post(encode(ndjson(customer('wide'))))
    expect([answer.status, answer.body.error.code]).toEqual([415, 'BODY_ENCODING'])
    expect(answer.body.error.message).toContain(remedy)
    expect(answer.body.error.message).toContain('sending the same body again does not help')
    expect(await count('wide')).toBe(0)
  })

  it('says what to do about a body that is not packed, though Content-Encoding says so', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const answer = await post(ndjson(customer('not-packed')), { headers })
    expect([answer.status, answer.body.error.code]).toEqual([415, 'BODY_ENCODING'])
    expect(answer.body.error.message).toContain('leave the header out')
    expect(await count('not-packed')).toBe(0)
    expect((await post(gzipSync(ndjson(customer('packed'))), { headers })).status).toBe(200)
  })

  it('takes one of a center at a time, while others deliver and read', async () => {
    const lodge = await api.createKey({ center: 'lodge', intake: true })
    const reader = await api.createKey({ center: 'lodge' })
    let more = (_: string) => {}
    // Resolved when it has the slot.
    const placed = Promise.withResolvers<void>()
    const head = ['transfer-encoding: chunked', 'expect: 100-continue', 'connection: close']
    const held = raw(
      head,
      (write) => {
        more = write
      },
      () => placed.resolve(),
    )
    await placed.promise
    const second = await post('')
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await post(ndjson(customer('meanwhile')), { key: lodge })).status).toBe(200)
    expect((await api.as(reader).get('/v1/guests?startDate=2025-01-01&endDate=2025-02-01')).status).toBe(200)
    more('0\r\n\r\n')
    expect(await held).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  it('takes nothing with a key that was revoked while the body came', async () => {
    const ended = await api.createKey({ intake: true })
    const body = ndjson(customer('revoked-meanwhile'))
    const head = [`content-length: ${body.length}`, 'expect: 100-continue', 'connection: close']
    const letIn = Promise.withResolvers<void>()
    let send = () => {}
    const answered = raw(
      head,
      (write) => {
        send = () => write(body)
      },
      () => letIn.resolve(),
      ended,
    )
    await letIn.promise
    await revokeKey(api.database, ended.publicKey, { now: Date.now() })
    send()
    const answer = await answered
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /)
    expect(await count('revoked-meanwhile')).toBe(0)
  })

  it('has room for the next one when the answer is there', async () => {
    // A disk that takes its time to let go of what was received.
    const slow = vi.spyOn(Spool.prototype, 'close').mockImplementation(async () => {
      for (let round = 0; round < 200; round += 1) await new Promise(setImmediate)
    })
    onTestFinished(() => slow.mockRestore())
    expect([(await post('')).status, (await post('')).status]).toEqual([200, 200])
  })

  it('keeps a body in few pieces, into however many it was cut', async () => {
    const spool = new Spool(folder)
    for (let at = 0; at < 5000; at += 1) await spool.add(Buffer.from([at % 256]))
    const pieces = await Array.fromAsync(spool.read())
    expect(pieces.length).toBeLessThan(300)
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 256)))
  })

  it('leaves half of the connections to other networks, and answers a connection’s requests one after the other', async () => {
    const { port } = server.address() as AddressInfo
    const strangers = Array.from({ length: 30 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    const open = () => strangers.filter(({ closed }) => !closed)
    await vi.waitFor(() => expect(open().length).toBeLessThanOrEqual(25), DEADLINE_MS)
    const [first] = open()
    let received = ''
    first?.on('data', (text) => {
      received += text
    })
    // One more than may wait closes the connection, also where each asks before it sends.
    first?.write(
      'POST /intake HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 0\r\n\r\n'.repeat(40),
    )
    await vi.waitFor(() => expect(first?.closed).toBe(true), DEADLINE_MS)
    expect(received).toBe('')
    for (const stranger of strangers) stranger.destroy()
    await vi.waitFor(async () => expect((await post('')).status).toBe(200), DEADLINE_MS)
  })

  it('keeps long bodies in a file that no longer has a name, and leaves nothing behind', async () => {
    const padding = randomBytes(700_000).toString('hex')
    const answer = await post(ndjson(customer('long')) + padding)
    expect(answer.status).toBe(422)
    expect(existsSync(folder) && readdirSync(folder)).toEqual([])
  })
})

describe('the documentation', () => {
  it('shows records that go in', async () => {
    const [, records = ''] = /```json\n(\{ "kind".*?)```/s.exec(pageText('docs/sending-changes.md')) ?? []
    expect(await post(records)).toMatchObject({ status: 200, body: { lines: 2, changes: 2 } })
  })

  it('tells each code with its status', () => {
    const page = pageText('docs/sending-changes.md')
    for (const [code, status] of Object.entries(REFUSALS))
      expect(page).toContain(`| ${status} | \`${code}\` |`)
  })
})
