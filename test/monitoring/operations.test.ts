import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { DiskFull } from '../../src/core/database/database.ts'
import { startTestApi } from '../support/api.ts'
import { afterwards, openTestDatabase } from '../support/database.ts'

async function startApp(options: Partial<Parameters<typeof buildApp>[0]> = {}) {
  const database = await openTestDatabase()
  const app = await buildApp({ database, logLevel: 'silent', ...options })
  afterwards(() => app.close())
  return { app, database }
}

describe('health', () => {
  it('is live and ready while the database answers, and not ready when it does not', async () => {
    const { app, database } = await startApp()
    expect((await app.inject('/health/live')).statusCode).toBe(200)
    expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ready' })
    const { ping } = database
    database.ping = () => Promise.reject(new Error('gone'))
    const answer = await app.inject('/health/ready')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
    expect((await app.inject('/health/live')).statusCode).toBe(200)
    database.ping = ping
  })
})

describe('readiness', () => {
  const broken = async (auditRequired: boolean) => {
    const database = await openTestDatabase()
    const trail = { isFull: true, now: Date.parse('2025-02-01T09:00:00Z') }
    const api = await startTestApi({
      database,
      clock: () => trail.now,
      app: {
        database: {
          ...database,
          transaction: (...given) =>
            trail.isFull ? Promise.reject(new DiskFull('full')) : database.transaction(...given),
        },
        auditGraceSeconds: 0,
        auditRequired,
        metricsEveryMs: 0,
      },
    })
    const url = '/v1/sessions?startDate=2025-01-01&endDate=2025-01-31'
    const ready = async () => (await api.get('/health/ready')).body
    return { api, trail, ready, read: async () => (await api.get(url)).status }
  }

  it('ends while every read is refused because the trail cannot be written, and comes back', async () => {
    const { api, trail, ready, read } = await broken(true)
    expect(await ready()).toEqual({ status: 'ready' })
    await expect
      .poll(async () => {
        trail.now += 1000
        return read()
      })
      .toBe(503)
    const answer = await api.get('/health/ready')
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2'])
    expect(answer.body).toEqual({ status: 'audit trail cannot be written' })
    expect((await api.get('/health/live')).status).toBe(200)
    trail.isFull = false
    await expect.poll(ready, { timeout: 60_000 }).toEqual({ status: 'ready' })
    expect(await read()).toBe(200)
  })

  it('goes on where reads need not be recorded', async () => {
    const { api, trail, ready, read } = await broken(false)
    expect(await read()).toBe(200)
    await expect
      .poll(async () => (await api.get('/metrics')).text)
      .toMatch(/^sojourn_audit_failures_total [1-9]/m)
    trail.now += 1000
    expect([await read(), await ready()]).toEqual([200, { status: 'ready' }])
  })
})

describe('metrics', () => {
  it('count answers by route and status, and carry no path, center or key', async () => {
    const { app } = await startApp()
    await app.inject('/v1/orders/order_123456')
    await app.inject('/v1/nothing/popescu')
    const { body, headers } = await app.inject('/metrics')
    expect(headers['content-type']).toContain('text/plain')
    expect(body).toContain('sojourn_requests_total{route="/v1/orders/:uuid",status="401"} 1')
    expect(body).toContain('sojourn_requests_total{route="none",status="404"} 1')
    expect(body).toContain('sojourn_answer_cache_bytes 0')
    expect(body).not.toMatch(/order_123456|popescu/)
  })

  it('are not served with the interface unless there is a token for them', async () => {
    const { app } = await startApp({ metrics: 'closed' })
    expect((await app.inject('/metrics')).statusCode).toBe(404)
  })
})

describe('security.txt', () => {
  it('is served where a contact is set, and only there', async () => {
    const { app } = await startApp({
      securityContact: 'mailto:security@example.com',
      clock: () => Date.UTC(2026, 0, 1),
    })
    const { body } = await app.inject('/.well-known/security.txt')
    expect(body).toBe(
      'Contact: mailto:security@example.com\nExpires: 2026-07-02T00:00:00.000Z\nPreferred-Languages: en\n',
    )
    const without = await startApp()
    expect((await without.app.inject('/.well-known/security.txt')).statusCode).toBe(404)
  })
})

describe('CORS', () => {
  const preflight = { method: 'OPTIONS', url: '/v1/guests' } as const
  const asked = { 'access-control-request-method': 'GET' }

  it('is off until origins are named', async () => {
    const { app } = await startApp()
    const answer = await app.inject({ ...preflight, headers: { origin: 'https://crm.example', ...asked } })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('lets a named origin read, with a preflight that asks for no key', async () => {
    const { app } = await startApp({ corsOrigins: ['https://crm.example'] })
    const answer = await app.inject({ ...preflight, headers: { origin: 'https://crm.example', ...asked } })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe('https://crm.example')
    expect(answer.headers['access-control-allow-headers']).toContain('X-API-SECRET-KEY')
    const read = await app.inject({ url: '/v1/guests', headers: { origin: 'https://crm.example' } })
    expect([read.statusCode, read.headers['access-control-allow-origin']]).toEqual([
      401,
      'https://crm.example',
    ])
  })

  it('tells another origin nothing', async () => {
    const { app } = await startApp({ corsOrigins: ['https://crm.example'] })
    const answer = await app.inject({ url: '/health/live', headers: { origin: 'https://evil.example' } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('routes', () => {
  it('one that declares neither a scope nor that it is public does not start', async () => {
    const { app } = await startApp()
    expect(() => app.get('/v1/forgotten', async () => 'everything')).toThrow(
      'route /v1/forgotten declares neither a scope nor that it is public',
    )
  })
})
