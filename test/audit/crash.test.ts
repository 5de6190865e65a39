import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServiceWorld } from './service-world.ts'

describe('a service that is killed while it answers', () => {
  it('has all but the last second of its reads in the trail, and the trail is whole', async () => {
    const { serve, trail, apiKey } = await startServiceWorld()
    const { child, port } = await serve()
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    onTestFinished(() => agent.destroy())
    const answered: { requestId: string; at: number }[] = []
    let killedAt = Number.POSITIVE_INFINITY
    let slowestMs = 0
    const ask = (path: string) =>
      new Promise<void>((resolve) => {
        const headers = { authorization: `Bearer ${apiKey}` }
        const begun = performance.now()
        httpRequest({ port, agent, path, headers }, (answer) => {
          answer.resume()
          answer.on('end', () => {
            if (answer.statusCode === 200) {
              answered.push({ requestId: String(answer.headers['x-request-id']), at: performance.now() })
              slowestMs = Math.max(slowestMs, performance.now() - begun)
            }
            resolve()
          })
          answer.on('error', () => resolve())
        })
          .on('error', () => resolve())
          .end()
      })
    const load = Array.from({ length: 20 }, async (_, connection) => {
      for (let round = 0; performance.now() < killedAt; round++) {
        await ask(`/v1/guests?sessionId=s1&length=${1 + ((connection + round) % 40)}`)
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await vi.waitFor(() => expect(answered.length).toBeGreaterThan(200), { timeout: 60_000 })
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    killedAt = performance.now()
    await Promise.all([ended, ...load])

    const inTrail = new Set(await trail())
    const missing = answered.filter(({ requestId }) => !inTrail.has(requestId))
    const oldest = Math.max(0, ...missing.map(({ at }) => killedAt - at))
    // A machine so busy that an answer takes a second takes one for the writing too.
    expect(oldest).toBeLessThan(1000 + slowestMs)

    // The next one goes on with the same trail.
    const next = await serve()
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${apiKey}` }
      httpRequest({ port: next.port, path: '/v1/guests?sessionId=s1', headers }, (answer) => {
        answer.resume().on('end', resolve)
      }).end()
    })
    const end = once(next.child, 'exit')
    next.child.kill('SIGTERM')
    await end
    expect(await trail()).toHaveLength(inTrail.size + 1)
  })
})
