import Type from 'typebox'
import { CONTRADICTION_KINDS, OFF_BY_DEFAULT } from '../../records/centers/contradiction-kinds.ts'
import { BOOKING_STATUSES } from '../../records/fields/statuses.ts'
import {
  bookingIdFormat,
  currency,
  filledText,
  flag,
  identifier,
  integer,
  locale,
  oneOf,
  text,
  timeZone,
  uniqueList,
} from '../../records/fields/values.ts'
import type { Kind } from './kind.ts'
import { checkMealRules, mealRules } from './meal-rules.ts'
import { checkOrderRules, orderRules } from './order-rules.ts'

const { Optional } = Type

/** A center, which owns all other records. */
export const center = {
  name: 'center',
  table: 'centers',
  key: [{ field: 'id', column: 'center_id' }],
  schema: Type.Object({
    id: identifier('Identifier of the center.'),
    name: filledText('Name of the center.'),
    addressLine1: Optional(text('First line of its address.')),
    addressLine2: Optional(text('Second line of its address.')),
    email: Optional(text('E-mail address.')),
    phone: Optional(text('Telephone number.')),
    timezone: timeZone('Time zone of the center: all its days are local days there.'),
    currency: currency('Currency of its amounts, unless an order names its own.'),
    locale: Optional(locale('Language of answers to requests that ask for none; `en` by default.')),
    automaticBookingIds: Optional(
      flag('Whether a booking gets an identifier when the guest arrives; false by default.'),
    ),
    bookingIdSession: Optional(
      oneOf('What SN means in booking identifiers: the session number or its name; `number` by default.', [
        'number',
        'name',
      ]),
    ),
    bookingIdFormat: Optional(
      bookingIdFormat('Pattern of automatic booking identifiers; `YY-SN-BN` by default.'),
    ),
    apiAccess: Optional(flag('Whether keys of this center may read through the interface; true by default.')),
    maximumPageLength: Optional(
      integer('Largest page that a request may ask for; 100 by default.', 1, 100_000),
    ),
    pseudonymousReads: Optional(
      flag(
        'Whether keys with `guests.medical` and without `guests` may read `GET /guests` under pseudonyms; false by default.',
      ),
    ),
    mealReportExcludedStatuses: Optional(
      uniqueList(
        'Booking statuses that the meal report excludes; `cancelled`, `waitingList`, `review` by default.',
        oneOf('Booking status.', [...BOOKING_STATUSES]),
      ),
    ),
    mealRules: Optional(mealRules),
    orderRules: Optional(orderRules),
    contradictionKinds: Optional(
      Type.Object(
        Object.fromEntries(
          CONTRADICTION_KINDS.map((kind) => [
            kind,
            Optional(flag(`Whether this kind is reported; ${!OFF_BY_DEFAULT.has(kind)} by default.`)),
          ]),
        ),
        { description: 'Which kinds of contradictions between records are reported.' },
      ),
    ),
  }),
  columns: [
    { name: 'name', type: 'text', field: 'name' },
    { name: 'address_line1', type: 'text', field: 'addressLine1' },
    { name: 'address_line2', type: 'text', field: 'addressLine2' },
    { name: 'email', type: 'text', field: 'email' },
    { name: 'phone', type: 'text', field: 'phone' },
    { name: 'timezone', type: 'text', field: 'timezone' },
    { name: 'currency', type: 'text', field: 'currency' },
    { name: 'locale', type: 'text', field: 'locale', empty: 'en' },
    { name: 'automatic_booking_ids', type: 'boolean', field: 'automaticBookingIds', empty: false },
    { name: 'booking_id_session', type: 'text', field: 'bookingIdSession', empty: 'number' },
    { name: 'booking_id_format', type: 'text', field: 'bookingIdFormat', empty: 'YY-SN-BN' },
    { name: 'api_access', type: 'boolean', field: 'apiAccess', empty: true },
    { name: 'maximum_page_length', type: 'integer', field: 'maximumPageLength', empty: 100 },
    { name: 'pseudonymous_reads', type: 'boolean', field: 'pseudonymousReads', empty: false },
    {
      name: 'meal_report_excluded_statuses',
      type: 'text[]',
      field: 'mealReportExcludedStatuses',
      empty: ['cancelled', 'waitingList', 'review'],
    },
    { name: 'meal_rules', type: 'jsonb', field: 'mealRules' },
    { name: 'contradiction_kinds', type: 'jsonb', field: 'contradictionKinds' },
    { name: 'order_rules', type: 'jsonb', field: 'orderRules' },
  ],
  check: ({ meal_rules, order_rules }) => [...checkMealRules(meal_rules), ...checkOrderRules(order_rules)],
} as const satisfies Kind
