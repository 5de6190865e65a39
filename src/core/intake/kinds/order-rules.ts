/** The order rules of a center, a part of its record (ruling 51). */

import Type from 'typebox'
import { type FieldReason, onlyEnglish } from '../../locale/said.ts'
import { STATUS_LISTS } from '../../records/centers/order-rules.ts'
import { filledText, uniqueList } from '../../records/fields/values.ts'
import type { Json, JsonObject } from './kind.ts'

const { Optional } = Type

/** An order has one of a dozen statuses; the bound keeps filters by group small. */
const STATUSES_MAX = 100

const MEANINGS: Readonly<Record<(typeof STATUS_LISTS)[number], string>> = {
  valid: 'of orders that count in full',
  open: 'of orders that count, and are not finished or not paid yet',
  void: 'of orders that do not count',
  refunded: 'of orders that do not count, and whose total was paid back',
}

const statuses = (what: string) =>
  Type.Object(
    Object.fromEntries(
      STATUS_LISTS.map((list) => [
        list,
        Optional(uniqueList(`${what} ${MEANINGS[list]}.`, filledText(`${what}.`), STATUSES_MAX)),
      ]),
    ),
    { description: `What each of these means: ${what}. One that is in no list is not decided.` },
  )

export const orderRules = Type.Object(
  {
    orderStatuses: Optional(statuses('Order statuses')),
    paymentStatuses: Optional(statuses('Payment statuses')),
  },
  { description: 'Which statuses of orders are valid, open or void.' },
)

/** Finds statuses that are in two lists. */
export function checkOrderRules(rules: Json | undefined): FieldReason[] {
  return (['orderStatuses', 'paymentStatuses'] as const).flatMap((kind) => {
    const lists = (rules as JsonObject | null | undefined)?.[kind] as JsonObject | null | undefined
    const first = new Map<string, string>()
    return STATUS_LISTS.flatMap((list) => {
      const statuses = lists?.[list]
      return (Array.isArray(statuses) ? statuses : []).flatMap((status) => {
        const other = first.get(String(status))
        if (other === undefined) {
          first.set(String(status), list)
          return []
        }
        const message = `has "${status}", which is also in orderRules.${kind}.${other}; a status is in one list`
        return [{ field: `orderRules.${kind}.${list}`, ...onlyEnglish(message) }]
      })
    })
  })
}
