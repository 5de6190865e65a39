/**
 * Signing secrets. A webhook signs each message with a secret that its receiver has too, so the service must be able to
 * make it again. It is derived from the service's own key (`WEBHOOKS_KEY`) and a salt in the database: whoever reads
 * the database alone cannot sign.
 */
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32
const CHECK_BYTES = 8

/** @param key the value of `WEBHOOKS_KEY`, base64 */
export const deriveSecret = (key: string, salt: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), salt, 'sojourn webhook', SECRET_BYTES))

/** As the receiver is given it, in the form of the Standard Webhooks specification. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/** What is stored to find out later whether a secret is still the same; it does not lead back to the secret. */
export const secretCheck = (secret: Buffer): Buffer =>
  hash('sha256', secret, 'buffer').subarray(0, CHECK_BYTES)

export const isSameSecret = (secret: Buffer, check: Uint8Array): boolean =>
  check.length === CHECK_BYTES && timingSafeEqual(secretCheck(secret), check)

/** What of a webhook leads to its secrets. */
export interface StoredSecrets {
  readonly salt: Uint8Array
  readonly secret_check: Uint8Array
  readonly earlier_salt: Uint8Array | null
  readonly earlier_check: Uint8Array | null
  /** epoch ms */
  readonly earlier_until: number | null
}

/**
 * The secrets that a message is signed with: the newest, and after a rotation for a while the one before it too.
 * @param now epoch ms by the database's clock
 * @returns undefined where the service has another key than the one they were made with
 */
export function secretsOf(key: string, stored: StoredSecrets, now: number): readonly Buffer[] | undefined {
  const newest = deriveSecret(key, stored.salt)
  if (!isSameSecret(newest, stored.secret_check)) return undefined
  const { earlier_salt, earlier_check, earlier_until } = stored
  if (earlier_salt === null || earlier_check === null || (earlier_until ?? 0) <= now) return [newest]
  const earlier = deriveSecret(key, earlier_salt)
  // A rotation is also how to go on with another key, which cannot make the earlier secret.
  return isSameSecret(earlier, earlier_check) ? [newest, earlier] : [newest]
}

/** The headers of a message (Standard Webhooks 1.0), with a signature of each secret. @param at epoch ms of the attempt */
export function signedHeaders(
  secrets: readonly Buffer[],
  id: string,
  at: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
