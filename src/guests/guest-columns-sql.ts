/**
 * What can be selected of a guest, by name: one SQL expression each, over the aliases of `guests-sql.ts`
 * (b bookings, c customers, s the main session, o the order). A projection selects only what its fields
 * name, so a list without medical fields never touches medical data.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import { epochMs } from '../database/json-rows.ts'
import type { Language } from '../locale/languages.ts'
import { termNames } from '../locale/term-names-sql.ts'

/** What an expression may depend on besides the row. */
export interface ColumnInputs {
  readonly language: Language
}

/** A selectable value; the type parameter is what the driver answers, null where there is no value. */
export interface Column<T> {
  readonly expression: (inputs: ColumnInputs) => Sql
  /** never set: it carries the type */
  readonly type?: T
}

type TermSet =
  | 'program'
  | 'package'
  | 'room'
  | 'roomStandard'
  | 'bedType'
  | 'accommodationType'
  | 'discount'
  | 'recommendation'
  | 'referralType'
  | 'religion'
  | 'paymentType'

const always = <T>(expression: string): Column<T> => {
  const text = raw(expression)
  return { expression: () => text }
}

const plain = <T>(expression: string) => always<T | null>(expression)

/** An array of texts in json; null for anything else, so that what another system wrote cannot fail the page. */
const list = (json: string) => `case when jsonb_typeof(${json}) = 'array' then ${json} end`

/** The term's name alone, null where no term has this identifier. */
const knownTerm = (set: TermSet, id: string): Column<string | null> => ({
  expression: ({ language }) => sql`(
    select coalesce(${termNames(language)}) from terms t
    where t.center_id = b.center_id and t.term_set = ${raw(`'${set}'`)} and t.id = ${raw(id)})`,
})

/** A term's name in the language asked for, then its plain name, then the raw text (ruling 24). */
const term = (set: TermSet, id: string): Column<string | null> => ({
  expression: (inputs) => sql`coalesce(${knownTerm(set, id).expression(inputs)}, ${raw(id)})`,
})

/** The same for a list of identifiers, in its order; an empty list stays one. */
const terms = (set: TermSet, ids: string): Column<string[] | null> => ({
  expression: ({ language }) => sql`case when jsonb_typeof(${raw(ids)}) = 'array' then (
    select coalesce(jsonb_agg(coalesce(${termNames(language)}, listed.id) order by listed.position), '[]')
    from jsonb_array_elements_text(${raw(list(ids))}) with ordinality as listed (id, position)
    left join terms t on t.center_id = b.center_id and t.term_set = ${raw(`'${set}'`)} and t.id = listed.id) end`,
})

/** Identifier and name of each session of the customer that meets a condition, in date order. */
const history = (statuses: string, condition: string): Column<[id: string, name: string][]> => ({
  expression: () => sql`(
    select coalesce(jsonb_agg(jsonb_build_array(past.id, past.name) order by past.start_date, past.id), '[]')
    from (
      select distinct hs.id, hs.name, hs.start_date
      from bookings hb
      join booking_sessions hbs on hbs.center_id = hb.center_id and hbs.booking_id = hb.id
      join sessions hs on hs.center_id = hbs.center_id and hs.id = hbs.session_id
      where hb.center_id = b.center_id and hb.customer_id = b.customer_id
        and hb.status in (${raw(statuses)}) and ${raw(condition)}
    ) past)`,
})

/** A custom field's value, or null. */
export const metaColumn = (
  owner: 'customer' | 'booking',
  key: string,
): Column<string | number | boolean | null> => ({
  expression: () => sql`${raw(owner === 'customer' ? 'c' : 'b')}.meta -> ${key}`,
})

// As json, so that a value another system wrote in another type cannot fail a cast and with it the page.
const number = (path: string) => plain<number>(`nullif(${path}, 'null')`)
const payment = (part: 'deposit' | 'fullPayment') => {
  const path = `b.financial -> '${part}'`
  return {
    amount: number(`${path} -> 'amount'`),
    notes: plain<string>(`${path} ->> 'notes'`),
    paidAt: plain<string>(`${path} ->> 'paidAt'`),
    paymentType: plain<string>(`${path} ->> 'paymentType'`),
    paymentTypeName: knownTerm('paymentType', `(${path} ->> 'paymentType')`),
  }
}
const letter = (name: string) => plain<string>(`b.medical -> 'medicalLetter' ->> '${name}'`)
const measurement = (name: string) => number(`b.medical -> '${name}'`)
const form = (name: string) => plain<string>(`b.form ->> '${name}'`)
const accommodation = (name: string) => plain<string>(`b.accommodation ->> '${name}'`)
const accommodationTerm = (set: TermSet, name: string) => term(set, `(b.accommodation ->> '${name}')`)
const address = (name: string) => plain<string>(`c.address ->> '${name}'`)

export const columns = {
  id: always<string>('b.id'),
  role: always<string>('b.role'),
  status: always<string>('b.status'),
  sessionIds: always<string[]>('b.session_ids'),
  startDate: always<number>(epochMs('b.start_date')),
  endDate: always<number>(epochMs('b.end_date')),
  skippingMeals:
    plain<Partial<Record<'breakfast' | 'lunch' | 'dinner', string[] | null>>>('b.skipping_meals'),

  firstName: plain<string>('c.first_name'),
  lastName: plain<string>('c.last_name'),
  pin: plain<string>('c.pin'),
  internalId: plain<string>('c.internal_id'),
  email: plain<string>('c.email'),
  phone: plain<string>('c.phone'),
  secondaryPhone: plain<string>('c.secondary_phone'),
  dob: plain<string>('c.dob'),
  gender: plain<string>('c.gender'),
  religion: plain<string>('c.religion'),
  religionName: term('religion', 'c.religion'),
  referralType: plain<string>('c.referral_type'),
  referralTypeName: term('referralType', 'c.referral_type'),
  addressStreet: address('street'),
  addressCity: address('city'),
  addressZip: address('zip'),
  addressCountry: address('country'),
  addressNotes: address('notes'),

  bookingId: plain<string>('b.booking_id'),
  programId: plain<string>('b.program_id'),
  programName: term('program', 'b.program_id'),
  packageId: plain<string>('b.package_id'),
  packageName: term('package', 'b.package_id'),
  bookedAt: plain<number>(epochMs('b.booked_at')),
  createdBy: plain<string>('b.created_by'),
  orderUuid: plain<string>('b.order_uuid'),
  orderNumber: plain<string>('o.number'),
  orderStatus: plain<string>('o.status'),
  isOrderMainGuest: plain<boolean>('b.is_order_main_guest'),
  doctorName: plain<string>('b.doctor_name'),
  therapistName: plain<string>('b.therapist_name'),

  accommodationDetails: accommodation('accommodationDetails'),
  roomId: accommodation('roomId'),
  roomName: accommodationTerm('room', 'roomId'),
  bedType: accommodation('bedType'),
  bedTypeName: accommodationTerm('bedType', 'bedType'),
  accommodationType: accommodation('type'),
  accommodationTypeName: accommodationTerm('accommodationType', 'type'),
  roomStandardId: accommodation('roomStandardId'),
  roomStandardName: accommodationTerm('roomStandard', 'roomStandardId'),
  roomSize: accommodation('roomSize'),
  floor: accommodation('floor'),

  subtotal: number(`b.financial -> 'subtotal'`),
  total: number(`b.financial -> 'total'`),
  discountIds: plain<string[]>(list(`b.financial -> 'discountIds'`)),
  discountNames: terms('discount', `b.financial -> 'discountIds'`),
  deposit: payment('deposit'),
  fullPayment: payment('fullPayment'),

  medicalConditions: form('medicalConditions'),
  observations: form('observations'),
  mobility: form('mobility'),
  ultrasoundNotes: letter('ultrasoundNotes'),
  ultrasoundStr: letter('ultrasoundStr'),
  psychiatricExam: letter('psychiatricExam'),
  diagnoses: letter('diagnoses'),
  customRec: letter('customRec'),
  ekg: letter('ekg'),
  recommendationsIds: plain<string[]>(list(`b.medical -> 'medicalLetter' -> 'recommendationsIds'`)),
  recommendationNames: terms('recommendation', `b.medical -> 'medicalLetter' -> 'recommendationsIds'`),
  medicalNotes: plain<string>(`b.medical -> 'medicalData' ->> 'notes'`),
  idealWeight: measurement('idealWeight'),
  idealCirc: measurement('idealCirc'),
  weight1: measurement('weight1'),
  weight2: measurement('weight2'),
  height: measurement('height'),
  bmi1: measurement('bmi1'),
  bmi2: measurement('bmi2'),

  sessionStartDate: plain<number>(epochMs('s.start_date')),
  sessionEndDate: plain<number>(epochMs('s.end_date')),
  // Ruling 25, as it names the statuses.
  attendedBefore: history(`'arrived', 'paid', 'departed'`, 'hs.end_date < b.start_date'),
  registeredFuture: history(
    `'registered', 'registeredOnline', 'confirmed', 'paid', 'arrived'`,
    'hs.start_date > b.end_date',
  ),
} as const
