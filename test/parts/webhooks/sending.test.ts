/** One attempt: where it may go, how it is signed, and what becomes of it. */
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { GIVING_UP_MS, retryDelay } from '../../../src/parts/webhooks/retries.ts'
import {
  deriveSecret,
  isSameSecret,
  secretCheck,
  secretText,
  signedHeaders,
} from '../../../src/parts/webhooks/secrets.ts'
import { createSend, type SendOptions } from '../../../src/parts/webhooks/send.ts'
import { createAddressRule, readTarget } from '../../../src/parts/webhooks/target.ts'
import { deadUrl, startReceiver } from './receiver.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const HERE = createAddressRule(['127.0.0.0/8', '::1'])
const PUBLIC = createAddressRule([])

const message = (url: string) => ({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"type":"test"}' })
const sending = (options: Partial<SendOptions> = {}) => createSend({ allows: HERE, ...options })

describe('a signature', () => {
  const secret = deriveSecret(KEY, Buffer.from('salt'))

  it('is what the published library of the specification makes and takes', () => {
    const at = Date.now()
    const body = JSON.stringify({ type: 'changes', data: { text: 'ä€😀' } })
    const headers = signedHeaders([secret], 'msg_1', at, body)
    const library = new Webhook(secretText(secret))
    expect(headers['webhook-signature']).toBe(library.sign('msg_1', new Date(at), body))
    expect(library.verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => library.verify(`${body} `, headers)).toThrow()
  })

  it('is one of each secret while there are two, and the library takes either', () => {
    const other = deriveSecret(KEY, Buffer.from('other'))
    const headers = signedHeaders([secret, other], 'msg_1', Date.now(), '{}')
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    for (const one of [secret, other]) {
      expect(new Webhook(secretText(one)).verify('{}', headers)).toEqual({})
    }
    const stranger = deriveSecret(KEY, Buffer.from('stranger'))
    expect(() => new Webhook(secretText(stranger)).verify('{}', headers)).toThrow()
  })

  it('is made with a secret that needs both the key of the service and the salt', () => {
    const otherKey = Buffer.alloc(32, 8).toString('base64')
    for (const other of [
      deriveSecret(KEY, Buffer.from('other')),
      deriveSecret(otherKey, Buffer.from('salt')),
    ]) {
      expect(other.equals(secret)).toBe(false)
      expect(isSameSecret(other, secretCheck(secret))).toBe(false)
    }
    expect(isSameSecret(deriveSecret(KEY, Buffer.from('salt')), secretCheck(secret))).toBe(true)
    expect(secretText(secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  })
})

describe('the URL of a webhook', () => {
  it.each([
    ['https://example.org/hook?x=1#part', 'https://example.org/hook?x=1'],
    ['https://93.184.216.34/', 'https://93.184.216.34/'],
    ['https://[2606:4700::1]/', 'https://[2606:4700::1]/'],
  ])('may be %s', (text, url) => {
    expect(readTarget(text, PUBLIC, false)).toBe(url)
  })

  it.each([
    ['example.org/hook', 'must be absolute'],
    ['ftp://example.org', 'must begin with https'],
    ['javascript:alert(1)', 'must begin with https'],
    ['http://example.org/', 'must begin with https'],
    ['https://user:word@example.org/', 'user name'],
    [`https://example.org/${'x'.repeat(2000)}`, '2000 characters'],
    ...[
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::127.0.0.1]',
      '[64:ff9b:1::7f00:1]',
      '[4000::1]',
      '0177.0.0.1',
      '127.1',
      '0.0.0.0',
      '10.0.0.8',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '[::]',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:a00:1]',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[ff02::1]',
    ].map((host) => [`https://${host}/`, 'is not a public address']),
  ])('may not be %s', (text = '', reason = '') => {
    expect(() => readTarget(text, PUBLIC, false)).toThrow(reason)
  })

  it('may lead to an address that the operator allows, by http too', () => {
    expect(readTarget('http://127.0.0.1:9/', HERE, true)).toBe('http://127.0.0.1:9/')
    expect(() => readTarget('http://10.0.0.1/', HERE, true)).toThrow('is not a public address')
    expect(() => readTarget('http://93.184.216.34/', HERE, true)).toThrow('is not a public address')
  })
})

describe('an attempt', () => {
  it('is one POST with the body, and says no more than it needs to', async () => {
    const receiver = await startReceiver()
    expect(await sending()(message(receiver.url))).toEqual({ outcome: 'delivered', status: 204 })
    const [only] = receiver.received
    expect(only?.text).toBe('{"type":"test"}')
    expect(Object.keys(only?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
    ])
  })

  it.each([
    [200, 'delivered'],
    [299, 'delivered'],
    [400, 'refused'],
    [410, 'gone'],
    [429, 'refused'],
    [500, 'refused'],
  ])('that is answered with %i is %s', async (status, outcome) => {
    const receiver = await startReceiver()
    receiver.answer = (_, response) => void response.writeHead(status).end('{}')
    expect(await sending()(message(receiver.url))).toEqual({ outcome, status })
  })

  it('follows no redirect', async () => {
    const [receiver, other] = [await startReceiver(), await startReceiver()]
    receiver.answer = (_, response) => void response.writeHead(307, { location: other.url }).end()
    expect(await sending()(message(receiver.url))).toEqual({ outcome: 'redirected', status: 307 })
    expect(other.received).toEqual([])
  })

  it('reads little of an answer that does not end', async () => {
    const receiver = await startReceiver()
    let written = 0
    receiver.answer = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) written += 65_536
      }
      response.writeHead(200).on('drain', more)
      more()
    }
    expect(await sending()(message(receiver.url))).toEqual({ outcome: 'delivered', status: 200 })
    // What the sockets of both sides hold.
    expect(written).toBeLessThan(20_000_000)
  })

  it.each(['100 Continue', '103 Early Hints'])(
    'reads little of answers without end that only announce another: %s',
    async (status) => {
      const receiver = await startReceiver()
      let written = 0
      const text = `HTTP/1.1 ${status}\r\nlink: </x>\r\n\r\n`.repeat(1000)
      receiver.answer = ({ socket }) => {
        const more = () => {
          while (!socket.destroyed && socket.write(text)) written += text.length
        }
        socket.on('drain', more)
        more()
      }
      const attempt = await sending()(message(receiver.url))
      expect(attempt).toEqual({ outcome: 'unreachable', status: undefined })
      expect(written).toBeLessThan(20_000_000)
    },
  )

  it('takes an answer behind one that announces it', async () => {
    const receiver = await startReceiver()
    receiver.answer = (_, response) => {
      response.writeContinue()
      response.writeProcessing()
      response.writeHead(202).end()
    }
    expect(await sending()(message(receiver.url))).toEqual({ outcome: 'delivered', status: 202 })
  })

  it('ends in time where the receiver never answers', async () => {
    const receiver = await startReceiver()
    let ring = () => {}
    const send = sending({
      after: (ms, act) => {
        expect(ms).toBe(15_000)
        ring = act
        return () => {}
      },
    })
    receiver.answer = () => ring()
    expect(await send(message(receiver.url))).toEqual({ outcome: 'timeout', status: undefined })
  })

  it('is judged by its status where the answer breaks off', async () => {
    const receiver = await startReceiver()
    receiver.answer = (request, response) => {
      response.writeHead(500, { 'content-length': 10 }).write('x')
      request.socket.end()
    }
    expect(await sending()(message(receiver.url))).toEqual({ outcome: 'refused', status: 500 })
  })

  it('is unreachable where nobody listens, the connection breaks or the name is unknown', async () => {
    const receiver = await startReceiver()
    receiver.answer = (request) => void request.socket.destroy()
    const nowhere: SendOptions['lookup'] = (_, __, callback) => callback(new Error('ENOTFOUND'), '', 0)
    const unreachable = { outcome: 'unreachable', status: undefined }
    expect(await sending()(message(await deadUrl()))).toEqual(unreachable)
    expect(await sending()(message(receiver.url))).toEqual(unreachable)
    expect(await sending({ lookup: nowhere })(message('https://nowhere.example/'))).toEqual(unreachable)
  })

  it('never reaches an address that is not allowed, whatever the name led to before', async () => {
    const receiver = await startReceiver()
    const { port } = new URL(receiver.url)
    const forbidden = { outcome: 'forbidden', status: undefined }
    const leadsTo = (...addresses: string[]): NonNullable<SendOptions['lookup']> => {
      let asked = 0
      return (_, options, callback) => {
        const address = addresses[Math.min(asked++, addresses.length - 1)] ?? ''
        expect(options.all).toBe(true)
        callback(null, [{ address, family: 4 }])
      }
    }
    const send = sending({ allows: PUBLIC, lookup: leadsTo('127.0.0.1') })
    expect(await send(message(`https://rebound.example:${port}/`))).toEqual(forbidden)
    expect(await send(message(`http://rebound.example:${port}/`))).toEqual(forbidden)
    expect(await send(message(`https://2130706433:${port}/`))).toEqual(forbidden)
    // A public address by http, where only private ones are allowed so.
    const outside = sending({ lookup: leadsTo('93.184.216.34') })
    expect(await outside(message('http://public.example/'))).toEqual(forbidden)
    // The name leads to an allowed address: the connection is made to that one, without asking again.
    const once = sending({ lookup: leadsTo('127.0.0.1', '10.0.0.1') })
    expect(await once(message(`http://inside.example:${port}/`))).toMatchObject({ outcome: 'delivered' })
    expect(receiver.received).toHaveLength(1)
    expect(receiver.connections()).toBe(1)
  })

  it('ends where the address that it is connected to is not allowed, whatever the lookup said', async () => {
    const receiver = await startReceiver()
    let judged = 0
    const send = sending({
      allows: () => judged++ === 0,
      lookup: (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    const { port } = new URL(receiver.url)
    expect(await send(message(`https://rebound.example:${port}/`))).toMatchObject({ outcome: 'forbidden' })
    expect(judged).toBe(2)
    expect(receiver.received).toEqual([])
  })

  it('ends with the service, also where that has begun to end before', async () => {
    const receiver = await startReceiver()
    const ending = new AbortController()
    receiver.answer = () => ending.abort()
    const unreachable = { outcome: 'unreachable', status: undefined }
    expect(await sending()(message(receiver.url), ending.signal)).toEqual(unreachable)
    expect(await sending()(message(receiver.url), ending.signal)).toEqual(unreachable)
    expect(receiver.received).toHaveLength(1)
  })

  it('uses, of several addresses of a name, those that are allowed', async () => {
    const receiver = await startReceiver()
    const { port } = new URL(receiver.url)
    const both: SendOptions['lookup'] = (_, __, callback) =>
      callback(null, [
        { address: '10.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ])
    const attempt = await sending({ lookup: both })(message(`http://both.example:${port}/`))
    expect(attempt.outcome).toBe('delivered')
  })
})

describe('after a failed attempt', () => {
  it('the next one comes soon, then less and less often, and the last after three days', () => {
    const delays: number[] = []
    let failingMs = 0
    for (let attempts = 1; ; attempts++) {
      const delay = retryDelay(attempts, failingMs, 0.5)
      if (delay === undefined) break
      delays.push(delay)
      failingMs += delay
    }
    expect(delays[0]).toBe(5000)
    expect(delays.slice(0, -1)).toEqual(delays.slice(0, -1).sort((a, b) => a - b))
    expect(failingMs).toBe(GIVING_UP_MS)
    expect(delays.length).toBeLessThan(20)
  })

  it('a receiver that names a time is not asked sooner, and asked again after eight hours at the latest', () => {
    const hour = 3_600_000
    expect(retryDelay(1, 0, 0.5, hour)).toBe(hour)
    expect(retryDelay(6, 0, 0.5, 1000)).toBe(hour)
    expect(retryDelay(1, 0, 0.5, 1000 * hour)).toBe(8 * hour)
    expect(retryDelay(1, GIVING_UP_MS - 1000, 0.5, hour)).toBe(1000)
  })

  it('receivers that failed together are asked apart', () => {
    expect(retryDelay(3, 0, 0)).toBeLessThan(retryDelay(3, 0, 1) ?? 0)
  })
})

describe('a receiver that says when to come again', () => {
  const now = Date.parse('2026-03-02T08:00:00Z')

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Mon, 02 Mar 2026 08:10:00 GMT', 600_000],
    ['Mon, 02 Mar 2026 07:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1e9', undefined],
    ['2026-03-02T08:10:00Z', undefined],
    ['Mon, 99 Xyz 2026 08:10:00 GMT', undefined],
    ['9'.repeat(400), undefined],
  ])('is understood: %s', async (text, retryAfterMs) => {
    const receiver = await startReceiver()
    receiver.answer = (_, response) => void response.writeHead(503, { 'retry-after': text }).end()
    const asked = retryAfterMs === undefined ? {} : { retryAfterMs }
    expect(await sending({ now: () => now })(message(receiver.url))).toEqual({
      outcome: 'refused',
      status: 503,
      ...asked,
    })
  })
})
