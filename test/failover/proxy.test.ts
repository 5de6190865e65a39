/** What HAProxy does with the settings of deploy/haproxy.cfg: its own errors, and to which instance it sends a key. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts'

if (!hasHaproxy) {
  process.stderr.write('\nWARNING: THE TESTS OF A PROXY DID NOT RUN: haproxy is not installed.\n\n')
}
const ifProxy = test.runIf(hasHaproxy)

/** Takes the part of an instance: it is ready, and answers with its own name, or not at all. */
async function startStub(name: string, { answers = true } = {}): Promise<number> {
  const server = createServer((request, response) => {
    if (answers || request.url === '/health/ready') response.end(name)
    else request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const expectError = (code: string, id: string | null, body: string) => {
  const { error } = JSON.parse(body)
  expect(error).toEqual({
    code,
    message: expect.any(String),
    requestId: id,
    docs: `/docs/guide/errors#${code.toLowerCase()}`,
  })
  expect(id).toMatch(/^[\da-f-]{36}$/)
}

ifProxy('its errors while no instance answers have the format of all others', async () => {
  const none = await startHaproxy([await freePort()])
  const unavailable = await fetch(none.url)
  expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '2'])
  expectError('UNAVAILABLE', unavailable.headers.get('x-request-id'), await unavailable.text())

  const cut = await startHaproxy([await startStub('cut', { answers: false })])
  await cut.untilUp(0)
  const broken = await fetch(cut.url, { method: 'POST' })
  expect([broken.status, broken.headers.get('retry-after')]).toEqual([502, '2'])
  expectError('UNAVAILABLE', broken.headers.get('x-request-id'), await broken.text())
})

ifProxy('an instance gets the ID of the request from it, and no trace of a client', async () => {
  const server = createServer(({ url, rawHeaders }, response) => {
    response.end(url === '/health/ready' ? '' : JSON.stringify(rawHeaders.map((text) => text.toLowerCase())))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const proxy = await startHaproxy([(server.address() as AddressInfo).port])
  await proxy.untilUp(0)
  const headers = {
    'x-request-id': 'of-the-client',
    traceparent: 'of-the-client',
    tracestate: 'of-the-client',
  }
  const ids = await Promise.all(
    [headers, {}].map(async (sent) => {
      const received = (await (await fetch(`${proxy.url}/v1/me`, { headers: sent })).json()) as string[]
      expect(received).not.toContain('of-the-client')
      expect(received.filter((text) => text === 'x-request-id')).toHaveLength(1)
      return received[received.indexOf('x-request-id') + 1]
    }),
  )
  for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/)
  expect(new Set(ids).size).toBe(2)
})

ifProxy('all requests of a key go to one instance, whichever of its forms they have', async () => {
  const proxy = await startHaproxy([await startStub('one'), await startStub('two')])
  await Promise.all([proxy.untilUp(0), proxy.untilUp(1)])
  const answering = async (headers: Record<string, string>) =>
    (await fetch(`${proxy.url}/v1/guests`, { headers })).text()
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
  const seen = new Set<string>()
  for (let at = 0; at < 40; at += 1) {
    const half = `Abcdefghijklmnopqrst${at}`.padEnd(22, 'x')
    const [apiKey, publicKey] = [`sjn_key_${half}${'s'.repeat(38)}`, `sjn_pk_${half}123456`]
    const answers = await Promise.all([
      answering({ authorization: `Bearer ${apiKey}` }),
      answering({ 'x-api-public-key': publicKey }),
      answering(basic(`${apiKey}:`)),
      answering(basic(`${publicKey}:sjn_sk_secret`)),
    ])
    expect(new Set(answers).size, half).toBe(1)
    seen.add(answers[0])
  }
  expect([...seen].sort()).toEqual(['one', 'two'])
})
