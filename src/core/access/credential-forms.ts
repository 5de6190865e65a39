/** What a 401 may say: which credential headers were sent, never why a key was refused (ruling 5). */
import type { IncomingMessage } from 'node:http'
import { inWords } from '../errors/in-words.ts'
import { asksForBasic, isBasic, isForBasic } from './basic.ts'
import { credentialHeader } from './credentials.ts'

const THREE = ['X-API-APP-ID', 'X-API-PUBLIC-KEY', 'X-API-SECRET-KEY'] as const

export interface CredentialForms {
  readonly given: boolean
  /** a sentence derived only from the names of the headers and of the scheme, not from their other values */
  readonly hint: string
  /** whether the answer also asks for Basic */
  readonly asksForBasic: boolean
}

/**
 * Reads which credential headers are present. The hint also covers generated clients that send every header they know.
 */
export function credentialForms({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): CredentialForms {
  const seen = THREE.filter((name) => credentialHeader(headers, name.toLowerCase()) !== undefined)
  const authorization = credentialHeader(headers, 'authorization')
  return {
    given: authorization !== undefined || seen.length > 0,
    hint: hintOf(seen, authorization, method),
    asksForBasic: asksForBasic(method, headers),
  }
}

/** Neither of the two schemes, nor a key that was sent without one. */
const isOtherScheme = (authorization: string) => !/^(?:$|bearer\b|basic\b|sjn_)/i.test(authorization)

function hintOf(
  seen: readonly string[],
  authorization: string | undefined,
  method: string | undefined,
): string {
  const bearer = authorization !== undefined
  const missing = THREE.filter((name) => !seen.includes(name))
  if (bearer && isBasic(authorization) && !isForBasic(method)) {
    return 'The request has Authorization: Basic, which is accepted for GET and HEAD only. Send Bearer with the single-string form of one valid key.'
  }
  if (seen.length === 0 && !bearer) {
    return `The request has none. Send ${inWords(THREE)}, or Authorization: Bearer with the key in one string.`
  }
  if (seen.length === 0) {
    const way =
      'It must be Bearer with the single-string form of one valid key, or Basic with that as the user name and an empty password.'
    if (!isOtherScheme(authorization ?? '')) return `The request has an Authorization header. ${way}`
    return `The request has an Authorization header of another scheme. ${way} A program that can send neither can read a link, which needs no credentials: ask the operator of the service for one.`
  }
  if (bearer) {
    return `The request has both Authorization and ${inWords(seen)}. Send only one of the two forms, or both of the same valid key.`
  }
  return missing.length > 0
    ? `The request has ${inWords(seen)}, but not ${inWords(missing, 'or')}. Add ${inWords(missing)}.`
    : `The request has ${inWords(THREE)}. All three must be of one valid key.`
}
