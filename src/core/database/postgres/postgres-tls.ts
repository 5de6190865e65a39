/** TLS to a PostgreSQL server: what a URL and DATABASE_TLS_CA say about it, and why it failed. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { type SslMode, sslModeOf } from '../../config/ssl-mode.ts'
import { DatabaseUnavailable } from '../database.ts'
import { systemMessage } from './system-message.ts'

/** What `pg` gets for each connection to a server. */
export interface PostgresConnection {
  readonly connectionString: string
  /** If not set, the driver decides: it uses TLS only if the environment has `PGSSLMODE`. */
  readonly ssl?: ConnectionOptions | false
  readonly sslnegotiation?: 'direct'
}

/** A file that cannot be used for TLS. The message names its setting, and has no full stop. */
export class TlsFileProblem extends Error {
  override readonly name = 'TlsFileProblem'
}

/** Parameters of a URL that are about TLS. The driver would give them another meaning, so it does not get them. */
const PARAMETERS = [
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
] as const

/**
 * The connection to the server of a URL. The files are read here, once: a new certificate of the authority is used from
 * the next start on.
 * @param authority the file of DATABASE_TLS_CA
 * @throws {TlsFileProblem}
 */
export function connectionTo(url: string, authority?: string): PostgresConnection {
  const given = givenIn(url, authority)
  if (given.mode === undefined) return { connectionString: url }
  const parsed = new URL(url)
  const { searchParams } = parsed
  const isDirect = searchParams.get('sslnegotiation') === 'direct'
  const [cert, key] = [searchParams.get('sslcert'), searchParams.get('sslkey')]
  for (const name of PARAMETERS) searchParams.delete(name)
  const connectionString = parsed.href
  if (given.mode === 'disable') return { connectionString, ssl: false }
  return {
    connectionString,
    ssl: {
      ...VERIFIED[given.mode],
      ...(given.authority && { ca: readAuthority(given.authority) }),
      ...(cert !== null && { cert: readText('sslcert', cert) }),
      ...(key !== null && { key: readText('sslkey', key) }),
    },
    ...(isDirect && { sslnegotiation: 'direct' as const }),
  }
}

/**
 * `require` verifies as `verify-full` does: encryption without it leads to any server that answers at the address. Version 9 of
 * the driver will verify nothing there, as `psql`.
 */
const VERIFIED: Readonly<Record<Exclude<SslMode, 'disable'>, ConnectionOptions>> = {
  'no-verify': { rejectUnauthorized: false },
  'verify-ca': { checkServerIdentity: () => undefined },
  'verify-full': {},
  require: {},
}

interface Given {
  /** undefined if nothing is said about TLS */
  readonly mode: SslMode | undefined
  readonly authority: { readonly setting: string; readonly file: string } | undefined
}

function givenIn(url: string, authority: string | undefined): Given {
  const { searchParams } = new URL(url)
  const own = searchParams.get('sslrootcert')
  const file = own ?? authority
  const found =
    file === undefined ? undefined : { setting: own === null ? 'DATABASE_TLS_CA' : 'sslrootcert', file }
  if (isLocalSocket(url)) return { mode: 'disable', authority: undefined }
  const implied =
    found !== undefined || searchParams.has('sslcert') || searchParams.get('sslnegotiation') === 'direct'
  return { mode: sslModeOf(url) ?? (implied ? 'verify-full' : undefined), authority: found }
}

/** A server has no TLS on a local socket. */
function isLocalSocket(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  return (searchParams.get('host') ?? decodeURIComponent(hostname)).startsWith('/')
}

function readAuthority({ setting, file }: NonNullable<Given['authority']>): string {
  const text = readText(setting, file)
  // OpenSSL ignores what is no certificate, and would then trust nobody.
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new TlsFileProblem(
      `${setting}, ${file}, has no certificate in PEM form, which begins with "-----BEGIN CERTIFICATE-----". "openssl x509 -inform der -in FILE" converts one in DER form`,
    )
  }
  return text
}

function readText(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new TlsFileProblem(`${setting}, ${file}, cannot be read: ${systemMessage(error)}`)
  }
}

const OTHER_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID'
const EXPIRED = 'CERT_HAS_EXPIRED'

/** Codes of OpenSSL for a certificate that is not accepted. */
const CERTIFICATE = new Set([
  OTHER_HOST,
  EXPIRED,
  'CERT_CHAIN_TOO_LONG',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** The message of `pg` where the server offers no TLS. It has no code. */
const NO_TLS = 'The server does not support SSL connections'

/** Whether a connection failed because of TLS. It may work again once the server has another certificate. */
export function isTlsFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return CERTIFICATE.has(code) || /^ERR_SSL_/.test(code) || error.message === NO_TLS
}

/**
 * Why TLS to the server of a URL failed, what was given, and how to go on, without a full stop; undefined if something
 * else failed.
 */
export function explainTls(error: unknown, url: string, authority?: string): string | undefined {
  const reason = error instanceof DatabaseUnavailable ? error.cause : error
  if (!(reason instanceof Error) || !isTlsFailure(reason)) return undefined
  const given = givenIn(url, authority)
  const mode = `sslmode is ${sslModeOf(url) ?? `${given.mode}, because ${given.authority?.setting ?? 'TLS'} is set`}`
  if (reason.message === NO_TLS) {
    return `the server offers no TLS, and ${mode}. Turn it on there (ssl = on), or, on a network that nobody else can read, set sslmode=disable in the URL`
  }
  const trusted =
    given.authority === undefined
      ? 'the authorities that Node trusts are accepted'
      : `the authorities in ${given.authority.file} (${given.authority.setting}) are accepted`
  switch (codeOf(reason)) {
    case OTHER_HOST:
      return `the server's certificate is for another host: ${reason.message.replace(/\.$/, '')}; ${mode}. Use a host in the URL that the certificate lists, or set DATABASE_TLS_CA and sslmode=verify-ca, which verifies the authority alone`
    case EXPIRED:
      return `the server's certificate has expired. Renew it on the server`
    default:
      return `the server's certificate cannot be verified: ${reason.message}; ${mode}, and ${trusted}. Set DATABASE_TLS_CA to a file with the certificate of the authority that issued it`
  }
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')
