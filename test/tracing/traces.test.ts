/** Spans of requests: what they say, and that they say nothing of anybody, as a collector gets them. */
import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import type { Replicas } from '../../src/core/database/replicas.ts'
import { createIntakeServer } from '../../src/core/intake/port/intake-server.ts'
import { actionPath } from '../../src/core/request/action.ts'
import { TracingError } from '../../src/parts/tracing/open-tracing.ts'
import { summaryOf } from '../../src/parts/tracing/statement-summary.ts'
import { ACTIONS, OPERATIONS } from '../../src/parts.ts'
import { ACTION_APP, actionBody, actionHeaders, addSubjects } from '../support/action-requests.ts'
import { startTestApi } from '../support/api.ts'
import { afterwards, openTestDatabase } from '../support/database.ts'
import { OPERATION_REQUESTS } from '../support/operations.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { order, session, spa, stay } from '../support/world.ts'
import { startCollector, traceWith } from './collector.ts'

const NOW = '2025-01-08T06:00:00Z'
/** In every value that a person may have sent or stored. */
const PLANTED = 'Plantedova'
const ADDRESS = '203.0.113.77'

const ID = { booking: `b-${PLANTED}`, session: `s-${PLANTED}`, order: `o_${PLANTED}`, room: `r-${PLANTED}` }

const RECORDS = [
  spa(),
  spa({ id: 'lodge' }),
  session(ID.session, '2025-01-06T12:00', '2025-01-12T12:00', { name: `Course ${PLANTED}` }),
  order(ID.order, { notes: PLANTED }),
  ...stay(ID.booking, '2025-01-06', '2025-01-12', {
    sessionIds: [ID.session],
    orderUuid: ID.order,
    doctorName: PLANTED,
  }),
]

/** No span is dropped. */
const ALL = { OTEL_BSP_MAX_QUEUE_SIZE: '1000000' }

async function startTraced(variables: Readonly<Record<string, string>> = {}) {
  const collector = await startCollector()
  const tracing = traceWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...ALL, ...variables })
  const watched = watchDatabase(await openTestDatabase())
  const lines: string[] = []
  const { database } = watched
  const folder = makeTemporaryFolder()
  const bounds = { bytesMax: 1e6, unpackedBytesMax: 1e7, silenceMs: 60_000, bytesPerSecondMin: 100 }
  const api = await startTestApi({
    database,
    records: RECORDS,
    now: NOW,
    app: {
      ...ACTION_APP,
      tracing,
      mcp: true,
      failedCredentialsPerMinute: 1_000_000_000,
      trustedProxies: ['127.0.0.1'],
      intake: { database, folder, bounds },
      logLevel: 'info',
      logStream: { write: (line) => void lines.push(line) },
    },
  })
  /** What the collector has, once everything was sent. */
  const spans = async () => {
    await tracing.close()
    return collector.spans()
  }
  return { api, collector, watched, lines, spans }
}

describe('spans', () => {
  it('say method, route and status of a request, its admission, its statements and whether it was cached', async () => {
    const { api, spans } = await startTraced()
    const url = `/v1/guests?sessionId=${ID.session}`
    for (let times = 0; times < 2; times += 1) expect((await api.get(url)).status).toBe(200)
    expect((await api.get('/v1/guests?colour=red')).status).toBe(400)
    expect((await api.as(undefined).get(url)).status).toBe(401)
    const received = await spans()
    const requests = received.filter(({ kind }) => kind === 2)
    const guests = { 'http.request.method': 'GET', 'http.route': '/v1/guests' }
    expect(requests.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['GET /v1/guests', { ...guests, 'http.response.status_code': 200, 'sojourn.answer.cached': false }],
      // The watched database says nothing of commits, so the answer is checked and found in the cache.
      ['GET /v1/guests', { ...guests, 'http.response.status_code': 200, 'sojourn.answer.cached': true }],
      ['GET /v1/guests', { ...guests, 'http.response.status_code': 400, 'error.type': 'INVALID_PARAMETER' }],
      ['GET /v1/guests', { ...guests, 'http.response.status_code': 401, 'error.type': 'UNAUTHORIZED' }],
    ])
    for (const { parentId, status } of requests) expect([parentId, status]).toEqual(['', 0])
    const [first] = requests
    const below = received.filter(({ traceId }) => traceId === first?.traceId)
    expect(below.map(({ name }) => name)).toContain('admission')
    const statements = below.filter(({ kind }) => kind === 3)
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(select|with) \w+$/)]),
    )
    for (const { name, attributes } of statements) {
      expect(attributes).toEqual({
        'db.system.name': 'postgresql',
        'db.query.summary': name,
        'sojourn.database.use': expect.stringMatching(/^(read|reserved|statement|stream)$/),
      })
    }
    // Each has its request, or a span within it, above it.
    const ids = new Set(below.map(({ spanId }) => spanId))
    for (const { spanId, parentId } of below) if (spanId !== first?.spanId) expect(ids).toContain(parentId)
  })

  it('continue the trace of a trusted proxy, and the log of a failed request names it', async () => {
    const { api, watched, lines, spans } = await startTraced()
    const trace = '0af7651916cd43dd8448eb211c80319c'
    watched.before = ({ by }) => {
      if (by === 'queryArrays') throw new DatabaseUnavailable('away')
    }
    const ask = (headers: Record<string, string>) =>
      api.get(`/v1/guests?sessionId=${ID.session}&length=7`, headers)
    expect((await ask({ traceparent: `00-${trace}-b7ad6b7169203331-01` })).status).toBe(503)
    expect((await ask({})).status).toBe(503)
    // The proxy records no trace of this one.
    expect((await ask({ traceparent: `00-${'a'.repeat(32)}-b7ad6b7169203331-00` })).status).toBe(503)
    const requests = (await spans()).filter(({ kind }) => kind === 2)
    expect(requests.map(({ traceId, parentId, status }) => [traceId, parentId, status])).toEqual([
      [trace, 'b7ad6b7169203331', 2],
      [expect.stringMatching(/^[\da-f]{32}$/), '', 2],
    ])
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed')
    expect(logged.map(({ traceId }) => traceId)).toEqual([trace, requests[1]?.traceId, 'a'.repeat(32)])
  })

  it('say which reads a replica answered', async () => {
    const collector = await startCollector()
    const tracing = traceWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...ALL })
    const database = await openTestDatabase()
    const numbers = {
      reads: 0,
      fallbacks: { late: 0, empty: 0, conflict: 0, failed: 0, error: 0 },
      without: 0,
      usable: 1,
      lagSeconds: 0,
    }
    // A replica with the same content.
    const replicas: Replicas = { read: (_, read) => read(database), numbers, close: async () => {} }
    const api = await startTestApi({ database, records: RECORDS, app: { tracing, replicas } })
    expect((await api.get(`/v1/guests?sessionId=${ID.session}`)).status).toBe(200)
    await tracing.close()
    const uses = collector.spans().map(({ attributes }) => attributes['sojourn.database.use'])
    expect(uses).toEqual(expect.arrayContaining(['reserved', 'replica']))
    expect(uses).not.toContain('read')
  })

  it('are those that the sampler of the standard variables chooses', async () => {
    const { api, spans } = await startTraced({ OTEL_TRACES_SAMPLER: 'always_off' })
    expect((await api.get('/v1/me')).status).toBe(200)
    expect(await spans()).toEqual([])
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    for (const variables of [
      { OTEL_TRACES_SAMPLER: 'sometimes' },
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      { OTEL_BSP_MAX_QUEUE_SIZE: '-1' },
    ]) {
      expect(() => traceWith({ ...endpoint, ...variables })).toThrow(TracingError)
    }
  })
})

it('no span says anything of anybody: over every operation and action, with planted values everywhere', async () => {
  const { api, collector, spans } = await startTraced()
  await addSubjects(api.database)
  const intake = createIntakeServer(api.app)
  await new Promise<void>((resolve) => intake.listen(0, '127.0.0.1', resolve))
  afterwards(async () => {
    intake.closeAllConnections()
    intake.close()
  })
  const sent = {
    'user-agent': `agent-${PLANTED}`,
    'x-forwarded-for': ADDRESS,
    'x-request-id': `request-${PLANTED}`,
    traceparent: `00-${'b'.repeat(32)}-b7ad6b7169203331-01`,
    tracestate: `vendor=${PLANTED}`,
    baggage: `person=${PLANTED}`,
    cookie: PLANTED,
    referer: `https://example.org/${PLANTED}`,
  }
  const statuses = new Map<string, Set<number>>()
  const secrets = [api.key.apiKey, api.key.secretKey, api.key.publicKey, api.key.appId, ADDRESS, PLANTED]
  const ask = async (
    name: string,
    method: string,
    url: string,
    more: Record<string, string> = {},
    body?: string,
  ) => {
    const answer = await api.request(method, url, { ...sent, ...more }, body)
    statuses.set(name, (statuses.get(name) ?? new Set()).add(answer.status))
    const { etag } = answer.headers
    if (etag !== undefined) secrets.push(String(etag).replaceAll('"', ''))
    for (const [, cursor = ''] of answer.text.matchAll(/"(?:next|cursor|after)": ?"([\w-]{16,})"/g)) {
      secrets.push(cursor)
    }
    return answer
  }
  const own = (url: string) =>
    url
      .replaceAll('sessionId=s1', `sessionId=${ID.session}`)
      .replaceAll('order_1', ID.order)
      .replaceAll('Changed+Pop', PLANTED)
  for (const { name, url, path, query, parameters } of OPERATION_REQUESTS) {
    const good = own(url)
    await ask(name, 'GET', good)
    await ask(name, 'GET', good)
    await ask(name, 'HEAD', good)
    await ask(name, 'POST', good)
    await ask(name, 'GET', `${good}&${PLANTED}=1`)
    await ask(name, 'GET', `/v1${own(path)}/${PLANTED}`)
    await ask(name, 'GET', good, { 'x-api-secret-key': `${api.key.secretKey.slice(0, -1)}x` })
    await ask(name, 'GET', good, { authorization: `Bearer ${PLANTED}` })
    for (const parameter of parameters) {
      const others = own(query)
        .split('&')
        .filter((part) => !part.startsWith(`${parameter}=`))
      await ask(
        name,
        'GET',
        `/v1${own(path)}?${[...others, `${parameter}=${PLANTED}@example.org`].join('&')}`,
      )
    }
  }
  for (const action of ACTIONS) {
    const url = `/v1${actionPath(action)}`
    await ask(action.name, 'POST', url, actionHeaders(), actionBody(action))
    await ask(
      action.name,
      'POST',
      url,
      actionHeaders(`key-${PLANTED}`),
      JSON.stringify({ [PLANTED]: PLANTED }),
    )
  }
  const others = [
    `/${PLANTED}?${PLANTED}`,
    `/links/${PLANTED}`,
    `/links/sjn_link_${'a'.repeat(43)}`,
    `/v1/orders/%ZZ${PLANTED}`,
    `/mcp?${PLANTED}`,
    `/docs/guide/${PLANTED}`,
    `/console/${PLANTED}`,
    '/health/ready',
    '/metrics',
  ]
  for (const url of others) await ask('other', 'GET', url)
  await ask('other', 'PROPFIND', '/v1/me')
  await ask(
    'other',
    'POST',
    '/mcp',
    { 'content-type': 'application/json' },
    JSON.stringify({ method: PLANTED }),
  )
  const intakeKey = await api.createKey({ intake: true })
  const address = intake.address()
  const port = typeof address === 'object' ? address?.port : 0
  for (const record of [{ kind: 'customer', id: PLANTED, firstName: PLANTED }, { kind: PLANTED }]) {
    const { status } = await fetch(`http://127.0.0.1:${port}/intake`, {
      method: 'POST',
      headers: { ...intakeKey.bearer, 'user-agent': PLANTED },
      body: `${JSON.stringify(record)}\n`,
    })
    statuses.set('intake', (statuses.get('intake') ?? new Set()).add(status))
  }
  secrets.push(intakeKey.apiKey, intakeKey.publicKey)

  const received = await spans()
  // Each of them was answered, and traced: the test has looked at something.
  const routes = new Set(received.map(({ attributes }) => attributes['http.route']))
  for (const { name, paths } of OPERATIONS) {
    expect([...(statuses.get(name) ?? [])], name).toEqual(expect.arrayContaining([200, 400, 401, 405]))
    for (const path of paths) expect(routes).toContain(`/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  }
  for (const action of ACTIONS) expect(routes).toContain(`/v1${actionPath(action)}`)
  expect([...(statuses.get('intake') ?? [])].sort()).toEqual([200, 422])
  const delivery = received.find(({ attributes }) => attributes['http.route'] === '/intake')
  const delivered = received.filter(
    ({ traceId, parentId }) => traceId === delivery?.traceId && parentId !== '',
  )
  expect(delivered.map(({ name }) => name)).toEqual(expect.arrayContaining(['admission', 'transaction']))
  expect(secrets.length).toBeGreaterThan(40)
  const text = Buffer.concat(collector.bodies).toString('latin1')
  for (const secret of new Set(secrets)) expect(text.includes(secret), secret).toBe(false)
  expect(text).not.toMatch(/planted/i)
  expect(text).not.toMatch(/127\.0\.0\.1|localhost|light-?my-?request/i)
  // No other attribute than these, and every value one of the code's.
  const known = new Set([
    'http.request.method',
    'http.route',
    'http.response.status_code',
    'error.type',
    'db.system.name',
    'db.query.summary',
    'sojourn.database.use',
    'sojourn.answer.cached',
  ])
  for (const { attributes } of received)
    for (const name of Object.keys(attributes)) expect(known).toContain(name)
})

describe('the summary of a statement', () => {
  it.each([
    [['select a from guests where id = ', ''], 'select guests'],
    [['\n  with x as (select 1 from api_keys) select '], 'with api_keys'],
    [['insert into reads (a) values (', ')'], 'insert reads'],
    [['-- why\nupdate api_keys set a = ', ''], 'update api_keys'],
    [['delete from reads'], 'delete reads'],
    [['select 1'], 'select'],
    [['select * from "Quoted" where a = ', ''], 'select'],
    [['vacuum'], 'statement'],
    [[''], 'statement'],
  ])('of %j is %j', (text, summary) => {
    expect(summaryOf(text)).toBe(summary)
  })
})
