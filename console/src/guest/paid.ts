/** Whether a guest has paid: not known and not permitted are two things, and neither is paid. */
import { type Row, textOf, valueAt } from '../guests/values.ts'

export interface Paid {
  /** null if it is not known, undefined if the key may not read it */
  readonly state: 'paid' | 'partlyPaid' | 'open' | 'notDecided' | null | undefined
  /** as the service words it */
  readonly label: string
}

const STATES = ['paid', 'partlyPaid', 'open', 'notDecided'] as const

/** @param row of `GET /guests`, with `paid` if the key may read it */
export function paidOf(row: Row): Paid {
  const shown = valueAt(row, 'paid')
  const raw = valueAt(row, 'ids.paid')
  return {
    state: shown === undefined ? undefined : (STATES.find((state) => state === raw) ?? null),
    label: textOf(shown),
  }
}

/** Whether something is left to pay, or to decide. */
export const isNotPaid = ({ state }: Paid): boolean => state != null && state !== 'paid'
