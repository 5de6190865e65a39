/** The JSON Schema of GET /search. */
import { BOOKING_STATUSES } from '../../core/records/fields/statuses.ts'
import { object } from '../../core/request/object-schema.ts'

const STRING = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const MOMENT = { type: 'string', format: 'date-time' }
const COUNT = { type: 'integer', minimum: 0 }

const group = (what: string, compared: readonly string[], record: unknown) => ({
  ...object({
    total: { ...COUNT, description: `number of ${what} that were found; a minimum if \`complete\` is false` },
    complete: {
      type: 'boolean',
      description: 'whether all were found; false if the words are too frequent',
    },
    data: { type: 'array', items: record },
    comparedWith: {
      type: 'array',
      description: 'what the words were compared with',
      items: { ...STRING, enum: compared },
    },
  }),
  type: ['object', 'null'],
  description: `The ${what}; null if the key may not read them.`,
})

const SIMILAR = {
  type: 'boolean',
  description:
    'whether nothing of it is exactly what was searched for: one letter of the name is another, or day and month of the date of birth are exchanged; such records come last',
}

const GUEST = object({
  id: { ...STRING, description: 'the identifier of the booking' },
  firstName: TEXT_OR_NULL,
  lastName: TEXT_OR_NULL,
  room: { ...TEXT_OR_NULL, description: 'today, or on the nearest day of the stay; null if it is not known' },
  startDate: { ...STRING, description: 'localized date' },
  endDate: { ...STRING, description: 'localized date' },
  status: { ...STRING, description: 'localized label' },
  when: {
    ...STRING,
    enum: ['here', 'coming', 'past', 'inactive'],
    description:
      'when the stay is, by local days: `here` if it includes today, also before the guest arrives; `inactive` if the booking is not active',
  },
  matched: {
    type: 'array',
    description: 'by what the guest was found',
    items: object({
      by: {
        ...STRING,
        enum: ['name', 'similarName', 'dob', 'room', 'bookingId', 'email', 'phone'],
        description: '`similarName`: one letter of a word of the name is another',
      },
      value: { ...TEXT_OR_NULL, description: 'the value; null for a name' },
    }),
  },
  similar: SIMILAR,
  ids: object({
    room: TEXT_OR_NULL,
    startDate: MOMENT,
    endDate: MOMENT,
    status: { ...STRING, enum: BOOKING_STATUSES },
  }),
})

const ORDER = object({
  uuid: STRING,
  orderNumber: TEXT_OR_NULL,
  orderDate: { ...STRING, description: 'localized date' },
  status: { ...STRING, description: 'localized label' },
  paymentStatus: { ...TEXT_OR_NULL, description: 'localized label' },
  guestNames: {
    type: 'array',
    description: 'the first names of the list of its guests, at most 3; main guest first',
    items: STRING,
  },
  guests: { ...COUNT, description: 'number of its guests' },
  matched: {
    type: 'array',
    description: 'by what the order was found; `name` is that of one of its guests',
    items: object({ by: { ...STRING, enum: ['orderNumber', 'uuid', 'name', 'similarName'] } }),
  },
  similar: SIMILAR,
  ids: object({ orderDate: MOMENT, status: STRING, paymentStatus: TEXT_OR_NULL }),
})

export const SEARCH_SCHEMA = object({
  guests: group('guests', ['name', 'dob', 'room', 'bookingId', 'email', 'phone'], GUEST),
  orders: group('orders', ['orderNumber', 'uuid', 'name'], ORDER),
  withheld: {
    type: 'array',
    description:
      'what was not searched, because the key lacks a scope; it does not say whether there is anything in it. `datesOfBirth` if the words are a date',
    items: object({
      group: { ...STRING, enum: ['guests', 'orders', 'datesOfBirth'] },
      scopes: { type: 'array', items: STRING, description: 'the scopes that the key lacks' },
    }),
  },
})
