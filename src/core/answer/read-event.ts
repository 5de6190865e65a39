/** A read as the audit trail receives it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from '../access/gate.ts'
import type { KeyState } from '../access/key-states.ts'
import { recordListText } from '../database/record-list.ts'
import type { Answer, Operation, RequiredScope } from '../request/operation.ts'
import { type ParameterTable, queryTextOf, withoutBrackets } from '../request/parameters.ts'

/** A read for the audit trail. It is recorded before the answer is sent, whether the answer was cached or read. */
export interface ReadEvent {
  readonly key: KeyState
  readonly operation: Pick<Operation, 'name'> & Partial<Pick<Operation, 'dependsOn'>>
  /** the query as sent, without its question mark and without the names that were searched for */
  readonly query: string
  readonly requiredScopes: readonly RequiredScope[]
  readonly records: RecordsRead
  readonly requestId: string
  readonly status: 200 | 304
  readonly revision: number
}

/** The records of an answer as the audit trail receives them. */
export interface RecordsRead {
  readonly count: number
  /** their identifiers (`recordListText`); undefined if there are none, or too many to name each of them */
  readonly list: string | undefined
}

export const recordsRead = ({ count, ids }: Answer['records']): RecordsRead => ({
  count,
  list: count > 0 && ids.length === count ? recordListText(ids) : undefined,
})

/** @throws {ApiError} 503 if the trail is required and cannot be written */
export type RecordRead = (read: ReadEvent) => void

/** An admitted and parsed request on the way to its answer. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** the query as the audit trail records it */
  readonly recorded: string
  readonly admission: Admission
  readonly operation: Pick<Operation, 'name'> & Partial<Pick<Operation, 'dependsOn'>>
  readonly requiredScopes: readonly RequiredScope[]
}

/**
 * @param url the request target as received
 * @returns its query as the audit trail records it
 */
export const recordedQueryOf = (url: string, { parameters }: Pick<Operation, 'parameters'>): string =>
  recordedQuery(queryTextOf(url), parameters)

/** Combines a request with what its answer shows into the record of a read. */
export function readEvent(
  { request, recorded, admission, operation, requiredScopes }: Exchange,
  read: Pick<ReadEvent, 'records' | 'revision' | 'status'>,
): ReadEvent {
  return {
    key: admission.key,
    operation,
    query: recorded,
    requiredScopes,
    requestId: request.id,
    ...read,
  }
}

/** Replaces a personal value. */
const HIDDEN = '(hidden)'

/**
 * Removes personal values: the trail records that somebody was searched for, not who.
 * @param query as sent, without its question mark
 * @returns the same text if it contains nothing personal
 */
export function recordedQuery(query: string, table: ParameterTable): string {
  if (query === '') return query
  const parts = query.split('&')
  const recorded = parts.map((part) => {
    const name = withoutBrackets(nameOf(part))
    return Object.hasOwn(table, name) && table[name]?.personal === true ? `${name}=${HIDDEN}` : part
  })
  return recorded.join('&')
}

/** The decoded name, because names may be percent-encoded. */
function nameOf(part: string): string {
  const at = part.indexOf('=')
  const name = at < 0 ? part : part.slice(0, at)
  if (!/[%+]/.test(name)) return name
  for (const [decoded] of new URLSearchParams(name)) return decoded
  return name
}
