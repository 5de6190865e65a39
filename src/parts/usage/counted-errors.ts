/** Errors that are counted in memory: what distinguishes them, and the rows that store them. */
import { hash } from 'node:crypto'
import type { ReportedError } from './reported-error.ts'
import type { ErrorRow } from './usage-sql.ts'

const HOUR_MS = 3_600_000

/** A counted error. Values that take time to make are made once, when it is written. */
export type CountedError = Omit<
  { -readonly [Field in keyof ErrorRow]: ErrorRow[Field] },
  'fingerprint' | 'first_at' | 'last_at'
> & { readonly firstAt: number; lastAt: number }

/**
 * Distinguishes errors from each other. The hour is included, so that an error that occurs every night is listed for
 * each night. Numbers such as seconds to wait make no difference.
 */
export function nameOf(
  { publicKey, endpoint }: { readonly publicKey: string; readonly endpoint: string },
  reported: ReportedError,
  now: number,
): string {
  const { status, code, message, details } = reported
  let text = message
  for (const problem of details) {
    text += `\n${problem.parameter}`
    if (problem.message !== message) text += ` ${problem.message}`
  }
  return `${Math.floor(now / HOUR_MS)} ${status} ${code} ${endpoint} ${publicKey}\n${text.replaceAll(/\d+/g, '#')}`
}

/** @param name as made by `nameOf` */
export const rowOf = (name: string, { firstAt, lastAt, ...error }: CountedError): ErrorRow => ({
  ...error,
  fingerprint: hash('sha256', name, 'base64url').slice(0, 27),
  first_at: new Date(firstAt).toISOString(),
  last_at: new Date(lastAt).toISOString(),
})
