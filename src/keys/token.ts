/**
 * The form of a key's parts. A prefix with an underscore (a double-click selects all of it), Base62, and a
 * CRC-32 at the end: a typing error is refused without the database, and secret scanners know the form.
 *
 * `sjn_app_…` names the application, `sjn_pk_…` is the public half, `sjn_sk_…` the secret one; `sjn_key_…`
 * holds both halves in one string, for `Authorization: Bearer`.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const APP_ID = /^sjn_app_[0-9A-Za-z]{16}$/
const PUBLIC_KEY = /^sjn_pk_[0-9A-Za-z]{28}$/
const SECRET_KEY = /^sjn_sk_[0-9A-Za-z]{38}$/
const API_KEY = /^sjn_key_[0-9A-Za-z]{60}$/

const PUBLIC_LENGTH = 22
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** All parts of a new key; the secret ones are shown once and never stored. */
export interface KeyTokens {
  readonly appId: string
  readonly publicKey: string
  readonly secretKey: string
  readonly apiKey: string
  /** SHA-256 of the secret: what is stored */
  readonly secretHash: Buffer
}

/**
 * @param random gives so many random bytes; the secret has 190 bits of them, so it needs no slow hash.
 * @param appId the application of a key that is rotated; without it a new one.
 */
export function createTokens(random: (bytes: number) => Uint8Array, appId?: string): KeyTokens {
  const publicPart = randomDigits(random, PUBLIC_LENGTH)
  const secret = randomDigits(random, SECRET_LENGTH)
  return {
    appId: appId ?? `sjn_app_${randomDigits(random, 16)}`,
    publicKey: publicKeyOf(publicPart),
    secretKey: withChecksum('sjn_sk_', secret),
    apiKey: withChecksum('sjn_key_', publicPart + secret),
    secretHash: hashSecret(secret),
  }
}

/** SHA-256 of a secret. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** The application identifier, or undefined where it has not the form of one. */
export const parseAppId = (text: string) => (APP_ID.test(text) ? text : undefined)

/** The public key, or undefined where form or checksum is wrong. */
export const parsePublicKey = (text: string) =>
  PUBLIC_KEY.test(text) && hasChecksum(text) ? text : undefined

/** The secret in a secret key, or undefined where form or checksum is wrong. */
export const parseSecretKey = (text: string) =>
  SECRET_KEY.test(text) && hasChecksum(text) ? bodyOf(text, 'sjn_sk_') : undefined

/** Both halves of a single-string key, or undefined where form or checksum is wrong. */
export function parseApiKey(text: string): { publicKey: string; secret: string } | undefined {
  if (!API_KEY.test(text) || !hasChecksum(text)) return undefined
  const body = bodyOf(text, 'sjn_key_')
  return { publicKey: publicKeyOf(body.slice(0, PUBLIC_LENGTH)), secret: body.slice(PUBLIC_LENGTH) }
}

const publicKeyOf = (part: string) => withChecksum('sjn_pk_', part)

const bodyOf = (text: string, prefix: string) => text.slice(prefix.length, -CHECKSUM_LENGTH)

const withChecksum = (prefix: string, body: string) => prefix + body + checksum(prefix + body)

const hasChecksum = (text: string) =>
  text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))

/** CRC-32 in six Base62 digits. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let count = 0; count < CHECKSUM_LENGTH; count += 1) {
    digits = DIGITS[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Bytes of 248 and over are thrown away, so that every digit is as likely as any other. */
function randomDigits(random: (bytes: number) => Uint8Array, length: number): string {
  let digits = ''
  while (digits.length < length) {
    for (const byte of random(length * 2)) {
      if (byte < 248 && digits.length < length) digits += DIGITS[byte % 62]
    }
  }
  return digits
}
