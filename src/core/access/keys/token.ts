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
 * A link that hands a key to a device has the same two parts in its token:
 *
 *     id         sjn_dev_  16 random characters
 *     token      sjn_once_ the 16 and a secret of 32, checksum
 *
 * Base62 with underscores, so that a double-click selects all of it. The checksum is a CRC-32 of everything
 * before it, the prefix too: a typing error is refused without the database, and scanners for leaked secrets
 * recognize one without asking anybody.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Returns this number of random bytes: `node:crypto`'s randomBytes, or a known sequence in a test. */
export type RandomBytes = (count: number) => Uint8Array

export interface NewToken {
  readonly publicKey: string
  readonly secretKey: string
  readonly apiKey: string
  /** SHA-256 of the secret; nothing else of it is stored */
  readonly secretHash: Buffer
}

export interface ParsedApiKey {
  readonly publicKey: string
  /** the 32 random characters of the secret */
  readonly secret: string
}

const APP_ID_PREFIX = 'sjn_app_'
const PUBLIC_KEY_PREFIX = 'sjn_pk_'
const SECRET_KEY_PREFIX = 'sjn_sk_'
const API_KEY_PREFIX = 'sjn_key_'

const LINK_ID_PREFIX = 'sjn_link_'
const LINK_TOKEN_PREFIX = 'sjn_url_'

const DEVICE_LINK_ID_PREFIX = 'sjn_dev_'
const DEVICE_LINK_TOKEN_PREFIX = 'sjn_once_'

const APP_ID_LENGTH = 16
// 131 bits: practically no collisions, and guessing one is impossible.
const PUBLIC_LENGTH = 22
// 190 bits. This much randomness needs no slow hash: SHA-256 of it cannot be searched.
const SECRET_LENGTH = 32
// 62^6 exceeds the 2^32 values of the checksum.
const CHECKSUM_LENGTH = 6

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new application identifier. */
export const createAppId = (random: RandomBytes): string => createId(APP_ID_PREFIX, random)

/** A new identifier with a prefix that says what it identifies. */
export const createId = (prefix: string, random: RandomBytes): string =>
  prefix + randomBase62(APP_ID_LENGTH, random)

/** A new public key and secret. */
export const createToken = (random: RandomBytes): NewToken =>
  tokenOf(randomBase62(PUBLIC_LENGTH, random), random)

/** A new secret for a public key that exists. */
export const createSecret = (publicKey: string, random: RandomBytes): NewToken =>
  tokenOf(publicKey.slice(PUBLIC_KEY_PREFIX.length, -CHECKSUM_LENGTH), random)

function tokenOf(publicPart: string, random: RandomBytes): NewToken {
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
  /** for the URL; stored nowhere */
  readonly token: string
  readonly secretHash: Buffer
}

/** A new identifier and token of a link. */
export const createLinkToken = (random: RandomBytes): NewLinkToken =>
  linkTokenOf(LINK_ID_PREFIX, LINK_TOKEN_PREFIX, random)

/** A new identifier and token of a link that hands a key to a device. */
export const createDeviceLinkToken = (random: RandomBytes): NewLinkToken =>
  linkTokenOf(DEVICE_LINK_ID_PREFIX, DEVICE_LINK_TOKEN_PREFIX, random)

function linkTokenOf(idPrefix: string, tokenPrefix: string, random: RandomBytes): NewLinkToken {
  const id = randomBase62(APP_ID_LENGTH, random)
  const secret = randomBase62(SECRET_LENGTH, random)
  return {
    id: idPrefix + id,
    token: withChecksum(tokenPrefix + id + secret),
    secretHash: hashSecret(secret),
  }
}

/** @returns SHA-256 of a secret's 32 random characters */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** @returns the text if it has the form of an application identifier */
export function parseAppId(text: string): string | undefined {
  return partOf(text, APP_ID_PREFIX, APP_ID_LENGTH) === undefined ? undefined : text
}

/** @returns the text if it is a public key with a valid checksum */
export function parsePublicKey(text: string): string | undefined {
  return checkedPartOf(text, PUBLIC_KEY_PREFIX, PUBLIC_LENGTH) === undefined ? undefined : text
}

/** @returns the 32 random characters of the secret if the text is a secret key with a valid checksum */
export function parseSecretKey(text: string): string | undefined {
  return checkedPartOf(text, SECRET_KEY_PREFIX, SECRET_LENGTH)
}

/** @returns the public key and the secret, if the text is an API key with a valid checksum */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const part = checkedPartOf(text, API_KEY_PREFIX, PUBLIC_LENGTH + SECRET_LENGTH)
  if (part === undefined) return undefined
  return {
    publicKey: withChecksum(PUBLIC_KEY_PREFIX + part.slice(0, PUBLIC_LENGTH)),
    secret: part.slice(PUBLIC_LENGTH),
  }
}

export interface ParsedLinkToken {
  readonly id: string
  readonly secret: string
}

/** @returns the identifier and the secret of a link, if the text is a token with a valid checksum */
export const parseLinkToken = (text: string): ParsedLinkToken | undefined =>
  parsedLinkOf(text, LINK_ID_PREFIX, LINK_TOKEN_PREFIX)

/** @returns the same of a link that hands a key to a device */
export const parseDeviceLinkToken = (text: string): ParsedLinkToken | undefined =>
  parsedLinkOf(text, DEVICE_LINK_ID_PREFIX, DEVICE_LINK_TOKEN_PREFIX)

function parsedLinkOf(text: string, idPrefix: string, tokenPrefix: string): ParsedLinkToken | undefined {
  const part = checkedPartOf(text, tokenPrefix, APP_ID_LENGTH + SECRET_LENGTH)
  if (part === undefined) return undefined
  return { id: idPrefix + part.slice(0, APP_ID_LENGTH), secret: part.slice(APP_ID_LENGTH) }
}

/** @returns the text if it has the form of a link's identifier */
export function parseLinkId(text: string): string | undefined {
  return partOf(text, LINK_ID_PREFIX, APP_ID_LENGTH) === undefined ? undefined : text
}

/** @returns the text if it has the form of the identifier of a link that hands a key to a device */
export function parseDeviceLinkId(text: string): string | undefined {
  return partOf(text, DEVICE_LINK_ID_PREFIX, APP_ID_LENGTH) === undefined ? undefined : text
}

/**
 * The random characters that identify a key or a link, which all of its forms have in the clear. @param id a public key, or
 * the identifier of a link
 */
export const publicHalf = (id: string): string =>
  id.startsWith(PUBLIC_KEY_PREFIX)
    ? id.slice(PUBLIC_KEY_PREFIX.length, -CHECKSUM_LENGTH)
    : id.slice(id.lastIndexOf('_') + 1)

// The length is checked first, so that no text takes more work than a valid key.
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
      // Six bits give 64 values. Skipping two of them keeps all characters equally likely.
      const index = byte & 63
      if (index < 62 && text.length < length) text += BASE62.charAt(index)
    }
  }
  return text
}
