/** One call of the dead man's switch: bounded, without redirects, and never to anywhere else. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { callHeartbeat } from '../../../src/parts/notices/heartbeat.ts'
import { createLookup } from '../../../src/parts/webhooks/lookup.ts'
import { freePort } from '../../support/free-port.ts'

const lookup = createLookup()

async function serve(answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/ping/secret`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const call = (url: string, timeoutMs = 20_000, signal = new AbortController().signal) =>
  callHeartbeat(url, { lookup, timeoutMs }, signal)

describe('a call', () => {
  test.each([
    [200, 'called'],
    [204, 'called'],
    [404, 'refused'],
    [503, 'refused'],
  ] as const)('that is answered with %i is %s', async (status, outcome) => {
    await using server = await serve((_, response) => void response.writeHead(status).end('ok'))
    expect(await call(server.url)).toBe(outcome)
    expect(server.asked).toEqual(['GET /ping/secret'])
  })

  test('follows no redirect', async () => {
    await using other = await serve((_, response) => void response.end())
    await using server = await serve(
      (_, response) => void response.writeHead(302, { location: other.url }).end(),
    )
    expect(await call(server.url)).toBe('refused')
    expect(other.asked).toEqual([])
  })

  test('reads little of an answer without end', async () => {
    let written = 0
    await using server = await serve((_, response) => {
      const chunk = Buffer.alloc(65_536)
      const write = () => {
        if (response.destroyed) return
        written += chunk.length
        if (response.write(chunk)) setImmediate(write)
        else response.once('drain', write)
      }
      write()
    })
    expect(await call(server.url)).toBe('called')
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  test('fails if nobody listens, nobody answers in time, or the service ends', async () => {
    expect(await call(`http://127.0.0.1:${await freePort()}/`)).toBe('failed')
    const arrived = Promise.withResolvers<void>()
    await using silent = await serve(() => arrived.resolve())
    expect(await call(silent.url, 1)).toBe('failed')
    const controller = new AbortController()
    const ended = call(silent.url, 20_000, controller.signal)
    await arrived.promise
    controller.abort()
    expect(await ended).toBe('failed')
  })
})
