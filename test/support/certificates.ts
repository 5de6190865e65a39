/** Certificates for servers of tests, written in the DER of X.509: Node makes keys and signatures, but no certificates. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Issued {
  /** in PEM form */
  readonly certificate: string
  /** in PEM form */
  readonly key: string
}

export interface Authority {
  /** its certificate, in PEM form */
  readonly certificate: string
  /** Issues a certificate for host names and addresses. */
  issue(hosts: readonly string[], validity?: Validity): Issued
}

interface Validity {
  readonly until: Date
}

/** Valid for ten years, unless the test wants another time. */
const TEN_YEARS_MS = 10 * 365 * 86_400_000
const inTenYears = (): Validity => ({ until: new Date(Date.now() + TEN_YEARS_MS) })

/** A new authority, which has signed its own certificate. */
export function newAuthority(name: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issue = (subject: string, key: KeyObject, extension: Buffer, validity: Validity) =>
    signed({ issuer: name, subject, key, extension, validity }, privateKey)
  return {
    certificate: issue(name, publicKey, IS_AUTHORITY, inTenYears()),
    issue(hosts, validity = inTenYears()) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return {
        certificate: issue('server', own.publicKey, forHosts(hosts), validity),
        key: String(own.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      }
    },
  }
}

interface Content {
  readonly issuer: string
  readonly subject: string
  readonly key: KeyObject
  readonly extension: Buffer
  readonly validity: Validity
}

function signed({ issuer, subject, key, extension, validity }: Content, by: KeyObject): string {
  const content = sequence(
    der(0xa0, integer(2)),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ECDSA_SHA256,
    nameOf(issuer),
    sequence(time(new Date(validity.until.getTime() - 2 * TEN_YEARS_MS)), time(validity.until)),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = sign('sha256', content, by)
  const certificate = sequence(content, ECDSA_SHA256, der(0x03, Buffer.of(0), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** A value of DER: its tag, its length and its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const bytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256]
  return Buffer.concat([Buffer.of(tag, ...bytes), body])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number) => der(0x02, Buffer.of(value))
const time = (date: Date) =>
  der(0x18, Buffer.from(`${date.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`))
const nameOf = (text: string) =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(text)))))

const ECDSA_SHA256 = sequence(identifier('2a8648ce3d040302'))
const TRUE = der(0x01, Buffer.of(0xff))
const IS_AUTHORITY = sequence(identifier('551d13'), TRUE, der(0x04, sequence(TRUE)))

function forHosts(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  )
  return sequence(identifier('551d11'), der(0x04, sequence(...names)))
}
