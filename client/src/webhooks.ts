/** Messages that the service sends to a receiver: their signatures (Standard Webhooks 1.0) and what they say. */
import { SojournError } from './error.ts'
import type { Change } from './openapi.ts'

export type WebhookMessage =
  | {
      readonly type: 'changes'
      readonly timestamp: string
      /** The cursor after these changes: `changes.list({ after: cursor })` goes on there. */
      readonly data: { readonly changes: readonly WebhookChange[]; readonly cursor: string }
    }
  /** Read everything once: what came meanwhile is not known any more. */
  | { readonly type: 'readAgain'; readonly timestamp: string; readonly data: { readonly cursor: string } }
  /** A source of data has a problem (`source.late`: something keeps data from arriving), or it is over. */
  | {
      readonly type: 'source.late' | 'source.warning'
      readonly timestamp: string
      readonly data: SourceProblem
    }
  | { readonly type: 'source.recovered'; readonly timestamp: string; readonly data: SourceRecovery }
  | { readonly type: 'test'; readonly timestamp: string; readonly data: unknown }

export type WebhookChange = Pick<Change, 'kind' | 'id' | 'operation' | 'groups' | 'at'>

/** Times are ISO 8601. `GET /sources` has the same causes. */
export interface SourceProblem {
  readonly source: string
  /** the kinds that are expected from it */
  readonly kinds: readonly string[]
  readonly causes: readonly string[]
  readonly since: string
  readonly late: boolean
  /** when the data is late, or became late; null if nothing is expected */
  readonly dueAt: string | null
  /** for each kind, when it was last received; null if never */
  readonly receivedAt: Readonly<Record<string, string | null>>
}

export interface SourceRecovery {
  readonly source: string
  /** everything that was wrong meanwhile */
  readonly causes: readonly string[]
  readonly since: string
  readonly until: string
}

export interface WebhookRequest {
  /** As it arrived, not parsed and written again. */
  readonly body: string | Uint8Array
  /** A `Headers`, or Node's object of headers. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface VerifyOptions {
  /** How far the message's time may be from ours, either way; 300 unless given. */
  readonly toleranceSeconds?: number
  /** Epoch milliseconds. */
  readonly now?: number
}

/**
 * The message, if one of its signatures is of one of the secrets and it is not too old.
 * @param secret `whsec_…`; two of them while a secret is being replaced
 * @throws {SojournError} BAD_SIGNATURE
 */
export async function verifyWebhook(
  { body, headers }: WebhookRequest,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const header = headerReader(headers)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header)
  if (!id || !timestamp || !signatures) {
    throw refused('The headers webhook-id, webhook-timestamp and webhook-signature are not all there.')
  }
  if (!/^\d{1,12}$/.test(timestamp)) throw refused('webhook-timestamp is not a number of seconds.')
  const apart = now / 1000 - Number(timestamp)
  if (Math.abs(apart) > toleranceSeconds) {
    throw refused(
      `The message is ${apart > 0 ? 'older' : 'newer'} than ${toleranceSeconds} s. Is the clock right?`,
    )
  }
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + content.length)
  signed.set(head)
  signed.set(content, head.length)

  for (const text of [secret].flat()) {
    const key = await importSecret(text)
    for (const signature of signatures.split(' ')) {
      const [version, value = ''] = signature.split(',')
      const bytes = version === 'v1' ? bytesOf(value) : undefined
      // WebCrypto compares in constant time.
      if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
        const message: WebhookMessage = JSON.parse(new TextDecoder().decode(content))
        return message
      }
    }
  }
  throw refused('No signature of the message is right for this secret.')
}

const refused = (message: string) => new SojournError('BAD_SIGNATURE', message)

function headerReader(headers: WebhookRequest['headers']): (name: string) => string | undefined {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => [lower.get(name)].flat()[0]
}

function importSecret(text: string): Promise<CryptoKey> {
  const bytes = bytesOf(text.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0) {
    throw refused('The secret is not in the form whsec_…, which "sojourn webhooks add" prints.')
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** @returns undefined where the text is not base64 */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
