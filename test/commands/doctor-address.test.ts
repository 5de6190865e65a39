/** `sojourn doctor --url`: certificates of the public address, and proxies that lead to the service. */
import { createServer as createHttpServer, request, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/core/config/config.ts'
import { isProbe, newProbe, PROBE_HEADER } from '../../src/core/monitoring/probe.ts'
import { checkCertificate, checkProxy, judgeSeen } from '../../src/parts/doctor/check-address.ts'
import { startTestApi } from '../support/api.ts'
import { type Authority, type Issued, newAuthority } from '../support/certificates.ts'
import { afterwards } from '../support/database.ts'
import { listen } from '../support/socket.ts'

const TOKEN = 'a-token-of-the-tests-0123456789'
/** From which proxies connect to the service: another address of this machine than a client has. */
const PROXY = '127.0.0.3'

/** How a proxy passes on the header that names its client. */
type Forwarding = 'adds' | 'replaces' | 'passes' | 'removes'

async function startProxy(to: number, how: Forwarding, issued?: Issued): Promise<number> {
  const answer: Parameters<typeof createHttpServer>[1] = (incoming, outgoing) => {
    const { 'x-forwarded-for': given, ...headers } = incoming.headers
    const client = incoming.socket.remoteAddress ?? ''
    const forwarded = {
      adds: `${given}, ${client}`,
      replaces: client,
      passes: `${given}`,
      removes: undefined,
    }[how]
    const sent = {
      ...headers,
      'x-forwarded-proto': issued === undefined ? 'http' : 'https',
      'x-forwarded-host': incoming.headers.host,
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
    }
    request(
      { port: to, host: '127.0.0.1', path: incoming.url, headers: sent, localAddress: PROXY },
      (answered) => {
        outgoing.writeHead(answered.statusCode ?? 500, answered.headers)
        answered.pipe(outgoing)
      },
    ).end()
  }
  const server: Server =
    issued === undefined
      ? createHttpServer(answer)
      : createHttpsServer({ cert: issued.certificate, key: issued.key }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

async function proxied(how: Forwarding, trustedProxies: readonly string[]) {
  const api = await startTestApi({ app: { metricsToken: TOKEN, trustedProxies } })
  const port = await startProxy(await listen(api.app), how)
  return checkProxy(`http://127.0.0.1:${port}`, readConfig({ METRICS_TOKEN: TOKEN }))
}

describe('proxies', () => {
  test.each(['adds', 'replaces'] as const)(
    'are ok where a trusted one %s the address of its client',
    async (how) => {
      expect(await proxied(how, [PROXY])).toMatchObject([{ state: 'ok' }])
    },
  )

  test('are not ok where the service does not trust one', async () => {
    const [found, ...more] = await proxied('adds', [])
    expect(found).toMatchObject({ check: 'proxy', state: 'notOk' })
    expect(`${found?.found} ${found?.remedy}`).toMatch(
      /sees this client as 127\.0\.0\.3.*Add 127\.0\.0\.3 to TRUSTED_PROXIES/s,
    )
    expect(more).toEqual([])
  })

  test('are not ok where a client can choose its address', async () => {
    const [found] = await proxied('passes', [PROXY])
    expect(found).toMatchObject({
      check: 'proxy',
      state: 'notOk',
      remedy: expect.stringContaining('X-Forwarded-For'),
    })
    expect(found?.found).toContain('A client can choose its address')
  })

  test('are not ok where a trusted one does not name its client', async () => {
    expect(await proxied('removes', [PROXY])).toMatchObject([{ state: 'notOk' }])
  })

  test('could not be checked where the service has another token, or the address is another one', async () => {
    const api = await startTestApi({ app: { metricsToken: `${TOKEN}-other` } })
    const port = await listen(api.app)
    const config = readConfig({ METRICS_TOKEN: TOKEN })
    const [other] = await checkProxy(`http://127.0.0.1:${port}`, config)
    expect(other).toMatchObject({
      state: 'notChecked',
      found: expect.stringContaining('another METRICS_TOKEN'),
    })
    const [path] = await checkProxy(`http://127.0.0.1:${port}/elsewhere`, config)
    expect(path).toMatchObject({ state: 'notChecked', found: expect.stringContaining('404') })
    const [none] = await checkProxy(`http://127.0.0.1:${port}`, readConfig({}))
    expect(none).toMatchObject({ state: 'notChecked', remedy: expect.stringContaining('Set METRICS_TOKEN') })
  })

  test('are not ok where a client can choose the host or the scheme of links', () => {
    const about = { from: '127.0.0.1', url: 'https://api.example.org', publicUrl: undefined }
    const seen = { address: '127.0.0.1', scheme: 'http', host: 'doctor.invalid' }
    expect(judgeSeen(seen, about).map(({ state }) => state)).toEqual(['notOk', 'notOk'])
    expect(judgeSeen(seen, { ...about, publicUrl: 'https://api.example.org' })).toMatchObject([
      { state: 'ok' },
    ])
  })

  test('could not be compared where another public address is seen', () => {
    const about = { from: '10.1.2.3', url: 'https://api.example.org', publicUrl: 'https://api.example.org' }
    const seen = { address: '203.0.113.9', scheme: 'https', host: 'api.example.org' }
    // The range for documentation is not one of clients.
    expect(judgeSeen({ ...seen, address: '8.8.4.4' }, about)).toMatchObject([{ state: 'notChecked' }])
    expect(judgeSeen(seen, about)).toMatchObject([{ state: 'notOk' }])
  })
})

describe('a probe', () => {
  test('is signed with the token and does not contain it', () => {
    const probe = newProbe(TOKEN)
    expect(probe).not.toContain(TOKEN)
    expect(isProbe(probe, TOKEN)).toBe(true)
    expect(isProbe(probe, `${TOKEN}x`)).toBe(false)
    expect(isProbe(`${probe.slice(0, -1)}${probe.endsWith('A') ? 'B' : 'A'}`, TOKEN)).toBe(false)
    for (const other of [undefined, '', '.', TOKEN, 'é'.repeat(66), [probe]])
      expect(isProbe(other, TOKEN)).toBe(false)
  })

  test('alone learns what the service sees of it', async () => {
    const api = await startTestApi({ app: { metricsToken: TOKEN } })
    const { body } = await api.as(undefined).get('/health/live', { [PROBE_HEADER]: newProbe(TOKEN) })
    expect(body).toEqual({
      status: 'live',
      seen: { address: '127.0.0.1', scheme: 'http', host: 'localhost:80' },
    })
    for (const header of ['', TOKEN, newProbe('another-token-0123456789')]) {
      const answer = await api.as(undefined).get('/health/live', { [PROBE_HEADER]: header })
      expect(answer.body).toEqual({ status: 'live' })
    }
    const without = await startTestApi()
    const answer = await without.as(undefined).get('/health/live', { [PROBE_HEADER]: newProbe('') })
    expect(answer.body).toEqual({ status: 'live' })
  })
})

describe('the certificate of the public address', () => {
  let authority: Authority
  beforeAll(() => {
    authority = newAuthority('Authority of the test')
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, authority.certificate])
    return () => setDefaultCACertificates(before)
  })

  const DAY_MS = 86_400_000
  const of = async (issued: Issued) => {
    const port = await startProxy(1, 'adds', issued)
    const [found, ...more] = await checkCertificate(`https://127.0.0.1:${port}`, Date.now)
    expect(more).toEqual([])
    return found
  }
  const validFor = (days: number) => ({ until: new Date(Date.now() + days * DAY_MS) })

  test('is ok while it is valid for two weeks and more', async () => {
    expect(await of(authority.issue(['127.0.0.1'], validFor(20)))).toMatchObject({
      check: 'certificate',
      state: 'ok',
    })
  })

  test.each([
    [
      'expires within two weeks',
      (from: Authority) => from.issue(['127.0.0.1'], validFor(5)),
      /expires on .* in [45] days.*Renew/s,
    ],
    ['has expired', (from: Authority) => from.issue(['127.0.0.1'], validFor(-1)), /expired on .*Renew/s],
    [
      'is for another name',
      (from: Authority) => from.issue(['api.example.org']),
      /is not for 127\.0\.0\.1: it lists DNS:api\.example\.org/,
    ],
    [
      'is from an authority that nobody knows',
      () => newAuthority('Another').issue(['127.0.0.1']),
      /is not accepted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\).*chain/s,
    ],
  ])('is not ok where it %s', async (_, issue, sentence) => {
    const found = await of(issue(authority))
    expect(found).toMatchObject({ state: 'notOk' })
    expect(`${found?.found} ${found?.remedy}`).toMatch(sentence)
  })

  test('is not ok where there is none', async () => {
    expect(await checkCertificate('http://api.example.org', Date.now)).toMatchObject([{ state: 'notOk' }])
    expect(await checkCertificate('http://127.0.0.1:8080', Date.now)).toMatchObject([{ state: 'ok' }])
    expect(await checkCertificate(undefined, Date.now)).toMatchObject([{ state: 'notChecked' }])
  })
})
