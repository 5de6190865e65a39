/** Limits that apply to clients before they are authenticated: connections, requests and memory. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../access/addresses.ts'
import { Admission } from './admission.ts'
import { answerOneAtATime, DEFAULT_REQUEST_QUEUE, type RequestQueueBounds } from './one-at-a-time.ts'
import { DEFAULT_PROGRESS, type ProgressBounds, ProgressWatch } from './progress.ts'

export interface ConnectionBounds {
  /** simultaneous connections; further ones are closed at once */
  readonly connectionsMax?: number | undefined
  /** addresses shared by many clients; any other network may have at most half of the connections */
  readonly isShared?: ((address: string | undefined) => boolean) | undefined
  readonly requests?: RequestQueueBounds
  readonly progress?: ProgressBounds
  /** interval between checks of progress, in ms */
  readonly checkMs?: number
}

/** 20 kB each: with an answer in progress on all of them, the service needs less than 200 MB. */
export const DEFAULT_CONNECTIONS_MAX = 1000
const DEFAULT_CHECK_MS = 500

/** Must be called after the server has its request handler and before it listens. */
export function boundConnections(server: Server, bounds: ConnectionBounds = {}): void {
  const connectionsMax = bounds.connectionsMax ?? DEFAULT_CONNECTIONS_MAX
  const perNetworkMax = Math.max(1, Math.floor(connectionsMax / 2))
  const isShared = bounds.isShared ?? (() => false)
  const watch = new ProgressWatch(bounds.progress ?? DEFAULT_PROGRESS)
  const networks = new Map<string, number>()
  const admission = new Admission<Socket>()
  let timer: NodeJS.Timeout | undefined

  server.maxConnections = connectionsMax
  // Node has this for its servers of connections only, but its server of HTTP is one. Pausing a connection when it has
  // come would be undone by Node, which has begun to read it.
  Object.assign(server, { pauseOnConnect: true })
  answerOneAtATime(server, bounds.requests ?? DEFAULT_REQUEST_QUEUE)
  server.on('connection', (socket) => {
    const network = isShared(socket.remoteAddress) ? undefined : networkOf(socket.remoteAddress)
    if (network !== undefined) {
      const count = networks.get(network) ?? 0
      if (count >= perNetworkMax) {
        socket.destroy()
        return
      }
      networks.set(network, count + 1)
    }
    admission.admit(socket, network)
    watch.add(socket, performance.now())
    socket.once('close', () => {
      watch.remove(socket)
      if (network === undefined) return
      const left = (networks.get(network) ?? 1) - 1
      if (left === 0) networks.delete(network)
      else networks.set(network, left)
    })
  })
  server.on('listening', () => {
    timer ??= setInterval(() => watch.check(performance.now()), bounds.checkMs ?? DEFAULT_CHECK_MS).unref()
  })
  server.on('close', () => {
    clearInterval(timer)
    timer = undefined
  })
}
