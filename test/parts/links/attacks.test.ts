/** Who has no address of a link gets nothing of it, and who has one gets nothing next to it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { everyText } from '../../support/every-text.ts'
import { lodge, stay } from '../../support/world.ts'
import { makeLink } from './make-link.ts'

const NOW = Date.parse('2025-01-10T12:00:00Z')
const WEEK = '/guests?startDate=2025-01-06&endDate=2025-01-12'
let api: TestApi

beforeAll(async () => {
  api = await startTestApi({
    now: new Date(NOW).toISOString(),
    records: stay('a', '2025-01-09', '2025-01-11'),
    app: { failedCredentialsPerMinute: 1_000_000 },
  })
})

const ask = (path: string, headers: Record<string, string> = {}) => api.as(undefined).get(path, headers)
const week = () => makeLink(api.database, { key: api.key.appId, question: WEEK }, NOW)
const withoutId = (text: string) => text.replace(/"requestId":"[^"]*"/, '')

describe('a wrong address', () => {
  it('of any kind gets the same 404 as one that never was', async () => {
    const { token } = await week()
    const other = await week()
    const none = await ask('/links/nothing')
    expect(none.status).toBe(404)
    const changed = [...token].map(
      (character, at) => token.slice(0, at) + (character === 'a' ? 'b' : 'a') + token.slice(at + 1),
    )
    // The identifier of one with the secret of the other, whose checksum is right.
    const guessed = [
      token.slice(0, 24) + other.token.slice(24),
      token.slice(1),
      `${token}0`,
      token.toUpperCase(),
      '%00',
      'a'.repeat(15_000),
    ]
    for (const text of [...changed, ...guessed]) {
      const answer = await ask(`/links/${text}`)
      expect([answer.status, withoutId(answer.text)], text.slice(0, 80)).toEqual([404, withoutId(none.text)])
    }
    expect((await ask(`/links/${token}`)).status).toBe(200)
  })

  it.each(['/%6cinks/', '/lin%6Bs/', '/links%2F', '//links/', '/LINKS/', '/v1/links/'])(
    'that filters of logs do not recognize is a 404, though the token is right: %s',
    async (prefix) => {
      const { token } = await week()
      expect((await ask(`/links/${token}`)).status).toBe(200)
      const answer = await ask(`${prefix}${token}`)
      expect(answer.status).toBe(404)
      expect(answer.text).not.toContain(token)
    },
  )

  it('is counted like wrong credentials: 429 from then on, and a genuine one goes on from there', async () => {
    const app = await buildApp({
      database: clockedDatabase(api.database, () => NOW),
      logLevel: 'silent',
      clock: () => NOW,
      failedCredentialsPerMinute: 3,
    })
    const { path } = await makeLink(api.database, { key: api.key.appId, question: WEEK }, NOW)
    const statuses = []
    for (let time = 0; time < 5; time += 1) statuses.push((await app.inject('/links/sjn_url_x')).statusCode)
    const metrics = (await app.inject('/metrics')).body
    const genuine = (await app.inject(path)).statusCode
    await app.close()
    expect(statuses).toEqual([404, 404, 404, 429, 429])
    expect(metrics).toContain('sojourn_requests_total{route="/links/:token",status="404"} 3')
    expect(metrics).toContain('sojourn_wrong_credentials_limited_total 2')
    expect(genuine).toBe(200)
  })
})

describe('an address', () => {
  it('takes no parameters, and no other path', async () => {
    const { path } = await week()
    for (const more of ['?project=pin', '?start=2&length=9', '?format=csv', '?snapshot=true', '?token=x']) {
      const { status, body } = await ask(`${path}${more}`)
      expect(status, more).toBe(400)
      expect(body.error.message).toContain('The only parameter of this link is start')
    }
    const question = `${WEEK}&format=csv`
    const { path: file } = await makeLink(api.database, { key: api.key.appId, question }, NOW)
    for (const more of ['?start=2', '?format=json']) {
      const { status, body } = await ask(`${file}${more}`)
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringContaining('A link takes no parameters'),
      ])
    }
    for (const more of ['/guests', '/../v1/guests', '%2fguests'])
      expect((await ask(`${path}${more}`)).status, more).toBe(404)
    // Who has no address does not learn that one takes no parameters.
    expect((await ask('/links/nothing?start=2')).status).toBe(404)
  })

  it('is read with GET and HEAD alone', async () => {
    const { path } = await week()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect((await api.as(undefined).request(method, path)).status, method).toBe(404)
    }
  })

  it('is no key, and a key is no address', async () => {
    const { token, link } = await week()
    for (const secret of [token, token.replace('sjn_url_', 'sjn_key_')]) {
      expect((await ask(`/v1${WEEK}`, { authorization: `Bearer ${secret}` })).status).toBe(401)
    }
    const three = {
      'x-api-app-id': link.id,
      'x-api-public-key': api.key.publicKey,
      'x-api-secret-key': api.key.secretKey,
    }
    expect((await ask(`/v1${WEEK}`, three)).status).toBe(401)
    expect((await ask(`/v1${WEEK}`, { 'x-api-app-id': link.id })).status).toBe(401)
    for (const text of [api.key.apiKey, api.key.secretKey, api.key.publicKey, link.id]) {
      expect((await ask(`/links/${text}`)).status).toBe(404)
      expect((await api.get(`/links/${text}`)).status).toBe(404)
    }
  })

  it('shows the same with whatever other credentials are sent', async () => {
    const { path } = await week()
    const other = await api.createKey({ scopes: ['meals'] })
    const alone = await ask(path)
    for (const headers of [other.headers, other.bearer, { authorization: 'Bearer nonsense' }]) {
      const answer = await ask(path, headers)
      expect([answer.status, answer.text]).toEqual([200, alone.text])
    }
  })

  it('shows its own center alone', async () => {
    await api.load([lodge(), ...stay('x', '2025-01-09', '2025-01-11', { centerId: 'lodge' })])
    const theirs = await api.createKey({ center: 'lodge' })
    const linked = await makeLink(api.database, { key: theirs.appId, question: `${WEEK}&project=id` }, NOW)
    expect((await ask(linked.path)).body.data.map(({ id }) => id)).toEqual(['x'])
    expect((await ask((await week()).path)).body.total).toBe(1)
    // A link whose application is of another center has no key.
    await expect(ask(linked.path)).resolves.toMatchObject({ status: 200 })
  })
})

describe('the token', () => {
  it('is in no log, metric, header, body, trail or record of use, and nowhere in the database', async () => {
    const lines: string[] = []
    const app = await buildApp({
      database: clockedDatabase(api.database, () => NOW),
      clock: () => NOW,
      logLevel: 'trace',
      logStream: { write: (line) => void lines.push(line) },
      usageFlushMs: 1,
    })
    const { token, path, link } = await week()
    const said: string[] = []
    const statuses: number[] = []
    for (const [method, url] of [
      ['GET', path],
      ['HEAD', path],
      ['POST', path],
      ['GET', `${path}?x=1`],
      ['GET', `${path}%zz`],
      ['GET', `${path}/`],
      ['GET', `${path}x`],
    ] as const) {
      const answer = await app.inject({ method, url })
      statuses.push(answer.statusCode)
      said.push(JSON.stringify(answer.headers), answer.body)
    }
    expect(statuses).toEqual([200, 200, 404, 400, 400, 404, 404])
    const document = (await app.inject('/v1/openapi.json')).body
    said.push((await app.inject('/metrics')).body, document)
    await app.close()
    const stored = await everyText(api.database)
    // A guard of the search: the link's identifier is found.
    expect(stored).toContain(link.id)
    const secret = token.slice(-38)
    for (const text of [lines.join(''), said.join('\n'), stored]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(secret)
    }
    // No tool of an assistant leads there.
    // What is opened by a link is no operation; what the administration does with links is.
    expect(document).not.toMatch(/"\/(?:v1\/)?links/)
  })
})

describe('an abused link', () => {
  it('takes nothing from its key, from another link, or from other centers', async () => {
    const key = await api.createKey({ perMinute: 5, perHour: 5 })
    const abused = await makeLink(api.database, { key: key.appId, question: WEEK, perMinute: 3 }, NOW)
    const other = await makeLink(api.database, { key: key.appId, question: WEEK }, NOW)
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await ask(abused.path)).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(37)
    const refused = await ask(abused.path)
    expect(refused.body.error.message).toMatch(
      /^This link may make 3 requests a minute and 300 requests an hour\. /,
    )
    expect(refused.headers['retry-after']).toBeDefined()
    expect((await ask(other.path)).status).toBe(200)
    const keyed = await api.as(key).get(`/v1${WEEK}`)
    expect(keyed.status).toBe(200)
    expect(keyed.headers.ratelimit).toContain('"burst";r=4')
  })
})
