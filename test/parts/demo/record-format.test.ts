import { describe, expect, test } from 'vitest'
import {
  awkwardDays,
  bookingsOf,
  DEMO_CENTER_ID,
  demo,
  OTHER_CENTER_ID,
  pathsOf,
  recordsOf,
} from './demo-data.ts'

const records = demo()

const termSets =
  'program package unit room roomStandard bedType accommodationType discount recommendation referralType religion paymentType'

/** Every optional and required path of records.md, by kind; custom fields are asked about on their own. */
const paths: Record<string, string> = {
  center: `id name addressLine1 addressLine2 email phone timezone currency locale automaticBookingIds
    bookingIdSession bookingIdFormat apiAccess maximumPageLength mealReportExcludedStatuses
    mealRules.mealTimes.breakfast mealRules.mealTimes.lunch mealRules.mealTimes.dinner mealRules.arrivalMeals
    mealRules.departureMeals mealRules.daysNotServed.breakfast mealRules.daysNotServed.lunch
    mealRules.daysNotServed.dinner mealRules.dietFields mealRules.alsoCookFor
    orderRules orderRules.orderStatuses orderRules.orderStatuses.valid orderRules.orderStatuses.open
    orderRules.orderStatuses.void orderRules.orderStatuses.refunded orderRules.paymentStatuses
    orderRules.paymentStatuses.valid orderRules.paymentStatuses.open orderRules.paymentStatuses.void
    orderRules.paymentStatuses.refunded`,
  term: 'set id name names names.ro names.no names.de names.fr beds',
  metaField: 'key label type of',
  session: 'id name number text startDate endDate programIds unitIds',
  customer: `id firstName lastName pin internalId email phone secondaryPhone dob gender religion address.street
    address.city address.zip address.country address.notes referralType`,
  booking: `id customerId role status startDate endDate sessionIds bookingId bookedAt createdBy programId packageId
    orderUuid isOrderMainGuest acc.roomId acc.bedType acc.type acc.roomStandardId acc.roomSize acc.floor accSegments
    formData.accommodationDetails formData.medicalConditions formData.observations formData.mobility
    financial.subtotal financial.total financial.discountIds financial.deposit.amount financial.deposit.notes
    financial.deposit.paidAt financial.deposit.paymentType financial.fullPayment.amount financial.fullPayment.notes
    financial.fullPayment.paidAt financial.fullPayment.paymentType medicalLetter.ultrasoundNotes
    medicalLetter.ultrasoundStr medicalLetter.psychiatricExam medicalLetter.diagnoses medicalLetter.customRec
    medicalLetter.ekg medicalLetter.recommendationsIds medicalData.notes doctorName therapistName idealWeight
    idealCirc weight1 weight2 height bmi1 bmi2 skippingMeals.breakfast skippingMeals.lunch skippingMeals.dinner`,
  order: `uuid number orderDate totalAmount currency status paymentMethod paymentStatus billingAddress.street
    billingAddress.city billingAddress.zip billingAddress.country notes items createdAt updatedAt`,
}

describe.each(Object.entries(paths))('every field of a %s', (kind, list) => {
  test('has a value somewhere in the demo center', () => {
    const present = new Set(recordsOf(records, kind).flatMap((record) => pathsOf(record)))
    expect(list.split(/\s+/).filter((path) => !present.has(path))).toEqual([])
  })
})

test('no record has a field the format does not know', () => {
  for (const { kind, centerId, meta, ...record } of records) {
    const known = new Set(
      paths[kind]!.split(/\s+/).flatMap((path) => [path, path.slice(0, path.lastIndexOf('.'))]),
    )
    const strange = pathsOf(record).filter((path) => !known.has(path) && !path.startsWith('names.'))
    expect(strange, kind).toEqual([])
    expect(typeof centerId === 'string' || kind === 'center').toBe(true)
    expect(meta === undefined || kind === 'customer' || kind === 'booking').toBe(true)
  }
})

test('no field is undefined: a field is there or it is not', () => {
  expect(JSON.parse(JSON.stringify(records))).toEqual(records)
  for (const record of records) {
    for (const path of pathsOf(record)) {
      const value = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], record)
      expect(value, path).not.toBeUndefined()
    }
  }
})

describe('terms', () => {
  test('are in every set, nearly all with Romanian and Norwegian names', () => {
    const terms = recordsOf(records, 'term')
    expect(new Set(terms.map((term) => term.set))).toEqual(new Set(termSets.split(' ')))
    expect(terms.filter((term) => !('names' in term))).toHaveLength(1)
  })

  test('are linked from every kind of field, next to plain text that names none', () => {
    const idsOf = (set: string) =>
      recordsOf(records, 'term')
        .filter((term) => term.set === set)
        .map(({ id }) => id)
    const used = (kind: string, field: string) => {
      const pattern = new RegExp(`"${field}":(?:\\[([^\\]]*)\\]|("[^"]*"))`, 'g')
      const found = [...JSON.stringify(recordsOf(records, kind)).matchAll(pattern)]
      return new Set(found.flatMap(([, list, one]) => JSON.parse(`[${list ?? one}]`) as string[]))
    }
    const pointers = [
      ['booking', 'programId', 'program'],
      ['booking', 'packageId', 'package'],
      ['session', 'unitIds', 'unit'],
      ['session', 'programIds', 'program'],
      ['booking', 'roomId', 'room'],
      ['booking', 'roomStandardId', 'roomStandard'],
      ['booking', 'bedType', 'bedType'],
      ['booking', 'type', 'accommodationType'],
      ['booking', 'discountIds', 'discount'],
      ['booking', 'recommendationsIds', 'recommendation'],
      ['customer', 'referralType', 'referralType'],
      ['customer', 'religion', 'religion'],
      ['booking', 'paymentType', 'paymentType'],
    ] as const
    const plainText = pointers.flatMap(([kind, field, set]) => {
      const ids = idsOf(set)
      for (const id of ids) expect(used(kind, field), `${field} ${id}`).toContain(id)
      return [...used(kind, field)].filter((value) => !ids.includes(value))
    })
    expect(plainText.length).toBeGreaterThanOrEqual(5)
  })
})

describe('custom fields', () => {
  const fields = recordsOf(records, 'metaField')
  const isOfType: Record<string, (value: unknown) => boolean> = {
    string: (value) => typeof value === 'string',
    number: (value) => typeof value === 'number',
    boolean: (value) => typeof value === 'boolean',
    date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  }

  test('are of all four types, for customers and for bookings', () => {
    const kinds = new Set(fields.map(({ of, type }) => `${of} ${type}`))
    expect(kinds.size).toBe(8)
  })

  test.each(['customer', 'booking'])(
    'of a %s have values of their type on some records and not on all',
    (kind) => {
      const owners = recordsOf(records, kind)
      for (const { key, type } of fields.filter(({ of }) => of === kind)) {
        const values = owners.flatMap(
          ({ meta }) => (meta as Record<string, unknown> | undefined)?.[String(key)] ?? [],
        )
        expect(values.length).toBeGreaterThan(50)
        expect(values.length).toBeLessThan(owners.length)
        expect(values.every(isOfType[String(type)]!)).toBe(true)
      }
    },
  )

  test('nobody carries a key that is not defined', () => {
    const keys = [...recordsOf(records, 'customer'), ...bookingsOf(records)].flatMap(({ meta }) =>
      Object.keys(meta ?? {}),
    )
    expect(new Set(keys)).toEqual(new Set(fields.map(({ key }) => key)))
  })
})

test('moments carry an offset or Z, and exist', () => {
  const moments = [...JSON.stringify(records).matchAll(/"(\d{4}-\d\d-\d\dT[^"]*)"/g)].map(
    ([, moment]) => moment!,
  )
  expect(moments.some((moment) => moment.endsWith('Z'))).toBe(true)
  expect(moments.some((moment) => moment.endsWith('+03:00'))).toBe(true)
  for (const moment of moments) {
    expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/)
    expect(Temporal.Instant.from(moment).epochMilliseconds).toBeGreaterThan(0)
  }
})

test('identifiers match the pattern and occur once for each kind and center', () => {
  const seen = new Set<string>()
  for (const { kind, centerId, ...record } of records) {
    const id = record.id ?? record.uuid ?? record.key
    expect(id).toMatch(/^[A-Za-z0-9_.:-]{1,64}$/)
    const whole = [centerId, kind, record.set, id].join('/')
    expect(seen).not.toContain(whole)
    seen.add(whole)
  }
})

describe.each([DEMO_CENTER_ID, OTHER_CENTER_ID])('in center %s', (center) => {
  test.each(awkwardDays)('references resolve and stays are in order on %s', (day) => {
    const all = demo(day)
    const idsOf = (kind: string) => new Set(recordsOf(all, kind, center).map(({ id, uuid }) => id ?? uuid))
    const [customers, sessions, orders] = [idsOf('customer'), idsOf('session'), idsOf('order')]
    const bookings = bookingsOf(all, center)
    for (const { customerId, sessionIds, orderUuid, startDate, endDate } of bookings) {
      expect(customers).toContain(customerId)
      for (const id of sessionIds ?? []) expect(sessions).toContain(id)
      if (orderUuid) expect(orders).toContain(orderUuid)
      expect(Date.parse(startDate)).toBeLessThan(Date.parse(endDate))
    }
    // Everybody was made for a booking, and every order with a main guest has exactly one.
    expect(new Set(bookings.map(({ customerId }) => customerId))).toEqual(customers)
    const mainGuests = bookings
      .filter(({ isOrderMainGuest }) => isOrderMainGuest)
      .map(({ orderUuid }) => orderUuid)
    expect(new Set(mainGuests).size).toBe(mainGuests.length)
    expect(new Set(mainGuests)).toEqual(new Set(bookings.flatMap(({ orderUuid }) => orderUuid ?? [])))
  })
})

test('the two centers share no identifier, e-mail address or last name', () => {
  const marks = (center: string) => {
    const own = ['customer', 'booking', 'session', 'order', 'term', 'metaField'].flatMap((kind) =>
      recordsOf(records, kind, center),
    )
    return new Set(
      own.flatMap(({ id, uuid, key, email, lastName, bookingId, number }) =>
        [id, uuid, key, email, lastName, bookingId, number].filter((mark) => typeof mark === 'string'),
      ),
    )
  }
  expect(recordsOf(records, 'booking', OTHER_CENTER_ID)).toHaveLength(27)
  expect(marks(DEMO_CENTER_ID).isDisjointFrom(marks(OTHER_CENTER_ID))).toBe(true)
})
