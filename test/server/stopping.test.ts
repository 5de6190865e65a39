/** What arrives on an open connection while the service closes. */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openTestDatabase } from '../support/database.ts'

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
    expect((await ask(`${address}/health/live`, agent)).headers.connection).toBe('keep-alive')

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
