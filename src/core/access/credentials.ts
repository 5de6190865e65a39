/**
 * Authentication: the three headers, `Authorization: Bearer` (ruling 4), and for tools that offer nothing else
 * `Authorization: Basic` (ruling 47), on every endpoint.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { countHeader } from '../request/repeated-headers.ts'
import { isBasic } from './basic.ts'
import type { KeyState } from './key-states.ts'
import { hashSecret, parseApiKey, parseAppId, parsePublicKey, parseSecretKey } from './keys/token.ts'

export interface Credentials {
  readonly publicKey: string
  /** SHA-256 of the secret that was sent */
  readonly secretHash: Buffer
  /** sent only with the three headers */
  readonly appId: string | undefined
}

export type CredentialsReading = Credentials | { readonly refused: 'missing' | 'malformed' }

const MALFORMED = { refused: 'malformed' } as const

/** A header of credentials. An empty one counts as absent: libraries and gateways send them (ruling 4). */
export function credentialHeader(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = headers[name]
  // Node joins repeated values of these headers, and keeps the first `Authorization`.
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Reads the credentials of a request without using the database. Their checksum catches typing errors here. All that is
 * sent must be of one key; next to `Authorization`, the three headers need not be complete. A browser repeats Basic by
 * itself, so only requests that change nothing may have it: GET and HEAD. A repeated header is malformed: Node joins
 * repeated values of the three with commas, and keeps only the first `Authorization`.
 */
export function readCredentials(request: IncomingMessage): CredentialsReading {
  const { headers } = request
  const appId = credentialHeader(headers, 'x-api-app-id')
  const publicKey = credentialHeader(headers, 'x-api-public-key')
  const secretKey = credentialHeader(headers, 'x-api-secret-key')
  const authorization = credentialHeader(headers, 'authorization')
  if (headers.authorization !== undefined && countHeader(request, 'authorization') > 1) return MALFORMED
  const anyOfThree = appId !== undefined || publicKey !== undefined || secretKey !== undefined
  if (authorization === undefined) {
    return anyOfThree ? (readThree(appId, publicKey, secretKey) ?? MALFORMED) : { refused: 'missing' }
  }
  const single = authorizationOf(request, authorization)
  if (single === undefined) return MALFORMED
  return anyOfThree ? (withThree(single, appId, publicKey, secretKey) ?? MALFORMED) : single
}

/**
 * Whether the credentials belong to an active key. Unknown, revoked and expired keys and wrong secrets take the same
 * path and the same time.
 */
export function isGenuine(credentials: Credentials, state: KeyState | undefined): state is KeyState {
  const expected = state?.secretHash ?? NO_SECRET
  const sameSecret =
    credentials.secretHash.length === expected.length && timingSafeEqual(credentials.secretHash, expected)
  const sameApp = credentials.appId === undefined || credentials.appId === state?.appId
  const inForce = state !== undefined && !state.revoked && !state.expired
  return sameSecret && sameApp && inForce
}

/** Whether the credentials belong to a key that was once active. Used for the record of usage, never for an answer. */
export function isEnded(credentials: Credentials, state: KeyState | undefined): state is KeyState {
  return isGenuine(credentials, state && { ...state, revoked: false, expired: false })
}

/** Compared with the secret of an unknown key, so that a comparison always takes place. No secret has this hash. */
const NO_SECRET = Buffer.alloc(32)

/** The last credentials of each open connection. Most clients send the same ones with every request. */
const sentLast = new WeakMap<Socket, { readonly authorization: string; readonly credentials: Credentials }>()

/** Parsing takes a hash and a checksum: an eighth of the total time of a cached answer. */
function authorizationOf(
  { socket, method }: IncomingMessage,
  authorization: string,
): Credentials | undefined {
  // Spelled out: it is tested with every request.
  if (method !== 'GET' && method !== 'HEAD' && isBasic(authorization)) return undefined
  const last = sentLast.get(socket)
  if (last?.authorization === authorization) return last.credentials
  const credentials = isBasic(authorization) ? readBasic(authorization) : readBearer(authorization)
  if (credentials !== undefined) sentLast.set(socket, { authorization, credentials })
  return credentials
}

type Header = string | undefined

function readThree(appId: Header, publicKey: Header, secretKey: Header): Credentials | undefined {
  if (appId === undefined || publicKey === undefined || secretKey === undefined) return undefined
  const app = parseAppId(appId)
  const id = parsePublicKey(publicKey)
  const secret = parseSecretKey(secretKey)
  if (app === undefined || id === undefined || secret === undefined) return undefined
  return { publicKey: id, secretHash: hashSecret(secret), appId: app }
}

/** Those of `Authorization`, if whatever is sent of the three headers is of the same key. */
function withThree(
  single: Credentials,
  appId: Header,
  publicKey: Header,
  secretKey: Header,
): Credentials | undefined {
  const app = appId === undefined ? undefined : parseAppId(appId)
  const secret = secretKey === undefined ? undefined : parseSecretKey(secretKey)
  const isSame =
    (appId === undefined || app !== undefined) &&
    (publicKey === undefined || parsePublicKey(publicKey) === single.publicKey) &&
    (secretKey === undefined ||
      (secret !== undefined && timingSafeEqual(hashSecret(secret), single.secretHash)))
  return isSame ? { ...single, appId: app } : undefined
}

function readBearer(authorization: string): Credentials | undefined {
  const token = /^Bearer +([\w~+/.=-]+)$/i.exec(authorization)?.[1]
  return token === undefined ? undefined : readKey(token)
}

/** The key in one string as the user name, with an empty password; or its public key, and its secret key as the password. */
function readBasic(authorization: string): Credentials | undefined {
  const text = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  const [user, password, ...more] = Buffer.from(text ?? '', 'base64')
    .toString()
    .split(':')
  if (user === undefined || password === undefined || more.length > 0) return undefined
  if (password === '') return readKey(user)
  const id = parsePublicKey(user)
  const secret = parseSecretKey(password)
  if (id === undefined || secret === undefined) return undefined
  return { publicKey: id, secretHash: hashSecret(secret), appId: undefined }
}

function readKey(token: string): Credentials | undefined {
  const key = parseApiKey(token)
  return key === undefined
    ? undefined
    : { publicKey: key.publicKey, secretHash: hashSecret(key.secret), appId: undefined }
}
