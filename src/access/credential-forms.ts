/** What a 401 may say: which forms of credentials were seen, and never why a key was refused (ruling 5). */
import type { IncomingHttpHeaders } from 'node:http'

const THREE = ['X-API-APP-ID', 'X-API-PUBLIC-KEY', 'X-API-SECRET-KEY'] as const

export interface CredentialForms {
  readonly given: boolean
  /** a sentence that follows from the names of the headers alone, whatever is in them */
  readonly hint: string
}

/** Reads which headers are there. A generated client that sends all it knows of is told so. */
export function credentialForms(headers: IncomingHttpHeaders): CredentialForms {
  const seen = THREE.filter((name) => headers[name.toLowerCase()] !== undefined)
  const bearer = headers.authorization !== undefined
  return { given: bearer || seen.length > 0, hint: hintOf(seen, bearer) }
}

function hintOf(seen: readonly string[], bearer: boolean): string {
  const missing = THREE.filter((name) => !seen.includes(name))
  if (seen.length === 0 && !bearer) {
    return `The request has none. Send ${listed(THREE)}, or Authorization: Bearer with the key in one string.`
  }
  if (seen.length === 0) {
    return 'The request has an Authorization header. It must be Bearer with the single-string form of one valid key.'
  }
  if (missing.length > 0) {
    const found = bearer ? `Authorization and ${listed(seen)}` : listed(seen)
    const way = bearer ? `Send Authorization alone, or add ${listed(missing)}.` : `Add ${listed(missing)}.`
    return `The request has ${found}, but not ${listed(missing, 'or')}. ${way}`
  }
  return bearer
    ? `The request has both Authorization and ${listed(THREE)}. Send only one of the two forms, or both of the same valid key.`
    : `The request has ${listed(THREE)}. All three must be of one valid key.`
}

/** `A`, `A and B`, `A, B and C`. */
const listed = (names: readonly string[], last = 'and') =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
