/** What a search must show: everything that the service found and sent, how many more there are, and what was not searched. */
import type { SearchAnswer } from '../../../../client/src/index.ts'
import { all, type Expectation, type Expecting, fact, orderName } from './expecting.ts'

type FoundGuest = NonNullable<SearchAnswer['guests']>['data'][number]
type FoundOrder = NonNullable<SearchAnswer['orders']>['data'][number]

/** Records of each group that the console asks for. */
const LENGTH = 20

export const search: Expectation = async (expecting) => {
  const { api, of, say, written } = expecting
  const { guests, orders, withheld } = await api.get<SearchAnswer>(
    `/search?length=${LENGTH}&q=${encodeURIComponent(of.query.q ?? '')}`,
  )
  const cut = [
    { what: say('guests'), group: guests },
    { what: say('orders'), group: orders },
  ].flatMap(({ what, group }) => {
    if (group === null || group.total <= group.data.length) return []
    const n = written.number(group.total)
    const total = group.complete ? n : say('searchAtLeast', { n })
    return [fact('how many are not shown', [say('searchCut', { what, n: group.data.length, total })])]
  })
  const isNothing = (guests?.total ?? 0) + (orders?.total ?? 0) === 0
  return [
    all(...(guests?.data ?? []).map((guest) => guestFact(expecting, guest))),
    all(...(orders?.data ?? []).map((order) => orderFact(expecting, order))),
    all(
      ...cut,
      ...(isNothing ? [fact('that nothing was found', [say('searchNothing')])] : []),
      ...(withheld.length === 0
        ? []
        : [
            fact('what was not searched', [
              say('searchNotSearched', { what: withheld.map(({ group }) => say(group)).join(', ') }),
            ]),
          ]),
    ),
  ]
}

function guestFact({ say }: Expecting, guest: FoundGuest) {
  const { firstName, lastName, room, startDate, endDate, status, when, matched } = guest
  const place = room ?? say('noRoom')
  const days = { from: startDate, until: endDate, room: place }
  const WHEN = {
    here: () => say('searchUntil', { room: place, until: endDate }),
    coming: () => say('searchComes', days),
    past: () => say('searchWasHere', days),
    inactive: () => `${status}, ${startDate} – ${endDate}`,
  }
  // By what it was found, unless the line says it anyway.
  const isByName = matched.some(({ by }) => by === 'name')
  const values = matched.flatMap(({ by, value }) =>
    value === null || by === 'room' || (by === 'email' && isByName) ? [] : [value],
  )
  return fact('a guest that was found', [
    [firstName, lastName].filter(Boolean).join(' '),
    ...values,
    WHEN[when](),
  ])
}

function orderFact({ say, written }: Expecting, order: FoundOrder) {
  const { guestNames, guests, paymentStatus, status } = order
  const more = guests - guestNames.length
  return fact('an order that was found', [
    orderName(order),
    ...(guests === 0 ? [say('searchNoGuests')] : guestNames),
    ...(more > 0 ? [say('searchAndMore', { n: written.number(more) })] : []),
    paymentStatus ?? status,
  ])
}
