/** Who may see how the service is, and what it costs when they ask too often. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { sendError } from '../../src/core/answer/http-errors.ts'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { registerHealth } from '../../src/core/monitoring/health.ts'
import { createOperationsServer } from '../../src/core/monitoring/operations-port.ts'
import { serveMetrics } from '../../src/core/monitoring/serve-metrics.ts'
import { registerStopping } from '../../src/core/request/connections/stopping.ts'
import { afterwards, openTestDatabase } from '../support/database.ts'

const TOKEN = 'a-token-of-the-collector'

describe('the operations port', () => {
  let app: FastifyInstance
  let port: number

  beforeAll(async () => {
    app = await buildApp({
      database: await openTestDatabase(),
      logLevel: 'silent',
      metrics: 'closed',
      metricsEveryMs: 0,
    })
    await app.ready()
    const server = createOperationsServer(app)
    await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve))
    const at = server.address()
    port = typeof at === 'object' && at !== null ? at.port : 0
    return async () => {
      server.closeAllConnections()
      server.close()
      await app.close()
    }
  })

  const get = (path: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      request({ port, path }, (answer) => {
        let text = ''
        answer.on('data', (part) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode, text }))
      })
        .on('error', reject)
        .end()
    })

  it('serves health and metrics, and nothing of the interface', async () => {
    expect((await get('/metrics?x=1')).text).toContain('sojourn_requests_total')
    expect((await get('/health/ready')).text).toBe('{"status":"ready"}')
    expect((await get('/health/live')).status).toBe(200)
    for (const path of [
      '/v1/guests',
      '/docs',
      '/',
      '/v1/openapi.json',
      '/metrics/../v1/guests',
      '/%6detrics',
      '//metrics',
      'http://inside/v1/guests',
    ]) {
      expect(await get(path)).toEqual({
        status: 404,
        text: 'This port serves /health/live, /health/ready, /metrics.\n',
      })
    }
    expect((await app.inject('/metrics')).statusCode).toBe(404)
    expect((await app.inject('/health/ready')).statusCode).toBe(200)
  })

  it('closes a connection on which more requests wait than are held', async () => {
    const socket = connect(port, '127.0.0.1')
    let answers = 0
    socket.on('data', (part) => {
      answers += part.toString('latin1').split('HTTP/1.1 200').length - 1
    })
    socket.on('error', () => {})
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200))
    await once(socket, 'close')
    expect(answers).toBeLessThan(200)
    expect((await get('/health/live')).status).toBe(200)
  })

  it('tells numbers by route, status and outcome, and by nothing that a center has', async () => {
    await app.inject('/v1/guests?sessionId=a-session-of-somebody')
    const { text } = await get('/metrics')
    const ours = text.split('\n').filter((line) => line.startsWith('sojourn_'))
    const labels = ours.flatMap((line) => [...line.matchAll(/[{,](\w+)="([^"]*)"/g)])
    // Only PostgreSQL has pools.
    const pool = labels.some(([, name]) => name === 'pool') ? ['pool'] : []
    expect(new Set(labels.map(([, name]) => name))).toEqual(new Set(['route', 'status', 'le', ...pool]))
    for (const [, name = '', value = ''] of labels) {
      if (name === 'route') expect(app.hasRoute({ method: 'GET', url: value }), value).toBe(true)
      else if (name === 'pool') expect(['reads', 'streams', 'writes', 'reserved']).toContain(value)
      else expect(value).toMatch(/^([\d.]+|\+Inf)$/)
    }
  })
})

describe('health', () => {
  it('asks the database one question for all who ask, and says that the process lives while it is silent', async () => {
    const app = Fastify()
    onTestFinished(() => app.close())
    const asked: PromiseWithResolvers<void>[] = []
    registerStopping(app)
    registerHealth(app, {
      ping() {
        const question = Promise.withResolvers<void>()
        asked.push(question)
        return question.promise
      },
    })
    const ready = () => app.inject('/health/ready')
    const first = ready()
    await expect.poll(() => asked.length).toBe(1)
    const others = Array.from({ length: 100 }, ready)
    expect((await app.inject('/health/live')).statusCode).toBe(200)
    expect(asked).toHaveLength(1)
    asked[0]?.resolve()
    expect((await first).statusCode).toBe(200)
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.reject(new DatabaseUnavailable('silent'))
    expect(new Set((await Promise.all(others)).map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
    expect(asked).toHaveLength(2)
  })
})

describe('metrics at the port of the interface', () => {
  const start = (token: string | undefined, isClosed: boolean) => {
    const app = Fastify()
    let computed = 0
    let now = 0
    const text = {
      contentType: 'text/plain',
      async metrics() {
        computed += 1
        return `computed ${computed}`
      },
    }
    app.decorate('publicUrl', '')
    app.setErrorHandler((error, asked, reply) => sendError(error, asked, reply))
    serveMetrics(app, text, { token, isClosed }, () => now)
    afterwards(() => app.close())
    return {
      app,
      computed: () => computed,
      advance(ms: number) {
        now += ms
      },
    }
  }

  it('a thousand requests cost one computation, and a second later one more', async () => {
    const { app, computed, advance } = start(undefined, false)
    const texts = await Promise.all(
      Array.from({ length: 1000 }, async () => (await app.inject('/metrics')).body),
    )
    expect(computed()).toBe(1)
    expect(new Set(texts)).toEqual(new Set(['computed 1']))
    advance(999)
    expect((await app.inject('/metrics')).body).toBe('computed 1')
    advance(1)
    expect((await app.inject('/metrics')).body).toBe('computed 2')
  })

  it('need the token where there is one, and compute nothing without it', async () => {
    const { app, computed } = start(TOKEN, true)
    const statusOf = async (authorization?: string) =>
      (await app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } }))
        .statusCode
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${TOKEN}`,
      TOKEN,
    ]) {
      expect(await statusOf(wrong), wrong).toBe(401)
    }
    expect(computed()).toBe(0)
    expect(await statusOf(`Bearer ${TOKEN}`)).toBe(200)
    expect(await statusOf(`bearer ${TOKEN}`)).toBe(200)
  })

  it('are a 404 where they are closed and there is no token', async () => {
    const { app, computed } = start(undefined, true)
    expect(
      (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } })).statusCode,
    ).toBe(404)
    expect(computed()).toBe(0)
  })
})
