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

/** The headers of a message (Standard Webhooks 1.0). @param at epoch ms of the attempt */
export function signedHeaders(secret: Buffer, id: string, at: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
