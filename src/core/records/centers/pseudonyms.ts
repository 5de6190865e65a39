/** Pseudonyms of customers (ruling 45), and what a request that reads under them may contain. */
import { createHmac } from 'node:crypto'
import type { CenterId } from './center.ts'

/** The pseudonyms that one application reads in its center. */
export interface Pseudonyms {
  /** part of the names of everything cached: two applications never share an answer. Nothing can be derived from it. */
  readonly name: string
  /** the pseudonym of a customer: 32 hexadecimal digits */
  of(customerId: string): string
}

/** 128 bits: no two customers of a center have the same. */
const DIGITS = 32

/**
 * Makes pseudonyms with HMAC-SHA-256. The center is part of what is hashed, so that a secret that was copied to another
 * center gives other pseudonyms there.
 * @param secret of the application, 32 bytes; the same for all its keys
 */
export function createPseudonyms(center: CenterId, secret: Uint8Array): Pseudonyms {
  const digest = (...parts: readonly string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS)
  return { name: digest('name'), of: (customerId) => digest('customer', center, customerId) }
}

/** What a request under pseudonyms may contain. */
export const ALLOWED =
  'GET /guests with project (id, customerId and fields of the scope guests.medical), dates or sessions, and sort by startDate or endDate.'
