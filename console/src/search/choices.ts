/** What was found as links that one can follow, in the order of the list. */
import type { SearchAnswer } from '../../../client/src/index.ts'
import { zone } from '../base/now.ts'
import { isHereNow, type Now, presenceOf, type StayHours, stayHours } from '../base/presence.ts'
import { person } from '../base/signed-in.ts'

export type FoundGuest = NonNullable<SearchAnswer['guests']>['data'][number]
export type FoundOrder = NonNullable<SearchAnswer['orders']>['data'][number]

export type Choice = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
} & (
  | { readonly group: 'here' | 'expected' | 'other' | 'similar'; readonly guest: FoundGuest }
  | { readonly group: 'orders'; readonly order: FoundOrder }
)

const GUEST_GROUPS = ['here', 'expected', 'other'] as const

/** By the moment: the service says it by days. */
export const groupOf = ({ when, ids }: FoundGuest, now: Now): (typeof GUEST_GROUPS)[number] => {
  if (when !== 'here') return 'other'
  const stay = hoursOf(ids)
  if (isHereNow(stay, now)) return 'here'
  return presenceOf(stay, now.day, now) === 'expected' ? 'expected' : 'other'
}

export const hoursOf = ({ startDate, endDate }: FoundGuest['ids']): StayHours =>
  stayHours(startDate, endDate, zone(), person.value!.me.center.standardTimes)

/**
 * Those in the house first, then those of today who have not arrived, then guests of other days, then those who are only similar,
 * then orders.
 */
export const choicesOf = ({ guests, orders }: SearchAnswer, now: Now): Choice[] => [
  ...([...GUEST_GROUPS, 'similar'] as const).flatMap((group) =>
    (guests?.data ?? [])
      .filter((guest) => (guest.similar ? 'similar' : groupOf(guest, now)) === group)
      .map((guest) => ({ path: 'guests/one', query: { id: guest.id }, group, guest })),
  ),
  ...(orders?.data ?? []).map((order) => ({
    path: 'orders/one',
    query: { uuid: order.uuid },
    group: 'orders' as const,
    order,
  })),
]
