/** What the desk and the accounts must be able to read: every guest, session and order, each with what was asked for. */
import type {
  Field,
  ListContradictionsAnswer,
  ListedOrder,
  Me,
  OrderControlAnswer,
  Room,
  Session,
} from '../../../../client/src/openapi.ts'
import type { Order } from '../../../../client/src/orders.ts'
import { SUBJECTS } from '../../../../console/src/key/subject-words.ts'
import type { Fact } from '../facts.ts'
import { TODAY } from '../random-center.ts'
import { addDays } from '../written.ts'
import { all, type Expectation, type Expecting, fact, may, orderName } from './expecting.ts'

const USUAL = ['name', 'acc.roomId', 'role', 'status', 'startDate', 'endDate', 'programId', 'orderNumber']
type Row = Readonly<Record<string, unknown>>

function valueAt(row: Row, name: string): unknown {
  let value: unknown = row
  for (const part of name.split('.')) value = (value as Row | null | undefined)?.[part]
  return value
}

/** A cell: days as people write them, and a dash where nothing is on record. */
function cellOf({ written, say }: Expecting, row: Row, { name, raw }: Field): string {
  const given = raw === null ? undefined : valueAt(row, `ids.${name}`)
  if (typeof given === 'string' && /^\d{4}-\d\d-\d\d/.test(given))
    return written.day(given.length > 10 ? written.localDay(given) : given)
  const value = valueAt(row, name)
  if (name === 'skippingMeals') {
    const skipped = ['breakfast', 'lunch', 'dinner'].flatMap((meal) => {
      const days = valueAt(row, `${name}.${meal}`) as readonly string[]
      return days.length === 0 ? [] : [`${say(meal)}: ${days.map((day) => written.day(day)).join(', ')}`]
    })
    return skipped.join('; ') || '–'
  }
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'boolean' ? say(value ? 'yes' : 'no') : String(value)
}

export const guests: Expectation = async (expecting) => {
  const { api, written, of, fields } = expecting
  const { startDate = TODAY, endDate = addDays(TODAY, 29), ...query } = of.query
  const isByDates = !['sessionId', 'arriving', 'inHouse', 'departing'].some((name) => name in query)
  const readable = fields.filter(({ readable }) => readable)
  const chosen = readable.filter(({ name }) => (of.columns ?? USUAL).includes(name))
  const columns = chosen.length > 0 ? chosen : readable.filter(({ name }) => USUAL.includes(name))
  const asked = new URLSearchParams({
    ...query,
    ...(isByDates ? { startDate, endDate } : {}),
    // Bookings that are not active are left out, and counted, unless somebody asks for their statuses.
    ...('status' in query ? {} : { active: 'true' }),
    project: columns.map(({ name }) => name).join(','),
  })
  const rows: Row[] = []
  let total = 0
  const { center } = await api.get<{ center: { maximumPageLength: number } }>('/me')
  for (let page = 1; ; page += 1) {
    const length = center.maximumPageLength
    const answer = await api.get<{ data: Row[]; total: number }>(
      `/guests?${asked}&length=${length}&start=${page}`,
    )
    rows.push(...answer.data)
    total = answer.total
    if (rows.length >= total || answer.data.length === 0) break
  }
  const heads = columns.map(({ label }) => label)
  return [
    all(...(await leftOutFacts(expecting, asked))),
    all(...(total === 0 ? [] : [fact('the heads', heads)])),
    all(fact('how many guests', [written.number(total)])),
    all(...rows.map((row) => guestFact(row, columns, expecting))),
  ]
}

const guestFact = (row: Row, columns: readonly Field[], expecting: Expecting): Fact => {
  const cells = columns.map((field) => cellOf(expecting, row, field))
  return fact('a guest', cells)
}

/** How many bookings are not active, and so not in the list. */
async function leftOutFacts({ api, written, say }: Expecting, asked: URLSearchParams): Promise<Fact[]> {
  if (!asked.has('active')) return []
  const others = new URLSearchParams({ ...Object.fromEntries(asked), active: 'false', length: '1' })
  const { total } = await api.get<{ total: number }>(`/guests?${others}`)
  return [fact('how many bookings are left out', [say('leftOutAre', { n: written.number(total) })])]
}

export const sessions: Expectation = async (expecting) => {
  const { api, written, of, say } = expecting
  const counts = may(expecting, 'guests')
  const year = of.query.year ?? TODAY.slice(0, 4)
  const found: Session[] = []
  for (let page = 1; ; page += 1) {
    const answer = await api.get<{ data: Session[]; total: number }>(
      `/sessions?startDate=${year}-01-01&endDate=${year}-12-31&length=30&start=${page}${counts ? '&includeGuestCounts=true' : ''}`,
    )
    found.push(...answer.data)
    if (found.length >= answer.total) break
  }
  return [
    all(...(counts ? [] : [fact('that the key may not read guests', [say('guestsNotPermitted')])])),
    all(
      ...found.map(({ name, number, startDate, endDate, guestCounts }) =>
        fact('a session', [
          name,
          number ?? '–',
          written.day(written.localDay(startDate)),
          written.day(written.localDay(endDate)),
          guestCounts === undefined ? '–' : written.number(guestCounts.total),
        ]),
      ),
    ),
  ]
}

export const rooms: Expectation = async ({ api, written, of, say }) => {
  const date = of.query.date ?? TODAY
  const found: Room[] = []
  for (let page = 1; ; page += 1) {
    const { data, total } = await api.get<{ data: Room[]; total: number }>(
      `/rooms?date=${date}&length=20&start=${page}`,
    )
    found.push(...data)
    if (found.length >= total) break
  }
  if (found.length === 0) return [all(fact('that no room is known', [say('noRooms')]))]
  const sum = (name: 'guests' | 'tonight') =>
    written.number(found.reduce((total, room) => total + room[name], 0))
  const unknown = found.filter(({ id, beds }) => id !== null && beds === null).length
  const counted = ({ departing, movingOut, arriving, movingIn }: Room) =>
    [departing, movingOut, arriving, movingIn]
      .filter((count) => count > 0)
      .map((count) => written.number(count))
  return [
    all(
      fact('how many are in the house', [say('roomsInHouse', { n: sum('guests') })]),
      fact('how many sleep there', [say('roomsTonight', { n: sum('tonight') })]),
      fact('what is not here', [say('roomsNotHere')]),
      ...(unknown === 0
        ? []
        : [fact('how many beds are not known', [say('roomsWithoutBeds', { n: written.number(unknown) })])]),
      ...found.map((room) =>
        fact('a room', [
          room.name,
          ...counted(room),
          written.number(room.tonight),
          room.beds === null ? '–' : written.number(room.beds),
          room.freeFrom === null
            ? room.id === null
              ? '–'
              : say('roomsNotFree')
            : written.day(room.freeFrom),
        ]),
      ),
    ),
  ]
}

/** Rows of each severity, and of the dismissed, that a page lists before somebody asks for more, if the center allows as many. */
const LISTED_MAX = 100

export const contradictions: Expectation = async (expecting) => {
  const { api, written, say } = expecting
  const found: ListContradictionsAnswer['data'] = []
  let answer: ListContradictionsAnswer
  for (let page = 1; ; page += 1) {
    answer = await api.get<ListContradictionsAnswer>(`/contradictions?length=20&start=${page}`)
    found.push(...answer.data)
    if (page * 20 >= answer.total) break
  }
  const { withheld, notReported, complete } = answer
  const open = found.filter(({ dismissed }) => dismissed === null)
  const parts = [
    found.length - open.length,
    ...['high', 'medium', 'low'].map((of) => open.filter(({ severity }) => severity === of).length),
  ]
  const { center } = await api.get<{ center: { maximumPageLength: number } }>('/me')
  const length = Math.min(LISTED_MAX, center.maximumPageLength)
  // Everything that fits into one page is one request.
  const listed =
    found.length <= length ? found.length : parts.reduce((sum, count) => sum + Math.min(count, length), 0)
  const kindText = (kind: string) => say(`kind${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`)
  const kinds = [...Map.groupBy(open, ({ kind }) => kind)]
  return [
    all(
      fact('whether all is evaluated', [
        say(complete ? 'contradictionsEvaluated' : 'contradictionsIncomplete'),
      ]),
      fact('how many contradictions there are', [
        say('contradictionsOpen', { n: open.length === 0 && !complete ? '–' : written.number(open.length) }),
      ]),
      ...(open.length === 0 && complete && withheld.length === 0
        ? [fact('that there are no contradictions', [say('contradictionsNone')])]
        : []),
      ...kinds.map(([kind, { length }]) =>
        fact('a kind of contradictions', [kindText(kind), written.number(length)]),
      ),
      ...withheld.map(({ kind, count, scopes }) =>
        fact('contradictions that are not permitted', [
          kindText(kind),
          written.number(count ?? 0),
          ...scopes,
        ]),
      ),
      ...(notReported.length === 0
        ? []
        : [
            fact('kinds that are not reported', [
              say('contradictionsNotReported', { list: notReported.map(kindText).join(', ') }),
            ]),
          ]),
    ),
    {
      facts: found.flatMap(({ evidence: { records, compared } }) =>
        compared.map(({ values }) =>
          fact(
            'a compared value',
            values
              .slice(0, records[0]?.kind === 'room' ? 1 : undefined)
              .map((value) => comparedText(expecting, value))
              .filter((text) => text !== ''),
            records.map((record) => record.name ?? orderName({ orderNumber: null, uuid: record.id })),
          ),
        ),
      ),
      areLeftOut: (_, says) =>
        listed < found.length &&
        says(say('contradictionsListed', { n: written.number(listed), total: written.number(found.length) })),
    },
  ]
}

/** What must be in the cell of a compared value; '' where the console has words of its own for it. */
function comparedText(
  { written, say }: Expecting,
  value: ListContradictionsAnswer['data'][number]['evidence']['compared'][number]['values'][number],
): string {
  if (value === null || value === '') return '–'
  if (Array.isArray(value)) return value.length === 0 ? say('none') : ''
  if (typeof value === 'number') return written.number(value)
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value))
    return written.day(value.length > 10 ? written.localDay(value) : value)
  return ''
}

/** The first and the last day of today's month. */
const monthOfToday = (): readonly [string, string] => {
  const [year = 0, month = 0] = TODAY.split('-').map(Number)
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return [`${TODAY.slice(0, 7)}-01`, `${TODAY.slice(0, 7)}-${last}`]
}

const GROUP_WORDS = {
  valid: 'groupValid',
  open: 'groupOpen',
  notDecided: 'groupNotDecided',
  void: 'groupVoid',
} as const

type Group = OrderControlAnswer['currencies'][number]['groups'][number]

/** The rows of the totals: each has the amounts of all currencies. */
function monthFacts({ written, say }: Expecting, { currencies }: OrderControlAnswer): Fact[] {
  const row = (
    what: string,
    name: string,
    amountOf: (currency: OrderControlAnswer['currencies'][number]) => number | undefined,
  ) =>
    fact(what, [
      name,
      ...currencies.map((one) => {
        const amount = amountOf(one)
        return amount === undefined ? '–' : written.amountAlone(amount, one.currency)
      }),
    ])
  const groupOf = (of: OrderControlAnswer['currencies'][number], name: Group['group']) =>
    of.groups.find(({ group }) => group === name)
  const ofGroup = (name: Group['group']): Fact[] => {
    const all = currencies.flatMap((one) => groupOf(one, name) ?? [])
    if (all.every(({ orders }) => orders === 0)) return []
    const keys = new Map(
      all.flatMap(({ byStatus }) =>
        byStatus.map((sum) => [`${sum.status}|${sum.paymentStatus}`, sum] as const),
      ),
    )
    const refunds = all.some((group) => group.refunds.orders > 0)
    return [
      fact('a group', [say(GROUP_WORDS[name])]),
      ...[...keys].map(([key, { statusLabel, paymentStatusLabel }]) =>
        row(
          'the sum of a status',
          [statusLabel, paymentStatusLabel].filter(Boolean).join(', '),
          (of) =>
            groupOf(of, name)?.byStatus.find((sum) => `${sum.status}|${sum.paymentStatus}` === key)?.total,
        ),
      ),
      ...(refunds
        ? [
            row('what was paid back', say('paidBack'), (of) => {
              const sum = groupOf(of, name)?.refunds
              return sum === undefined || sum.orders === 0 ? undefined : sum.total
            }),
          ]
        : []),
      ...(keys.size > 1
        ? [row('the sum of a group', say(GROUP_WORDS[name]), (of) => groupOf(of, name)?.total)]
        : []),
    ]
  }
  const isPermitted = currencies.every(({ payments }) => payments !== null)
  return [
    fact('the currencies', [say('status'), ...currencies.map(({ currency }) => currency)]),
    ...(['valid', 'open', 'notDecided', 'void'] as const).flatMap(ofGroup),
    ...(isPermitted
      ? [
          row('what is paid', say('ofItPaid'), ({ payments }) => payments?.paid.total),
          row('what is open', say('ofItOpen'), ({ payments }) => payments?.open.total),
        ]
      : [
          fact('that payments are not permitted', [say('ofItPaid'), say('notPermitted')]),
          fact('that payments are not permitted', [say('ofItOpen'), say('notPermitted')]),
        ]),
  ]
}

export const orders: Expectation = async (expecting) => {
  const { api, written, of, say } = expecting
  const [first, last] = monthOfToday()
  const { startDate = first, endDate = last } = of.query
  const range = `startDate=${startDate}&endDate=${endDate}`
  const listed = await api.get<ListedOrder[]>(`/orders?${range}&includeGuestNames=true`)
  const mayPay = may(expecting, 'guests.financial')
  const control = await api.get<OrderControlAnswer>(
    `/orders/control?${range}${mayPay ? '&includePayments=true' : ''}`,
  )
  const rows = listed.map((order) =>
    fact('an order', [
      orderName(order),
      written.day(written.localDay(order.ids.orderDate)),
      // Each name leads to its guest, so what can be read has a space between a name and the comma.
      ...(order.guestNames || '–').split(', '),
      written.amountWithCode(order.ids.totalAmount ?? 0, order.ids.currency),
      ...(mayPay ? [] : [say('notPermitted'), say('notPermitted')]),
      order.status ?? '–',
      order.paymentStatus ?? '–',
    ]),
  )
  const sums = control.orders === 0 ? [] : monthFacts(expecting, control)
  const mismatches = control.mismatches.map((order) =>
    fact('an order that does not fit', [orderName(order), written.day(order.date), order.totalLabel]),
  )
  const counted = listed.length === 0 ? [] : [fact('how many do not fit', [written.number(control.doNotFit)])]
  const { status, paymentStatus } = control.statusesNotDecided
  const isDecided = status.length + paymentStatus.length === 0
  return [
    all(fact('how many orders', [written.number(listed.length)])),
    all(...(control.doNotFit > 0 ? counted : [])),
    all(...sums),
    all(...(isDecided ? [] : [fact('that statuses are not decided', [say('groupNotDecided')])])),
    { facts: rows },
    {
      facts: mismatches,
      areLeftOut: (missing, says) =>
        mismatches.length - missing.length >= 100 && says(String(mismatches.length - missing.length)),
    },
  ]
}

export const oneOrder: Expectation = async (expecting) => {
  const { api, written, of, say } = expecting
  const payments = may(expecting, 'guests.financial') ? '&includePayments=true' : ''
  const order = await api.get<Order>(
    `/orders/${encodeURIComponent(of.query.uuid ?? '')}?includeDetails=true&includeGuestNames=true&includeLabels=true&includeChecks=true${payments}`,
  )
  const { street, zip, city, country } = order.billingAddress
  const amount = (value: number) => written.amount(value, order.currency)
  const { labels, checks } = order
  const known = (texts: readonly (string | null | undefined)[]) => texts.flatMap((text) => text || [])
  return [
    all(
      fact('the order', [order.orderNumber ?? order.uuid]),
      fact('its day', [written.day(written.localDay(order.orderDate))]),
      fact('its status', [say('status'), labels?.status ?? '–']),
      fact('how it is paid', [say('payment'), ...known([labels?.paymentStatus, labels?.paymentMethod])]),
      fact('its guests', order.guestNames ?? []),
      fact('its billing address', known([street, zip, city, country])),
      fact('its notes', known([order.notes])),
      ...order.items.map(({ name, quantity, price }) =>
        fact('its item', [name, written.number(quantity), amount(price), amount(quantity * price)]),
      ),
      fact('its total', [say('total'), amount(order.totalAmount)]),
    ),
    all(...paymentFacts(expecting, order)),
    all(
      ...(checks?.problems.some(({ kind }) => kind === 'totalDiffersFromItems')
        ? [
            fact('that its items do not add up', [
              say('itemsDiffer', { items: amount(checks.itemsTotal ?? 0), total: amount(order.totalAmount) }),
            ]),
          ]
        : []),
      ...(checks !== undefined && checks.notChecked.length > 0
        ? [fact('that payments were not looked at', [say('paymentsNotChecked')])]
        : []),
    ),
  ]
}

/** None, not permitted and each of them are three different texts. */
function paymentFacts(expecting: Expecting, { payments = [] }: Order): Fact[] {
  const { written, say } = expecting
  if (!may(expecting, 'guests.financial'))
    return [fact('that the key may not read payments', [say('paymentsNotPermitted')])]
  if (payments.length === 0) return [fact('that there is no payment', [say('noPayments')])]
  return payments.map(({ amount, currency, paymentTypeLabel, notes }) =>
    fact('a payment', [paymentTypeLabel ?? '–', notes ?? '–', written.amount(amount, currency)]),
  )
}

export const thisKey: Expectation = async ({ api, say, of }) => {
  const { key } = await api.get<Me>('/me')
  const named = (subjects: Me['key']['sees']) => subjects.map((subject) => say(SUBJECTS[subject]))
  return [
    all(
      fact('the name of the key', ['check']),
      fact('that it does not expire', [say('doesNotExpire')]),
      fact('that it has no limit', [say('noLimit')]),
      fact('what it sees', [say('deviceSees'), ...named(key.sees)]),
      fact('what it does not see', [
        say('deviceSeesNot'),
        // Of custom fields, it may see some.
        ...named(key.seesNot.filter((subject) => subject !== 'customFields')),
      ]),
      fact('its scopes', of.scopes),
    ),
  ]
}
