/** Every projectable field of the registry, on one record that has them all and one that has none. */
import { beforeAll, describe, expect, it } from 'vitest'
import { GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import { type Fields, startTestApi, type TestApi } from '../../support/api.ts'
import { booking, customer, guest, order, session, spa, term } from '../../support/world.ts'

const NBSP = '\u00a0'

/** What the rich guest answers: humanized in Romanian, and raw in ids where the field is humanized. */
const RICH: Record<string, { shown: unknown; raw?: unknown }> = {
  firstName: { shown: 'Ștefania' },
  lastName: { shown: 'Ionescu' },
  name: { shown: 'Ștefania Ionescu' },
  firstNameCaps: { shown: 'ȘTEFANIA' },
  lastNameCaps: { shown: 'IONESCU' },
  pin: { shown: '2800115123456' },
  internalId: { shown: 'C-1042' },
  email: { shown: 'stefania@example.com' },
  phone: { shown: '+40 700 000 000' },
  secondaryPhone: { shown: '+40 700 000 001' },
  dob: { shown: '12.01.1980', raw: '1980-01-12' },
  age: { shown: 46 },
  gender: { shown: 'Feminin', raw: 'female' },
  religion: { shown: 'Ortodoxă', raw: 'orthodox' },
  birthDateDuringStay: { shown: true },
  'address.street': { shown: 'Strada Lungă 1' },
  'address.city': { shown: 'Brașov' },
  'address.zip': { shown: '500001' },
  'address.country': { shown: 'România' },
  'address.notes': { shown: 'Etajul doi' },
  referralType: { shown: 'Prieteni', raw: 'friend' },
  id: { shown: 'rich' },
  customerId: { shown: 'stefania' },
  bookingId: { shown: '25-07-01' },
  centerId: { shown: 'spa' },
  programId: { shown: 'Detoxifiere', raw: 'detox' },
  packageId: { shown: 'Pensiune completă', raw: 'FB' },
  startDate: { shown: '10.01.2025', raw: '2025-01-10T12:00:00.000Z' },
  endDate: { shown: '15.01.2025', raw: '2025-01-15T08:00:00.000Z' },
  bookedAt: { shown: '02.12.2024', raw: '2024-12-01T22:30:00.000Z' },
  createdBy: { shown: 'reception' },
  status: { shown: 'Sosit', raw: 'arrived' },
  role: { shown: 'Pacient', raw: 'patient' },
  orderUuid: { shown: 'o-1' },
  orderNumber: { shown: '105517' },
  orderStatus: { shown: 'Confirmată', raw: 'confirmed' },
  isOrderMainGuest: { shown: true },
  paid: { shown: 'Nedecisă', raw: 'notDecided' },
  'formData.accommodationDetails': { shown: 'Cameră liniștită' },
  'acc.roomId': { shown: 'Camera 12', raw: 'A-12' },
  'acc.bedType': { shown: 'Pat dublu', raw: 'double' },
  'acc.type': { shown: 'Privat', raw: 'private' },
  'acc.roomStandardId': { shown: 'Superioară', raw: 'std-A' },
  'acc.roomSize': { shown: '24 m²' },
  'acc.floor': { shown: '2' },
  'financial.subtotal': { shown: `1.500,00${NBSP}EUR`, raw: 1500 },
  'financial.total': { shown: `1.234,50${NBSP}EUR`, raw: 1234.5 },
  'financial.discountIds': { shown: ['Rezervare timpurie', 'plain text'], raw: ['early', 'plain text'] },
  'financial.deposit.amount': { shown: `100,00${NBSP}EUR`, raw: 100 },
  'financial.deposit.notes': { shown: 'la telefon' },
  'financial.deposit.paidAt': { shown: '03.12.2024', raw: '2024-12-03T10:00:00.000Z' },
  'financial.deposit.paymentType': { shown: 'Transfer bancar', raw: 'bank' },
  'financial.fullPayment.amount': { shown: `1.134,50${NBSP}EUR`, raw: 1134.5 },
  'financial.fullPayment.notes': { shown: 'la recepție' },
  'financial.fullPayment.paidAt': { shown: '10.01.2025', raw: '2025-01-10T13:00:00.000Z' },
  'financial.fullPayment.paymentType': { shown: 'Card', raw: 'card' },
  'formData.medicalConditions': { shown: 'astm' },
  'formData.observations': { shown: 'doarme ușor' },
  'formData.mobility': { shown: 'merge singură' },
  'medicalLetter.ultrasoundNotes': { shown: 'fără' },
  'medicalLetter.ultrasoundStr': { shown: 'normal' },
  'medicalLetter.psychiatricExam': { shown: 'echilibrată' },
  'medicalLetter.diagnoses': { shown: 'J45' },
  'medicalLetter.customRec': { shown: 'plimbări' },
  'medicalLetter.ekg': { shown: 'sinusal' },
  'medicalLetter.recommendationsIds': { shown: ['Mai multă apă'], raw: ['water'] },
  'medicalData.notes': { shown: 'control peste o săptămână' },
  doctorName: { shown: 'Dr. Ana Ionescu' },
  therapistName: { shown: 'Mihai Radu' },
  idealWeight: { shown: 68 },
  idealCirc: { shown: 80.5 },
  weight1: { shown: 82.5 },
  weight2: { shown: 80.1 },
  height: { shown: 172 },
  bmi1: { shown: 27.9 },
  bmi2: { shown: 27 },
  skippingMeals: { shown: { breakfast: ['2025-01-11'], lunch: [], dinner: ['2025-01-11', '2025-01-12'] } },
  sessionsAttendedBefore: { shown: ['Toamna 2024'], raw: ['autumn'] },
  sessionsAttendedBeforeCount: { shown: 1 },
  sessionsRegisteredFuture: { shown: ['Vara 2025', 'Toamna 2025'], raw: ['summer', 'autumn-2025'] },
  sessionsRegisteredFutureCount: { shown: 2 },
  sessionInterval: {
    shown: '06.01.2025 - 12.01.2025',
    raw: '2025-01-06T10:00:00.000Z/2025-01-12T10:00:00.000Z',
  },
  sessionStartDate: { shown: '06.01.2025', raw: '2025-01-06T10:00:00.000Z' },
  sessionEndDate: { shown: '12.01.2025', raw: '2025-01-12T10:00:00.000Z' },
  centerName: { shown: 'Izvorul Alb' },
  centerAddressLine1: { shown: 'Strada Izvorului 1' },
  centerAddressLine2: { shown: 'România' },
  centerEmail: { shown: 'desk@example.com' },
  centerPhone: { shown: '+40 200 000 000' },
}

/** What a guest of whom only the required is known answers otherwise than with null. */
const BARE: Record<string, unknown> = {
  firstName: 'Ana',
  lastName: 'Pop',
  name: 'Ana Pop',
  firstNameCaps: 'ANA',
  lastNameCaps: 'POP',
  id: 'bare',
  customerId: 'c-bare',
  startDate: '10.01.2025',
  endDate: '15.01.2025',
  status: 'Confirmat',
  role: 'Pacient',
  skippingMeals: { breakfast: [], lunch: [], dinner: [] },
  sessionsAttendedBefore: [],
  sessionsAttendedBeforeCount: 0,
  sessionsRegisteredFuture: [],
  sessionsRegisteredFutureCount: 0,
  centerName: 'Izvorul Alb',
}

const rich = [
  spa({
    addressLine1: 'Strada Izvorului 1',
    addressLine2: 'România',
    email: 'desk@example.com',
    phone: '+40 200 000 000',
    locale: 'ro',
  }),
  term('religion', 'orthodox', 'Orthodox', { names: { ro: 'Ortodoxă' } }),
  term('referralType', 'friend', 'Friends', { names: { ro: 'Prieteni' } }),
  term('program', 'detox', 'Detox', { names: { ro: 'Detoxifiere' } }),
  term('package', 'FB', 'Full board', { names: { ro: 'Pensiune completă' } }),
  term('room', 'A-12', 'Room 12', { names: { ro: 'Camera 12' } }),
  term('bedType', 'double', 'Double bed', { names: { ro: 'Pat dublu' } }),
  term('accommodationType', 'private', 'Private', { names: { ro: 'Privat' } }),
  term('roomStandard', 'std-A', 'Superior', { names: { ro: 'Superioară' } }),
  term('discount', 'early', 'Early booking', { names: { ro: 'Rezervare timpurie' } }),
  term('recommendation', 'water', 'Drink more water', { names: { ro: 'Mai multă apă' } }),
  term('paymentType', 'bank', 'Bank transfer', { names: { ro: 'Transfer bancar' } }),
  term('paymentType', 'card', 'Card'),
  session('winter', '2025-01-06T12:00', '2025-01-12T12:00', { name: 'Iarna 2025', number: '1' }),
  session('autumn', '2024-10-06T12:00', '2024-10-12T12:00', { name: 'Toamna 2024' }),
  session('summer', '2025-06-06T12:00', '2025-06-12T12:00', { name: 'Vara 2025' }),
  session('autumn-2025', '2025-10-06T12:00', '2025-10-12T12:00', { name: 'Toamna 2025' }),
  order('o-1', { number: '105517' }),
  customer('ștefania'.replace('ș', 's'), {
    firstName: 'Ștefania',
    lastName: 'Ionescu',
    pin: '2800115123456',
    internalId: 'C-1042',
    email: 'stefania@example.com',
    phone: '+40 700 000 000',
    secondaryPhone: '+40 700 000 001',
    dob: '1980-01-12',
    gender: 'female',
    religion: 'orthodox',
    address: {
      street: 'Strada Lungă 1',
      city: 'Brașov',
      zip: '500001',
      country: 'România',
      notes: 'Etajul doi',
    },
    referralType: 'friend',
  }),
  booking('rich', {
    customerId: 'stefania',
    status: 'arrived',
    sessionIds: ['winter'],
    bookingId: '25-07-01',
    bookedAt: '2024-12-02T00:30',
    createdBy: 'reception',
    programId: 'detox',
    packageId: 'FB',
    orderUuid: 'o-1',
    isOrderMainGuest: true,
    acc: {
      roomId: 'A-12',
      bedType: 'double',
      type: 'private',
      roomStandardId: 'std-A',
      roomSize: '24 m²',
      floor: '2',
    },
    formData: {
      accommodationDetails: 'Cameră liniștită',
      medicalConditions: 'astm',
      observations: 'doarme ușor',
      mobility: 'merge singură',
    },
    financial: {
      subtotal: 1500,
      total: 1234.5,
      discountIds: ['early', 'plain text'],
      deposit: { amount: 100, notes: 'la telefon', paidAt: '2024-12-03T10:00:00Z', paymentType: 'bank' },
      fullPayment: {
        amount: 1134.5,
        notes: 'la recepție',
        paidAt: '2025-01-10T13:00:00Z',
        paymentType: 'card',
      },
    },
    medicalLetter: {
      ultrasoundNotes: 'fără',
      ultrasoundStr: 'normal',
      psychiatricExam: 'echilibrată',
      diagnoses: 'J45',
      customRec: 'plimbări',
      ekg: 'sinusal',
      recommendationsIds: ['water'],
    },
    medicalData: { notes: 'control peste o săptămână' },
    doctorName: 'Dr. Ana Ionescu',
    therapistName: 'Mihai Radu',
    idealWeight: 68,
    idealCirc: 80.5,
    weight1: 82.5,
    weight2: 80.1,
    height: 172,
    bmi2: 27,
    skippingMeals: { breakfast: ['2025-01-11'], dinner: ['2025-01-12', '2025-01-11'] },
  }),
  booking('earlier', {
    customerId: 'stefania',
    status: 'departed',
    sessionIds: ['autumn'],
    startDate: '2024-10-06T14:00',
    endDate: '2024-10-12T10:00',
  }),
  booking('later', {
    customerId: 'stefania',
    status: 'confirmed',
    sessionIds: ['summer', 'autumn-2025'],
    startDate: '2025-06-06T14:00',
    endDate: '2025-10-12T10:00',
  }),
]

/** The value at a path, and whether anything is there. */
function at(record: Fields | undefined, path: readonly string[]): { there: boolean; value: unknown } {
  let value: unknown = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return { there: false, value: undefined }
    value = (value as Fields)[name]
  }
  return { there: true, value }
}

describe('200', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi({ records: rich, now: '2026-05-14T12:00:00Z' })
  })
  const guestOf = async (asker: Pick<TestApi, 'get'>, name: string) => {
    const answer = await asker.get(`/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=${name}`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.total).toBe(1)
    return answer.body.data[0]
  }

  it('interface, projectable fields: the table of this test names every field of the registry', () => {
    expect(Object.keys(RICH).sort()).toEqual(GUEST_FIELDS.map((field) => field.name).sort())
  })

  it.each(GUEST_FIELDS.map((field) => [field.name, field] as const))(
    'interface, projectable fields: %s alone answers its humanized value, and ids its raw one',
    async (name, field) => {
      const expected = RICH[name]
      const record = await guestOf(api, name)
      expect(at(record, field.path)).toEqual({ there: true, value: expected?.shown })
      expect(Object.keys(record ?? {}).sort()).toEqual([...new Set([field.path[0], 'ids'])].sort())
      const humanized = expected !== undefined && 'raw' in expected
      expect(at(record?.ids, field.path)).toEqual({
        there: humanized,
        value: humanized ? expected.raw : undefined,
      })
    },
  )

  it('ruling 20: all fields named together answer what each answers alone', async () => {
    const all = await guestOf(api, GUEST_FIELDS.map((field) => field.name).join(','))
    for (const { name, path } of GUEST_FIELDS) expect(at(all, path).value, name).toEqual(RICH[name]?.shown)
    expect(Object.keys(all ?? {}).sort()).toEqual(
      [...new Set([...GUEST_FIELDS.map((field) => field.path[0]), 'ids'])].sort(),
    )
  })

  it('ruling 21: of a guest who has none of it, every other named field is null, and in ids too', async () => {
    const own = await api.newCenter(guest('bare'), { locale: 'ro' })
    const record = await guestOf(own, GUEST_FIELDS.map((field) => field.name).join(','))
    for (const { name, path } of GUEST_FIELDS) {
      const expected = name === 'centerId' ? own.id : (BARE[name] ?? null)
      expect(at(record, path), name).toEqual({ there: true, value: expected })
      if (RICH[name]?.raw !== undefined && expected === null) {
        expect(at(record?.ids, path), `ids.${name}`).toEqual({ there: true, value: null })
      }
    }
  })

  it('interface, projectable fields: every name of the interface’s table is known', async () => {
    const names = [
      ...[
        'firstName',
        'lastName',
        'name',
        'firstNameCaps',
        'lastNameCaps',
        'pin',
        'internalId',
        'email',
        'phone',
      ],
      ...['secondaryPhone', 'dob', 'age', 'gender', 'religion', 'birthDateDuringStay', 'address.street'],
      ...[
        'address.city',
        'address.zip',
        'address.country',
        'address.notes',
        'referralType',
        'bookingId',
        'centerId',
      ],
      ...[
        'programId',
        'packageId',
        'startDate',
        'endDate',
        'bookedAt',
        'createdBy',
        'status',
        'role',
        'orderNumber',
      ],
      ...[
        'orderStatus',
        'isOrderMainGuest',
        'formData.accommodationDetails',
        'acc.roomId',
        'acc.bedType',
        'acc.type',
      ],
      ...['acc.roomStandardId', 'acc.roomSize', 'acc.floor', 'financial.subtotal', 'financial.total'],
      ...[
        'financial.discountIds',
        'financial.deposit',
        'financial.deposit.amount',
        'financial.deposit.notes',
      ],
      ...['financial.deposit.paidAt', 'financial.deposit.paymentType', 'financial.fullPayment'],
      ...['financial.fullPayment.amount', 'financial.fullPayment.notes', 'financial.fullPayment.paidAt'],
      ...['financial.fullPayment.paymentType', 'formData.medicalConditions', 'formData.observations'],
      ...['formData.mobility', 'medicalLetter.ultrasoundNotes', 'medicalLetter.ultrasoundStr'],
      ...[
        'medicalLetter.psychiatricExam',
        'medicalLetter.diagnoses',
        'medicalLetter.customRec',
        'medicalLetter.ekg',
      ],
      ...[
        'medicalLetter.recommendationsIds',
        'medicalData.notes',
        'doctorName',
        'therapistName',
        'idealWeight',
      ],
      ...[
        'idealCirc',
        'weight1',
        'weight2',
        'height',
        'bmi1',
        'bmi2',
        'skippingMeals',
        'sessionsAttendedBefore',
      ],
      ...['sessionsRegisteredFuture', 'sessionsAttendedBeforeCount', 'sessionsRegisteredFutureCount'],
      ...['sessionInterval', 'sessionStartDate', 'sessionEndDate', 'centerName', 'centerAddressLine1'],
      ...['centerAddressLine2', 'centerEmail', 'centerPhone'],
    ]
    await guestOf(api, names.join(','))
    // The registry holds nothing else but what rulings and scopes add.
    const groups = ['financial.deposit', 'financial.fullPayment']
    expect(
      names
        .filter((name) => !groups.includes(name))
        .concat('id', 'orderUuid', 'customerId', 'paid')
        .sort(),
    ).toEqual(GUEST_FIELDS.map((field) => field.name).sort())
  })
})
