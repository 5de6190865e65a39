/** The header `Idempotency-Key`, which deliveries and actions take: a request that is repeated under it has no further effect. */
import type { Problem } from '../errors/api-error.ts'

const LENGTH_MAX = 255

const FORM = `Idempotency-Key takes 1 to ${LENGTH_MAX} visible ASCII characters, such as a UUID.`

/** @returns undefined if there is none */
export function readIdempotencyKey(
  header: string | string[] | undefined,
): string | undefined | { readonly problem: Problem } {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]+$/.test(header) && header.length <= LENGTH_MAX)
    return header
  return { problem: { parameter: 'Idempotency-Key', message: FORM } }
}

/** The same where it must be sent. */
export const requireIdempotencyKey = (
  header: string | string[] | undefined,
): string | { readonly problem: Problem } =>
  readIdempotencyKey(header) ?? {
    problem: {
      parameter: 'Idempotency-Key',
      message: `The header Idempotency-Key is missing. ${FORM} Send the same one if you repeat the request, and a new one for each action.`,
    },
  }
