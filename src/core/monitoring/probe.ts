/**
 * A probe: a request whose sender wants to know what the service sees of it behind proxies (`sojourn doctor`). It is signed
 * with METRICS_TOKEN and does not contain it, so a wrong address learns nothing. The answer is about the request alone: the
 * address may be that of a proxy, which strangers need not know.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const PROBE_HEADER = 'x-sojourn-probe'

/** What the service sees of a request. */
export interface Seen {
  /** of the client: what limits, allow lists and the trail use */
  readonly address: string
  readonly scheme: string
  readonly host: string
}

const NONCE_BYTES = 16

const signed = (nonce: string, token: string) =>
  createHmac('sha256', token).update(`sojourn probe ${nonce}`).digest('base64url')

/** The value of the header. */
export function newProbe(token: string): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  return `${nonce}.${signed(nonce, token)}`
}

/** Whether a value of the header is signed with this token. Compares in constant time. */
export function isProbe(given: string | string[] | undefined, token: string): boolean {
  const [, nonce, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(typeof given === 'string' ? given : '') ?? []
  if (nonce === undefined || signature === undefined) return false
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signed(nonce, token)))
}
