import { request } from 'node:http'
import { expect, test } from 'vitest'
import { MessageQueue } from '../../../src/parts/assistants/message-queue.ts'
import { startTestApi } from '../../support/api.ts'
import { listen } from '../../support/socket.ts'
import { guest, session } from '../../support/world.ts'
import { MESSAGE_HEADERS } from './assistant.ts'

const nextIteration = () => new Promise(setImmediate)

test('one message begins in four iterations of the event loop, in rotation of centers', async () => {
  const queue = new MessageQueue()
  const begun: string[] = []
  for (const name of ['a', 'a', 'a', 'b']) void queue.next(name).then(() => begun.push(name))
  const counts: number[] = []
  for (let round = 0; round < 12; round += 1) {
    await nextIteration()
    counts.push(begun.length)
  }
  expect(begun).toEqual(['a', 'a', 'b', 'a'])
  expect([counts[2], counts[6], counts[10]]).toEqual([1, 2, 3])
})

test('a reader next to sixty messages of an application does not wait for them', async () => {
  const api = await startTestApi({
    records: [
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
      ...Array.from({ length: 50 }, (_, at) => guest(`g${at}`, { sessionIds: ['s1'] })).flat(),
    ],
    app: { mcp: true },
  })
  const port = await listen(api.app)
  const [sends, reads] = [await api.createKey(), await api.createKey()]
  const ask = (path: string, headers: Record<string, string>, body?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (message) =>
        message.resume().on('end', () => resolve(message.statusCode)),
      )
        .on('error', reject)
        .end(body)
    })
  const call = { name: 'listGuests', arguments: { sessionId: 's1', length: 50 } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  const message = () => ask('/mcp', { ...MESSAGE_HEADERS, ...sends.bearer }, body)
  expect(await message()).toBe(200)

  let answered = 0
  const messages = Array.from({ length: 60 }, () =>
    message().then((status) => {
      answered += 1
      return status
    }),
  )
  expect(await ask('/v1/guests?sessionId=s1', reads.bearer)).toBe(200)
  expect(answered).toBeLessThan(40)
  const statuses = await Promise.all(messages)
  expect(statuses).toContain(200)
  // Where the database takes its time, more than four would be under way.
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
})
