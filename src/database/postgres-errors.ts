/** Which errors of a PostgreSQL server a later attempt can mend, and which of them cost the connection. */
import { sqlState } from './database.ts'

/**
 * `lost`: the connection is of no more use, and a new one may be. `later`: the server is there and refuses for
 * now. Undefined: the statement itself is wrong, and would be wrong again.
 */
export type Outage = 'lost' | 'later' | undefined

/**
 * By SQLSTATE. Refusals to let us in (28, 3D000) are outages too: a password is rotated and a database restored
 * while the service runs, and it works again when the administrator is done.
 *
 * - 08 connection, 28 credentials, 3D000 no such database, 57P shutdown, 58 the server's disk
 * - 25006 read-only: the server has become a standby, and a new connection may lead to the new primary
 * - 25P03, 25P04 the server ended an idle or a long transaction, and the connection with it
 * - 0A000 a prepared statement's columns were changed by a migration, 26000 a pooler in between has dropped it
 */
const LOST = /^(08|28|3D000|57P|58|25006|25P0[34]|0A000|26000)/

/** 40 a conflict with another transaction, 53 too little of something, 55 a lock or a state, 57 cancelled */
const LATER = /^(40|53|55|57)/

/** The system's own codes of a network that fails. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Of `pg`'s own errors only the message tells. */
const PG_MESSAGES = ['Connection terminated', 'Client has encountered a connection error']

export function outageOf(error: unknown): Outage {
  const state = sqlState(error)
  if (state !== undefined) {
    if (LOST.test(state)) return 'lost'
    return LATER.test(state) ? 'later' : undefined
  }
  if (!(error instanceof Error)) return undefined
  const isLost =
    'code' in error && typeof error.code === 'string'
      ? NETWORK_CODES.has(error.code)
      : isLateConnection(error) || PG_MESSAGES.some((message) => error.message.startsWith(message))
  return isLost ? 'lost' : undefined
}

/** What `pg` says of an attempt to connect that took longer than it may. */
export const isLateConnection = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout expired'
