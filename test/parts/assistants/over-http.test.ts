/** `/mcp`: what an assistant gets is what the interface answers to the same key, and the trail says that it asked. */
import { beforeAll, describe, expect, it } from 'vitest'
import { PRESETS, SCOPES, type Scope } from '../../../src/core/access/keys/scopes.ts'
import { GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import { OPERATIONS } from '../../../src/parts.ts'
import { readsInTrail } from '../../audit/reads.ts'
import { type Asker, startTestApi, type TestApi } from '../../support/api.ts'
import {
  fullQuery,
  pathValues,
  plainQuery,
  TOOL_OPERATIONS,
  urlOf,
} from '../../support/operation-requests.ts'
import { LODGE_MARK, SPA_MARK, twinCenters, UUID } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'
import { type Assistant, HANDSHAKE, MESSAGE_HEADERS, overHttp, PROTOCOLS, post } from './assistant.ts'

const ASSISTANT = { 'sojourn-channel': 'assistant' }
const NAMES = TOOL_OPERATIONS.map(({ name }) => name)
/** Of the limits and of the moment; everything else of an answer is the same each time. */
const timeless = (text = '') =>
  text
    .replace(/"limits":\{.*?\}\}/, '')
    .replace(/"requestId":"[^"]*"/, '')
    .replace(/"cursor":"[^"]*"/, '')

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters(), app: { mcp: true } })
})

const keyed = async (scopes: readonly Scope[], allowAssistants = true, center?: string) => {
  const key = await api.createKey({ scopes, allowAssistants, ...(center === undefined ? {} : { center }) })
  return { key, asker: api.as(key), assistant: await overHttp(api.app, key) }
}

/** What a tool's call answers next to what the interface answers to the same. */
async function both(assistant: Assistant, asker: Asker, name: string, query: Record<string, string>) {
  const operation = OPERATIONS.find((one) => one.name === name)
  if (operation === undefined) throw new Error(`no operation ${name}`)
  const { texts, isError } = await assistant.call(name, { ...query, ...pathValues(operation) })
  // Of an order, assistants ask for more than the interface's own fields.
  const asked = name === 'getOrder' ? { includeDetails: 'true', ...query } : query
  const answer = await asker.get(urlOf(operation, asked), ASSISTANT)
  return { said: timeless(texts[0]), answered: timeless(answer.text), isError, status: answer.status }
}

describe.each(PROTOCOLS)('with the protocol %j', (mode) => {
  it('an assistant finds every operation as a tool that only reads, described in full', async () => {
    const { client } = await overHttp(api.app, await api.createKey(), mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    for (const { name, annotations, inputSchema, description } of tools) {
      const { parameters, pathParameters = {} } = OPERATIONS.find((one) => one.name === name)!
      expect(Object.keys(inputSchema.properties ?? {}), name).toEqual([
        ...Object.keys(pathParameters),
        ...Object.keys(parameters),
        'locale',
      ])
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(description?.length).toBeGreaterThan(30)
      expect(JSON.stringify(inputSchema)).not.toContain('$ref')
    }
    const project = tools.find(({ name }) => name === 'listGuests')?.inputSchema.properties?.project
    for (const { name } of GUEST_FIELDS) expect(JSON.stringify(project)).toContain(`"${name}"`)
  })

  it.each(TOOL_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    '%s answers what the interface answers',
    async (name, operation) => {
      const assistant = await overHttp(api.app, api.key, mode)
      for (const query of [plainQuery(operation), fullQuery(operation), { nonsense: '1' }]) {
        const { said, answered, isError, status } = await both(assistant, api, name, query)
        expect(said).toBe(answered)
        expect(isError).toBe(status !== 200)
      }
    },
  )

  it('an assistant finds fields and scopes as resources', async () => {
    const { assistant, asker } = await keyed(['guests', 'orders'])
    const { resources } = await assistant.client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['sojourn://fields', 'sojourn://scopes'])
    expect(await assistant.read('sojourn://fields')).toEqual((await asker.get('/v1/fields', ASSISTANT)).body)
    expect(await assistant.read('sojourn://scopes')).toMatchObject({
      center: { id: 'spa', timezone: 'Europe/Bucharest' },
      scopes: SCOPES.map((scope) => ({ scope, readable: scope === 'guests' || scope === 'orders' })),
    })
  })
})

describe('an assistant', () => {
  it('gets lists, numbers and booleans as a program sends them, and texts in its language', async () => {
    const { assistant, asker } = await keyed(['guests', 'orders'])
    const { texts } = await assistant.call('listGuests', {
      sessionIds: ['s-1', 's-2'],
      length: 2,
      project: ['name', 'status'],
      locale: 'ro',
    })
    const answer = await asker.get('/v1/guests?sessionIds=s-1,s-2&length=2&project=name,status', {
      'x-locale': 'ro',
    })
    expect(texts[0]).toBe(answer.text)
    const orders = await assistant.call('getOrder', { uuid: UUID, includeGuestNames: true })
    const detailed = `/v1/orders/${UUID}?includeDetails=true`
    expect(orders.texts[0]).toBe((await asker.get(`${detailed}&includeGuestNames=true`)).text)
  })

  it('ruling 40: reads an order with its currency, unless it says otherwise', async () => {
    const { assistant, asker } = await keyed(['orders'])
    const ask = async (more: Record<string, unknown>) =>
      (await assistant.call('getOrder', { uuid: UUID, ...more })).texts[0]
    expect(await ask({})).toBe((await asker.get(`/v1/orders/${UUID}?includeDetails=true`)).text)
    expect(await ask({ includeDetails: false })).toBe((await asker.get(`/v1/orders/${UUID}`)).text)
  })

  it('is informed that more follow, and gets all of them that way', async () => {
    const { assistant } = await keyed(['guests'])
    const seen: string[] = []
    let start = 1
    for (;;) {
      const { texts } = await assistant.call('listGuests', {
        sessionId: 's-1',
        length: 2,
        project: 'id',
        start,
      })
      const { data, total }: { data: { id: string }[]; total: number } = JSON.parse(texts[0] ?? '')
      seen.push(...data.map(({ id }) => id))
      const said = `There are ${total} records in all, of which ${data.length} are in this answer.`
      expect(texts.slice(1, -1).every((text) => text.startsWith(said))).toBe(true)
      expect(texts.at(-1)).toMatch(/^Last received: |^How old this data is, is not known\.$/)
      const next = /call again with the same arguments and start=(\d+)\.$/.exec(texts[1] ?? '')?.[1]
      expect(next === undefined).toBe(seen.length === total)
      if (next === undefined) break
      start = Number(next)
    }
    expect(new Set(seen).size).toBe(3)
    const pinned = await assistant.call('listGuests', { sessionId: 's-1', length: 2, snapshot: 'true' })
    expect(pinned.texts[1]).toMatch(/ and start=2 and snapshot=[\w.-]+\.$/)
  })

  it('is refused an argument that is no text of a URL, a tool and a resource that are not there', async () => {
    const { assistant } = await keyed(['guests', 'orders'])
    for (const value of [null, { a: 1 }, [['a', null]]]) {
      const { texts, isError } = await assistant.call('listGuests', { sessionId: value })
      expect(isError).toBe(true)
      expect(texts[0]).toMatch(/^sessionId must be text, a number, true or false, or a list/)
    }
    expect((await assistant.call('getOrder', {})).texts).toEqual(['uuid is required.'])
    expect((await assistant.call('getOrder', { uuid: '../guests' })).texts[0]).toContain('NOT_FOUND')
    await expect(assistant.call('deleteGuests')).rejects.toThrow('There is no tool "deleteGuests"')
    await expect(assistant.call('__proto__')).rejects.toThrow('There is no tool')
    await expect(assistant.read('sojourn://guests')).rejects.toThrow('There is no resource')
  })
})

describe('ruling 6: an assistant', () => {
  const KEYS = Object.entries({
    ...Object.fromEntries(SCOPES.map((scope) => [`only ${scope}`, [scope]])),
    ...PRESETS,
  })
    .map(([name, scopes]) => [name, scopes] as [string, readonly Scope[]])
    // Assistants may not use a key of the administration.
    .filter(([, scopes]) => !scopes.includes('administration'))

  it.each(KEYS)(
    'with a key with %s has its tools, and is refused what the key is refused',
    async (_, scopes) => {
      const { assistant, asker } = await keyed(scopes)
      const readable = TOOL_OPERATIONS.filter(({ scope }) => scope === 'any' || scopes.includes(scope))
      expect(await assistant.tools()).toEqual(readable.map(({ name }) => name))
      for (const operation of TOOL_OPERATIONS) {
        const { said, answered } = await both(assistant, asker, operation.name, plainQuery(operation))
        expect(said, operation.name).toBe(answered)
      }
    },
  )

  it('reads no personal or medical field with a key that does not allow it, and the error says how to go on', async () => {
    const { assistant, asker } = await keyed(SCOPES, false)
    for (const scope of SCOPES.filter((one) => one.startsWith('guests'))) {
      const project = GUEST_FIELDS.filter((field) => field.scope === scope).map(({ name }) => name)
      const { texts, isError } = await assistant.call('listGuests', { sessionId: 's-1', project })
      expect(isError, scope).toBe(scope === 'guests.personal' || scope === 'guests.medical')
      if (isError) expect(texts[0]).toContain('--allow-assistants')
      expect((await asker.get(`/v1/guests?sessionId=s-1&project=${project}`)).status).toBe(200)
    }
  })
})

describe('isolation: an assistant of another center', () => {
  it.each(TOOL_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'is shown nothing of this one by %s',
    async (name, operation) => {
      const { assistant } = await keyed(SCOPES, true, LODGE)
      for (const query of [plainQuery(operation), fullQuery(operation)]) {
        const { texts } = await assistant.call(name, { ...query, ...pathValues(operation) })
        expect(texts.join().toLowerCase()).not.toContain(SPA_MARK.toLowerCase())
      }
      const shown = JSON.stringify([
        await assistant.read('sojourn://scopes'),
        await assistant.read('sojourn://fields'),
      ])
      expect(shown).toContain(LODGE_MARK)
      expect(shown).not.toContain(SPA_MARK)
    },
  )
})

describe('limits, usage and trail', () => {
  it('count each message once, whatever it asks', async () => {
    const asker = api.as(await api.createKey({ perMinute: 4, perHour: 0 }))
    const remaining: unknown[] = []
    for (const message of [
      { method: 'initialize', params: HANDSHAKE },
      { method: 'tools/list' },
      { method: 'tools/call', params: { name: 'listGuests', arguments: { sessionId: 's-1' } } },
      { method: 'nonsense' },
    ]) {
      const { status, headers } = await post(asker, message)
      expect(status, message.method).toBe(200)
      remaining.push(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])
    }
    expect(remaining).toEqual(['3', '2', '1', '0'])
    const { status, body, headers } = await post(asker, { method: 'tools/list' })
    expect(status).toBe(429)
    expect(body.error.message).toContain('This key may make 4 requests a minute')
    expect(headers['retry-after']).toBeDefined()
    expect((await asker.get('/v1/me')).status).toBe(429)
  })

  it.each([
    ['*/*', 'text/event-stream'],
    ['text/html, */*;q=0.1', 'text/event-stream'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json;q=0.5, text/event-stream', 'text/event-stream'],
    [undefined, 'text/event-stream'],
  ])('accept %j: an answer in an acceptable form, %s', async (accept, type) => {
    const { asker } = await keyed(['guests'])
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (accept !== undefined) headers.accept = accept
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const answer = await asker.request('POST', '/mcp', headers, body)
    expect([answer.status, String(answer.headers['content-type']).split(';')[0]]).toEqual([200, type])
    const message: unknown = JSON.parse(answer.text.replace(/^[\s\S]*data: /, ''))
    expect(message).toMatchObject({ jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } })
  })

  it('ruling 9: a trailing slash is the same path, with the same refusals', async () => {
    const { asker } = await keyed(['guests'])
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect((await asker.request('POST', '/mcp/', MESSAGE_HEADERS, body)).status).toBe(200)
    expect((await asker.get('/mcp/')).status).toBe((await asker.get('/mcp')).status)
    expect((await asker.request('PUT', '/mcp/', MESSAGE_HEADERS, body)).status).toBe(405)
    expect(
      (await api.as({ ...api.key, headers: {} }).request('POST', '/mcp/', MESSAGE_HEADERS, body)).status,
    ).toBe(401)
  })

  it('say of each read that an assistant asked, and nothing is counted twice', async () => {
    const world = await startTestApi({ records: twinCenters(), app: { mcp: true } })
    const assistant = await overHttp(world.app, world.key)
    await assistant.call('listGuests', { sessionId: 's-1', project: 'name,total' })
    await assistant.call('listGuests', { sessionId: 's-1', project: 'name' })
    await world.get('/v1/guests?sessionId=s-1&project=name')
    await world.app.close()
    const reads = await readsInTrail(world.database, { operations: ['listGuests'] })
    expect(reads.map(({ channel, filters }) => [channel, filters.project])).toEqual([
      [null, 'name'],
      ['assistant', 'name'],
    ])
    const again = await startTestApi({ database: world.database })
    const used: { days: { endpoint: string; requests: number; errors: number }[] } = JSON.parse(
      (await again.as(world.key).get('/v1/usage')).text,
    )
    const counted = used.days.map(({ endpoint, requests, errors }) => [endpoint, requests, errors])
    expect(counted.sort()).toEqual([
      ['/guests', 3, 1],
      ['/mcp', 1, 0],
    ])
  })
})
