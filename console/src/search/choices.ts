/** What was found as links that one can follow, in the order of the list. */
import type { SearchAnswer } from '../../../client/src/index.ts'

export type FoundGuest = NonNullable<SearchAnswer['guests']>['data'][number]
export type FoundOrder = NonNullable<SearchAnswer['orders']>['data'][number]

export type Choice = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
} & (
  | { readonly group: 'here' | 'other'; readonly guest: FoundGuest }
  | { readonly group: 'orders'; readonly order: FoundOrder }
)

/** Those in the house first, then guests of other days, then orders. The service has them in this order. */
export const choicesOf = ({ guests, orders }: SearchAnswer): Choice[] => [
  ...(guests?.data ?? []).map((guest) => ({
    path: 'guests/one',
    query: { id: guest.id },
    group: guest.when === 'here' ? ('here' as const) : ('other' as const),
    guest,
  })),
  ...(orders?.data ?? []).map((order) => ({
    path: 'orders/one',
    query: { uuid: order.uuid },
    group: 'orders' as const,
    order,
  })),
]
