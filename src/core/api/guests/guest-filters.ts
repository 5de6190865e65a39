/** The parameters of `GET /guests` that filter and sort, in addition to range and session. */

import type { Problem } from '../../errors/api-error.ts'
import type { Center } from '../../records/centers/center.ts'
import { inactiveStatuses } from '../../records/fields/active-statuses.ts'
import { BOOKING_STATUSES, PAID_STATES, ROLES } from '../../records/fields/statuses.ts'
import { type Bounds, resolveBounds } from '../../request/bounds.ts'
import type { RequiredScope } from '../../request/operation.ts'
import {
  booleanParameter,
  dateParameter,
  enumsParameter,
  identifierParameter,
  identifiersParameter,
} from '../../request/parameter-kinds.ts'
import type { Parameter, ParameterValues, SentParameters } from '../../request/parameters.ts'
import { sortedName, sortParameter } from '../../request/sort.ts'
import { textParameter } from '../../request/text-parameters.ts'
import type { BookingFilters } from './conditions-sql.ts'
import { scopesOfNames } from './projection.ts'
import { type GuestSort, SORT_NAMES } from './sort-sql.ts'

const { default: _, ...flag } = booleanParameter({
  description:
    'With `true`, only active bookings, which are those that the kitchen counts: none that the meal-skipping report excludes, none that is voided or an offer unless the center cooks for these. With `false`, only the others. Without it, both.',
})
const active: Parameter<boolean> = { ...flag, schema: { anyOf: flag.schema.anyOf, examples: [true] } }

export const guestFilterParameters = {
  sessionIdsExclude: identifiersParameter({
    description:
      'Comma-separated session identifiers to exclude; combined with dates or a session parameter.',
  }),
  role: enumsParameter({ description: 'Only guests with one of these roles.', values: ROLES }),
  status: enumsParameter({
    description: 'Only guests with one of these booking statuses.',
    values: BOOKING_STATUSES,
  }),
  arriving: dateParameter({
    description:
      'Only guests whose stay begins on this day. Without dates or a session parameter, the range is this day.',
  }),
  departing: dateParameter({
    description:
      'Only guests whose stay ends on this day. Without dates or a session parameter, the range is this day.',
  }),
  inHouse: dateParameter({
    description:
      'Only guests who are in the house on this day, including the first and last day of the stay. Without dates or a session parameter, the range is this day.',
  }),
  active,
  paid: enumsParameter({
    description:
      'Only guests whose order is paid, partly paid, open or not decided, as `ids.paid` has it. Needs the scope `guests.paid`.',
    values: PAID_STATES,
  }),
  bookingId: textParameter({
    description: 'Only the guests with this booking identifier, as people use it.',
    maximum: 200,
  }),
  personOf: identifierParameter({
    description:
      'Only the stays of the person of this guest, which is one of them. Without dates or a session parameter, those of all dates.',
  }),
  room: textParameter({
    description: 'Only guests whose stay is in this room, or partly so: the raw value of `acc.roomId`.',
    maximum: 200,
  }),
  q: textParameter({
    description:
      'Only guests with a first or last name that begins with each of these words, in any order. Case, diacritics and common spelling variants make no difference.',
    maximum: 100,
    personal: true,
    rule: {
      pattern: '[\\p{L}\\p{N}]',
      problem: 'It has no letters or digits. Give a name, or the beginning of one.',
    },
  }),
  email: textParameter({
    description: 'Only guests with this e-mail address; upper and lower case are the same.',
    maximum: 320,
    personal: true,
    // In a query, an unencoded plus sign is a space. Ignoring it would find nobody, which looks like an answer.
    rule: {
      pattern: '^\\S+$',
      problem: 'An e-mail address has no spaces. If this one has a plus sign, send it as %2B.',
    },
  }),
  phone: textParameter({
    description:
      'Only guests with this number as `phone` or `secondaryPhone`, in any notation, with the digits of any script. If a field has several numbers, each counts. A number without a country code matches any country code.',
    maximum: 40,
    personal: true,
    // Fewer digits than any phone number has would match a tenth of all guests.
    rule: {
      // Without classes of Unicode, which not every reader of the document knows: digits of other scripts are in this range.
      pattern: '^(?:[^0-9٠-９]*[0-9٠-９]){7}',
      follows: /^(?:\P{Nd}*\p{Nd}){7}/u,
      problem: 'A phone number has at least 7 digits. Give the whole number.',
    },
  }),
  internalId: textParameter({
    description: 'Only guests with this internal number of the center. Needs the scope `guests.personal`.',
    maximum: 200,
    personal: true,
  }),
  sort: sortParameter({
    description:
      'Comma-separated names of fields to sort by; `-` before a name means descending. Guests without a value come last. Guests that are equal in these fields, and lists without `sort`, are in the order of `startDate`, then identifier. Rooms and programs are sorted by the name that is shown, a number in it as a number. `dob` needs the scope `guests.personal`.',
    names: SORT_NAMES,
  }),
} as const

/**
 * What a request for guests must contain, with its form. No message contains a date, because it could be a person's.
 */
const RANGE_NEEDED =
  'Give startDate and endDate (startDate=YYYY-MM-DD&endDate=YYYY-MM-DD), or sessionId, or sessionIds'

/**
 * One problem, whatever is missing (ruling 8). @param missing one of the two dates, or both
 * @param also what else is sufficient, and what is not
 */
export const rangeProblems = ([parameter]: readonly string[], also: string): Problem[] =>
  parameter === undefined ? [] : [{ parameter, message: `${RANGE_NEEDED}${also}` }]

type Values = ParameterValues<typeof guestFilterParameters>
/** Every filter is the condition of the same name. A filter without a condition does not compile. */
type Found = { readonly [Name in Exclude<keyof Values, 'sort'>]: BookingFilters[Name] } & {
  readonly sort: GuestSort | undefined
}

/** The filters in the form of the statement: a day becomes its first and last moment in the center. */
export function readGuestFilters(values: Values, center: Center): Found {
  const { sessionIdsExclude, role, status, personOf, room, bookingId, q, email, phone, internalId, sort } =
    values
  const dayOf = (day: string | undefined): Bounds | undefined =>
    day === undefined ? undefined : resolveBounds({ startDate: day, endDate: day }, center.timezone).bounds
  const { active: isActive, paid } = values
  // In the order of the parameters, because tags of answers are made from it.
  return {
    sessionIdsExclude,
    role,
    status,
    personOf,
    room,
    bookingId,
    q,
    email,
    phone,
    internalId,
    arriving: dayOf(values.arriving),
    departing: dayOf(values.departing),
    inHouse: dayOf(values.inHouse),
    active: isActive === undefined ? undefined : { isActive, inactive: inactiveStatuses(center) },
    paid: paid === undefined ? undefined : { states: paid, by: paidRulesOf(center) },
    sort: isUsual(sort) ? undefined : sort,
  }
}

const paidRulesOf = ({ orderRules, currency }: Center) => ({ orderRules, currency })

/** Whether this is the default order: then the request is the same as one without `sort`. */
const isUsual = ([first, ...more]: GuestSort = []) =>
  first?.by === 'startDate' && !first.descending && more.length === 0

/** The day that defines the range if the request has no dates. */
export const dayNamed = (values: Values): string | undefined =>
  values.arriving ?? values.departing ?? values.inHouse

export const namesDay = (sent: SentParameters): boolean =>
  (['arriving', 'departing', 'inHouse'] as const).some((name) => sent.has(name))

/** A key may not filter or sort by what it may not read. A filter needs the scope of the field that it reads. */
export function scopesOfFilters(sent: SentParameters): RequiredScope[] {
  const filters = Object.keys(guestFilterParameters).filter((name) => name !== 'sort' && sent.has(name))
  const sorted = (sent.get('sort') ?? []).flatMap((name) =>
    scopesOfNames([sortedName(name)]).map(({ scope }) => ({ scope, what: `sort=${name}` })),
  )
  // The list itself needs the other scope.
  return [...scopesOfNames(filters), ...sorted].filter(({ scope }) => scope !== 'guests')
}
