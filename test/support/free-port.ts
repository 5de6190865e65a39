import { createServer, type Server } from 'node:net'

/** Below those that the system gives to outgoing connections, so that none of these takes a port before it is used. */
const FIRST = 16_000
const LAST = 32_000

/** A block belongs to the thread that listens on its first port, until the process ends. */
const BLOCK = 50

const blocks: Server[] = []
let block = FIRST
let next = FIRST

/** A port that nothing listens on, and that no other test gets: a service can be started on it later. */
export async function freePort(): Promise<number> {
  for (;;) {
    if (blocks.length === 0 || next === block + BLOCK) await takeBlock()
    // Two that ask at the same time get two ports.
    const port = next
    next += 1
    const server = await listening(port)
    if (server === undefined) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

async function takeBlock(): Promise<void> {
  for (block = FIRST; block < LAST; block += BLOCK) {
    const server = await listening(block)
    if (server === undefined) continue
    blocks.push(server.unref())
    next = block + 1
    return
  }
  throw new Error(`no port is free from ${FIRST} to ${LAST}`)
}

/** A server on a port of this machine; `undefined` if something else listens there. */
function listening(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
