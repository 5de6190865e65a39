/** The JSON Schema of GET /search. */
import { BOOKING_STATUSES } from '../../core/records/fields/statuses.ts'
import * as Schema from '../../core/request/object-schema.ts'

const group = <const Found>(what: string, compared: readonly string[], record: Found) =>
  Schema.orNull(
    Schema.object({
      total: Schema.count(`number of ${what} that were found; a minimum if \`complete\` is false`),
      complete: Schema.flag('whether all were found; false if the words are too frequent'),
      data: Schema.listOf(record),
      comparedWith: Schema.list('what the words were compared with', Schema.oneOf(compared)),
    }),
    `The ${what}; null if the key may not read them.`,
  )

const SIMILAR = Schema.flag(
  'whether nothing of it is exactly what was searched for: one letter of the name is another, or day and month of the date of birth are exchanged; such records come last',
)

const GUEST = Schema.object({
  id: Schema.text('the identifier of the booking'),
  firstName: Schema.textOrNull(),
  lastName: Schema.textOrNull(),
  room: Schema.textOrNull('today, or on the nearest day of the stay; null if it is not known'),
  startDate: Schema.text('localized date'),
  endDate: Schema.text('localized date'),
  status: Schema.text('localized label'),
  when: Schema.oneOf(
    ['here', 'coming', 'past', 'inactive'],
    'when the stay is, by local days: `here` if it includes today, also before the guest arrives; `inactive` if the booking is not active',
  ),
  matched: Schema.list(
    'by what the guest was found',
    Schema.object({
      by: Schema.oneOf(
        ['name', 'similarName', 'dob', 'room', 'bookingId', 'email', 'phone'],
        '`similarName`: one letter of a word of the name is another',
      ),
      value: Schema.textOrNull('the value; null for a name'),
    }),
  ),
  similar: SIMILAR,
  ids: Schema.object({
    room: Schema.textOrNull(),
    startDate: Schema.moment(),
    endDate: Schema.moment(),
    status: Schema.oneOf(BOOKING_STATUSES),
  }),
})

const ORDER = Schema.object({
  uuid: Schema.text(),
  orderNumber: Schema.textOrNull(),
  orderDate: Schema.text('localized date'),
  status: Schema.text('localized label'),
  paymentStatus: Schema.textOrNull('localized label'),
  guestNames: Schema.list(
    'the first names of the list of its guests, at most 3; main guest first',
    Schema.text(),
  ),
  guests: Schema.count('number of its guests'),
  matched: Schema.list(
    'by what the order was found; `name` is that of one of its guests',
    Schema.object({ by: Schema.oneOf(['orderNumber', 'uuid', 'name', 'similarName']) }),
  ),
  similar: SIMILAR,
  ids: Schema.object({
    orderDate: Schema.moment(),
    status: Schema.text(),
    paymentStatus: Schema.textOrNull(),
  }),
})

export const SEARCH_SCHEMA = Schema.object({
  guests: group('guests', ['name', 'dob', 'room', 'bookingId', 'email', 'phone'], GUEST),
  orders: group('orders', ['orderNumber', 'uuid', 'name'], ORDER),
  withheld: Schema.list(
    'what was not searched, because the key lacks a scope; it does not say whether there is anything in it. `datesOfBirth` if the words are a date',
    Schema.object({
      group: Schema.oneOf(['guests', 'orders', 'datesOfBirth']),
      scopes: Schema.listOf(Schema.text(), 'the scopes that the key lacks'),
    }),
  ),
})
