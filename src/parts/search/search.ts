/** `GET /search`: one search for guests and orders of all dates, by what people know of them. */
import type { Scope } from '../../core/access/keys/scopes.ts'
import { errors } from '../../core/errors/api-error.ts'
import { formatLocalDate, isoMoment } from '../../core/locale/dates.ts'
import { plainDigits } from '../../core/locale/digits.ts'
import { labelOf } from '../../core/locale/labels.ts'
import type { Language } from '../../core/locale/languages.ts'
import { localDateOf } from '../../core/locale/zones.ts'
import type { Center } from '../../core/records/centers/center.ts'
import { inactiveStatuses } from '../../core/records/fields/active-statuses.ts'
import { namesInOrder, type OrderGuest } from '../../core/records/order.ts'
import { resolveBounds } from '../../core/request/bounds.ts'
import { defineOperation, firstRevision, type Rows } from '../../core/request/operation.ts'
import { countParameter } from '../../core/request/parameter-kinds.ts'
import { readParameters, refusalOf } from '../../core/request/parameters.ts'
import { textParameter } from '../../core/request/text-parameters.ts'
import { type DatesMeant, datesMeant, NO_DATE } from './dates-meant.ts'
import { SEARCH_SCHEMA } from './search-schema.ts'
import { FOUND_MAX, type Sought, selectFound } from './search-sql.ts'

/** Each group with the scope that it needs, and what the words are compared with. */
const GROUPS = ['guests', 'orders'] as const satisfies readonly Scope[]
type Group = (typeof GROUPS)[number]

/** The scope of a date of birth. */
const BIRTH: Scope = 'guests.personal'

const LENGTH = 10
const LENGTH_MAX = 50

/** Of fewer digits, too many numbers have them somewhere. */
const PHONE_DIGITS_MIN = 4

/** As much as some pages: an index of names is read for words that many people have. */
const COST = 4

/** Names that are joined with "and n others". */
const NAMES_SHOWN = 3

const parameters = {
  q: textParameter({
    description: `What is searched for: a name or its beginning, a date of birth (with the scope \`guests.personal\`), a room, a part of a phone number (from ${PHONE_DIGITS_MIN} digits), an e-mail address or the part of it before the @, an order number or a booking number. At least 3 letters or digits. It appears neither in logs nor in the audit trail.`,
    maximum: 100,
    personal: true,
    rule: {
      // Without classes of Unicode, which not every reader of the document knows.
      pattern: '(?:[^\\s!-/:-@[-`{-~][\\s!-/:-@[-`{-~]*){3}',
      // With them, signs that nobody sees are no letters: of one letter, an index has a part of all names.
      follows: /(?:[\p{L}\p{N}][^\p{L}\p{N}]*){3}/u,
      problem: 'q has fewer than 3 letters or digits. Give at least 3.',
    },
  }),
  length: countParameter({
    name: 'length',
    description: `Maximum number of records of each group, up to ${LENGTH_MAX}.`,
    default: LENGTH,
  }),
} as const

export const search = defineOperation({
  name: 'search',
  summary: 'Search for guests and orders',
  description: `Guests and orders of all dates that a text may refer to. Case, diacritics, spelling variants and transliterations make no difference for names. With four letters or more, one may be wrong: such records come last, with \`similar\`. Phone numbers are compared by their digits, in any notation. A person is one guest, shown with one stay: the one now, else the next, else the last. Each group needs its scope; a group that the key may not read is listed in \`withheld\`, is not searched, and is not counted. One kind of comparison finds at most ${FOUND_MAX} records; if there are more, \`complete\` is false and \`total\` is a minimum. Searches have a limit of their own in addition to that of the key, and a link cannot show one.`,
  paths: ['/search'],
  scope: 'any',
  oneOf: GROUPS,
  quotas: { perMinute: 60, perHour: 600 },
  isTyped: true,
  dependsOn: ['key', 'language', 'today'],
  parameters,
  required: ['q'],
  response: SEARCH_SCHEMA,

  parse(context) {
    const { values, problems } = readParameters(parameters, context.query)
    const { center, key, language, today } = context
    const groups = GROUPS.filter((group) => key.scopes.includes(group))
    const { q, length } = values
    const date = q === undefined || !groups.includes('guests') ? NO_DATE : datesMeant(q, today)
    const mayReadBirth = key.scopes.includes(BIRTH)
    const born: DatesMeant = mayReadBirth ? date : NO_DATE
    const scopes: readonly Scope[] = [...groups, ...(born.meant.length > 0 ? [BIRTH] : [])]
    const requiredScopes = scopes.map((scope) => ({ scope, what: 'q' }))
    const more = [
      ...(context.query.has('q') ? [] : [MISSING]),
      ...(length > LENGTH_MAX ? [tooLong(length)] : []),
    ]
    const refusal = refusalOf([...problems, ...more])
    if (refusal !== undefined || q === undefined) {
      return { requiredScopes, refusal: refusal ?? errors.invalidParameters([MISSING]) }
    }
    const sought: Sought = {
      ...{ center: center.id, words: q, digits: phoneDigits(q), born, length, groups: new Set(groups) },
      ...{ language, zone: center.timezone, today },
      day: resolveBounds({ startDate: today, endDate: today }, center.timezone).bounds,
      inactive: inactiveStatuses(center),
    }
    const shown = { center, language, compared: comparedWith(sought) }
    return {
      requiredScopes,
      normalForm: JSON.stringify([q, length]),
      cost: COST,
      dependencies: undefined,
      // The words are in no cache either.
      cacheMs: 0,
      statement: selectFound(sought),
      revisionOf: firstRevision,
      present(rows: Rows) {
        const [revision, guests, orders] = rows[0] as readonly unknown[] as Row
        const body = {
          guests: guests === null ? null : { ...guests, ...presentGuests(guests, shown) },
          orders: orders === null ? null : { ...orders, ...presentOrders(orders, shown) },
          withheld: [
            ...GROUPS.filter((group) => !groups.includes(group)).map((group) => ({ group, scopes: [group] })),
            ...(date.meant.length > 0 && !mayReadBirth ? [{ group: 'datesOfBirth', scopes: [BIRTH] }] : []),
          ],
        }
        const ids = [
          ...(body.guests?.data ?? []).map(({ id }) => id),
          ...(body.orders?.data ?? []).map(({ uuid }) => uuid),
        ]
        return {
          body: JSON.stringify(body),
          revision: revision ?? 0,
          records: { count: ids.length, ids },
        }
      },
    }
  },
})

const MISSING = { parameter: 'q', message: 'q is required. Give at least 3 letters or digits.' }

const tooLong = (length: number) => ({
  parameter: 'length',
  message: `length ${length} is above ${LENGTH_MAX}. Ask for ${LENGTH_MAX} or fewer.`,
})

/**
 * The digits of words that can only be a part of a phone number, without zeros at the beginning: these stand before a
 * country code, or before a number without one, and neither is compared.
 */
export function phoneDigits(words: string): string | undefined {
  const plain = plainDigits(words)
  if (!/^[\d\s+()./\p{Dash}\p{Cf}]+$/u.test(plain)) return undefined
  const digits = plain.replaceAll('(0)', '').replaceAll(/\D/g, '').replace(/^0+/, '')
  return digits.length < PHONE_DIGITS_MIN ? undefined : digits
}

const comparedWith = ({ digits, born }: Sought): Readonly<Record<Group, readonly string[]>> => ({
  guests: [
    'name',
    ...(born.meant.length > 0 ? ['dob'] : []),
    'room',
    'bookingId',
    'email',
    ...(digits === undefined ? [] : ['phone']),
  ],
  orders: ['orderNumber', 'uuid', 'name'],
})

/** In the order of the select list. */
type GuestRow = readonly [
  id: string,
  firstName: string | null,
  lastName: string | null,
  roomId: string | null,
  room: string | null,
  starts: number,
  ends: number,
  status: string,
  /** 0: now; 1: to come; 2: past; 3: not active */
  rank: number,
  foundBy: readonly string[],
  email: string | null,
  phone: string | null,
  bookingId: string | null,
  similar: boolean,
  /** YYYY-MM-DD */
  born: string | null,
]

type OrderRow = readonly [
  uuid: string,
  number: string | null,
  date: number,
  status: string,
  paymentStatus: string | null,
  foundBy: readonly string[],
  guests: readonly OrderGuest[] | null,
]

interface Found<FoundRow> {
  readonly total: number
  readonly complete: boolean
  readonly data: readonly FoundRow[]
}

type Row = readonly [revision: number | null, guests: Found<GuestRow> | null, orders: Found<OrderRow> | null]

interface Shown {
  readonly center: Center
  readonly language: Language
  readonly compared: Readonly<Record<Group, readonly string[]>>
}

const WHEN = ['here', 'coming', 'past', 'inactive'] as const

/** Each value by which a guest was found is shown, so that a person sees why. */
function presentGuests({ data }: Found<GuestRow>, { center, language, compared }: Shown) {
  const day = (at: number) => formatLocalDate(language, localDateOf(center.timezone, at))
  return {
    comparedWith: compared.guests,
    data: data.map((row) => {
      const [id, firstName, lastName, roomId, room, starts, ends, status, rank, by, ...values] = row
      const [email, phone, bookingId, similar, born] = values
      const dob = born === null ? null : formatLocalDate(language, born)
      const known: Readonly<Record<string, string | null>> = { email, phone, bookingId, room, dob }
      return {
        id,
        firstName,
        lastName,
        room,
        startDate: day(starts),
        endDate: day(ends),
        status: labelOf(language, 'status', status),
        when: WHEN[rank],
        matched: by.map((name) => ({ by: name, value: known[name] ?? null })),
        similar,
        ids: { room: roomId, startDate: isoMoment(starts), endDate: isoMoment(ends), status },
      }
    }),
  }
}

function presentOrders({ data }: Found<OrderRow>, { center, language, compared }: Shown) {
  return {
    comparedWith: compared.orders,
    data: data.map(([uuid, orderNumber, date, status, paymentStatus, by, guests]) => {
      const names = namesInOrder(guests ?? [])
      return {
        uuid,
        orderNumber,
        orderDate: formatLocalDate(language, localDateOf(center.timezone, date)),
        status: labelOf(language, 'orderStatus', status),
        paymentStatus: paymentStatus === null ? null : labelOf(language, 'paymentStatus', paymentStatus),
        guestNames: names.slice(0, NAMES_SHOWN),
        guests: names.length,
        matched: by.map((name) => ({ by: name })),
        similar: by.every((name) => name === 'similarName'),
        ids: { orderDate: isoMoment(date), status, paymentStatus },
      }
    }),
  }
}
