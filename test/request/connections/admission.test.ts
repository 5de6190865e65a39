import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { Admission } from '../../../src/core/request/connections/admission.ts'
import { boundConnections } from '../../../src/core/request/connections/connections.ts'

const nextIteration = () => new Promise(setImmediate)

/** An admission, and the connections that are read, by their names. */
function start() {
  const admission = new Admission()
  const reading = new Set<string>()
  const arrive = (name: string, network: string) => {
    const socket = { destroyed: false, resume: () => reading.add(name) }
    admission.admit(socket, network)
    return socket
  }
  return { reading, arrive }
}

const crowd = (count: number) => Array.from({ length: count }, (_, n) => `crowd ${n}`)

test('of many connections at once, four are read in an iteration of the event loop', async () => {
  const { reading, arrive } = start()
  for (const name of crowd(10)) arrive(name, 'a')
  const counts = [reading.size]
  for (let round = 0; round < 4; round += 1) {
    await nextIteration()
    counts.push(reading.size)
  }
  // In the first iteration others came, so more may be on their way.
  expect(counts).toEqual([1, 1, 5, 9, 10])
  expect([...reading]).toEqual(crowd(10))
})

test('while connections come in every iteration of the event loop, they are accepted first, but some are read', async () => {
  const { reading, arrive } = start()
  const counts: number[] = []
  for (const name of crowd(64)) {
    arrive(name, 'a')
    await nextIteration()
    counts.push(reading.size)
  }
  expect([counts[0], counts[14], counts[30], counts[63]]).toEqual([1, 1, 5, 17])
})

test('who comes alone is read at once, and who comes from elsewhere is before the rest of a crowd', async () => {
  const { reading, arrive } = start()
  for (const name of crowd(100)) arrive(name, 'a')
  arrive('other', 'b')
  expect([...reading]).not.toContain('other')
  await nextIteration()
  await nextIteration()
  expect([...reading]).toContain('other')
  for (let round = 0; round < 30; round += 1) await nextIteration()
  expect(reading.size).toBe(101)
  arrive('alone', 'a')
  expect([...reading]).toContain('alone')
})

test('one that is gone uses the slot of no other', async () => {
  const { reading, arrive } = start()
  const sockets = crowd(13).map((name) => arrive(name, 'a'))
  for (const socket of sockets.slice(1, 5)) socket.destroyed = true
  await nextIteration()
  await nextIteration()
  expect([...reading]).toEqual([...crowd(1), ...crowd(9).slice(5)])
})

test('a server answers who comes last from elsewhere before most of a crowd that came before', async () => {
  const answered: string[] = []
  const server = createServer((message, response) => {
    // The work of a request, without which the crowd would be gone before it is one.
    const since = performance.now()
    while (performance.now() - since < 3);
    answered.push(message.url ?? '')
    response.end()
  })
  boundConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  const ask = (path: string, localAddress: string) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: address.port, path, localAddress, agent: false }
      request(options, (message) => message.resume().on('end', resolve))
        .on('error', reject)
        .end()
    })
  const all = Array.from({ length: 100 }, (_, n) => ask(`/crowd${n}`, '127.0.0.1'))
  all.push(ask('/other', '127.0.0.2'))
  await Promise.all(all)
  expect(answered).toHaveLength(101)
  expect(answered.indexOf('/other')).toBeLessThan(60)
})
