import { describe, expect, test } from 'vitest'
import { type Client, ProgressWatch } from '../../../src/core/request/connections/progress.ts'

const BOUNDS = { withinMs: 10_000, bytesMin: 1000, waitingBytesMax: 100_000 }

/** A client of whom the test says what it has been sent and what it has taken. */
class FakeClient implements Client {
  bytesWritten = 0
  writableLength = 0
  readonly _handle = { writeQueueSize: 0 }
  closed = false
  /** one write of so many bytes */
  send(bytes: number) {
    this.bytesWritten += bytes
    this.writableLength += bytes
    this._handle.writeQueueSize += bytes
  }
  /** as Node shows it: the write under way shrinks, and is done only when all of it is taken */
  take(bytes: number) {
    this._handle.writeQueueSize -= bytes
    if (this._handle.writeQueueSize === 0) this.writableLength = 0
  }
  destroy(): this {
    this.closed = true
    return this
  }
}

function watching(count = 1) {
  const watch = new ProgressWatch<FakeClient>(BOUNDS)
  const clients = Array.from({ length: count }, () => new FakeClient())
  for (const client of clients) watch.add(client, 0)
  return { watch, clients, client: clients[0]! }
}

describe('a client', () => {
  test('that takes nothing is closed when its time is up, and not before', () => {
    const { watch, client } = watching()
    client.send(5000)
    watch.check(0)
    watch.check(9999)
    expect(client.closed).toBe(false)
    watch.check(10_000)
    expect(client.closed).toBe(true)
  })

  test('that takes a little of one long answer all the time stays', () => {
    const { watch, client } = watching()
    client.send(50_000)
    for (let now = 0; now < 100_000; now += 500) {
      client.take(60)
      watch.check(now)
    }
    expect(client.closed).toBe(false)
  })

  test('that takes less than it must is closed', () => {
    const { watch, client } = watching()
    client.send(50_000)
    for (let now = 0; now <= 10_000; now += 500) {
      client.take(40)
      watch.check(now)
    }
    expect(client.closed).toBe(true)
  })

  test('that has nothing waiting may be idle for as long as it likes', () => {
    const { watch, client } = watching()
    client.send(500)
    client.take(500)
    for (let now = 0; now < 100_000; now += 500) watch.check(now)
    client.send(500)
    watch.check(100_000)
    expect(client.closed).toBe(false)
  })

  test('that has left is not looked at', () => {
    const { watch, client } = watching()
    client.send(5000)
    watch.remove(client)
    watch.check(20_000)
    expect(client.closed).toBe(false)
  })
})

test('beyond what may wait for all together, those with the most waiting are closed', () => {
  const { watch, clients } = watching(4)
  for (const [at, client] of clients.entries()) client.send(20_000 + at * 10_000)
  watch.check(0)
  expect(clients.map(({ closed }) => closed)).toEqual([false, false, false, true])
})
