/** A TCP proxy between a test and a server that simulates network failures. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  /** The server's URL through the proxy. */
  readonly url: string
  /** Drops all data in both directions from now on, without closing connections. */
  goSilent(): void
  /** Lets new connections through again. Those that were blocked stay blocked. */
  heal(): void
  /** Connects clients that come from now on to another server. Those that are connected stay where they are. */
  leadTo(url: string): void
  /** Resets every connection. */
  cut(): void
  close(): Promise<void>
}

/** Starts a proxy to the server of this URL. */
export async function proxyTo(url: string): Promise<TcpProxy> {
  let target = new URL(url)
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    if (silent) return
    const upstream = connect(Number(target.port), target.hostname)
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.pipe(upstream)
    upstream.pipe(client)
    client.on('silence', () => {
      client.unpipe().pause()
      upstream.unpipe().pause()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  const proxied = new URL(url)
  proxied.port = `${address.port}`
  return {
    url: proxied.href,
    goSilent() {
      silent = true
      for (const socket of sockets) socket.emit('silence')
    },
    heal() {
      silent = false
    },
    leadTo(other) {
      target = new URL(other)
    },
    cut() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
