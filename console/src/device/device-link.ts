/** Asks the service about a one-time link, and uses it. Neither is a request with a key, so the client has no part in it. */
import { serviceUrl } from '../base/signed-in.ts'
import type { Seen } from '../key/visible-data.ts'

/** What the device will see. */
export interface Described extends Seen {
  readonly name: string
  readonly center: { readonly name: string; readonly language: string | null; readonly timezone: string }
  readonly customFields: readonly string[]
  readonly expiresAt: string
  readonly keyExpiresAt: string | null
}

/** `unknown`: there is no such link. `over`: used or too old. `refused`: anything else that the service says. */
export interface LinkProblem {
  readonly kind: 'unknown' | 'over' | 'refused' | 'offline'
  /** the service's sentence, in English */
  readonly message: string
}

export const isProblem = <Value extends object>(answer: Value | LinkProblem): answer is LinkProblem =>
  'kind' in answer && 'message' in answer

export const readLink = (token: string): Promise<Described | LinkProblem> => ask('device-link', token)

/** @param repetition tells the service that it is the same request, if the answer was lost */
export const applyLink = (token: string, repetition: string): Promise<{ apiKey: string } | LinkProblem> =>
  ask('actions/sign-in-device', token, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', 'idempotency-key': repetition },
  })

async function ask<Answer>(
  path: string,
  token: string,
  init: RequestInit = {},
): Promise<Answer | LinkProblem> {
  try {
    const response = await fetch(new URL(`v1/${path}`, serviceUrl()), {
      ...init,
      cache: 'no-store',
      redirect: 'manual',
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    })
    const body = await response.json()
    if (response.ok) return body
    const message = String(body.error?.message ?? '')
    const kind = response.status === 404 ? 'unknown' : response.status === 410 ? 'over' : 'refused'
    return { kind, message }
  } catch {
    return { kind: 'offline', message: '' }
  }
}
