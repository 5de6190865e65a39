/** The one error of this client. */
import type { Error as ErrorBody } from './openapi.ts'

/** The service's codes, and what can go wrong before there is an answer of the service. */
export type ErrorCode =
  | ErrorBody['error']['code']
  /** The connection failed or broke; `cause` says how. */
  | 'CONNECTION'
  /** No complete answer within `timeoutMs`. */
  | 'TIMEOUT'
  /** Not an answer of Sojourn: a proxy's page, a redirect, cut JSON. */
  | 'BAD_ANSWER'
  /** The data retained moving while a list was read page by page. */
  | 'MOVED'
  /** A webhook message whose signature or time is not right. */
  | 'BAD_SIGNATURE'
  /** This runtime lacks something, such as `Temporal`. */
  | 'UNSUPPORTED'

export interface ErrorFacts {
  readonly status?: number | undefined
  readonly details?: readonly { readonly parameter: string; readonly message: string }[] | undefined
  readonly requestId?: string | undefined
  readonly docs?: string | undefined
  readonly cursor?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** Decide by `code`; `message` is for people, and names nobody. */
export class SojournError extends Error {
  readonly code: ErrorCode
  /** The status of the answer, if there was one. */
  readonly status: number | undefined
  /** Every problem of the request, by parameter. */
  readonly details: readonly { readonly parameter: string; readonly message: string }[]
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined
  /** The section of the documentation about this code. */
  readonly docs: string | undefined
  /** Of a 409: where the list can be begun again. */
  readonly cursor: string | undefined
  /** Of a 429 or 503: how long the service asks to wait. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'SojournError'
    this.code = code
    this.status = facts.status
    this.details = facts.details ?? []
    this.requestId = facts.requestId
    this.docs = facts.docs
    this.cursor = facts.cursor
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}
