/**
 * How a request comes: from a program, through a link, or from an assistant, which passes what it reads to the operator
 * of its model. `sojourn mcp` and `/mcp` declare this in a header, and a program may declare it as well. A channel
 * restricts a key and never extends it.
 */
import type { Scope } from './scopes.ts'

export const CHANNEL_HEADER = 'Sojourn-Channel'

export const ASSISTANT = 'assistant'

/** A request without a key, by the URL of a saved query. */
export const LINK = 'link'

/** null: a program's own request */
export type Channel = typeof ASSISTANT | typeof LINK | null

/**
 * Scopes that assistants may use only with a key that allows it (`keys create --allow-assistants`), and links only if
 * created so (`links create --allow-sensitive`). No key of the administration allows either.
 */
export const SENSITIVE_SCOPES: ReadonlySet<Scope> = new Set([
  'guests.personal',
  'guests.medical',
  'administration',
])

interface Used {
  readonly scopes: ReadonlySet<Scope>
  readonly customFields: readonly string[]
  readonly allowAssistants: boolean
  readonly channel: Channel
}

/** Restricts the key to what this channel may use. */
export function usedThrough<Key extends Used>(key: Key, channel: Channel): Key {
  if (channel === null) return key
  if (key.allowAssistants) return { ...key, channel }
  return { ...key, channel, scopes: key.scopes.difference(SENSITIVE_SCOPES), customFields: [] }
}

/** Whether the channel alone may be the reason why this scope is missing. */
export const isHeld = (
  { channel, allowAssistants }: Pick<Used, 'channel' | 'allowAssistants'>,
  scope: Scope,
): boolean => channel === ASSISTANT && !allowAssistants && SENSITIVE_SCOPES.has(scope)
