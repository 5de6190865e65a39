/**
 * The records tests are made of: two centers and small makers. A test adds the few records it needs, so that
 * what it asks about stands in the test itself.
 */

/** One intake record, version 1. */
export type TestRecord = { readonly kind: string; readonly [field: string]: unknown }

type Fields = Readonly<Record<string, unknown>>

/** The center most tests read: Bucharest, two hours before UTC in winter and three in summer. */
export const SPA = 'spa'
/** The center whose data must never show there: St. John's, three and a half hours behind UTC. */
export const LODGE = 'lodge'

export const spa = (fields: Fields = {}): TestRecord => ({
  kind: 'center',
  id: SPA,
  name: 'Izvorul Alb',
  timezone: 'Europe/Bucharest',
  currency: 'EUR',
  ...fields,
})

export const lodge = (fields: Fields = {}): TestRecord => ({
  kind: 'center',
  id: LODGE,
  name: 'The Lodge',
  timezone: 'America/St_Johns',
  currency: 'CAD',
  ...fields,
})

export const session = (id: string, startDate: string, endDate: string, fields: Fields = {}): TestRecord => ({
  kind: 'session',
  centerId: SPA,
  id,
  name: `Session ${id}`,
  startDate,
  endDate,
  ...fields,
})

export const customer = (id: string, fields: Fields = {}): TestRecord => ({
  kind: 'customer',
  centerId: SPA,
  id,
  firstName: 'Ana',
  lastName: 'Pop',
  ...fields,
})

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
 * A customer `c-<id>` with one booking `<id>`, in January 2025 unless told otherwise.
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

/** A guest who is there from one local day to another, arriving at 14:00 and leaving at 10:00. */
export const stay = (id: string, from: string, to: string, fields: Fields = {}): TestRecord[] =>
  guest(id, { startDate: `${from}T14:00`, endDate: `${to}T10:00`, ...fields })

export const order = (uuid: string, fields: Fields = {}): TestRecord => ({
  kind: 'order',
  centerId: SPA,
  uuid,
  orderDate: '2025-01-05T12:00',
  totalAmount: 100,
  status: 'confirmed',
  ...fields,
})

export const term = (set: string, id: string, name: string, fields: Fields = {}): TestRecord => ({
  kind: 'term',
  centerId: SPA,
  set,
  id,
  name,
  ...fields,
})

export const metaField = (key: string, fields: Fields = {}): TestRecord => ({
  kind: 'metaField',
  centerId: SPA,
  key,
  type: 'string',
  of: 'customer',
  ...fields,
})
