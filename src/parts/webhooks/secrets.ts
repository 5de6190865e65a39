/**
 * Signing secrets. The receiver of a webhook has the secret that signs its messages, so the service must be able to
 * produce it again. It is derived from the service's own key (`WEBHOOKS_KEY`) and a salt in the database: reading the
 * database alone is not enough to sign.
 */
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32
const CHECK_BYTES = 8

/** @param key the value of `WEBHOOKS_KEY`, base64 */
export const deriveSecret = (key: string, salt: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), salt, 'sojourn webhook', SECRET_BYTES))

/** The secret as given to the receiver, in the form of the Standard Webhooks specification. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/** A check value that is stored to recognize the secret later. The secret cannot be derived from it. */
export const secretCheck = (secret: Buffer): Buffer =>
  hash('sha256', secret, 'buffer').subarray(0, CHECK_BYTES)

/** Whether a secret has this check value. */
export const isSameSecret = (secret: Buffer, check: Uint8Array): boolean =>
  check.length === CHECK_BYTES && timingSafeEqual(secretCheck(secret), check)

/** The stored data from which a webhook's secrets are derived. */
export interface StoredSecrets {
  readonly salt: Uint8Array
  readonly secret_check: Uint8Array
  readonly earlier_salt: Uint8Array | null
  readonly earlier_check: Uint8Array | null
  /** epoch ms */
  readonly earlier_until: number | null
}

/**
 * The secrets that sign a message: the newest, and for a while after a rotation also the previous one.
 * @param now epoch ms by the database's clock
 * @returns undefined if the secrets were derived from another `WEBHOOKS_KEY`
 */
export function secretsOf(key: string, stored: StoredSecrets, now: number): readonly Buffer[] | undefined {
  const newest = deriveSecret(key, stored.salt)
  if (!isSameSecret(newest, stored.secret_check)) return undefined
  const { earlier_salt, earlier_check, earlier_until } = stored
  if (earlier_salt === null || earlier_check === null || (earlier_until ?? 0) <= now) return [newest]
  const earlier = deriveSecret(key, earlier_salt)
  // After a change of `WEBHOOKS_KEY`, a rotation gives a new secret, but the previous one cannot be derived any more.
  return isSameSecret(earlier, earlier_check) ? [newest, earlier] : [newest]
}

/**
 * The headers of a message (Standard Webhooks 1.0), with one signature for each secret.
 * @param at epoch ms of the attempt
 */
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
