/** What a search must show: everything that the service found and sent, how many more there are, and what was not searched. */
import type { Me, SearchAnswer } from '../../../../client/src/index.ts'
import { NOW, TODAY } from '../random-center.ts'
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
  const { center } = await api.get<Me>('/me')
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
    all(...(guests?.data ?? []).map((guest) => guestFact(expecting, guest, center.standardTimes))),
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

/** Of a stay of today, the hours decide whether the guest is here, where they are known. */
function todayText(
  { say, written }: Expecting,
  { room, startDate, endDate, ids }: FoundGuest,
  standard: Me['center']['standardTimes'],
): string {
  const place = room ?? say('noRoom')
  const hourOf = (moment: string, times: readonly string[]) => {
    const time = written.localTime(moment)
    return written.localDay(moment) !== TODAY || time === '00:00' || times.includes(time) ? undefined : time
  }
  const [comes, leaves] = [hourOf(ids.startDate, standard.arrival), hourOf(ids.endDate, standard.departure)]
  const now = written.localTime(NOW)
  const until = say('searchUntil', { room: place, until: endDate })
  if (comes !== undefined && now < comes) return `${say('presenceExpected')} ${comes}, ${until}`
  if (leaves === undefined || now < leaves) return until
  return say('searchWasHere', { from: startDate, until: endDate, room: place })
}

function guestFact(expecting: Expecting, guest: FoundGuest, standard: Me['center']['standardTimes']) {
  const { say } = expecting
  const { firstName, lastName, room, startDate, endDate, status, when, matched } = guest
  const place = room ?? say('noRoom')
  const days = { from: startDate, until: endDate, room: place }
  const WHEN = {
    here: () => todayText(expecting, guest, standard),
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
