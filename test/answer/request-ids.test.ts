/** What a trusted proxy says of a request: its ID and its trace. Nobody else is heard. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRequestIds, readTraceParent } from '../../src/core/answer/request-ids.ts'
import { listReads } from '../../src/core/audit/list-reads.ts'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { createIntakeServer } from '../../src/core/intake/port/intake-server.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { afterwards, openTestDatabase } from '../support/database.ts'
import { schemaChecker } from '../support/json-schema.ts'
import { sendLines } from '../support/socket.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { watchDatabase } from '../support/watched-database.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

interface Ports {
  readonly api: TestApi
  readonly public: number
  readonly intake: number
  readonly lines: string[]
  /** makes every read of the database fail */
  readonly fault: { failing: boolean }
}

async function startPorts(trustedProxies: readonly string[]): Promise<Ports> {
  const lines: string[] = []
  const fault = { failing: false }
  const watched = watchDatabase(await openTestDatabase())
  watched.before = ({ by }) => {
    if (fault.failing && by === 'queryArrays') throw new DatabaseUnavailable('away')
  }
  const { database } = watched
  const folder = join(makeTemporaryFolder(), 'intake')
  const bounds = { bytesMax: 100_000, unpackedBytesMax: 1_000_000, silenceMs: 60_000, bytesPerSecondMin: 100 }
  const api = await startTestApi({
    database,
    app: {
      trustedProxies,
      intake: { database, folder, bounds },
      logLevel: 'info',
      logStream: { write: (line) => void lines.push(line) },
    },
  })
  const server = createIntakeServer(api.app)
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(async () => {
    server.closeAllConnections()
    server.close()
  })
  const portOf = ({ address }: Pick<Server, 'address'>) => (address() as AddressInfo).port
  return {
    api,
    public: portOf({ address: () => api.app.server.address() }),
    intake: portOf({ address: () => server.address() }),
    lines,
    fault,
  }
}

let trusting: Ports
let distrustful: Ports

beforeAll(async () => {
  trusting = await startPorts(['127.0.0.1'])
  // Addresses next to the one that asks.
  distrustful = await startPorts(['10.0.0.5', '127.0.0.2/31', '::1'])
})

const REQUESTS = {
  'public port': { at: 'public', first: 'GET /v1/me HTTP/1.1' },
  'public port, a path that does not exist': { at: 'public', first: 'GET /nowhere HTTP/1.1' },
  'public port, a malformed path': { at: 'public', first: 'GET /v1/orders/%ZZ HTTP/1.1' },
  'public port, CONNECT': { at: 'public', first: 'CONNECT example.org:443 HTTP/1.1' },
  'public port, an expectation': { at: 'public', first: 'GET /v1/me HTTP/1.1', more: ['Expect: x'] },
  'intake port': { at: 'intake', first: 'POST /intake HTTP/1.1', more: ['Content-Length: 0'] },
  'intake port, an expectation': {
    at: 'intake',
    first: 'POST /intake HTTP/1.1',
    more: ['Content-Length: 0', 'Expect: x'],
  },
} as const

/** @returns the ID in the answer's header, which is the one in the body of an error */
async function idOf(ports: Ports, name: keyof typeof REQUESTS, headers: readonly string[]): Promise<string> {
  const request = REQUESTS[name]
  const key = at(request) === 'public' ? Object.entries(ports.api.key.bearer) : []
  const answer = await sendLines(ports[at(request)], [
    request.first,
    'Host: localhost',
    'Connection: close',
    ...key.map(([header, value]) => `${header}: ${value}`),
    ...('more' in request ? request.more : []),
    ...headers,
    '',
    '',
  ])
  const id = /^x-request-id: (.*)$/im.exec(answer.head)?.[1] ?? ''
  if (answer.status >= 400) expect(JSON.parse(answer.body).error.requestId).toBe(id)
  return id
}

const at = (request: (typeof REQUESTS)[keyof typeof REQUESTS]): 'public' | 'intake' => request.at

const NAMES = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[]

const VALID = ['a', '7', 'A.b_c-9', 'x'.repeat(64), '0b0f7f8e-6a8f-4a40-9b54-6a2f0b1a3c11']

/** Lines of headers, each of which gives no valid ID. */
const INVALID: readonly (readonly string[])[] = [
  ['X-Request-Id:'],
  ['X-Request-Id: -'],
  ['X-Request-Id: .hidden'],
  [`X-Request-Id: ${'x'.repeat(65)}`],
  [`X-Request-Id: ${'x'.repeat(5000)}`],
  ['X-Request-Id: one two'],
  ['X-Request-Id: one\ttwo'],
  ['X-Request-Id: one,two'],
  ['X-Request-Id: one', 'X-Request-Id: two'],
  ['X-Request-Id: ana@example.com'],
  ['X-Request-Id: caf\u00e9'],
  ['X-Request-Id: <script>'],
  ['X-Request-Id: "one"'],
  ['X-Request-Id: a/b'],
  ['X-Request-Id: a%0d%0ab'],
]

describe('the ID of a request', () => {
  it.each(NAMES)('is that of a trusted proxy (%s)', async (name) => {
    for (const id of VALID) expect(await idOf(trusting, name, [`X-Request-Id: ${id}`])).toBe(id)
  })

  it.each(NAMES)('is a UUID if the proxy gave none or an invalid one (%s)', async (name) => {
    const ids = new Set([await idOf(trusting, name, [])])
    for (const headers of INVALID) ids.add(await idOf(trusting, name, headers))
    for (const id of ids) expect(id).toMatch(UUID)
    expect(ids.size).toBe(INVALID.length + 1)
  })

  it.each(NAMES)('is a UUID if another address gave one (%s)', async (name) => {
    const ids = new Set<string>()
    for (const id of VALID) ids.add(await idOf(distrustful, name, [`X-Request-Id: ${id}`]))
    for (const id of ids) expect(id).toMatch(UUID)
    expect(ids.size).toBe(VALID.length)
  })

  it('is a UUID if no proxy is trusted, and after bytes that are not HTTP', async () => {
    const api = await startTestApi()
    expect((await api.get('/v1/me', { 'x-request-id': 'mine' })).headers['x-request-id']).toMatch(UUID)
    const answer = await sendLines(trusting.public, ['NONSENSE', 'X-Request-Id: mine', '', ''])
    expect(JSON.parse(answer.body).error.requestId).toMatch(UUID)
  })

  it('is in the audit trail, and what the OpenAPI document says', async () => {
    const { api } = trusting
    const { headers } = await api.get('/v1/guests?sessionId=s1', { 'x-request-id': 'proxy-1' })
    expect(headers['x-request-id']).toBe('proxy-1')
    await expect
      .poll(async () => {
        const question = {
          center: undefined,
          key: undefined,
          operations: undefined,
          guest: undefined,
          since: undefined,
          until: undefined,
        }
        const ids: string[] = []
        for await (const read of listReads(api.database, question)) ids.push(read.requestId)
        return ids
      })
      .toContain('proxy-1')
    const document = (await api.as(undefined).get('/v1/openapi.json')).body as unknown as {
      readonly components: { readonly headers: Readonly<Record<string, { readonly schema: unknown }>> }
    }
    const { schema } = document.components.headers['X-Request-Id']!
    const problemsOf = schemaChecker({ components: { schemas: { Id: schema } } })
    for (const id of [...VALID, 'proxy-1']) expect(problemsOf('Id', id), id).toEqual([])
    for (const id of ['', '-', 'a b', 'x'.repeat(65), 'a\n']) {
      expect(problemsOf('Id', id), id).not.toEqual([])
    }
  })
})

describe('the trace of a request', () => {
  const failed = async ({ api, lines, fault }: Ports, headers: Record<string, string>) => {
    lines.length = 0
    fault.failing = true
    const url = `/v1/guests?sessionId=s1&length=${1 + failed.count++}`
    const answer = await api.get(url, headers)
    fault.failing = false
    expect(answer.status).toBe(503)
    const line = JSON.parse(lines.find((one) => one.includes('request failed')) ?? '{}')
    expect(line.requestId).toBe(answer.headers['x-request-id'])
    return line.traceId
  }
  failed.count = 0

  it('is in its line of the log if a trusted proxy has begun it', async () => {
    expect(await failed(trusting, { traceparent: PARENT })).toBe(TRACE)
    expect(await failed(trusting, {})).toBeUndefined()
    expect(await failed(trusting, { traceparent: `00-${TRACE}-ana@example.com-01` })).toBeUndefined()
    expect(await failed(distrustful, { traceparent: PARENT })).toBeUndefined()
  })

  it.each([
    [PARENT, true],
    [PARENT.replace(/01$/, '00'), false],
    [PARENT.replace(/01$/, 'fe'), false],
    [PARENT.replace(/01$/, 'ff'), true],
    // A later version, with and without further fields.
    [PARENT.replace(/^00/, 'cc'), true],
    [`${PARENT.replace(/^00/, 'cc')}-what-comes-later`, true],
  ])('is read of %s', (text, isSampled) => {
    expect(readTraceParent(text)).toEqual({ traceId: TRACE, spanId: 'b7ad6b7169203331', isSampled })
  })

  it.each([
    '',
    '00',
    PARENT.toUpperCase(),
    PARENT.replace(/^00/, 'ff'),
    PARENT.replace(TRACE, '0'.repeat(32)),
    PARENT.replace('b7ad6b7169203331', '0'.repeat(16)),
    PARENT.slice(1),
    `${PARENT}-`,
    `${PARENT}-more`,
    `${PARENT.replace(/^00/, 'cc')}more`,
    `${PARENT.replace(/^00/, 'cc')}-a b`,
    `${PARENT.replace(/^00/, 'cc')}-${'x'.repeat(200)}`,
    ` ${PARENT}`,
    `${PARENT}\n`,
    `${PARENT}, ${PARENT}`,
  ])('is unknown of %j', (text) => {
    expect(readTraceParent(text)).toBeUndefined()
  })

  it('is unknown of two headers', () => {
    const { traceOf } = createRequestIds(() => true)
    const request = (traceparent: string | string[]) =>
      ({ headers: { traceparent }, socket: {} }) as unknown as Parameters<typeof traceOf>[0]
    expect(traceOf(request(PARENT))?.traceId).toBe(TRACE)
    expect(traceOf(request([PARENT, PARENT]))).toBeUndefined()
  })
})
