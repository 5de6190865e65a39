/** Actions: what a person confirms. */
import type { CallOptions, Connection } from './connection.ts'
import type { Actions } from './openapi.ts'

export type ActionName = keyof Actions

export interface ActOptions extends CallOptions {
  /** The same one again performs the action no second time; a new one by default. */
  readonly idempotencyKey?: string
}

/** The answer, also if an earlier request with the same key performed it. */
export async function act<Name extends ActionName>(
  connection: Connection,
  name: Name,
  body: Actions[Name]['body'],
  { idempotencyKey = newKey(), signal }: ActOptions = {},
): Promise<Actions[Name]['answer']> {
  return connection.post<Actions[Name]['answer']>(`/actions/${name}`, body, idempotencyKey, { signal })
}

/** `crypto.randomUUID` exists only in pages that came over TLS. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
