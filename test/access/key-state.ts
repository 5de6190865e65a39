import type { KeyState } from '../../src/core/access/key-states.ts'
import { DEFAULT_QUOTAS } from '../../src/core/access/keys/quotas.ts'
import { generationNamed } from '../../src/core/database/generation.ts'
import { centerId } from '../../src/core/records/centers/center.ts'

/** The server of all states by default. */
export const GENERATION = generationNamed('test')

/** A key's state, for tests without a database. */
export function keyState(
  fields: Partial<Omit<KeyState, 'center'>> & { readonly center?: string } = {},
): KeyState {
  return {
    publicKey: 'key',
    appId: 'app',
    name: 'Lab',
    secretHash: Buffer.alloc(32, 1),
    scopes: new Set(),
    quotas: DEFAULT_QUOTAS,
    allowedAddresses: [],
    customFields: [],
    allowAssistants: false,
    intake: false,
    seesStored: false,
    channel: null,
    pseudonymSecret: Buffer.alloc(32, 2),
    expiresAt: null,
    expired: false,
    moving: false,
    revoked: false,
    apiAccess: true,
    generation: GENERATION,
    revision: 1,
    profileRevision: 1,
    sourcesRevision: 0,
    ...fields,
    center: centerId(fields.center ?? 'spa'),
  }
}
