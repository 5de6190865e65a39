/** The page that a key begins with. */
import type { Me } from '../../../client/src/index.ts'

type Scope = Me['key']['scopes'][number]

/**
 * Of those who work with what: the books, whose key reads payments and no meals; the doctor, whose key reads medical data and
 * no orders; the desk before the kitchen, whose key reads no guests; then the first page that the key may open.
 */
export function firstPath(may: (scope: Scope) => boolean): string | undefined {
  if (may('orders') && may('guests.financial') && !may('meals')) return 'orders'
  if (may('guests') && may('guests.medical') && !may('orders')) return 'new-guests'
  if (may('guests')) return 'today'
  if (may('meals')) return 'kitchen'
  if (may('administration')) return 'administration'
  if (may('rights')) return 'rights'
  return undefined
}
