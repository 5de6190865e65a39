/** Clients without credentials that ask for much and read nothing: each was held, whatever it asked for. */
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import type { ConnectionBounds } from '../../../src/core/request/connections/connections.ts'
import { openTestDatabase } from '../../support/database.ts'
import { listen } from '../../support/socket.ts'

/** The service, and how many answers it has begun and not got rid of. */
async function start(bounds: ConnectionBounds) {
  const app = await buildApp({
    database: await openTestDatabase(),
    logLevel: 'silent',
    connectionBounds: { checkMs: 20, ...bounds },
  })
  onTestFinished(() => app.close())
  const held = { now: 0, most: 0 }
  app.addHook('onRequest', (_request, reply, done) => {
    held.now += 1
    held.most = Math.max(held.most, held.now)
    // Written out to the last byte, or given up: the next one may begin before both have ended.
    let isHeld = true
    const letGo = () => {
      if (isHeld) held.now -= 1
      isHeld = false
    }
    reply.raw.once('finish', letGo)
    reply.raw.once('close', letGo)
    done()
  })
  return { app, port: await listen(app), held }
}

const PROGRESS = { withinMs: 300, bytesMin: 16_384, waitingBytesMax: 64 * 1024 * 1024 }

/** Asks for `/docs` so many times at once and reads nothing. @returns what resolves when the service lets go */
function askAndNotRead(port: number, requests: number): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /docs HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(requests))
  })
  onTestFinished(() => void socket.destroy())
  // Without reading, a client learns of it only when what it writes is refused.
  const knocking = setInterval(() => socket.write('\r\n'), 20)
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(knocking)
    resolve()
  })
  return closed
}

test('100 clients with 200 requests each are let go, and one answer of each is held at most', async () => {
  const { app, port, held } = await start({ progress: PROGRESS })
  await Promise.all(Array.from({ length: 100 }, () => askAndNotRead(port, 200)))
  expect(held.most).toBeLessThanOrEqual(100)
  expect(held.now).toBe(0)
  expect((await app.inject('/health/live')).statusCode).toBe(200)
})

test('who asks within the bounds and does not read is let go when its time is up', async () => {
  const { port, held } = await start({
    progress: PROGRESS,
    requests: { perConnectionMax: 500, inAllMax: 10_000 },
  })
  await Promise.all(Array.from({ length: 20 }, () => askAndNotRead(port, 400)))
  expect(held.most).toBeLessThanOrEqual(20)
  expect(held.now).toBe(0)
})

test('one network has half of the connections at most, and a trusted proxy all of them', async () => {
  for (const [shared, admitted] of [
    [false, 5],
    [true, 10],
  ] as const) {
    const { port } = await start({ connectionsMax: 10, isShared: () => shared })
    let closed = 0
    const open = await Promise.all(
      Array.from(
        { length: 12 },
        () =>
          new Promise<boolean>((resolve) => {
            const socket = connect(port, '127.0.0.1', () =>
              socket.write('GET /health/live HTTP/1.1\r\nHost: t\r\n\r\n'),
            )
            onTestFinished(() => void socket.destroy())
            socket.once('data', () => resolve(true))
            socket.once('error', () => {})
            socket.once('close', () => {
              closed += 1
              resolve(false)
            })
          }),
      ),
    )
    expect(open.filter(Boolean)).toHaveLength(admitted)
    expect(closed).toBe(12 - admitted)
  }
})
