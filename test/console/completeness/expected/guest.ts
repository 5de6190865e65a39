/** What must be on the page of one guest: each stay, diet, meal, roommate, payment and contact, or that it is not shown. */
import type { ListContradictionsAnswer, MealPortionsAnswer } from '../../../../client/src/openapi.ts'
import type { Order } from '../../../../client/src/orders.ts'
import type { Fact } from '../facts.ts'
import { TODAY } from '../random-center.ts'
import { addDays } from '../written.ts'
import { all, type Expectation, type Expecting, fact, may } from './expecting.ts'

interface Guest {
  readonly id: string
  readonly [field: string]: unknown
  readonly ids: {
    readonly startDate: string
    readonly endDate: string
    readonly acc?: { readonly roomId: string | null }
  }
}

const MEALS = ['breakfast', 'lunch', 'dinner'] as const
/** The service lists guests for so many days. */
const DAYS_MAX = 31

export const oneGuest: Expectation = async (expecting) => {
  const { api, written, of, fields, say } = expecting
  const { id = '' } = of.query
  const wanted = ['id', 'firstName', 'lastName', 'status', 'startDate', 'endDate', 'bookingId', 'acc.roomId']
  wanted.push('orderUuid', 'phone', 'email', ...(may(expecting, 'guests.paid') ? ['paid'] : []))
  const diets = fields.filter(({ name, readable }) => readable && name.startsWith('meta.'))
  const { center } = await api.get<{ center: { maximumPageLength: number } }>('/me')
  const project = [...wanted, ...diets.map(({ name }) => name)].join(',')
  const length = Math.min(100, center.maximumPageLength)
  const { data } = await api.get<{ data: Guest[] }>(
    `/guests?personOf=${encodeURIComponent(id)}&length=${length}&project=${encodeURIComponent(project)}`,
  )
  const own = data.find((one) => one.id === id)
  if (own === undefined) throw new Error(`${id} is none of the stays of its person`)
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
  const day = (moment: string) => written.day(written.localDay(moment))
  const days = ({ ids }: Guest) => `${day(ids.startDate)} – ${day(ids.endDate)}`
  const roomOf = (guest: Guest) => text((guest.acc as { roomId?: unknown } | null)?.roomId) || say('noRoom')
  return [
    all(
      fact('who it is', [[own.firstName, own.lastName].map(text).filter(Boolean).join(' ')]),
      ...data.map((guest) => fact('a stay', [days(guest), roomOf(guest), text(guest.status)])),
      fact('whether it is paid', [
        say('paidColumn'),
        may(expecting, 'guests.paid') ? text(own.paid) || say('paidNotKnown') : say('notPermitted'),
      ]),
      fact('the phone', [text(own.phone) || say('noneOnRecord')]),
      fact('the e-mail address', [text(own.email) || say('noneOnRecord')]),
    ),
    all(...(await mealFacts(expecting, own))),
    all(...(await roommates(expecting, own))),
    all(...(await orderFacts(expecting, text(own.orderUuid), text(own.paid)))),
    all(...(await contradictionFacts(expecting))),
    all(...notShown(expecting)),
  ]
}

async function mealFacts({ api, written, of, say }: Expecting, own: Guest): Promise<Fact[]> {
  if (!of.scopes.includes('meals')) return [fact('that meals are not shown', [say('mealsNotPermitted')])]
  const [from, until] = [own.ids.startDate, own.ids.endDate].map(written.localDay)
  if (from === undefined || until === undefined) return []
  const isLong = addDays(from, DAYS_MAX - 1) < until
  const wanted = isLong && TODAY > from && TODAY <= until ? addDays(TODAY, -7) : from
  const first = wanted < from ? from : wanted
  const end = addDays(first, DAYS_MAX - 1)
  const last = isLong && end < until ? end : until
  const { days } = await api.get<MealPortionsAnswer>(
    `/meals/portions?startDate=${first}&endDate=${last}&guestId=${encodeURIComponent(own.id)}&includeGuests=true&includeReasons=true`,
  )
  const listed = days.flatMap(({ guestList = [] }) => guestList)
  if (listed.length === 0) return [fact('that nothing is cooked', [say('notCookedForGuest')])]
  return [
    ...listed.slice(0, 1).flatMap((guest) => guest.diets.map(({ label }) => fact('a diet', [label]))),
    ...days.flatMap(({ guestList = [] }) => {
      const [guest] = guestList
      const texts = MEALS.flatMap((meal) => {
        if (guest?.eats.includes(meal)) return [say('eatsMeal')]
        return guest?.skips.includes(meal) ? [say('skipsMeal')] : []
      })
      return texts.length === 0 ? [] : [fact('the meals of a day', texts)]
    }),
  ]
}

async function roommates({ api, of, say, written }: Expecting, own: Guest): Promise<Fact[]> {
  const room = own.ids.acc?.roomId ?? null
  if (room === null) return [fact('that the room is not known', [say('roomOfGuestUnknown')])]
  const [from, until] = [own.ids.startDate, own.ids.endDate].map(written.localDay)
  const { data } = await api.get<{ data: Guest[] }>(
    `/guests?startDate=${from}&endDate=${until}&active=true&length=30&project=id,firstName,lastName&room=${encodeURIComponent(room)}`,
  )
  const others = data.filter(({ id }) => id !== of.query.id)
  if (others.length === 0) return [fact('that nobody is in the room', [say('sharesWithNobody')])]
  return others.map(({ firstName, lastName }) =>
    fact('who is in the room', [[firstName, lastName].filter(Boolean).join(' ')]),
  )
}

async function orderFacts(expecting: Expecting, uuid: string, paid: string): Promise<Fact[]> {
  const { api, written, say } = expecting
  if (uuid === '') return [fact('that there is no order', [say('guestWithoutOrder')])]
  if (!may(expecting, 'orders')) return [fact('that the order is not shown', [say('orderNotPermitted')])]
  const withPayments = may(expecting, 'guests.financial')
  const order = await api.get<Order>(
    `/orders/${encodeURIComponent(uuid)}?includeDetails=true&includeLabels=true${withPayments ? '&includePayments=true' : ''}`,
  )
  const { totalAmount, currency, payments = [] } = order
  const status = order.labels?.paymentStatus ?? say('paymentStatusUnknown')
  const own = payments[0]?.currency ?? currency
  const open = totalAmount - payments.reduce((sum, { amount }) => sum + amount, 0)
  return [
    // The same words once.
    fact('how it is paid', [say(status === paid ? 'paidColumn' : 'payment'), status]),
    fact('the total', [say('total'), written.amount(totalAmount, currency)]),
    !withPayments
      ? fact('that payments are not shown', [say('paymentsNotPermitted')])
      : own !== currency
        ? fact('that what is open is not known', [
            say('openAmount'),
            say('openOfOtherCurrency', { currency: own }),
          ])
        : fact('how much is open', [
            say(open < 0 ? 'paidTooMuch' : 'openAmount'),
            written.amount(Math.abs(open), currency),
          ]),
  ]
}

async function contradictionFacts(expecting: Expecting): Promise<Fact[]> {
  const { api, say, of } = expecting
  if (!may(expecting, 'contradictions')) {
    return [fact('that contradictions are not shown', [say('contradictionsOfGuestNotPermitted')])]
  }
  const { total } = await api.get<ListContradictionsAnswer>(
    `/contradictions?guestId=${encodeURIComponent(of.query.id ?? '')}&dismissed=false&length=1`,
  )
  return total === 0 ? [] : [fact('how much does not fit', [say('contradictionsOpen', { n: total })])]
}

function notShown(expecting: Expecting): Fact[] {
  const missing = [
    'guests.personal',
    'meals',
    'orders',
    'guests.financial',
    'guests.paid',
    'contradictions',
    'guests.medical',
  ]
  return [
    ...missing
      .filter((scope) => !may(expecting, scope))
      .map((scope) => fact('what is not permitted', [scope])),
    ...(may(expecting, 'guests.medical')
      ? [fact('that medical data is read when it is opened', [expecting.say('medicalWhenOpened')])]
      : []),
  ]
}
