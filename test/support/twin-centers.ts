/**
 * Two centers with the same identifiers but different data: code that reads without the center finds rows of the other
 * one, whose texts carry its mark.
 */
import {
  booking,
  customer,
  LODGE,
  lodge,
  metaField,
  order,
  SPA,
  session,
  spa,
  type TestRecord,
  term,
} from './world.ts'

/**
 * Occurs in every text of the second center and nowhere else. It is long, so that it does not occur by chance in what is
 * random: identifiers of keys, tags, signatures. The two marks share no letter, so that their names are not alike.
 */
export const LODGE_MARK = 'Zyxwudkm'
/** Occurs in every text of the first center. */
export const SPA_MARK = 'Abcspring'

export const UUID = '6f1c2ba4-e88f-4a1e-9e6b-2a0f4d9f3c11'

const TERM_SETS = [
  'program',
  'package',
  'unit',
  'room',
  'roomStandard',
  'bedType',
  'accommodationType',
  'discount',
  'recommendation',
  'referralType',
  'religion',
  'paymentType',
] as const

/** Both centers. Identifiers that exist in only one of them contain its name. */
export const twinCenters = (): TestRecord[] => [
  spa(profile(SPA_MARK)),
  lodge(profile(LODGE_MARK)),
  ...centerRecords(SPA, SPA_MARK, 3),
  ...centerRecords(LODGE, LODGE_MARK, 7),
]

/** Identifiers of every kind that only the second center has. */
export const LODGE_ONLY = {
  session: 'only-lodge-session',
  booking: 'only-lodge-booking',
  customer: 'only-lodge-guest00',
  order: '7a1c2ba4-e88f-4a1e-9e6b-2a0f4d9f3c99',
  opaqueOrder: 'only_lodge_order_1',
} as const

const profile = (mark: string) => ({
  name: `${mark} center`,
  addressLine1: `${mark} street`,
  addressLine2: `${mark} town`,
  email: `desk@${mark.toLowerCase()}.example`,
  phone: `+40 ${mark}`,
})

function centerRecords(centerId: string, mark: string, guests: number): TestRecord[] {
  const own = { centerId }
  const only = `only-${centerId}`
  const text = (what: string) => `${mark} ${what}`
  const one = (id: string, customerId: string, fields: Readonly<Record<string, unknown>>): TestRecord[] => [
    customer(customerId, { ...own, ...person(mark, id) }),
    booking(id, {
      ...own,
      customerId,
      sessionIds: ['s-1', 's-2'],
      orderUuid: UUID,
      bookingId: `${mark} ${id}`,
      ...stayDetails(mark),
      ...fields,
    }),
  ]
  return [
    ...TERM_SETS.map((set) => term(set, `${set}-1`, text(set), { ...own, names: { ro: text(`${set} ro`) } })),
    metaField('shared', own),
    metaField('stayNote', { ...own, of: 'booking' }),
    metaField(`${mark}Only`, { ...own, label: text('label') }),
    session('s-0', '2024-03-01T14:00', '2024-03-09T10:00', { ...own, name: text('session before') }),
    ...['s-1', 's-2', `${only}-session`].map((id) =>
      session(id, '2025-01-10T14:00', '2025-01-20T10:00', {
        ...own,
        name: text(`session ${id}`),
        number: mark,
        text: text('description'),
        programIds: ['program-1'],
        unitIds: ['unit-1'],
      }),
    ),
    ...Array.from({ length: guests }, (_, at) => one(`b-${at + 1}`, `c-${at + 1}`, {})).flat(),
    ...one(`${only}-booking`, `${only}-guest00`, {
      sessionIds: [`${only}-session`],
      orderUuid: centerId === LODGE ? LODGE_ONLY.order : UUID,
    }),
    booking('b-past', {
      ...own,
      customerId: 'c-1',
      status: 'departed',
      startDate: '2024-03-01T14:00',
      endDate: '2024-03-09T10:00',
      sessionIds: ['s-0'],
    }),
    ...[UUID, ...(centerId === LODGE ? [LODGE_ONLY.order, LODGE_ONLY.opaqueOrder] : ['only_spa_order'])].map(
      (uuid) =>
        order(uuid, {
          ...own,
          number: text('number'),
          status: text('status'),
          paymentMethod: text('method'),
          paymentStatus: text('paid'),
          notes: text('notes'),
          billingAddress: { street: text('street'), city: text('city'), zip: mark, country: text('country') },
          items: [{ itemId: 'item-1', name: text('item'), quantity: 1, price: 10 }],
        }),
    ),
  ]
}

const person = (mark: string, id: string) => ({
  firstName: `${mark}first`,
  lastName: `${mark}last ${id}`,
  pin: `${mark}-pin`,
  internalId: `${mark}-internal`,
  email: `${id}@${mark.toLowerCase()}.example`,
  phone: `+40 721 00${mark === SPA_MARK ? '1' : '2'} 001 ${mark}`,
  secondaryPhone: `+40 721 00${mark === SPA_MARK ? '1' : '2'} 002 ${mark}`,
  dob: '1980-01-12',
  gender: 'female',
  religion: 'religion-1',
  referralType: 'referralType-1',
  address: Object.fromEntries(
    ['street', 'city', 'zip', 'country', 'notes'].map((part) => [part, `${mark} ${part}`]),
  ),
  meta: { shared: `${mark} shared`, [`${mark}Only`]: `${mark} only` },
})

const stayDetails = (mark: string) => {
  const payment = {
    amount: 10,
    notes: `${mark} payment`,
    paidAt: '2025-01-02T10:00:00Z',
    paymentType: 'paymentType-1',
  }
  return {
    createdBy: `${mark} desk`,
    bookedAt: '2024-12-01T10:00:00Z',
    programId: 'program-1',
    packageId: 'package-1',
    acc: {
      roomId: 'room-1',
      bedType: 'bedType-1',
      type: 'accommodationType-1',
      roomStandardId: 'roomStandard-1',
      roomSize: `${mark} size`,
      floor: `${mark} floor`,
    },
    formData: Object.fromEntries(
      ['accommodationDetails', 'medicalConditions', 'observations', 'mobility'].map((part) => [
        part,
        `${mark} ${part}`,
      ]),
    ),
    financial: {
      subtotal: 100,
      total: 90,
      discountIds: ['discount-1'],
      deposit: payment,
      fullPayment: payment,
    },
    medicalLetter: {
      ...Object.fromEntries(
        ['ultrasoundNotes', 'ultrasoundStr', 'psychiatricExam', 'diagnoses', 'customRec', 'ekg'].map(
          (part) => [part, `${mark} ${part}`],
        ),
      ),
      recommendationsIds: ['recommendation-1'],
    },
    medicalData: { notes: `${mark} medical` },
    doctorName: `${mark} doctor`,
    therapistName: `${mark} therapist`,
    idealWeight: 60,
    weight1: 70,
    height: 170,
    skippingMeals: { breakfast: ['2025-01-11'], lunch: [], dinner: [] },
    meta: { stayNote: `${mark} stay` },
  }
}
