/** Ruling 47: `Authorization: Basic` as a third form of a key, for tools that offer nothing else. */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createToken } from '../../src/core/access/keys/token.ts'
import { actionPath } from '../../src/core/request/action.ts'
import { ACTIONS } from '../../src/parts.ts'
import { MESSAGE_HEADERS } from '../parts/assistants/assistant.ts'
import { actionBody } from '../support/action-requests.ts'
import { startTestApi, type TestAnswer, type TestApi, type TestKey } from '../support/api.ts'
import { lastUseIsWritten } from '../support/last-use.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import { LODGE, lodge, spa } from '../support/world.ts'

const URL = '/v1/guests?sessionId=s1'
const BASIC = 'Basic realm="sojourn", charset="UTF-8"'

let api: TestApi
let other: TestKey
beforeAll(async () => {
  api = await startTestApi({
    records: [spa(), ...OPERATION_RECORDS, lodge()],
    app: { failedCredentialsPerMinute: 1_000_000, mcp: true },
  })
  other = await api.createKey()
})

const encoded = (text: string, scheme = 'Basic') => ({
  authorization: `${scheme} ${Buffer.from(text).toString('base64')}`,
})
const oneString = ({ apiKey }: TestKey) => encoded(`${apiKey}:`)
const twoHalves = ({ publicKey, secretKey }: TestKey) => encoded(`${publicKey}:${secretKey}`)
const ask = (headers: Record<string, string>, url = URL, method = 'GET') =>
  api.as(undefined).request(method, url, headers)
const bodyOf = ({ body }: TestAnswer) => ({ ...body.error, requestId: '' })
const challengesOf = ({ headers }: TestAnswer) => [headers['www-authenticate']].flat()

describe('Authorization: Basic', () => {
  it.each(OPERATION_REQUESTS)(
    'ruling 47: has the answer of the other forms on $path',
    async ({ name, url }) => {
      if (name === 'listKeys') await lastUseIsWritten(api)
      const bearer = await ask(api.key.bearer, url)
      for (const headers of [oneString(api.key), twoHalves(api.key)]) {
        const answer = await ask(headers, url)
        expect([answer.status, answer.text]).toEqual([200, bearer.text])
        expect(answer.headers.etag).toBe(bearer.headers.etag)
        const head = await ask(headers, url, 'HEAD')
        expect([head.status, head.text]).toEqual([200, ''])
      }
    },
  )

  it('ruling 47: is accepted with its name in any case, and again on the same connection', async () => {
    for (const scheme of ['Basic', 'basic', 'BASIC']) {
      expect((await ask(encoded(`${api.key.apiKey}:`, scheme))).status).toBe(200)
    }
  })

  it('ruling 47, ruling 4: what is sent of the three headers next to it must be of the same key', async () => {
    for (const form of [oneString, twoHalves]) {
      expect((await ask({ ...api.key.headers, ...form(api.key) })).status).toBe(200)
      expect((await ask({ ...api.key.headers, ...form(other) })).status).toBe(401)
      expect((await ask({ ...form(api.key), 'x-api-app-id': api.key.appId })).status).toBe(200)
      expect((await ask({ ...form(api.key), 'x-api-app-id': other.appId })).status).toBe(401)
    }
  })

  it('ruling 47, ruling 5: has one body, whatever is wrong with it', async () => {
    const { apiKey, publicKey, secretKey } = api.key
    const stranger = createToken(randomBytes)
    const revoked = await api.createKey({ revokedAt: '2026-01-01T00:00:00Z' })
    const expired = await api.createKey({ expiresAt: '2026-01-01T00:00:00Z' })
    const theirs = await api.createKey({ center: LODGE })
    const bodies = new Set<string>()
    for (const headers of [
      ...[revoked, expired].flatMap((key) => [oneString(key), twoHalves(key)]),
      ...['', ':', `:${apiKey}`, apiKey, `${apiKey}:x`, `${publicKey}:`, `${secretKey}:${publicKey}`].map(
        (text) => encoded(text),
      ),
      ...[
        `${publicKey}:${other.secretKey}`,
        `${publicKey}:${theirs.secretKey}`,
        `${publicKey}:${apiKey}`,
      ].map((text) => encoded(text)),
      ...[`${stranger.apiKey}:`, `${publicKey}:${secretKey}:`, `${apiKey.slice(0, -1)}_:`, 'ä:ö'].map(
        (text) => encoded(text),
      ),
      { authorization: 'Basic' },
      { authorization: 'Basic !!' },
      { authorization: `Basic ${apiKey}` },
      { authorization: `${oneString(api.key).authorization} ${oneString(api.key).authorization}` },
      encoded('x'.repeat(9000)),
    ]) {
      const answer = await ask(headers)
      expect(answer.status, headers.authorization).toBe(401)
      expect(challengesOf(answer)).toEqual(['Bearer realm="sojourn", error="invalid_token"', BASIC])
      bodies.add(JSON.stringify(bodyOf(answer)))
    }
    expect(bodies.size).toBe(1)
    expect([...bodies][0]).toContain('or Basic with that as the user name and an empty password')
  })

  it('ruling 47, ruling 5: counts as a wrong guess of its network', async () => {
    const own = await startTestApi({ app: { failedCredentialsPerMinute: 2 } })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      statuses.push((await own.as(undefined).get('/v1/me', encoded(`${other.apiKey}:`))).status)
    }
    expect(statuses).toEqual([401, 401, 429, 429])
    expect((await own.as(undefined).get('/v1/me', oneString(own.key))).status).toBe(200)
  })

  it('ruling 47: is refused to everything but GET and HEAD: actions, assistants, other methods', async () => {
    const tried = [
      ...ACTIONS.map((action) => ({ url: `/v1${actionPath(action)}`, body: actionBody(action) })),
      { url: '/mcp', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
      ...['/v1/guests', '/v1/orders'].map((url) => ({ url, body: '' })),
    ]
    for (const { url, body } of tried) {
      for (const form of [oneString, twoHalves]) {
        const headers = {
          ...MESSAGE_HEADERS,
          'idempotency-key': randomBytes(8).toString('hex'),
          ...form(api.key),
        }
        const answer = await api.as(undefined).request('POST', url, headers, body)
        expect(answer.status, url).toBe(401)
        expect(answer.body.error.message).toContain(
          'Authorization: Basic, which is accepted for GET and HEAD only',
        )
        // It would never be accepted there.
        expect(challengesOf(answer)).toEqual(['Bearer realm="sojourn", error="invalid_token"'])
      }
    }
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      expect((await ask(oneString(api.key), '/v1/guests', method)).status, method).toBe(401)
      expect((await ask(api.key.bearer, '/v1/guests', method)).status, method).toBe(405)
    }
  })

  it('ruling 47: does not open a key for intake', async () => {
    const intake = await api.createKey({ intake: true })
    expect((await ask(oneString(intake))).status).toBe(403)
  })
})

describe('a 401', () => {
  it.each([
    ['a program', {}, true],
    ['a program that takes JSON', { accept: 'application/json' }, true],
    ['a page of the console or of another site', { 'sec-fetch-mode': 'cors' }, false],
    ['a page in an older browser', { origin: 'https://example.com' }, false],
    ['somebody who opens the address', { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }, false],
    ['the same in capitals', { accept: 'TEXT/HTML' }, false],
  ] as const)(
    'ruling 47: asks %s for Bearer, and for Basic if that is no browser',
    async (_, headers, asks) => {
      for (const credentials of [{}, { authorization: 'Bearer sjn_key_x' }]) {
        const challenges = challengesOf(await ask({ ...headers, ...credentials }))
        expect(challenges[0]).toMatch(/^Bearer realm="sojourn"/)
        expect(challenges.slice(1)).toEqual(asks ? [BASIC] : [])
      }
      // A browser that has sent it has asked its user already.
      expect(challengesOf(await ask({ ...headers, ...encoded('a:b') }))).toContain(BASIC)
    },
  )

  it.each(['Digest username="a"', 'Negotiate YII=', 'NTLM TlR', 'ApiKey x', 'Token x', 'AWS4-HMAC-SHA256 x'])(
    'ruling 47: to %s mentions links',
    async (authorization) => {
      const { status, body } = await ask({ authorization })
      expect([status, body.error.message]).toEqual([
        401,
        'Valid credentials are required. The request has an Authorization header of another scheme. It must be Bearer with the single-string form of one valid key, or Basic with that as the user name and an empty password. A program that can send neither can read a link, which needs no credentials: ask the operator of the service for one.',
      ])
    },
  )

  it('ruling 47: has one body for each scheme that it does not know, with valid headers next to it too', async () => {
    const bodies = await Promise.all(
      ['Digest a', 'Negotiate b'].map(async (authorization) =>
        JSON.stringify(bodyOf(await ask({ authorization }))),
      ),
    )
    expect(new Set(bodies).size).toBe(1)
    expect((await ask({ ...api.key.headers, authorization: 'Digest a' })).status).toBe(401)
  })
})
