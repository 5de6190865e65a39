import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServiceWorld } from './service-world.ts'

describe('a service that gets two signals to end', () => {
  it('loses no read that it has answered', async () => {
    const { serve, trail, apiKey, folder } = await startServiceWorld()
    const { child, port } = await serve()
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        const headers = { authorization: `Bearer ${apiKey}` }
        httpRequest({ port, path: '/v1/guests?sessionId=s1', headers }, (answer) => {
          answer.resume().on('end', () => resolve(String(answer.headers['x-request-id'])))
        })
          .on('error', reject)
          .end()
      })
    // A request that is not whole, so that the first signal has something to wait for.
    const held = connect(port, '127.0.0.1')
    held.on('error', () => {})
    onTestFinished(() => void held.destroy())
    held.write('GET / HTTP/1.1\r\n')

    const answered: string[] = []
    for (let round = 0; round < 10; round++) {
      answered.push(...(await Promise.all(Array.from({ length: 20 }, ask))))
    }
    const ended = once(child, 'exit')
    // Both before anything of the last reads can have been written.
    child.kill('SIGTERM')
    child.kill('SIGINT')
    await ended

    // Those that were not written in that half a second, the next start writes.
    const next = await serve()
    const end = once(next.child, 'exit')
    next.child.kill('SIGTERM')
    await end
    const inTrail = new Set(await trail())
    expect(answered.filter((requestId) => !inTrail.has(requestId))).toEqual([])
    expect(inTrail.size).toBe(200)
    const waiting = join(folder, 'audit-waiting')
    expect(existsSync(waiting) ? readdirSync(waiting) : []).toEqual([])
  })
})
