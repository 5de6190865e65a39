/**
 * How a request comes: from a program, through a link, or on behalf of an assistant, which passes on what it reads to
 * whoever runs its model. `sojourn mcp` and `/mcp` say so in a header; a program may say it of itself. A channel
 * restricts a key and opens nothing.
 */
import type { Scope } from './scopes.ts'

export const CHANNEL_HEADER = 'Sojourn-Channel'

export const ASSISTANT = 'assistant'

/** A request without a key, by the address of a saved question. */
export const LINK = 'link'

/** null: a program's own request */
export type Channel = typeof ASSISTANT | typeof LINK | null

/**
 * What an assistant may read only with a key that says so (`keys create --allow-assistants`), and a link only if it was
 * created so (`links create --allow-sensitive`).
 */
export const SENSITIVE_SCOPES: ReadonlySet<Scope> = new Set(['guests.personal', 'guests.medical'])

interface Used {
  readonly scopes: ReadonlySet<Scope>
  readonly customFields: readonly string[]
  readonly allowAssistants: boolean
  readonly channel: Channel
}

/** The key as this channel may use it. */
export function usedThrough<Key extends Used>(key: Key, channel: Channel): Key {
  if (channel === null) return key
  if (key.allowAssistants) return { ...key, channel }
  return { ...key, channel, scopes: key.scopes.difference(SENSITIVE_SCOPES), customFields: [] }
}

/** Whether this scope is missing, or may be, because of the channel alone. */
export const isHeld = (
  { channel, allowAssistants }: Pick<Used, 'channel' | 'allowAssistants'>,
  scope: Scope,
): boolean => channel === ASSISTANT && !allowAssistants && SENSITIVE_SCOPES.has(scope)
