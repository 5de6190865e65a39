/**
 * Where a request ends. Two programs that differ about it can be made to take a part of one client's request for the
 * beginning of another's (request smuggling). What is ambiguous is refused, and nothing after it is read.
 */
import { connect } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { listen } from '../../support/socket.ts'
import { LODGE, lodge, SPA, spa } from '../../support/world.ts'

let api: TestApi
let port: number
let other: TestKey

beforeAll(async () => {
  api = await startTestApi({ records: [spa(), lodge()], app: { mcp: true } })
  other = await api.createKey({ center: LODGE })
  port = await listen(api.app)
  // Connections on which nothing more comes are closed after this time: five seconds otherwise.
  Object.assign(api.app.server, { keepAliveTimeout: 100, keepAliveTimeoutBuffer: 0 })
})

const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

const auth = (key: TestKey) => `Authorization: ${key.bearer.authorization}\r\n`
/** The beginning of a request with the key of the first center; its headers may go on. */
const get = (target = '/v1/me', version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\nHost: x\r\n${auth(api.key)}`
const message = () =>
  `POST /mcp HTTP/1.1\r\nHost: x\r\n${auth(api.key)}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`
/** What must not be taken for a request where it is a part of another one. */
const second = () => `GET /v1/me HTTP/1.1\r\nHost: x\r\n${auth(other)}\r\n`

/** @returns the center that each answer shows, or its status */
async function answersTo(text: string): Promise<string[]> {
  const received = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    onTestFinished(() => void socket.destroy())
    let all = ''
    socket.on('data', (bytes) => {
      all += String(bytes)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(all))
  })
  return received
    .split(/(?=HTTP\/1\.1 \d)/)
    .filter((answer) => answer !== '')
    .map((answer) => /"center":\{"id":"(\w+)"/.exec(answer)?.[1] ?? answer.slice(9, 12))
}

describe('a request whose end is ambiguous', () => {
  const length = () => `Content-Length: ${second().length}\r\n`
  it.each([
    ['a length and pieces', () => `${get()}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['pieces and a length', () => `${get()}Transfer-Encoding: chunked\r\n${length()}\r\n`],
    ['a message with a length and pieces', () => `${message()}Transfer-Encoding: chunked\r\n${length()}\r\n`],
    ['two lengths', () => `${get()}Content-Length: 0\r\n${length()}\r\n`],
    ['one length twice', () => `${get()}${length()}${length()}\r\n`],
    ['a list of lengths', () => `${get()}Content-Length: 5, 5\r\n\r\nhello`],
    ['a length with a sign', () => `${get()}Content-Length: +5\r\n\r\nhello`],
    ['a negative length', () => `${get()}Content-Length: -1\r\n\r\n`],
    ['a hexadecimal length', () => `${get()}Content-Length: 0x5\r\n\r\nhello`],
    ['an empty length', () => `${get()}Content-Length:\r\n\r\n`],
    ['a length beyond all numbers', () => `${get()}Content-Length: 99999999999999999999999\r\n\r\n`],
    ['a space before a colon', () => `${get()}Content-Length : 5\r\n\r\nhello`],
    ['an unknown encoding', () => `${get()}Transfer-Encoding: xchunked\r\n\r\n`],
    ['an encoding after the pieces', () => `${get()}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['two encodings', () => `${get()}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n`],
    ['a vertical tab before an encoding', () => `${get()}Transfer-Encoding:\vchunked\r\n\r\n0\r\n\r\n`],
    [
      'a line feed in the extension of a piece',
      () => `${message()}Transfer-Encoding: chunked\r\n\r\n5;a\nhello\r\n`,
    ],
    [
      'a piece longer than all numbers',
      () => `${message()}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF1\r\n`,
    ],
    ['a folded header', () => `${get()}X-A: b\r\n c\r\n\r\n`],
    [
      'folded credentials',
      () => `GET /v1/me HTTP/1.1\r\nHost: x\r\n${auth(api.key).replace(' ', '\r\n ')}\r\n`,
    ],
    ['lines that end with a line feed only', () => `${get().replaceAll('\r\n', '\n')}\n`],
    ['a carriage return in a header', () => `${get()}X-A: b\rX-B: c\r\n\r\n`],
    ['a header that ends with a line feed only', () => `${get()}X-A: b\n\r\n`],
    ['a NUL in a header', () => `${get()}X-A: b\0c\r\n\r\n`],
    ['a header without a colon', () => `${get()}X\r\n\r\n`],
    ['a space before the first header', () => `GET /v1/me HTTP/1.1\r\n Host: x\r\n${auth(api.key)}\r\n`],
    ['a space in the target', () => `${get('/v1/me x')}\r\n`],
    ['no version', () => 'GET /v1/me\r\n\r\n'],
    ['the beginning of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('is refused, and nothing after it is read: %s', async (_, text) => {
    expect(await answersTo(text() + second())).toEqual(['400'])
  })
})

describe('after a request that what follows it may belong to', () => {
  it.each([
    ['of a length', () => `${get()}Content-Length: ${second().length}\r\n\r\n`],
    ['of another length', () => `${get()}Content-Length: 5\r\n\r\nhello`],
    ['in pieces', () => `${get()}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
    ['in packed pieces', () => `${get()}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['with a trailer', () => `${get()}Transfer-Encoding: chunked\r\n\r\n0\r\n${auth(other)}\r\n`],
    [
      'that asks for HTTP/2',
      () => `${get()}Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
    ],
    ['that asks for a WebSocket', () => `${get()}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['to a tunnel', () => 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n'],
    ['on a connection that it closes', () => `${get()}Connection: close\r\n\r\n`],
    ['on a connection of HTTP/1.0', () => `${get('/v1/me', 'HTTP/1.0')}\r\n`],
  ])('nothing is read: %s', async (_, text) => {
    expect(await answersTo(text() + second())).toEqual([text().startsWith('CONNECT') ? '404' : SPA])
  })
})

describe('each request of a connection', () => {
  it.each([
    ['of two keys, one after the other', () => `${get()}\r\n${second()}${get()}\r\n`, [SPA, LODGE, SPA]],
    ['after a message', () => `${message()}Content-Length: ${MESSAGE.length}\r\n\r\n${MESSAGE}`, ['200']],
    ['after a message that is none', () => `${message()}Content-Length: 2\r\n\r\n{}`, ['400']],
    [
      'that names its credentials as a header of the connection',
      () => `${get()}Connection: Authorization\r\n\r\n`,
      [SPA],
    ],
    [
      'of HTTP/1.0 that keeps it open',
      () => `${get('/v1/me', 'HTTP/1.0')}Connection: keep-alive\r\n\r\n`,
      [SPA],
    ],
    ['with a whole URL, whatever host it names', () => `${get('http://other.example/v1/me')}\r\n`, [SPA]],
    ['with a URL that names a user', () => `${get(`http://lodge:${other.apiKey}@x/v1/me`)}\r\n`, [SPA]],
    ['with a second slash', () => `${get('//other.example/v1/me')}\r\n`, ['404']],
    ['with a parameter of a path', () => `${get('/v1/me;length=1')}\r\n`, ['404']],
    ['with dots in its path', () => `${get('/v1/guests/../me')}\r\n`, ['404']],
    ['with two hosts', () => `${get()}Host: y\r\n\r\n`, ['400']],
  ])('gets its own answer: %s', async (_, text, answers) => {
    expect(await answersTo(text() + second())).toEqual([...answers, LODGE])
  })
})

describe('bytes that are no request', () => {
  it('are not answered within the answer before them', async () => {
    const stream = `GET /v1/changes/stream HTTP/1.1\r\nHost: x\r\n${auth(api.key)}\r\n`
    const received = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(stream))
      onTestFinished(() => void socket.destroy())
      let all = ''
      socket.on('data', (bytes) => {
        if (all === '') socket.write('NONSENSE\r\n\r\n')
        all += String(bytes)
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(all))
    })
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
    expect(received).not.toContain('INVALID_PARAMETER')
  })
})
