/** Sends raw bytes to a listening service and reads the answer, for requests that no client library sends. */
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Starts listening if the service does not yet, on a free port. */
export async function listen(app: FastifyInstance): Promise<number> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the service listens on no port')
  return address.port
}

/**
 * Sends lines unchanged, joined by CRLF, and returns the first answer.
 * @param to a service, or the number of a port on 127.0.0.1
 */
export async function sendLines(to: FastifyInstance | number, lines: readonly string[]): Promise<RawAnswer> {
  const port = typeof to === 'number' ? to : await listen(to)
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(lines.join('\r\n'), 'latin1'))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      received += chunk
      if (isComplete(received)) socket.end()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer came in time')))
  })
  const end = text.indexOf('\r\n\r\n')
  return { status: Number(text.slice(9, 12)), head: text.slice(0, end), body: text.slice(end + 4) }
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /^content-length: (\d+)$/im.exec(text.slice(0, end))?.[1]
  return length === undefined || Buffer.byteLength(text.slice(end + 4)) >= Number(length)
}
