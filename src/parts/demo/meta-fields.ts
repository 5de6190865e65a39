import { addDays } from './calendar.ts'
import type { Random } from './random.ts'
import { DEMO_CENTER_ID, type IntakeRecord } from './record.ts'

type Value = string | number | boolean
type MetaField = {
  key: string
  label: string
  type: 'string' | 'number' | 'boolean' | 'date'
  /** One value of the field, believable on the given day. */
  value: (random: Random, day: string) => Value
}

const ofCustomer: MetaField[] = [
  {
    key: 'dietaryPreference',
    label: 'Dietary preference',
    type: 'string',
    value: (random) => random.pick(['vegetarian', 'no lactose', 'low salt', 'fără gluten', 'uten nøtter']),
  },
  { key: 'newsletter', label: 'Newsletter', type: 'boolean', value: (random) => random.chance(0.6) },
  { key: 'visitsElsewhere', label: 'Stays elsewhere', type: 'number', value: (random) => random.whole(0, 9) },
  {
    key: 'consentSignedOn',
    label: 'Consent signed on',
    type: 'date',
    value: (random, day) => addDays(day, -random.whole(30, 700)),
  },
]

const ofBooking: MetaField[] = [
  {
    key: 'arrivalFlight',
    label: 'Arrival flight',
    type: 'string',
    value: (random) => `XX ${random.whole(1000, 9999)}`,
  },
  { key: 'transferNeeded', label: 'Transfer needed', type: 'boolean', value: (random) => random.chance(0.4) },
  {
    key: 'pillowHeight',
    label: 'Pillow height (cm)',
    type: 'number',
    value: (random) => random.whole(12, 28) / 2,
  },
  {
    key: 'formSentOn',
    label: 'Form sent on',
    type: 'date',
    value: (_, day) => day,
  },
]

/** The demo center's custom fields as records. */
export function* metaFieldRecords(): Iterable<IntakeRecord> {
  for (const [of, fields] of [
    ['customer', ofCustomer],
    ['booking', ofBooking],
  ] as const) {
    for (const { key, label, type } of fields) {
      yield { kind: 'metaField', centerId: DEMO_CENTER_ID, key, label, type, of }
    }
  }
}

/** Values of most custom fields, or of all of them for a complete record. */
export function metaValues(of: 'customer' | 'booking', random: Random, day: string, complete: boolean) {
  const fields = of === 'customer' ? ofCustomer : ofBooking
  const chosen = complete ? fields : fields.filter(() => random.chance(0.75))
  return Object.fromEntries(chosen.map((field) => [field.key, field.value(random, day)]))
}
