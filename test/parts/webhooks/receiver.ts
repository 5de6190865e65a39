/** A receiver of webhooks: a server of its own on this machine that answers as the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterwards } from '../../support/database.ts'

export interface Received {
  readonly headers: Record<string, string>
  readonly text: string
  readonly path: string
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** connections that reached it, whatever became of them */
  readonly connections: () => number
  /** answers with 204 unless a test asks for something else */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** resolves when so many requests have arrived */
  arrived(count: number): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, text, path: request.url ?? '' })
      receiver.answer(request, response)
      for (const { count, resolve } of waiting) if (received.length >= count) resolve()
    })
  })
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${await listen(server)}/hook`,
    received,
    connections: () => connections,
    answer: (_, response) => void response.writeHead(204).end(),
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
  }
  afterwards(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return receiver
}

/** Where nobody answers. */
export async function deadUrl(): Promise<string> {
  const server = createTcpServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/`
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the receiver does not listen')
  return address.port
}

/** What a message says, once the published library has found its signature right. */
export const verified = (secret: string, { headers, text }: Received): unknown =>
  new Webhook(secret).verify(text, headers)
