/** Rulings 4, 5 and 7: who asks, on every operation. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { createToken } from '../../src/core/access/keys/token.ts'
import { startTestApi, type TestAnswer, type TestApi, type TestKey } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import { sendLines } from '../support/socket.ts'
import { LODGE, lodge, spa } from '../support/world.ts'

const URL = '/v1/guests?sessionId=s1'
const NOW = '2026-05-14T12:00:00Z'

let api: TestApi
let other: TestKey
let theirs: TestKey
beforeAll(async () => {
  api = await startTestApi({
    records: [spa(), ...OPERATION_RECORDS, lodge()],
    now: NOW,
    app: { failedCredentialsPerMinute: 1_000_000 },
  })
  other = await api.createKey()
  theirs = await api.createKey({ center: LODGE })
})
const withHeaders = (headers: Record<string, string>, url = URL) => api.as(undefined).get(url, headers)

/** The body without what is different in every answer. */
const bodyOf = (answer: TestAnswer) => ({ ...answer.body.error, requestId: '' })

describe('200', () => {
  it.each(OPERATION_REQUESTS)('ruling 4: both schemes work on $path', async ({ url }) => {
    const three = await withHeaders(api.key.headers, url)
    const bearer = await withHeaders(api.key.bearer, url)
    expect(three.status).toBe(200)
    expect(bearer.status).toBe(200)
    expect(bearer.text).toBe(three.text)
  })
  it('ruling 4: both sent and the same key is answered', async () => {
    expect((await withHeaders({ ...api.key.headers, ...api.key.bearer })).status).toBe(200)
  })
  it('ruling 4: an empty header counts as absent, next to either form', async () => {
    const { headers, bearer } = api.key
    const empty = Object.fromEntries(Object.keys(headers).map((name) => [name, '']))
    for (const sent of [
      { ...headers, authorization: '' },
      { ...empty, ...bearer },
      { ...bearer, 'x-api-secret-key': '' },
    ]) {
      expect((await withHeaders(sent)).status).toBe(200)
    }
  })
  it('ruling 4: next to a bearer, the three headers need not be complete, and are of the same key', async () => {
    const { headers, bearer } = api.key
    const names = Object.keys(headers)
    for (let some = 1; some < 2 ** names.length; some += 1) {
      const chosen = names.filter((_, at) => (some >> at) % 2 === 1)
      const of = (key: TestKey) => Object.fromEntries(chosen.map((name) => [name, key.headers[name] ?? '']))
      expect((await withHeaders({ ...bearer, ...of(api.key) })).status, chosen.join()).toBe(200)
      for (const stranger of [other, theirs]) {
        const answer = await withHeaders({ ...bearer, ...of(stranger) })
        expect(answer.status, `${chosen.join()} of another key`).toBe(401)
      }
    }
  })
  it('ruling 4: the scheme’s name is taken in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await withHeaders({ authorization: `${scheme} ${api.key.apiKey}` })).status).toBe(200)
    }
  })
  it('ruling 5: a key is good until the moment it expires', async () => {
    const key = await api.createKey({ expiresAt: '2026-05-14T12:00:00.001Z' })
    expect((await withHeaders(key.headers)).status).toBe(200)
  })
})

describe('401', () => {
  const wrongHeaders = (): [string, Record<string, string>][] => {
    const { headers, bearer, publicKey, secretKey, apiKey, appId } = api.key
    const without = (name: string) =>
      Object.fromEntries(Object.entries(headers).filter(([known]) => known !== name))
    const typo = (text: string) => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
    return [
      ['none', {}],
      ['no app id', without('x-api-app-id')],
      ['no public key', without('x-api-public-key')],
      ['no secret key', without('x-api-secret-key')],
      ['an empty app id', { ...headers, 'x-api-app-id': '' }],
      ['an empty secret', { ...headers, 'x-api-secret-key': '' }],
      ['an empty bearer', { authorization: 'Bearer ' }],
      ['no bearer', { authorization: 'Bearer' }],
      ['an empty authorization', { authorization: '' }],
      [
        'Basic',
        { authorization: `Basic ${Buffer.from(`${publicKey}:${other.secretKey}`).toString('base64')}` },
      ],
      ['a token without its scheme', { authorization: apiKey }],
      ['two tokens', { authorization: `Bearer ${apiKey} ${apiKey}` }],
      ['a typing error in the public key', { ...headers, 'x-api-public-key': typo(publicKey) }],
      ['a typing error in the secret', { ...headers, 'x-api-secret-key': typo(secretKey) }],
      ['a typing error in the token', { authorization: `Bearer ${typo(apiKey)}` }],
      ['a key in the secret’s place', { ...headers, 'x-api-secret-key': publicKey }],
      ['the token in the secret’s place', { ...headers, 'x-api-secret-key': apiKey }],
      ['the secret as a bearer', { authorization: `Bearer ${secretKey}` }],
      ['the public key as a bearer', { authorization: `Bearer ${publicKey}` }],
      ['a repeated secret', { ...headers, 'x-api-secret-key': `${secretKey}, ${secretKey}` }],
      ['another key’s app id', { ...headers, 'x-api-app-id': other.appId }],
      ['another key’s secret', { ...headers, 'x-api-secret-key': other.secretKey }],
      ['another key’s public key', { ...headers, 'x-api-public-key': other.publicKey }],
      ['another center’s secret', { ...headers, 'x-api-secret-key': theirs.secretKey }],
      ['another key as bearer', { ...headers, ...other.bearer }],
      ['another center’s key as bearer', { ...headers, ...theirs.bearer }],
      ['good headers and a bad bearer', { ...headers, authorization: 'Bearer nonsense' }],
      ['a good bearer and a bad secret', { ...headers, ...bearer, 'x-api-secret-key': other.secretKey }],
      ['a good bearer and another key’s app id', { ...bearer, 'x-api-app-id': other.appId }],
      ['a good bearer and no app id', { ...bearer, 'x-api-app-id': `${appId}x` }],
      ['a secret of a megabyte', { ...headers, 'x-api-secret-key': 'x'.repeat(10_000) }],
      ['surrounding spaces inside', { authorization: `Bearer ${apiKey.slice(0, 20)} ${apiKey.slice(20)}` }],
    ]
  }

  // Only that none comes early can be said of a machine that may be busy; `npm run bench -- refusals` compares them.
  it('ruling 5: none comes before the others would', async () => {
    const stranger = createToken(randomBytes)
    const revoked = await api.createKey({ revokedAt: '2026-01-01T00:00:00Z' })
    const all: Record<string, string>[] = [
      { authorization: `Bearer ${stranger.apiKey}` },
      revoked.bearer,
      { ...api.key.headers, 'x-api-secret-key': other.secretKey },
    ]
    for (const headers of all) {
      const begun = performance.now()
      expect((await withHeaders(headers)).status).toBe(401)
      expect(performance.now() - begun).toBeGreaterThan(2.9)
    }
  })

  it('ruling 5: the same forms get the same body: malformed, unknown, mixed, revoked and expired', async () => {
    // By which of the headers are there, whatever is in them.
    const bodies = new Map<string, unknown>()
    const keys: [string, TestKey][] = [
      ['revoked', await api.createKey({ revokedAt: '2026-01-01T00:00:00Z' })],
      ['expired', await api.createKey({ expiresAt: '2026-05-14T11:59:59Z' })],
      ['expiring now', await api.createKey({ expiresAt: NOW })],
    ]
    const stranger = createToken(randomBytes)
    const all: [string, Record<string, string>][] = [
      ...wrongHeaders(),
      ...keys.flatMap(([name, key]): [string, Record<string, string>][] => [
        [name, key.headers],
        [`${name}, as bearer`, key.bearer],
      ]),
      [
        'of a key that is nowhere',
        {
          ...api.key.headers,
          'x-api-public-key': stranger.publicKey,
          'x-api-secret-key': stranger.secretKey,
        },
      ],
      ['of a key that is nowhere, as bearer', { authorization: `Bearer ${stranger.apiKey}` }],
    ]
    for (const [name, headers] of all) {
      const answer = await withHeaders(headers)
      expect(answer.status, name).toBe(401)
      expect(answer.body.error.code).toBe('UNAUTHORIZED')
      const form = Object.keys(headers)
        .filter((header) => headers[header] !== '')
        .sort()
        .join()
      if (!bodies.has(form)) bodies.set(form, bodyOf(answer))
      expect(bodyOf(answer), name).toEqual(bodies.get(form))
      const challenge =
        form === '' ? 'Bearer realm="sojourn"' : 'Bearer realm="sojourn", error="invalid_token"'
      expect(answer.headers['www-authenticate'], name).toEqual([
        challenge,
        'Basic realm="sojourn", charset="UTF-8"',
      ])
      expect(answer.headers['cache-control'], name).toMatch(/private|no-store/)
    }
    // None, three ways to lack one of the three, all three, Authorization, and it next to one or all of them.
    expect(bodies.size).toBe(8)
  })
  it('ruling 5: the message says which forms were seen and what to send, and nothing of a key', async () => {
    const { headers, bearer } = api.key
    const { 'x-api-app-id': appId = '', 'x-api-secret-key': secretKey = '' } = headers
    const wrong = { 'x-api-secret-key': other.secretKey }
    const reported = async (sent: Record<string, string>) => {
      const { message } = (await withHeaders(sent)).body.error
      for (const value of Object.values(sent)) expect(message).not.toContain(value)
      return message.replace('Valid credentials are required. ', '')
    }
    expect(await reported({})).toBe(
      'The request has none. Send X-API-APP-ID, X-API-PUBLIC-KEY and X-API-SECRET-KEY, or Authorization: Bearer with the key in one string.',
    )
    expect(await reported({ 'x-api-app-id': appId })).toBe(
      'The request has X-API-APP-ID, but not X-API-PUBLIC-KEY or X-API-SECRET-KEY. Add X-API-PUBLIC-KEY and X-API-SECRET-KEY.',
    )
    expect(await reported({ ...other.bearer, 'x-api-app-id': appId, 'x-api-secret-key': secretKey })).toBe(
      'The request has both Authorization and X-API-APP-ID and X-API-SECRET-KEY. Send only one of the two forms, or both of the same valid key.',
    )
    expect(await reported({ ...headers, ...wrong })).toBe(
      'The request has X-API-APP-ID, X-API-PUBLIC-KEY and X-API-SECRET-KEY. All three must be of one valid key.',
    )
    expect(await reported({ ...headers, ...bearer, ...wrong })).toMatch(
      /^The request has both Authorization and .* Send only one of the two forms/,
    )
    expect(await reported({ authorization: 'Basic eDp5' })).toMatch(
      /^The request has an Authorization header\. It must be Bearer/,
    )
  })
  it.each(OPERATION_REQUESTS)(
    'interface, authentication: $path without credentials is a 401',
    async ({ url }) => {
      const answer = await withHeaders({}, url)
      expect(answer.status).toBe(401)
      expect(answer.body.error.code).toBe('UNAUTHORIZED')
      expect(await withHeaders({}, url.slice(3))).toMatchObject({ status: 401 })
    },
  )
  it('ruling 4: credentials in the query string are no credentials', async () => {
    const query = new URLSearchParams({
      ...api.key.headers,
      authorization: `Bearer ${api.key.apiKey}`,
      api_key: api.key.apiKey,
    })
    expect((await withHeaders({}, `${URL}&${query}`)).status).toBe(401)
    expect((await withHeaders({}, `${URL}&access_token=${api.key.apiKey}`)).status).toBe(401)
  })
  it.each([
    ['X-API-SECRET-KEY', 'x-api-secret-key'],
    ['X-API-PUBLIC-KEY', 'x-api-public-key'],
    ['X-API-APP-ID', 'x-api-app-id'],
  ])('ruling 5: a repeated %s is malformed, though both be alike', async (name, key) => {
    const lines = Object.entries(api.key.headers).map(([header, value]) => `${header}: ${value}`)
    const answer = await sendLines(api.app, [
      `GET ${URL} HTTP/1.1`,
      'Host: localhost',
      ...lines,
      `${name}: ${api.key.headers[key]}`,
      '',
      '',
    ])
    expect(answer.status).toBe(401)
  })
  it('ruling 5: a repeated Authorization is malformed, whichever of them is good', async () => {
    const good = `Authorization: Bearer ${api.key.apiKey}`
    for (const pair of [
      [good, good],
      [good, `Authorization: Bearer ${other.apiKey}`],
      [good, 'authorization: Basic eDp5'],
    ]) {
      const answer = await sendLines(api.app, [`GET ${URL} HTTP/1.1`, 'Host: localhost', ...pair, '', ''])
      expect(answer.status).toBe(401)
    }
  })
  it('ruling 5: a key whose stored hash is damaged is refused like any other', async () => {
    const damaged = await api.createKey()
    await api.database.query(sql`
      update api_keys set secret_hash = '\\x00' where public_key = ${damaged.publicKey}`)
    expect((await api.as(damaged).get(URL)).status).toBe(401)
  })

  it('ruling 5: a key that is revoked while it is in use stops at once, cached answers or not', async () => {
    const key = await api.createKey()
    expect((await withHeaders(key.headers)).status).toBe(200)
    expect((await withHeaders(key.headers)).status).toBe(200)
    await api.database.runScript(
      `update api_keys set revoked_at = now() where public_key = '${key.publicKey}'`,
    )
    expect((await withHeaders(key.headers)).status).toBe(401)
  })
  it('ruling 7: credentials are judged before parameters, scope and record', async () => {
    for (const url of [
      '/v1/guests',
      '/v1/guests?nonsense=1',
      '/v1/orders',
      '/v1/orders/nothing',
      '/v1/guests?project=pin',
    ]) {
      expect((await withHeaders({}, url)).status, url).toBe(401)
    }
  })
})

describe('403', () => {
  it('ruling 5: a key of a center whose API access is off is refused, on every operation', async () => {
    const off = await api.newCenter(OPERATION_RECORDS, { apiAccess: false })
    for (const { url } of OPERATION_REQUESTS) {
      const answer = await off.get(url)
      expect(answer.status, url).toBe(403)
      expect(answer.body.error.code).toBe('FORBIDDEN')
      expect(answer.body.error.message).toContain('API access')
    }
  })
  it('ruling 5: API access that is switched off stops a key at once, and on again lets it in', async () => {
    const center = await api.newCenter(OPERATION_RECORDS)
    expect((await center.get(URL)).status).toBe(200)
    await api.database.runScript(`update centers set api_access = false where center_id = '${center.id}'`)
    expect((await center.get(URL)).status).toBe(403)
    await api.database.runScript(`update centers set api_access = true where center_id = '${center.id}'`)
    expect((await center.get(URL)).status).toBe(200)
  })
  it('ruling 5: a wrong secret is a 401 though the center’s API access is off', async () => {
    const off = await api.newCenter([], { apiAccess: false })
    expect((await withHeaders({ ...off.key.headers, 'x-api-secret-key': other.secretKey })).status).toBe(401)
  })
})
