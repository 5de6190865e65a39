/** Clients without credentials that ask for much and read nothing: what they cost in memory, and what others see. */
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { openClient } from '../support/client.ts'
import { newDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'

const CLIENTS = 1500
const REQUESTS = 200
/** few enough to stay within what a connection may ask for at once, so that only time ends it */
const MODEST_REQUESTS = 30
const SECONDS = 20
/** Longer than a connection may rest, so that knocking does not keep it. */
const KNOCK_MS = 7000

export const slowReaders: Measurement = {
  name: 'slow-readers',
  title: `memory while ${CLIENTS} clients ask for /docs ${REQUESTS} times each and read nothing`,

  async run(bench: Bench): Promise<Figure[]> {
    const { url: databaseUrl } = await newDatabase(bench)
    const figures: Figure[] = []
    for (const requests of [REQUESTS, MODEST_REQUESTS]) {
      // So many that the bound on connections is not what holds.
      const env = { CONNECTIONS_MAX: String(4 * CLIENTS) }
      const service = await startService(bench, { databaseUrl, env })
      const before = service.residentMb().now
      const { hostname, port } = new URL(service.url)
      const sockets = Array.from({ length: CLIENTS }, () => askUnread(Number(port), hostname, requests))
      const client = openClient()
      const times: number[] = []
      for (let n = 0; n < SECONDS * 10; n += 1) {
        const begun = performance.now()
        await client.get(`${service.url}/health/ready`, {})
        times.push(performance.now() - begun)
        await wait(100)
      }
      client.close()
      const left = sockets.filter((socket) => !socket.closed).length
      const { peak } = service.residentMb()
      for (const socket of sockets) socket.destroy()
      await service.stop()
      times.sort((a, b) => a - b)
      const title = `${CLIENTS} × ${requests}`
      figures.push(
        { what: `${title}: resident before`, value: before, unit: 'MB' },
        { what: `${title}: resident at most`, value: peak, unit: 'MB', target: { atMost: 250 } },
        { what: `${title}: connections left after ${SECONDS} s`, value: left, target: { atMost: 0 } },
        {
          what: `${title}: health of another client, p99`,
          value: times[Math.floor(times.length * 0.99)] ?? 0,
          unit: 'ms',
        },
      )
    }
    return figures
  },
}

/** A client that reads nothing; it learns that it was let go when what it sends is refused. */
function askUnread(port: number, host: string, requests: number): Socket {
  const socket = connect(port, host, () => {
    socket.write('GET /docs HTTP/1.1\r\nHost: bench\r\n\r\n'.repeat(requests))
  })
  socket.pause().on('error', () => {})
  const knocking = setInterval(() => socket.write('\r\n'), KNOCK_MS)
  socket.on('close', () => clearInterval(knocking))
  return socket
}
