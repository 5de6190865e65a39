/** What the desk's first page and its printed lists must show: everybody whose stay includes the day, and how many are left out. */

import type { Fact } from '../facts.ts'
import { TODAY } from '../random-center.ts'
import { all, type Expectation, type Expecting, fact, may, orderName } from './expecting.ts'

interface Row {
  readonly name: string | null
  readonly bookingId: string | null
  readonly id: string
  readonly orderNumber: string | null
  readonly orderUuid: string | null
  readonly paid?: string | null
  readonly ids: { readonly endDate: string; readonly paid?: string | null }
}

const listOf =
  (isPage: boolean): Expectation =>
  async (expecting) => {
    const { api, of, say, written } = expecting
    const mayKnowPaid = may(expecting, 'guests.paid')
    const day = of.query.day ?? TODAY
    const asked = `inHouse=${day}&project=id,name,bookingId,endDate,orderUuid,orderNumber${mayKnowPaid ? ',paid' : ''}`
    const rows: Row[] = []
    for (let page = 1; ; page += 1) {
      const { data, total } = await api.get<{ data: Row[]; total: number }>(
        `/guests?${asked}&active=true&sort=acc.roomId,lastName,firstName&length=20&start=${page}`,
      )
      rows.push(...data)
      if (page * 20 >= total) break
    }
    const { total: others } = await api.get<{ total: number }>(`/guests?${asked}&active=false&length=1`)
    const n = written.number
    return [
      all(
        fact('how many are in the house', [n(rows.length)]),
        fact('how many are left out', [say(isPage ? 'leftOutAre' : 'notOnList', { n: n(others) })]),
        ...(rows.length === 0 ? [fact('that nobody is here', [say('nobodyHere')])] : []),
      ),
      all(...rows.map((row) => fact('a guest of the day', [nameOf(row)]))),
      all(
        ...(isPage && !may(expecting, 'guests.personal')
          ? [fact('that birthdays are not permitted', [say('birthdaysNotPermitted')])]
          : []),
        ...(isPage && !may(expecting, 'contradictions')
          ? [fact('that contradictions are not permitted', [say('contradictionsNotPermittedHere')])]
          : []),
        ...(isPage ? paidFacts(expecting, rows, day) : []),
      ),
    ]
  }

const nameOf = ({ name, bookingId, id }: Row) => name ?? bookingId ?? id

/** Each guest of an order that is not paid is in the row of the order, in the order of departure, with the words in which it is paid. */
function paidFacts(expecting: Expecting, rows: readonly Row[], day: string): Fact[] {
  const { say, written } = expecting
  if (!may(expecting, 'guests.paid')) return [fact('that it is not permitted', [say('paidNotPermitted')])]
  const open = rows.filter(({ ids }) => ids.paid != null && ids.paid !== 'paid')
  const notKnown = rows.filter(({ ids }) => ids.paid == null).length
  const leaves = ({ ids }: Row) => written.localDay(ids.endDate)
  const byDeparture = open.toSorted((a, b) => leaves(a).localeCompare(leaves(b)))
  const orders = Map.groupBy(byDeparture, ({ orderUuid, id }) => orderUuid ?? `without ${id}`)
  return [
    ...(open.length === 0 ? [fact('that nothing is open', [say('nothingIsOpen')])] : []),
    ...orders.values().flatMap((guests) => {
      const [first] = guests
      if (first === undefined) return []
      const { orderNumber, orderUuid: uuid, paid } = first
      const name = uuid === null ? say('noOrder') : orderName({ orderNumber, uuid })
      return [fact('an order that is not paid', [name, ...guests.map(nameOf), paid ?? ''])]
    }),
    // One who leaves is in two tables.
    ...open
      .filter((guest) => leaves(guest) === day)
      .map((guest) => fact('who leaves without having paid', [nameOf(guest), guest.paid ?? ''])),
    ...(notKnown === 0
      ? []
      : [fact('of how many it is not known', [say('paidNotKnownOf', { n: written.number(notKnown) })])]),
  ]
}

export const deskToday = listOf(true)
export const houseList = listOf(false)
