/**
 * What every request passes, in this order (ruling 7): credentials (401) → limits (429) → scopes (403) →
 * language. Parameters (400) and the record (404) are the operation's.
 */
import type { FastifyRequest } from 'fastify'
import type { Center } from '../centers/center.ts'
import type { Database } from '../database/database.ts'
import { errors } from '../errors/api-error.ts'
import type { Language } from '../locale/languages.ts'
import { createCenterProfiles } from './center-profiles.ts'
import { isGenuine, readCredentials } from './credentials.ts'
import { createKeyStates, type KeyState } from './key-states.ts'
import { answerLanguage } from './language.ts'
import type { Need, Operation } from './operation.ts'
import type { RawQuery } from './parameters.ts'

export interface Admission {
  readonly key: KeyState
  readonly center: Center
  readonly language: Language
}

export interface Gate {
  /** Who asks, or a 401 or 403. Also for requests that end in 404 or 405 on an interface path. */
  authenticate(request: FastifyRequest): Promise<KeyState>
  /** Everything before the parameters. @throws {ApiError} 401, 403, 429, 503 */
  admit(request: FastifyRequest, operation: Operation, query: RawQuery): Promise<Admission>
}

export function createGate(options: { database: Database; clock: () => number }): Gate {
  const keyStates = createKeyStates(options.database)
  const profiles = createCenterProfiles(options.database)

  const authenticate = async (request: FastifyRequest): Promise<KeyState> => {
    const credentials = readCredentials(request.headers)
    if ('refused' in credentials)
      throw errors.unauthorized({ credentialsGiven: credentials.refused === 'malformed' })
    const state = await keyStates.read(credentials.publicKey)
    if (!isGenuine(credentials, state, options.clock())) throw errors.unauthorized({ credentialsGiven: true })
    return state
  }

  return {
    authenticate,

    async admit(request, operation, query) {
      const key = await authenticate(request)
      if (!key.apiAccess) throw errors.apiAccessOff()
      checkScopes(key, operation, query)
      const center = await profiles.get(key)
      // Its center was deleted in the instant since the key was read, and the key with it.
      if (center === undefined) throw errors.unauthorized({ credentialsGiven: true })
      return { key, center, language: answerLanguage(request.headers['x-locale'], center.language) }
    },
  }
}

/** A field outside the key's scopes is refused, never silently left out (ruling 6). */
function checkScopes(key: KeyState, operation: Operation, query: RawQuery): void {
  const needs: readonly Need[] = [
    { scope: operation.scope, what: `GET ${operation.paths[0]}` },
    ...(operation.needs?.(query) ?? []),
  ]
  const missing = needs.filter((need) => !key.scopes.has(need.scope))
  if (missing.length > 0) throw errors.missingScopes(missing)
}
