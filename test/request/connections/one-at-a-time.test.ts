import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  answerOneAtATime,
  type RequestQueueBounds,
} from '../../../src/core/request/connections/one-at-a-time.ts'

/** A server whose answers wait until the test gives them. */
async function start(bounds: RequestQueueBounds) {
  const begun: { url: string; response: ServerResponse }[] = []
  /** what Node reported to the requests of connections that were closed */
  const left: Error[] = []
  const server = createServer((request, response) => begun.push({ url: request.url ?? '', response }))
  answerOneAtATime(server, bounds)
  server.prependListener('request', (request) => request.on('error', (error: Error) => left.push(error)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    begun,
    left,
    urls: () => begun.map(({ url }) => url),
    /** sends requests for these paths in one piece */
    async send(
      ...paths: string[]
    ): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
      const socket = connect(address.port, '127.0.0.1')
      socket.on('error', () => {})
      onTestFinished(() => void socket.destroy())
      const closed = new Promise((resolve) => socket.once('close', resolve))
      let text = ''
      socket.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      await once(socket, 'connect')
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`).join(''))
      return { socket, received: () => text, closed }
    },
  }
}

const paths = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`)

test('requests sent together are begun one after the other, and answered in order', async () => {
  const { begun, urls, send } = await start({ perConnectionMax: 10, inAllMax: 10 })
  const { received } = await send('/0', '/1', '/2')
  for (let n = 0; n < 3; n += 1) {
    await vi.waitFor(() => expect(urls()).toEqual(paths(n + 1)), { timeout: 60_000 })
    begun[n]?.response.end(`answer ${n}.`)
  }
  await vi.waitFor(
    () => expect(received().match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2']),
    { timeout: 60_000 },
  )
})

test('one connection holds up no other', async () => {
  const { urls, send } = await start({ perConnectionMax: 10, inAllMax: 10 })
  await send('/slow', '/behind')
  await vi.waitFor(() => expect(urls()).toEqual(['/slow']), { timeout: 60_000 })
  await send('/other')
  await vi.waitFor(() => expect(urls()).toEqual(['/slow', '/other']), { timeout: 60_000 })
})

test('a connection with more requests waiting than it may have is closed, and the others are not', async () => {
  const { begun, urls, send } = await start({ perConnectionMax: 4, inAllMax: 100 })
  const modest = await send(...paths(5))
  await vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 60_000 })
  const greedy = await send(...paths(6))
  await greedy.closed
  for (let n = 0; n < 5; n += 1) {
    const { response } = await vi.waitFor(
      () => {
        const next = begun.find(({ response }) => !response.writableEnded && !response.destroyed)
        expect(next).toBeDefined()
        return next!
      },
      { timeout: 60_000 },
    )
    response.end('answer.')
    await vi.waitFor(() => expect(modest.received().match(/answer/g)).toHaveLength(n + 1), {
      timeout: 60_000,
    })
  }
  // Of the closed one only what was begun before it was too much.
  expect(urls()).toHaveLength(6)
})

test('what waits on all connections is bounded too, and what a client leaves behind counts no longer', async () => {
  const { begun, send } = await start({ perConnectionMax: 10, inAllMax: 6 })
  const first = await send(...paths(4))
  const second = await send(...paths(4))
  await vi.waitFor(() => expect(begun).toHaveLength(2), { timeout: 60_000 })
  const third = await send(...paths(2))
  await third.closed
  first.socket.destroy()
  await vi.waitFor(() => expect(begun.filter(({ response }) => response.destroyed)).toHaveLength(2), {
    timeout: 60_000,
  })
  const fourth = await send(...paths(4))
  await vi.waitFor(() => expect(begun).toHaveLength(4), { timeout: 60_000 })
  expect([second.socket.destroyed, fourth.socket.destroyed]).toEqual([false, false])
  expect(begun.filter(({ response }) => response.destroyed)).toHaveLength(2)
})

test('requests that a closed connection leaves behind cost no stack traces, and later errors have theirs', async () => {
  const { begun, left, send } = await start({ perConnectionMax: 10, inAllMax: 100 })
  const { socket } = await send(...paths(5))
  await vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 60_000 })
  socket.destroy()
  await vi.waitFor(() => expect(left).toHaveLength(5), { timeout: 60_000 })
  for (const error of left) expect(error.stack).not.toMatch(/\n {4}at /)
  expect(new Error('later').stack).toMatch(/\n {4}at /)
})
