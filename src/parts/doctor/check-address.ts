/**
 * The public address: its certificate, and what the service sees of a request that comes through the proxies. Nothing is
 * requested unless an address is given.
 */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls'
import { networkOf, readClientAddress } from '../../core/access/addresses.ts'
import { readAddress } from '../../core/config/addresses.ts'
import type { Config } from '../../core/config/config.ts'
import { newProbe, PROBE_HEADER, type Seen } from '../../core/monitoring/probe.ts'
import { notChecked, notOk, ok, type Result } from './result.ts'

const ANSWER_MS = 10_000
const DAY_MS = 86_400_000
/** A certificate that is renewed automatically is renewed a month before its end. */
const DAYS_MIN = 14

const GIVE_URL = 'Pass --url with the public address, such as --url https://api.example.org.'

/** What the settings alone say about proxies. */
export function checkProxySettings({ publicUrl, trustedProxies }: Config): Result[] {
  if (publicUrl?.startsWith('https:') === true && trustedProxies.length === 0) {
    return [
      notOk(
        'proxy',
        'PUBLIC_URL is https, so there is a proxy, and TRUSTED_PROXIES is not set: limits and allow lists apply to the address of the proxy.',
        'Set TRUSTED_PROXIES to the address from which the proxy connects.',
      ),
    ]
  }
  if (publicUrl?.startsWith('http:') === true && !isLoopback(new URL(publicUrl).hostname)) {
    return [
      notOk(
        'certificate',
        'PUBLIC_URL is http: clients send their keys, and get the records, unencrypted.',
        'Put a proxy with a certificate in front of the service, and set PUBLIC_URL to its https address.',
      ),
    ]
  }
  return []
}

const isLoopback = (host: string) =>
  host === 'localhost' || readAddress(host.replace(/^\[(.*)\]$/, '$1'))?.range() === 'loopback'

/** @param now epoch ms */
export async function checkCertificate(url: string | undefined, now: () => number): Promise<Result[]> {
  if (url === undefined) {
    return [notChecked('certificate', 'The certificate of the public address was not looked at.', GIVE_URL)]
  }
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'https:') {
    return isLoopback(hostname)
      ? [ok('certificate', 'The address is one of this machine, without encryption.')]
      : [
          notOk(
            'certificate',
            'The address is http: clients send their keys, and get the records, unencrypted.',
            'Put a proxy with a certificate in front of the service.',
          ),
        ]
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const { certificate, problem } = await certificateOf(host, port === '' ? 443 : Number(port))
  return judgeCertificate({
    host,
    certificate,
    problem,
    now: now(),
    what: 'The certificate of the public address',
  })
}

interface Presented {
  /** undefined if its names were verified already */
  readonly host: string | undefined
  readonly certificate: PeerCertificate
  /** code of what OpenSSL does not accept */
  readonly problem: string | undefined
  readonly now: number
  readonly what: string
}

export function judgeCertificate({ host, certificate, problem, now, what }: Presented): Result[] {
  const until = Date.parse(certificate.valid_to)
  const day = new Date(until).toISOString().slice(0, 10)
  const renew = 'Renew it, and look why it was not renewed automatically.'
  if (until <= now) return [notOk('certificate', `${what} expired on ${day}.`, renew)]
  if (Date.parse(certificate.valid_from) > now) {
    return [
      notOk(
        'certificate',
        `${what} is not valid yet.`,
        'Correct the clock of this machine, or the certificate.',
      ),
    ]
  }
  if (host !== undefined && checkServerIdentity(host, certificate) !== undefined) {
    return [
      notOk(
        'certificate',
        `${what} is not for ${host}: it lists ${certificate.subjectaltname ?? 'no names'}.`,
        `Issue one that lists ${host}.`,
      ),
    ]
  }
  if (problem !== undefined && problem !== 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return [
      notOk(
        'certificate',
        `${what} is not accepted (${problem}).`,
        'Let the proxy send the whole chain, from an authority that clients trust. For one of your own, set NODE_EXTRA_CA_CERTS here.',
      ),
    ]
  }
  const days = Math.floor((until - now) / DAY_MS)
  if (days < DAYS_MIN) return [notOk('certificate', `${what} expires on ${day}, in ${days} days.`, renew)]
  return [ok('certificate', `${what} is valid until ${day}.`)]
}

function certificateOf(
  host: string,
  port: number,
): Promise<{ certificate: PeerCertificate; problem: string | undefined }> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      // It is looked at also if it is not accepted, and nothing is sent over this connection.
      { host, port, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) },
      () => {
        const certificate = socket.getPeerCertificate()
        const error: unknown = socket.authorizationError
        const problem = error instanceof Error && 'code' in error ? String(error.code) : error
        resolve({
          certificate,
          problem: problem === null || problem === undefined ? undefined : String(problem),
        })
        socket.destroy()
      },
    )
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('there was no answer')))
    socket.on('error', reject)
  })
}

/** Of the range for documentation: no client has this address (RFC 5737). */
const INVENTED_ADDRESS = '192.0.2.99'
const INVENTED_HOST = 'doctor.invalid'

interface Probed {
  readonly status: number
  readonly seen: Seen | undefined
  /** from which this machine connected */
  readonly from: string
}

export async function checkProxy(url: string | undefined, config: Config): Promise<Result[]> {
  const settings = checkProxySettings(config)
  if (settings.length > 0) return settings
  if (url === undefined) {
    return [
      notChecked(
        'proxy',
        'What the service sees of a request through the proxies was not looked at.',
        GIVE_URL,
      ),
    ]
  }
  const { metricsToken, publicUrl } = config
  if (metricsToken === undefined) {
    return [
      notChecked(
        'proxy',
        'The service tells only a sender with its METRICS_TOKEN what it sees of a request, and none is set.',
        'Set METRICS_TOKEN for the service and this command.',
      ),
    ]
  }
  const { status, seen, from } = await probe(url, metricsToken)
  if (seen === undefined) {
    return [
      notChecked(
        'proxy',
        status === 200
          ? 'The service answered without saying what it sees: it has another METRICS_TOKEN.'
          : `GET /health/live was answered with ${status}.`,
        status === 200
          ? 'Run this command with the settings of the service.'
          : 'Let the proxy pass /health/live, at least to this machine, and correct the address.',
      ),
    ]
  }
  return judgeSeen(seen, { from, url, publicUrl })
}

export function judgeSeen(
  seen: Seen,
  { from, url, publicUrl }: { from: string; url: string; publicUrl: string | undefined },
): Result[] {
  const results: Result[] = []
  if (seen.address === INVENTED_ADDRESS) {
    results.push(
      notOk(
        'proxy',
        'A client can choose its address: the service took the one in its own X-Forwarded-For for true, so limits and allow lists can be evaded.',
        'Let the proxy replace X-Forwarded-For, or add the address of its client to it (HAProxy: option forwardfor; nginx: $proxy_add_x_forwarded_for).',
      ),
    )
  } else if (networkOf(seen.address) !== networkOf(from) && isPrivate(seen.address)) {
    results.push(
      notOk(
        'proxy',
        `The service sees this client as ${seen.address}, which is not its address: limits and allow lists apply to a proxy.`,
        `Add ${seen.address} to TRUSTED_PROXIES if it is your proxy, and let the proxy send X-Forwarded-For.`,
      ),
    )
  } else if (networkOf(seen.address) !== networkOf(from)) {
    results.push(
      notChecked(
        'proxy',
        `The service sees this client as ${seen.address}, and it connects from ${from}; if a router replaces addresses in between, both may be right.`,
        'Compare the first one with the public address of this network.',
      ),
    )
  }
  if (publicUrl === undefined && seen.host === INVENTED_HOST) {
    results.push(
      notOk(
        'proxy',
        'A client can choose the host in links: the service took the one in its own X-Forwarded-Host for true.',
        'Set PUBLIC_URL, or let the proxy replace X-Forwarded-Host.',
      ),
    )
  }
  if (publicUrl === undefined && `${seen.scheme}:` !== new URL(url).protocol) {
    results.push(
      notOk(
        'proxy',
        `The service takes the request for ${seen.scheme}, so its links begin with that.`,
        'Set PUBLIC_URL, or let the proxy send X-Forwarded-Proto.',
      ),
    )
  }
  if (results.length > 0) return results
  return [ok('proxy', `The service sees this client as ${seen.address}, and a client cannot choose that.`)]
}

const isPrivate = (address: string): boolean => {
  const range = readClientAddress(address)?.range()
  return range !== undefined && range !== 'unicast'
}

/** The certificate is judged by its own check; the request contains nothing secret. */
function probe(url: string, token: string): Promise<Probed> {
  const target = new URL(`${url.replace(/\/$/, '')}/health/live`)
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(
      target,
      {
        agent: false,
        rejectUnauthorized: false,
        timeout: ANSWER_MS,
        headers: {
          [PROBE_HEADER]: newProbe(token),
          'x-forwarded-for': INVENTED_ADDRESS,
          'x-forwarded-host': INVENTED_HOST,
          'x-forwarded-proto': target.protocol === 'https:' ? 'http' : 'https',
        },
      },
      (response) => {
        const from = response.socket.localAddress ?? ''
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          text += piece
          if (text.length > BODY_LENGTH_MAX) request.destroy(new Error('the answer is too long'))
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, seen: readSeen(text), from }))
      },
    )
    request.on('timeout', () => request.destroy(new Error('there was no answer')))
    request.on('error', reject)
    request.end()
  })
}

const BODY_LENGTH_MAX = 10_000

function readSeen(text: string): Seen | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('seen' in body)) return undefined
    const { seen } = body
    if (typeof seen !== 'object' || seen === null) return undefined
    const { address, scheme, host } = seen as Record<string, unknown>
    // What another server answers is not printed.
    return typeof address === 'string' &&
      readClientAddress(address) !== undefined &&
      /^https?$/.test(String(scheme))
      ? { address, scheme: String(scheme), host: String(host) }
      : undefined
  } catch {
    return undefined
  }
}
