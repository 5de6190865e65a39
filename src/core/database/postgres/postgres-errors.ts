/** Classifies errors of a PostgreSQL server: whether a retry may succeed, and whether the connection is lost. */
import { sqlState } from '../database.ts'
import { isTlsFailure } from './postgres-tls.ts'

/**
 * `lost`: the connection is unusable, but a new one may work. `later`: the server refuses temporarily. Undefined: the
 * statement itself is wrong and would fail again.
 */
export type Outage = 'lost' | 'later' | undefined

/**
 * By SQLSTATE. Refused logins (28, 3D000) are outages too: passwords are rotated and databases restored while the
 * service runs, and it works again when the administrator is done.
 *
 * - 08 connection, 28 credentials, 3D000 no such database, 57P shutdown, 58 the server's disk
 * - 25006 read-only: the server has become a standby, and a new connection may lead to the new primary
 * - 25P03, 25P04 the server ended an idle or a long transaction, and the connection with it
 * - 0A000 a migration changed a prepared statement's columns, 26000 a pooler has dropped the statement
 */
const LOST = /^(08|28|3D000|57P|58|25006|25P0[34]|0A000|26000)/

/** 40 conflict with another transaction, 53 insufficient resources, 55 a lock or a state, 57 cancelled */
const LATER = /^(40|53|55|57)/

/** The operating system's codes for network failures. */
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

/** For errors of `pg` itself, only the message identifies them. */
const PG_MESSAGES = ['Connection terminated', 'Client has encountered a connection error']

/** @returns undefined if a retry cannot help, or the error is not one of the database */
export function outageOf(error: unknown): Outage {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // Before the SQLSTATE, as which `EPIPE` would be read: it too has five capital letters.
  if (typeof code === 'string' && NETWORK_CODES.has(code)) return 'lost'
  // A certificate that has expired is renewed while the service runs.
  if (isTlsFailure(error)) return 'lost'
  const state = sqlState(error)
  if (state !== undefined) {
    if (LOST.test(state)) return 'lost'
    return LATER.test(state) ? 'later' : undefined
  }
  if (!(error instanceof Error) || typeof code === 'string') return undefined
  const isLost = isLateConnection(error) || PG_MESSAGES.some((message) => error.message.startsWith(message))
  return isLost ? 'lost' : undefined
}

/** The message of `pg` where connecting took longer than allowed. */
export const LATE_CONNECTION = 'timeout expired'

/** Whether connecting took longer than allowed. */
export const isLateConnection = (error: unknown): boolean =>
  error instanceof Error && error.message === LATE_CONNECTION
