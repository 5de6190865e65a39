/** An operation that goes on: its answer is events, sent as they come. */
import type { Sql } from 'sql-template-tag'
import type { Facts, Need, Operation, Refusal, RequestContext, Rows } from './operation.ts'

/** @see Operation; `response` is the JSON Schema of one event's data. */
export interface StreamOperation<Fact extends keyof Facts = keyof Facts>
  extends Omit<Operation<Fact>, 'parse'> {
  /**
   * Reads the request, once. Pure, and it never throws.
   * @param lastEventId the header's value: the newest event that the client has, undefined where it has none
   */
  parse(context: RequestContext<Fact>, lastEventId: string | undefined): EventsPlan | Refusal
}

export interface EventsPlan {
  readonly needs: readonly Need[]
  /** the cursor behind which it begins; undefined: what comes from now on */
  readonly after: string | undefined
  /** what comes after a cursor; without one, nothing, and the cursor of this moment */
  reading(after: string | undefined): EventsReading
}

export interface EventsReading {
  readonly statement: Sql
  /** about what it costs the database, in pages of a session (request/cost.ts) */
  readonly cost: number
  /** Pure. @throws {ApiError} 400, 410 */
  present(rows: Rows): Events
}

export interface Events {
  readonly events: readonly {
    /** goes on after this event */
    readonly cursor: string
    /** JSON */
    readonly data: string
  }[]
  /** goes on after all that was looked at */
  readonly cursor: string
  /** whether there is more to read already */
  readonly more: boolean
  /** of the center, as it was read */
  readonly revision: number
  /** for the audit trail: which records the events name */
  readonly ids: readonly string[]
}

/** As it is written; `parse` can reach only the facts that `dependsOn` names. */
export const defineStream = <const Fact extends keyof Facts = never>(
  operation: StreamOperation<Fact>,
): StreamOperation<Fact> => operation
