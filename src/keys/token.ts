/**
 * The text forms of a key. One key has a public half and a secret half, sent either in the three headers or,
 * as one string, after `Authorization: Bearer`:
 *
 *     appId      sjn_app_  16 random characters
 *     publicKey  sjn_pk_   22 random characters, checksum
 *     secretKey  sjn_sk_   32 random characters, checksum
 *     apiKey     sjn_key_  the 22 and the 32 of the same key, checksum
 *
 * A link has an identifier, and a token in its address:
 *
 *     id         sjn_link_ 16 random characters
 *     token      sjn_url_  the 16 and a secret of 32, checksum
 *
 * Base62 with underscores, so that a double-click selects all of it. The checksum is a CRC-32 of everything
 * before it, the prefix too: a typing error is refused without the database, and scanners for leaked secrets
 * recognize one without asking anybody.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Gives that many random bytes: `node:crypto`'s randomBytes, or a known sequence in a test. */
export type RandomBytes = (count: number) => Uint8Array

export interface NewToken {
  readonly publicKey: string
  readonly secretKey: string
  readonly apiKey: string
  /** SHA-256 of the secret half, which is all that is stored of it */
  readonly secretHash: Buffer
}

export interface ParsedApiKey {
  readonly publicKey: string
  /** the secret half's 32 random characters */
  readonly secret: string
}

const APP_ID_PREFIX = 'sjn_app_'
const PUBLIC_KEY_PREFIX = 'sjn_pk_'
const SECRET_KEY_PREFIX = 'sjn_sk_'
const API_KEY_PREFIX = 'sjn_key_'

const LINK_ID_PREFIX = 'sjn_link_'
const LINK_TOKEN_PREFIX = 'sjn_url_'

const APP_ID_LENGTH = 16
// 131 bits: two keys never share one, and nobody finds one by trying.
const PUBLIC_LENGTH = 22
// 190 bits. So much randomness needs no slow hash: SHA-256 of it cannot be searched.
const SECRET_LENGTH = 32
// 62^6 is more than the 2^32 values of the checksum.
const CHECKSUM_LENGTH = 6

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const createAppId = (random: RandomBytes): string => createId(APP_ID_PREFIX, random)

/** A name for something, after a prefix that says what it is. */
export const createId = (prefix: string, random: RandomBytes): string =>
  prefix + randomBase62(APP_ID_LENGTH, random)

export function createToken(random: RandomBytes): NewToken {
  const publicPart = randomBase62(PUBLIC_LENGTH, random)
  const secret = randomBase62(SECRET_LENGTH, random)
  return {
    publicKey: withChecksum(PUBLIC_KEY_PREFIX + publicPart),
    secretKey: withChecksum(SECRET_KEY_PREFIX + secret),
    apiKey: withChecksum(API_KEY_PREFIX + publicPart + secret),
    secretHash: hashSecret(secret),
  }
}

export interface NewLinkToken {
  readonly id: string
  /** for the address, and stored nowhere */
  readonly token: string
  readonly secretHash: Buffer
}

export function createLinkToken(random: RandomBytes): NewLinkToken {
  const id = randomBase62(APP_ID_LENGTH, random)
  const secret = randomBase62(SECRET_LENGTH, random)
  return {
    id: LINK_ID_PREFIX + id,
    token: withChecksum(LINK_TOKEN_PREFIX + id + secret),
    secretHash: hashSecret(secret),
  }
}

/** @returns SHA-256 of a secret half's 32 random characters */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** @returns the text where it has the form of an application identifier */
export function parseAppId(text: string): string | undefined {
  return partOf(text, APP_ID_PREFIX, APP_ID_LENGTH) === undefined ? undefined : text
}

/** @returns the text where it is a public key without a typing error */
export function parsePublicKey(text: string): string | undefined {
  return checkedPartOf(text, PUBLIC_KEY_PREFIX, PUBLIC_LENGTH) === undefined ? undefined : text
}

/** @returns the secret half's 32 random characters where the text is a secret key without a typing error */
export function parseSecretKey(text: string): string | undefined {
  return checkedPartOf(text, SECRET_KEY_PREFIX, SECRET_LENGTH)
}

/** @returns both halves of a key in its one-string form, where it is one without a typing error */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const part = checkedPartOf(text, API_KEY_PREFIX, PUBLIC_LENGTH + SECRET_LENGTH)
  if (part === undefined) return undefined
  return {
    publicKey: withChecksum(PUBLIC_KEY_PREFIX + part.slice(0, PUBLIC_LENGTH)),
    secret: part.slice(PUBLIC_LENGTH),
  }
}

/** @returns a link's identifier and the secret of its address, where the text is a token without a typing error */
export function parseLinkToken(text: string): { readonly id: string; readonly secret: string } | undefined {
  const part = checkedPartOf(text, LINK_TOKEN_PREFIX, APP_ID_LENGTH + SECRET_LENGTH)
  if (part === undefined) return undefined
  return { id: LINK_ID_PREFIX + part.slice(0, APP_ID_LENGTH), secret: part.slice(APP_ID_LENGTH) }
}

/** @returns the text where it has the form of a link's identifier */
export function parseLinkId(text: string): string | undefined {
  return partOf(text, LINK_ID_PREFIX, APP_ID_LENGTH) === undefined ? undefined : text
}

// The length comes first, so that the work for any text is at most that of one genuine key.
function partOf(text: string, prefix: string, length: number): string | undefined {
  if (text.length !== prefix.length + length || !text.startsWith(prefix)) return undefined
  const part = text.slice(prefix.length)
  return /^[0-9A-Za-z]+$/.test(part) ? part : undefined
}

function checkedPartOf(text: string, prefix: string, length: number): string | undefined {
  const part = partOf(text, prefix, length + CHECKSUM_LENGTH)
  if (part === undefined) return undefined
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return withChecksum(body) === text ? part.slice(0, length) : undefined
}

function withChecksum(body: string): string {
  let rest = crc32(body)
  let checksum = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    checksum = BASE62.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return body + checksum
}

function randomBase62(length: number, random: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      // Six bits give 64 values; passing over two of them keeps every character as likely as the others.
      const index = byte & 63
      if (index < 62 && text.length < length) text += BASE62.charAt(index)
    }
  }
  return text
}
