/** Which errors of a PostgreSQL server say that it is away rather than that a statement is wrong. */
import { sqlState } from './database.ts'

// Decided by code: SQLSTATE classes 08 (connection) and 57P (shutdown), 53 (too many connections), 57014 (the
// statement timeout), and the system's own network codes. Of pg's own errors only the message tells.
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EHOSTUNREACH',
])
const PG_MESSAGES = ['Connection terminated', 'Client has encountered a connection error']

export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return /^(08|57P|53|57014|25P03)/.test(state)
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return NETWORK_CODES.has(error.code)
  return isLateConnection(error) || PG_MESSAGES.some((message) => error.message.startsWith(message))
}

/** What `pg` says of an attempt to connect that took longer than it may. */
export const isLateConnection = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout expired'
