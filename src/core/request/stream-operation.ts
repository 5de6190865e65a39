/** Streaming operations, whose answer is a sequence of events. */
import type { Sql } from 'sql-template-tag'
import type { Facts, Operation, Refusal, RequestContext, RequiredScope, Rows } from './operation.ts'

/** As Operation, except that `response` is the JSON Schema of one event's data. */
export interface StreamOperation<Fact extends keyof Facts = keyof Facts>
  extends Omit<Operation<Fact>, 'parse'> {
  /**
   * Parses the request once. Pure, and never throws.
   * @param lastEventId the header's value: the newest event that the client has; undefined if it has none
   */
  parse(context: RequestContext<Fact>, lastEventId: string | undefined): EventsPlan | Refusal
}

export interface EventsPlan {
  readonly requiredScopes: readonly RequiredScope[]
  /** the cursor after which the stream begins; undefined: now */
  readonly after: string | undefined
  /** which of the application's streams a new one replaces; undefined: the one without a device */
  readonly device: string | undefined
  /** the changes after a cursor; without one, no changes and the current cursor */
  reading(after: string | undefined): EventsReading
}

export interface EventsReading {
  readonly statement: Sql
  /** estimated cost in pages of a session (request/bounds.ts) */
  readonly cost: number
  /** Pure. @throws {ApiError} 400, 410 */
  present(rows: Rows): Events
}

export interface Events {
  readonly events: readonly {
    /** the cursor after this event */
    readonly cursor: string
    /** JSON */
    readonly data: string
  }[]
  /** the cursor after everything that was read */
  readonly cursor: string
  /** whether there is more to read already */
  readonly more: boolean
  /** revision of the center when it was read */
  readonly revision: number
  /** for the audit trail: identifiers of the records in the events */
  readonly ids: readonly string[]
}

/** Defines a streaming operation, whose `parse` can only access the facts in `dependsOn`. */
export const defineStream = <const Fact extends keyof Facts = never>(
  operation: StreamOperation<Fact>,
): StreamOperation<Fact> => operation
