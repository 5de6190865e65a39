/**
 * The records of tests: two centers and small functions that make records. A test adds the few records that it needs,
 * so that its data is visible in the test itself.
 */

/** One intake record. */
export type TestRecord = { readonly kind: string; readonly [field: string]: unknown }

type Fields = Readonly<Record<string, unknown>>

/** The center of most tests: Bucharest, two hours ahead of UTC in winter and three in summer. */
export const SPA = 'spa'
/** The center whose data must never appear there: St. John's, three and a half hours behind UTC. */
export const LODGE = 'lodge'

/** The record of the first center. */
export const spa = (fields: Fields = {}): TestRecord => ({
  kind: 'center',
  id: SPA,
  name: 'Izvorul Alb',
  timezone: 'Europe/Bucharest',
  currency: 'EUR',
  ...fields,
})

/** The record of the second center. */
export const lodge = (fields: Fields = {}): TestRecord => ({
  kind: 'center',
  id: LODGE,
  name: 'The Lodge',
  timezone: 'America/St_Johns',
  currency: 'CAD',
  ...fields,
})

/** A session of the first center. */
export const session = (id: string, startDate: string, endDate: string, fields: Fields = {}): TestRecord => ({
  kind: 'session',
  centerId: SPA,
  id,
  name: `Session ${id}`,
  startDate,
  endDate,
  ...fields,
})

/** A customer of the first center. */
export const customer = (id: string, fields: Fields = {}): TestRecord => ({
  kind: 'customer',
  centerId: SPA,
  id,
  firstName: 'Ana',
  lastName: 'Pop',
  ...fields,
})

/** A booking of the first center, in January 2025. */
export const booking = (id: string, fields: Fields = {}): TestRecord => ({
  kind: 'booking',
  centerId: SPA,
  id,
  customerId: `c-${id}`,
  role: 'patient',
  status: 'confirmed',
  startDate: '2025-01-10T14:00',
  endDate: '2025-01-15T10:00',
  ...fields,
})

/**
 * A customer `c-<id>` with one booking `<id>`, in January 2025 by default.
 * @param fields of the booking
 * @param person fields of the customer
 */
export const guest = (id: string, fields: Fields = {}, person: Fields = {}): TestRecord[] => [
  customer(`c-${id}`, {
    ...(fields.centerId === undefined ? {} : { centerId: fields.centerId }),
    ...person,
  }),
  booking(id, fields),
]

/** A guest who stays from one local day to another, arriving at 14:00 and leaving at 10:00. */
export const stay = (id: string, from: string, to: string, fields: Fields = {}): TestRecord[] =>
  guest(id, { startDate: `${from}T14:00`, endDate: `${to}T10:00`, ...fields })

/** An order of the first center. */
export const order = (uuid: string, fields: Fields = {}): TestRecord => ({
  kind: 'order',
  centerId: SPA,
  uuid,
  orderDate: '2025-01-05T12:00',
  totalAmount: 100,
  status: 'confirmed',
  ...fields,
})

/** A term of the first center. */
export const term = (set: string, id: string, name: string, fields: Fields = {}): TestRecord => ({
  kind: 'term',
  centerId: SPA,
  set,
  id,
  name,
  ...fields,
})

/** A custom field of the first center. */
export const metaField = (key: string, fields: Fields = {}): TestRecord => ({
  kind: 'metaField',
  centerId: SPA,
  key,
  type: 'string',
  of: 'customer',
  ...fields,
})
