/** A client of the interface with Node's fetch, written from its text alone. It knows nothing else of the service. */
import process from 'node:process'

const { BASE_URL, APP_ID, PUBLIC_KEY, SECRET_KEY, API_KEY, LOCALE, SESSIONS, FROM, TO } = process.env
// As generated clients do: every header that is described, filled or not.
const three = {
  ...{ 'X-API-APP-ID': APP_ID, 'X-API-PUBLIC-KEY': PUBLIC_KEY, 'X-API-SECRET-KEY': SECRET_KEY },
  ...{ 'X-LOCALE': LOCALE, Authorization: '' },
}
const bearer = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

async function get(path, query = {}, headers = three) {
  // As axios and jQuery write a query.
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((one) => [`${name}[]`, one]) : [[name, value]],
  )
  const response = await fetch(
    `${BASE_URL}${path}?${new URLSearchParams([...pairs, ['_', '1735689600000']])}`,
    {
      headers,
    },
  )
  const body = await response.json()
  if (!response.ok)
    throw Object.assign(new Error(body.error.message), { refusal: [response.status, body.error.code] })
  return body
}

/** Refuses fields that the interface does not print. */
function exactly(value, names) {
  const unknown = Object.keys(value).filter((name) => !names.includes(name))
  const missing = names.filter((name) => !(name in value))
  if (unknown.length + missing.length > 0) throw new Error(`unknown: ${unknown}; missing: ${missing}`)
  return value
}

const ORDER = [
  ...['uuid', 'orderDate', 'totalAmount', 'status', 'items', 'billingAddress', 'paymentMethod'],
  ...['paymentStatus', 'notes', 'createdAt', 'updatedAt'],
]

const guests = []
for (let start = 1, total = 1; guests.length < total; start += 1) {
  const project = ['firstName', 'lastName', 'startDate', 'endDate']
  const page = await get('/v1/guests', { sessionIds: SESSIONS.split(','), start, length: 2, project })
  guests.push(...exactly(page, ['data', 'total']).data)
  total = page.total
}

const days = { startDate: FROM, endDate: TO }
const report = exactly(await get('/guests/meal-skipping-report', days, bearer), [
  'summary',
  'byDate',
  'byGuest',
])
const moments = { startDate: `${FROM}T00:00:00Z`, endDate: `${TO}T23:59:59Z` }
const sessions = exactly(await get('/v1/sessions', moments), ['data', 'total']).data
const orders = await get('/v1/orders', { ...days, includeGuestNames: true })
const single = await Promise.all(
  orders.map(async ({ uuid }) => exactly(await get(`/v1/orders/${uuid}`), ORDER)),
)

const refusal = async (path, headers) => {
  try {
    return await get(path, {}, headers)
  } catch (error) {
    return [...error.refusal, error.message.length > 0]
  }
}
const result = {
  guests: guests.map(({ firstName, lastName, startDate, ids }) => [
    ...[firstName, lastName, startDate, ids.startDate.slice(0, 10), ids.status],
  ]),
  skips: Object.values(report.byGuest).reduce(
    (sum, of) => sum + of.totalSkippedBreakfast + of.totalSkippedLunch + of.totalSkippedDinner,
    0,
  ),
  sessions: sessions.map(({ _id, name }) => [_id, name]),
  names: orders.map(({ guestNames }) => guestNames),
  totals: single.map(({ uuid, totalAmount }) => [uuid, totalAmount]),
  errors: [
    await refusal('/v1/guests', three),
    await refusal('/v1/orders/00000000-0000-4000-8000-000000000000', three),
    await refusal('/v1/guests', { Authorization: 'Bearer nonsense' }),
  ],
}
process.stdout.write(`${JSON.stringify(result)}\n`)
