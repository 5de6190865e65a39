/** What is under way, and what arrives on an open connection, while the service stops. */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { startTestApi } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { guest } from '../../support/world.ts'

async function ask(url: string, agent: Agent) {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await text(answer)) }
}

test.each(['/v1/guests', '/health/ready', '/v1/nothing'])(
  'a request for %s is refused with our own error, and closes its connection',
  async (path) => {
    const app = await buildApp({ database: await openTestDatabase(), logLevel: 'silent' })
    const closing = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    app.addHook('preClose', async () => {
      closing.resolve()
      await closed.promise
    })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    // As docs/deployment.md says for proxies.
    expect((await ask(`${address}/health/live`, agent)).headers).toMatchObject({
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    })

    const end = app.close()
    await closing.promise
    const { status, headers, body } = await ask(`${address}${path}`, agent)
    expect(status).toBe(503)
    expect(headers).toMatchObject({
      connection: 'close',
      'retry-after': '2',
      'x-content-type-options': 'nosniff',
    })
    expect(body.error).toMatchObject({ code: 'UNAVAILABLE', requestId: headers['x-request-id'] })
    expect(body.error.message).toContain('is stopping')
    closed.resolve()
    await end
  },
)

describe('what began before the service stops, or while it drains', () => {
  const ORDERS = 3000
  const FILE = '/v1/orders?startDate=2025-01-01&endDate=2025-01-31&format=csv'

  test.each(['before the drain', 'while it drains'])(
    'a long file that began %s is complete',
    async (when) => {
      const api = await startTestApi()
      await api.database.query(sql`
      insert into orders (center_id, uuid, order_date, total_amount, status)
      select 'spa', 'order_' || n, '2025-01-02T10:00Z', n, 'confirmed' from generate_series(1, ${ORDERS}::int) n`)
      const isUnderWay = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const database: Database = {
        ...api.database,
        async *stream(...asked) {
          for await (const rows of api.database.stream(...asked)) {
            yield rows
            isUnderWay.resolve()
            await goOn.promise
          }
        },
      }
      const app = await buildApp({ database, logLevel: 'silent' })
      const closing = Promise.withResolvers<void>()
      app.addHook('preClose', async () => closing.resolve())
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      if (when === 'while it drains') app.stopping.drain()
      const agent = new Agent({ keepAlive: true })
      onTestFinished(() => agent.destroy())
      const asking = get(`${address}${FILE}`, { agent, headers: api.key.headers })
      const answering = once(asking, 'response') as Promise<[IncomingMessage]>
      await isUnderWay.promise
      app.stopping.drain()
      const end = app.close()
      await closing.promise
      goOn.resolve()
      const [answer] = await answering
      const lines = (await text(answer)).trimEnd().split('\r\n')
      expect([answer.statusCode, lines.length, answer.complete]).toEqual([200, ORDERS + 1, true])
      await end
    },
  )

  test.each(['before the drain', 'while it drains'])(
    'a stream of changes that began %s gets them until the service closes, and then ends without a break',
    async (when) => {
      const api = await startTestApi({ records: guest('b1') })
      const app = await buildApp({ database: api.database, logLevel: 'silent' })
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      if (when === 'while it drains') app.stopping.drain()
      const agent = new Agent({ keepAlive: true })
      onTestFinished(() => agent.destroy())
      const asking = get(`${address}/v1/changes/stream`, { agent, headers: api.key.headers })
      const [answer] = (await once(asking, 'response')) as [IncomingMessage]
      expect([answer.statusCode, answer.headers.connection]).toEqual([
        200,
        when === 'while it drains' ? 'close' : 'keep-alive',
      ])
      app.stopping.drain()
      let received = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        received += chunk
      })
      const ended = once(answer, 'end')
      await expect.poll(() => received).toContain('retry:')
      await api.database.query(sql`update bookings set doctor_name = 'x' where center_id = 'spa'`)
      await expect.poll(() => received).toContain('"id":"b1"')
      await app.close()
      await ended
      expect(answer.complete).toBe(true)
    },
  )
})
