/** What a 401 may say: which credential headers were sent, never why a key was refused (ruling 5). */
import type { IncomingHttpHeaders } from 'node:http'
import { inWords } from '../errors/in-words.ts'

const THREE = ['X-API-APP-ID', 'X-API-PUBLIC-KEY', 'X-API-SECRET-KEY'] as const

export interface CredentialForms {
  readonly given: boolean
  /** a sentence derived only from the names of the headers, not from their values */
  readonly hint: string
}

/**
 * Reads which credential headers are present. The hint also covers generated clients that send every header they know.
 */
export function credentialForms(headers: IncomingHttpHeaders): CredentialForms {
  const seen = THREE.filter((name) => headers[name.toLowerCase()] !== undefined)
  const bearer = headers.authorization !== undefined
  return { given: bearer || seen.length > 0, hint: hintOf(seen, bearer) }
}

function hintOf(seen: readonly string[], bearer: boolean): string {
  const missing = THREE.filter((name) => !seen.includes(name))
  if (seen.length === 0 && !bearer) {
    return `The request has none. Send ${inWords(THREE)}, or Authorization: Bearer with the key in one string.`
  }
  if (seen.length === 0) {
    return 'The request has an Authorization header. It must be Bearer with the single-string form of one valid key.'
  }
  if (missing.length > 0) {
    const found = bearer ? `Authorization and ${inWords(seen)}` : inWords(seen)
    const way = bearer ? `Send Authorization alone, or add ${inWords(missing)}.` : `Add ${inWords(missing)}.`
    return `The request has ${found}, but not ${inWords(missing, 'or')}. ${way}`
  }
  return bearer
    ? `The request has both Authorization and ${inWords(THREE)}. Send only one of the two forms, or both of the same valid key.`
    : `The request has ${inWords(THREE)}. All three must be of one valid key.`
}
