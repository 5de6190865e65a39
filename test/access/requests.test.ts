import { randomBytes } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { rotateKey } from '../../src/core/access/keys/rotate-key.ts'
import type { AppOptions } from '../../src/core/app-options.ts'
import { type KeyOptions, startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import { stay } from '../support/world.ts'

const START = Date.parse('2025-01-01T00:00:00Z')
const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

const POLICY = '"burst";q=100;w=60, "hourly";q=1000;w=3600'

/** The service with a clock that changes only when the test sets it, and a key with the service's own limits. */
async function startStill() {
  const time = { now: START }
  const api = await startTestApi({ records: stay('b1', '2025-01-10', '2025-01-15'), clock: () => time.now })
  const createKey = (options: KeyOptions = {}) =>
    api.createKey({ perHour: null, perMinute: null, ...options })
  const key = await createKey()
  return { ...api, api, time, createKey, key, ...api.as(key) }
}

/** Another instance over the same database. */
async function startInstance(api: TestApi, options: Partial<AppOptions>): Promise<FastifyInstance> {
  const app = await buildApp({ database: api.database, logLevel: 'silent', ...options })
  onTestFinished(() => app.close())
  return app
}

async function setKey(api: TestApi, key: TestKey, set: Readonly<Record<string, unknown>>): Promise<void> {
  await api.database.query(sql`
    update api_keys set
      per_minute = ${set.perMinute ?? null}, per_hour = ${set.perHour ?? null},
      allowed_addresses = ${set.allowedAddresses ?? []}
    where public_key = ${key.publicKey}`)
}

const limitHeaders = (headers: Readonly<Record<string, unknown>>) => ({
  policy: headers['ratelimit-policy'],
  limit: headers.ratelimit,
  retryAfter: headers['retry-after'],
})

describe('requests of a key', () => {
  it('ruling 38: pass 100 times a minute over 50 connections at once, not one more or fewer', async () => {
    const { app, key, time } = await startStill()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    onTestFinished(() => agent.destroy())
    const ask = () =>
      new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
        httpRequest({ port, agent, path: GUESTS, headers: { ...key.headers } }, (answer) => {
          answer.resume()
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }),
          )
        })
          .on('error', reject)
          .end()
      })
    const askAll = (count: number) => Promise.all(Array.from({ length: count }, ask))
    const passed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length

    const first = await askAll(250)
    expect(passed(first)).toBe(100)
    const refused = first.find(({ status }) => status === 429)
    expect(refused?.retryAfter).toBe('60')
    // The window's last millisecond, and its end.
    time.now += 59_999
    expect(passed(await askAll(60))).toBe(0)
    time.now += 1
    expect(passed(await askAll(250))).toBe(100)
  })

  it('ruling 38: pass 1000 times an hour, not one more or fewer', async () => {
    const { api, key, get, time } = await startStill()
    await setKey(api, key, { perMinute: 0 })
    const statuses = new Map<number, number>()
    for (let round = 0; round < 24; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => get(GUESTS)))
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      time.now += 60_000
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: 1000, 429: 200 })
    expect((await get(GUESTS)).body.error.message).toMatch(/^This key may make 1000 requests an hour\. Retry/)
  })

  it('ruling 38: get both windows with every answer, whatever it is', async () => {
    const { get, request, as, createKey } = await startStill()
    const answers = [
      await get(GUESTS),
      await get(GUESTS, { 'if-none-match': '*' }),
      await get('/v1/guests?length=0'),
      await get('/v1/orders'),
      await get('/v1/orders/7f9c2ba4-e88f-4a1e-9e6b-2a0f4d9f3c11'),
      await request('DELETE', '/v1/guests'),
      await request('HEAD', GUESTS),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 404, 404, 405, 200])
    expect(answers.map(({ headers }) => limitHeaders(headers))).toEqual(
      answers.map((_, index) => ({
        policy: POLICY,
        limit: `"burst";r=${99 - index};t=60, "hourly";r=${999 - index};t=3600`,
        retryAfter: undefined,
      })),
    )
    const kitchen = await createKey({ scopes: ['meals'] })
    const forbidden = await as(kitchen).get(GUESTS)
    expect(forbidden.status).toBe(403)
    expect(limitHeaders(forbidden.headers)).toMatchObject({
      policy: POLICY,
      limit: expect.stringContaining('r=99'),
    })
  })

  it('ruling 38: must wait, and are admitted after the wait', async () => {
    const { get, time } = await startStill()
    for (let request = 0; request < 50; request++) await get(GUESTS)
    time.now += 20_500
    for (let request = 0; request < 50; request++) await get(GUESTS)
    const refused = await get(GUESTS)
    expect(refused.status).toBe(429)
    expect(limitHeaders(refused.headers)).toEqual({
      policy: POLICY,
      limit: '"burst";r=0;t=40, "hourly";r=900;t=3580',
      retryAfter: '40',
    })
    expect(refused.body.error).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'This key may make 100 requests a minute and 1000 requests an hour. Retry in 40 s.',
    })
    time.now += 39_000
    expect((await get(GUESTS)).status).toBe(429)
    time.now += 1000
    expect((await get(GUESTS)).status).toBe(200)
  })

  it('ruling 38: are limited by what the key itself says, 0 for no limit', async () => {
    const { api, key, get } = await startStill()
    await setKey(api, key, { perMinute: 3, perHour: 0 })
    const answers = [await get(GUESTS), await get(GUESTS), await get(GUESTS), await get(GUESTS)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(limitHeaders(answers[0]?.headers ?? {})).toMatchObject({
      policy: '"burst";q=3;w=60',
      limit: '"burst";r=2;t=60',
    })
    expect(answers[3]?.body.error.message).toMatch(/^This key may make 3 requests a minute\. Retry/)
    await setKey(api, key, { perMinute: 0, perHour: 0 })
    const free = await get(GUESTS)
    expect(free.status).toBe(200)
    expect(limitHeaders(free.headers)).toEqual({ policy: undefined, limit: undefined, retryAfter: undefined })
  })

  it('ruling 38: of a rotated key come out of the same quota', async () => {
    const { database, key, get, as, createKey } = await startStill()
    const options = { random: randomBytes, now: START, overlapMs: 3_600_000 }
    const { apiKey } = await rotateKey(database, key.appId, options)
    const rotated = () => as(undefined).get(GUESTS, { authorization: `Bearer ${apiKey}` })
    for (let request = 0; request < 60; request++) await get(GUESTS)
    for (let request = 0; request < 40; request++) expect((await rotated()).status).toBe(200)
    expect((await rotated()).status).toBe(429)
    expect((await get(GUESTS)).status).toBe(429)
    expect((await as(await createKey()).get(GUESTS)).status).toBe(200)
  })

  it('ruling 7: are limited before their scope and parameters are looked at, and after their credentials', async () => {
    const { api, key, get, as } = await startStill()
    await setKey(api, key, { perMinute: 1 })
    await get(GUESTS)
    expect((await get('/v1/guests?length=0')).status).toBe(429)
    expect((await get('/v1/orders')).status).toBe(429)
    expect((await as(undefined).get(GUESTS)).status).toBe(401)
  })
})

describe('wrong credentials', () => {
  const wrong = (key: TestKey, other: TestKey) => ({ ...key.headers, 'x-api-secret-key': other.secretKey })

  it('ruling 38: are limited by address, while a good key from it goes on', async () => {
    const { key, as, get, createKey, time } = await startStill()
    const other = await createKey()
    const guess = () => as(undefined).get(GUESTS, wrong(key, other))
    const statuses: number[] = []
    for (let attempt = 0; attempt < 32; attempt++) statuses.push((await guess()).status)
    expect(statuses).toEqual([...Array(30).fill(401), 429, 429])
    const refused = await guess()
    expect(refused.headers['retry-after']).toBe('60')
    expect(refused.body.error.code).toBe('RATE_LIMITED')
    expect((await get(GUESTS)).status).toBe(200)
    // Who sends none gets that answer, whatever the neighbours do.
    expect((await as(undefined).get(GUESTS)).status).toBe(401)
    time.now += 60_000
    expect((await guess()).status).toBe(401)
  })

  it('do not use up the limits of the key they name', async () => {
    const { key, as, get, createKey } = await startStill()
    const other = await createKey()
    for (let attempt = 0; attempt < 10; attempt++) await as(undefined).get(GUESTS, wrong(key, other))
    expect((await get(GUESTS)).headers.ratelimit).toContain('"burst";r=99')
  })

  it('are as many a minute as the setting says', async () => {
    const { api, key, createKey } = await startStill()
    const app = await startInstance(api, { failedCredentialsPerMinute: 2 })
    const headers = wrong(key, await createKey())
    const statuses: number[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      statuses.push((await app.inject({ url: GUESTS, headers })).statusCode)
    }
    expect(statuses).toEqual([401, 401, 429])
  })

  it('are also one of the three headers alone', async () => {
    const { api, key } = await startStill()
    for (const [name, value] of Object.entries(key.headers)) {
      const app = await startInstance(api, { failedCredentialsPerMinute: 1 })
      const guess = async () => (await app.inject({ url: GUESTS, headers: { [name]: value } })).statusCode
      expect([await guess(), await guess()], name).toEqual([401, 429])
    }
  })

  it('are distinguished by the address that a trusted proxy names, and by no other', async () => {
    const { api, key, createKey } = await startStill()
    const headers = wrong(key, await createKey())
    const guess = async (app: FastifyInstance, remoteAddress: string, forwarded: string) =>
      (
        await app.inject({
          url: GUESTS,
          headers: { ...headers, 'x-forwarded-for': forwarded },
          remoteAddress,
        })
      ).statusCode

    const trusting = await startInstance(api, {
      failedCredentialsPerMinute: 1,
      trustedProxies: ['10.0.0.0/8'],
    })
    expect(await guess(trusting, '10.0.0.5', '192.0.2.1')).toBe(401)
    expect(await guess(trusting, '10.0.0.5', '192.0.2.2')).toBe(401)
    expect(await guess(trusting, '10.0.0.5', '192.0.2.1')).toBe(429)
    // A client that writes the header itself is still the last address its proxy saw.
    expect(await guess(trusting, '10.0.0.5', '198.51.100.1, 192.0.2.1')).toBe(429)
    // With a port or in brackets, as some proxies write it, it is the same address.
    expect(await guess(trusting, '10.0.0.5', '192.0.2.1:51234')).toBe(429)
    expect(await guess(trusting, '10.0.0.5', '192.0.2.3:51234')).toBe(401)
    expect(await guess(trusting, '10.0.0.5', '[2001:db8:7::1]:443')).toBe(401)
    expect(await guess(trusting, '10.0.0.5', '[2001:db8:8::1]')).toBe(401)
    expect(await guess(trusting, '10.0.0.5', '2001:db8:8::2')).toBe(429)
    // So is a proxy's own, and what it sends is believed.
    expect(await guess(trusting, '10.0.0.5', '192.0.2.1, 10.0.0.6:1024')).toBe(429)
    // A proxy that knows no address of its client says so: all of these are counted together.
    expect(await guess(trusting, '10.0.0.5', 'unknown, 10.0.0.6')).toBe(401)
    expect(await guess(trusting, '10.0.0.5', '_hidden')).toBe(429)
    // One that comes directly is not believed.
    expect(await guess(trusting, '203.0.113.9', '192.0.2.77')).toBe(401)
    expect(await guess(trusting, '203.0.113.9', '192.0.2.78')).toBe(429)

    const trustingNone = await startInstance(api, { failedCredentialsPerMinute: 1 })
    expect(await guess(trustingNone, '10.0.0.5', '192.0.2.1')).toBe(401)
    expect(await guess(trustingNone, '10.0.0.5', '192.0.2.2')).toBe(429)
  })
})

describe('the allow list of a key', () => {
  it('refuses other addresses with a 403 that counts in the limits', async () => {
    const { api, key } = await startStill()
    const from = (remoteAddress: string, app = api.app, headers = {}) =>
      app.inject({ url: GUESTS, headers: { ...key.headers, ...headers }, remoteAddress })
    await setKey(api, key, { allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'] })
    expect((await from('192.0.2.7')).statusCode).toBe(200)
    expect((await from('::ffff:192.0.2.7')).statusCode).toBe(200)
    expect((await from('2001:db8::1')).statusCode).toBe(200)
    const refused = await from('198.51.100.1', api.app, { 'x-forwarded-for': '192.0.2.7' })
    expect(refused.statusCode).toBe(403)
    expect(refused.json().error.message).toBe('This key may not be used from this address.')
    expect(refused.headers.ratelimit).toContain('"burst";r=96')
    // Changed, it holds from the next request.
    await setKey(api, key, { allowedAddresses: ['198.51.100.1'] })
    expect((await from('198.51.100.1')).statusCode).toBe(200)
    expect((await from('192.0.2.7')).statusCode).toBe(403)

    const behindProxy = await startInstance(api, { trustedProxies: ['10.0.0.5'] })
    await setKey(api, key, { allowedAddresses: ['192.0.2.0/24'] })
    expect((await from('10.0.0.5', behindProxy, { 'x-forwarded-for': '192.0.2.7' })).statusCode).toBe(200)
    expect((await from('10.0.0.5', behindProxy, { 'x-forwarded-for': '203.0.113.1' })).statusCode).toBe(403)
    expect((await from('10.0.0.5', behindProxy, { 'x-forwarded-for': '192.0.2.7:51234' })).statusCode).toBe(
      200,
    )
    expect((await from('10.0.0.5', behindProxy, { 'x-forwarded-for': '203.0.113.1:80' })).statusCode).toBe(
      403,
    )
  })

  it('refuses other addresses before another method is refused', async () => {
    const { api, key, request } = await startStill()
    await setKey(api, key, { allowedAddresses: ['192.0.2.7'] })
    expect((await request('POST', '/v1/guests')).status).toBe(403)
  })
})
