/** Clients that never end their side of a connection, as a machine that lost its network does not. */
import { connect } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { listen } from '../../support/socket.ts'

let api: TestApi
let port: number

beforeAll(async () => {
  api = await startTestApi({ app: { mcp: true, connectionBounds: { connectionsMax: 8 } } })
  // These are five and ten seconds otherwise.
  const times = { headersTimeout: 100, requestTimeout: 300, keepAliveTimeout: 100, keepAliveTimeoutBuffer: 0 }
  Object.assign(api.app.server, times)
  port = await listen(api.app)
})

/** Sends this and nothing more, ends nothing. @returns the status of each answer, when the service has ended its side */
function sendAndStay(text: string): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      if (text !== '') socket.write(text)
    })
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (bytes) => {
      received += String(bytes)
    })
    socket.on('error', () => {})
    socket.on('end', () =>
      resolve([...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = '']) => status)),
    )
  })
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    api.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

const auth = () => `Authorization: ${api.key.bearer.authorization}\r\n`

test.each([
  ['says nothing', () => '', ['408']],
  ['stops in its headers', () => 'GET / HTTP/1.1\r\nHost: x\r\n', ['408']],
  ['has its answer', () => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', ['200']],
  [
    'stops in a body that nobody reads',
    () => `GET /v1/me HTTP/1.1\r\nHost: x\r\n${auth()}Content-Length: 9\r\n\r\nx`,
    ['200'],
  ],
  [
    'stops in a message to /mcp',
    () => `POST /mcp HTTP/1.1\r\nHost: x\r\n${auth()}Content-Length: 9\r\n\r\nx`,
    ['408'],
  ],
  ['sends what is no HTTP', () => 'NONSENSE\r\n\r\n', ['400']],
  ['asks for a tunnel', () => 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n', ['404']],
  [
    'asks for a stream and sends no HTTP after it',
    () => `GET /v1/changes/stream HTTP/1.1\r\nHost: x\r\n${auth()}\r\nNONSENSE\r\n\r\n`,
    [],
  ],
])('one that %s gives its place back', async (_, text, statuses) => {
  // As many as one network may have connections, and an application messages.
  const seen = await Promise.all(Array.from({ length: 4 }, () => sendAndStay(text())))
  expect(seen).toEqual(Array(4).fill(statuses))
  await expect.poll(connections).toBe(0)
})
