/** What is sent to `/mcp` that no assistant sends: it ends soon, holds little, and gets an answer that says what is wrong. */
import { request } from 'node:http'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ANSWER_BYTES_MAX } from '../../../src/parts/assistants/ask.ts'
import { MESSAGE_BYTES_MAX } from '../../../src/parts/assistants/serve-assistants.ts'
import { type Asker, startTestApi, type TestAnswer, type TestApi } from '../../support/api.ts'
import { listen } from '../../support/socket.ts'
import { guest, order, session } from '../../support/world.ts'
import { HANDSHAKE, MESSAGE_HEADERS, post } from './assistant.ts'

/** Longer than what is held of a list: it is streamed. */
const ORDERS = 1100

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({
    records: [
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
      ...guest('g1', { sessionIds: ['s1'] }),
      ...Array.from({ length: ORDERS }, (_, at) => order(`o${at}`, { orderDate: '2025-01-10T10:00:00Z' })),
    ],
    app: { mcp: true, failedCredentialsPerMinute: 100_000 },
  })
})

/** Nothing that was sent has left anything behind. */
afterEach(async () => {
  expect(said(await call(api, 'listGuests', { sessionId: 's1' })).isError).toBe(false)
})

const call = (asker: Asker, name: string, args: object) =>
  post(asker, { method: 'tools/call', params: { name, arguments: args } })

/** The result of a call, which comes as the one event of a stream or as JSON. */
function said({ text }: TestAnswer): { text: string; isError: boolean } {
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
  const { result }: { result: { content: { text: string }[]; isError?: boolean } } = JSON.parse(json)
  return { text: result.content[0]?.text ?? '', isError: result.isError ?? false }
}

const LIST = '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]'

describe('a service that was not asked to', () => {
  it('has nothing at /mcp', async () => {
    const plain = await startTestApi()
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect((await plain.request(method, '/mcp', MESSAGE_HEADERS, '{}')).status).toBe(404)
    }
  })
})

describe('/mcp', () => {
  it('reads nothing of who has no key, and nothing of a web page', async () => {
    const nobody = await post(api.as(undefined), { method: 'initialize', params: HANDSHAKE })
    expect(nobody.status).toBe(401)
    expect(nobody.headers['www-authenticate']).toContain('Bearer')
    const page = await post(api, { method: 'tools/list' }, { origin: 'https://evil.example' })
    expect(page.status).toBe(403)
    expect(page.body.error.message).toContain('Web pages may not send messages')
    const revoked = await api.createKey({ revokedAt: '2025-01-01T00:00:00Z' })
    expect((await post(api.as(revoked), { method: 'tools/list' })).status).toBe(401)
  })

  it.each(['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS'])(
    'takes no %s, and says what it takes',
    async (method) => {
      const answer = await api.request(method, '/mcp')
      expect(answer.status).toBe(405)
      expect(answer.headers.allow).toBe('POST')
      expect((await api.as(undefined).request(method, '/mcp')).status).toBe(401)
    },
  )

  it.each([
    ['no JSON', 'nonsense'],
    ['nothing', ''],
    ['an empty list', '[]'],
    ['a list that is not closed', ' \n[{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['a list of five messages', `[${Array(5).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`],
    ['a number', '17'],
    ['text', '"initialize"'],
    ['no message', '{"a":1}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    [
      'a message that is too long',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(MESSAGE_BYTES_MAX) }),
    ],
  ])('refuses %s', async (_, body) => {
    const answer = await post(api, body)
    expect(answer.status, answer.text.slice(0, 300)).toBe(400)
    expect(answer.text.length).toBeLessThan(1000)
  })

  it('refuses a list in versions of the protocol that have none', async () => {
    const answer = await post(api, LIST, { 'mcp-protocol-version': '2025-06-18' })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('which only version 2025-03-26 of the protocol allows')
  })

  it.each([
    ['application/json, text/event-stream', {}],
    ['application/json', { 'mcp-protocol-version': '2025-03-26' }],
  ])('answers each message of a list in version 2025-03-26, and counts each: %s', async (accept, headers) => {
    const limited = await api.createKey({ perMinute: 3 })
    const answer = await post(api.as(limited), LIST, { accept, ...headers })
    expect(answer.status, answer.text).toBe(200)
    const texts = answer.text.startsWith('[')
      ? answer.text
      : `[${[...answer.text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data).join(',')}]`
    const ids = (JSON.parse(texts) as unknown[]).flat().map((one) => Object(one).id)
    expect(ids.toSorted()).toEqual([1, 2])
    // Two of three requests are used, so the next list does not fit.
    const next = await post(api.as(limited), LIST, { accept, ...headers })
    expect(next.status).toBe(429)
  })

  it('answers what is nested without end with an error of the protocol', async () => {
    const nested = `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`
    for (const where of ['"params":', '"params":{"name":"listGuests","arguments":', '"params":{"_meta":']) {
      const closed = where.endsWith('"params":') ? '' : '}'
      const answer = await post(
        api,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call",${where}${nested}${closed}}`,
      )
      expect(answer.text, where).toMatch(/"error":|"isError":true/)
    }
  })

  it('says what a list in a list is not, however deep', async () => {
    for (const depth of [2, 20_000]) {
      const list = `${'['.repeat(depth)}"s1"${']'.repeat(depth)}`
      const answer = await post(
        api,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listGuests","arguments":{"sessionId":${list}}}}`,
      )
      expect(said(answer).text).toBe(
        'sessionId must be text, a number, true or false, or a list of these. Leave it out if it has no value.',
      )
    }
  })

  it('answers a method that it has not, and a stream of notifications, with an error of the protocol', async () => {
    for (const method of ['nonsense', 'subscriptions/listen', 'resources/subscribe', 'logging/setLevel']) {
      const answer = await post(api, { method, params: {} })
      expect(answer.text, method).toContain('"error":{"code":-32')
    }
  })

  it('takes JSON alone', async () => {
    const answer = await post(api, { method: 'ping' }, { 'content-type': 'text/plain' })
    expect(answer.status).toBe(415)
  })

  it.each<[string, object]>([
    ['a NUL', { sessionId: 'a\0b' }],
    ['a lone surrogate', { sessionId: '\ud800' }],
    ['another parameter in a value', { sessionId: 's1&project=pin' }],
    ['another header in a value', { sessionId: 's1', locale: 'ro\r\nx-evil: 1' }],
    ['a name of another parameter', { 'sessionId=s1&project': 'pin' }],
    ['a name of all objects', JSON.parse('{"__proto__":{"sessionId":"s1"},"constructor":"s1"}')],
    ['thousands of names', Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`p${at}`, '1']))],
  ])('gives %s to the interface, which refuses it', async (_, args) => {
    const answer = await call(api, 'listGuests', args)
    expect(answer.status).toBe(200)
    expect(said(answer).isError).toBe(true)
    expect(said(answer).text).toMatch(/INVALID_PARAMETER|must be/)
  })

  it('breaks off an answer that is longer than an assistant may get, and says how to ask for less', async () => {
    const days = { startDate: '2025-01-01', endDate: '2025-01-31' }
    expect((await api.get(`/v1/orders?${new URLSearchParams(days)}`)).text.length).toBeGreaterThan(
      ANSWER_BYTES_MAX,
    )
    // More than there are slots for streams: each is given back.
    for (let round = 0; round < 5; round++) {
      const { text, isError } = said(await call(api, 'listOrders', days))
      expect(isError).toBe(true)
      expect(text).toMatch(/^The answer is longer than 100000 bytes, .* a shorter range of dates\.$/)
    }
  })

  it('has four messages of an application under way at most, and lets go of those whose client went away', async () => {
    const key = await api.createKey()
    const headers = { ...MESSAGE_HEADERS, ...key.bearer, 'content-length': '100' }
    const options = { port: await listen(api.app), host: '127.0.0.1', path: '/mcp', method: 'POST', headers }
    const statuses: (number | undefined)[] = []
    // Each begins a message and does not end it.
    const begun = Array.from({ length: 6 }, () => {
      const message = request(options, ({ statusCode }) => statuses.push(statusCode)).on('error', () => {})
      message.write('{"jsonrpc":')
      return message
    })
    await expect.poll(() => statuses).toEqual([429, 429])
    expect(said(await call(api, 'listGuests', { sessionId: 's1' })).isError).toBe(false)
    for (const message of begun) message.destroy()
    const again = () => call(api.as(key), 'listGuests', { sessionId: 's1' })
    await expect.poll(async () => (await again()).status).toBe(200)
  })
})
