/** Finds what does not fit in the bookings of a customer. Pure. */

import { isoMoment } from '../../core/locale/dates.ts'
import { exactAmount } from '../../core/locale/exact-amounts.ts'
import { fullName } from '../../core/locale/names.ts'
import { localDateOf, startOfLocalDay } from '../../core/locale/zones.ts'
import type { ContradictionKind } from '../../core/records/centers/contradiction-kinds.ts'
import type { MealRules } from '../../core/records/centers/meal-rules.ts'
import { dietsOfValues, hourOf, type ShownDiet } from '../kitchen/portion-stays.ts'
import { type Compared, type EvidenceValue, type Found, found } from './evidence.ts'
import type { Session, Stay } from './facts.ts'

export interface StayRules {
  readonly zone: string
  readonly standardTimes: MealRules['standardTimes']
  /** statuses of bookings that are not active (ruling 50) */
  readonly inactive: readonly string[]
  readonly hasAutomaticIds: boolean
  /** the diet fields that belong to bookings */
  readonly diets: readonly ShownDiet[]
  /** epoch ms */
  readonly now: number
}

/**
 * A customer may be a travel agency with hundreds of bookings at a time. So many pairs are reported of each customer and
 * kind, in the order of the stays.
 */
const PAIRS_MAX = 200

/** @param stays all bookings of these customers */
export function judgeStays(stays: readonly Stay[], rules: StayRules): Found[] {
  const active = stays.filter(({ status }) => !rules.inactive.includes(status))
  const single = active.flatMap((stay) => judgeOne(stay, rules))
  const ofCustomers = [...Map.groupBy(active, ({ customer }) => customer).values()].flatMap((own) =>
    own.length < 2 ? [] : judgeCustomer(own, rules),
  )
  return [...single, ...ofCustomers]
}

function judgeOne(stay: Stay, rules: StayRules): Found[] {
  const judged: Found[] = []
  const { zone, now } = rules
  const last = localDateOf(zone, stay.end)
  if (stay.status === 'arrived' && rules.hasAutomaticIds && stay.bookingId === null) {
    judged.push(
      about('arrivedWithoutIdentifier', [stay], {
        status: ({ status }) => status,
        bookingId: () => null,
        sessionIds: sessionIdsOf,
      }),
    )
  }
  if (stay.status === 'departed' && last > localDateOf(zone, now)) {
    const expiresAt = startOfLocalDay(zone, last)
    judged.push(
      about('departedInFuture', [stay], { status: ({ status }) => status, endDate: endOf }, { expiresAt }),
    )
  }
  if (stay.order === null) {
    judged.push(about('guestWithoutOrder', [stay], { status: ({ status }) => status, orderUuid: () => null }))
  }
  const outside = stay.sessions.filter((session) => !sharesDay(stay, session, zone))
  if (outside.length > 0) {
    judged.push(
      about('stayOutsideSession', [stay], {
        ...TIMES,
        sessionIds: () => outside.map(({ id }) => id),
        sessionStartDate: () => outside.map(({ start }) => isoMoment(start)),
        sessionEndDate: () => outside.map(({ end }) => isoMoment(end)),
      }),
    )
  }
  return judged
}

function judgeCustomer(stays: readonly Stay[], rules: StayRules): Found[] {
  const inOrder = [...stays].sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))
  const overlapping: Found[] = []
  const together: Found[] = []
  for (const [at, one] of inOrder.entries()) {
    for (const other of inOrder.slice(at + 1)) {
      if (overlapping.length < PAIRS_MAX && overlaps(one, other, rules)) {
        overlapping.push(
          about('overlappingStays', [one, other], { ...TIMES, status: ({ status }) => status }),
        )
      }
      if (together.length < PAIRS_MAX && haveSessionsAtOneTime(one, other)) {
        together.push(
          about('sessionsAtOneTime', [one, other], {
            sessionIds: sessionIdsOf,
            sessionStartDate: ({ sessions }) => sessions.map(({ start }) => isoMoment(start)),
            sessionEndDate: ({ sessions }) => sessions.map(({ end }) => isoMoment(end)),
          }),
        )
      }
    }
  }
  return [...overlapping, ...together, ...judgeAllergies(inOrder, rules.diets)]
}

/**
 * Two stays overlap if they share a night. If both hours are known, leaving after arriving again is enough; an unknown
 * hour says nothing (ruling 43).
 */
function overlaps(first: Stay, second: Stay, { zone, standardTimes }: StayRules): boolean {
  const day = (at: number) => localDateOf(zone, at)
  if (day(second.start) < day(first.end) && day(first.start) < day(second.end)) return true
  if (second.start >= first.end || first.start >= second.end) return false
  return (
    hourOf(zone, first.end, standardTimes.departure) !== undefined &&
    hourOf(zone, second.start, standardTimes.arrival) !== undefined
  )
}

/** Sessions that one booking has together are meant to be together. */
const haveSessionsAtOneTime = (one: Stay, other: Stay): boolean =>
  one.sessions.some((a) =>
    other.sessions.some(
      (b) =>
        a.start < b.end &&
        b.start < a.end &&
        !sessionIdsOf(one).includes(b.id) &&
        !sessionIdsOf(other).includes(a.id),
    ),
  )

const sharesDay = (stay: Stay, session: Session, zone: string): boolean =>
  localDateOf(zone, stay.end) >= localDateOf(zone, session.start) &&
  localDateOf(zone, stay.start) <= localDateOf(zone, session.end)

/** Compares only bookings that answer the field: not asked is not the same as none (ruling 44). */
function judgeAllergies(stays: readonly Stay[], diets: readonly ShownDiet[]): Found[] {
  const differing = diets.flatMap((diet, at) => {
    const answers = stays.map(({ diets: values }) => allergiesOf(diet, values[at]))
    const given = new Set(answers.flatMap((answer) => (answer === null ? [] : [answer.join('\n')])))
    return given.size > 1 ? [{ field: `meta.${diet.field}`, answers }] : []
  })
  if (differing.length === 0) return []
  const compared = stays.flatMap((stay, at) =>
    differing.some(({ answers }) => answers[at] !== null) ? [{ stay, at }] : [],
  )
  const customers = stays.slice(0, 1).map(({ customer }) => customer)
  return [
    found({
      kind: 'allergiesDiffer',
      key: customers,
      customers,
      evidence: {
        records: compared.map(({ stay }) => recordOf(stay)),
        compared: differing.map(({ field, answers }) => ({
          field,
          values: compared.map(({ at }) => answers[at] ?? null),
        })),
      },
    }),
  ]
}

/** In a fixed order; null if nobody was asked. */
function allergiesOf(diet: ShownDiet, value: unknown): readonly string[] | null {
  const { diets, isAsked } = dietsOfValues([diet], [value])
  if (!isAsked) return null
  return diets
    .filter(({ allergy }) => allergy)
    .map(({ value: text }) => text)
    .sort()
}

/**
 * The same deposit in several active bookings of one customer or order: amount, moment and payment type, unless both
 * have notes that differ. Without a moment, two people may have paid the same.
 * @param stays all bookings of some customers and of some orders
 */
export function judgeDeposits(stays: readonly Stay[], inactive: readonly string[]): Found[] {
  const paid = stays.filter(
    ({ status, deposit: { amount, paidAt } }) =>
      !inactive.includes(status) && amount !== null && paidAt !== null && exactAmount(amount) > 0n,
  )
  const groups = [
    ...Map.groupBy(paid, (stay) => JSON.stringify(['customer', stay.customer, ...sameOf(stay)])).values(),
    ...Map.groupBy(
      paid.filter(({ order }) => order !== null),
      (stay) => JSON.stringify(['order', stay.order, ...sameOf(stay)]),
    ).values(),
  ]
  const judged = groups.flatMap((group) => {
    const notes = new Set(group.flatMap(({ deposit }) => deposit.notes ?? []))
    if (group.length < 2 || notes.size > 1) return []
    return [
      about(
        'depositTwice',
        group.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        {
          'financial.deposit.amount': ({ deposit }) =>
            deposit.amount === null ? null : Number(deposit.amount),
          'financial.deposit.paidAt': ({ deposit }) => deposit.paidAt,
          'financial.deposit.paymentType': ({ deposit }) => deposit.paymentType,
          orderUuid: ({ order }) => order,
        },
      ),
    ]
  })
  return [...new Map(judged.map((one) => [one.id, one])).values()]
}

const sameOf = ({ deposit: { amount, paidAt, paymentType } }: Stay) => [Number(amount), paidAt, paymentType]

type Values = Readonly<Record<string, (stay: Stay) => EvidenceValue>>

/** A contradiction of bookings: a value of each for each compared field. */
function about(
  kind: ContradictionKind,
  stays: readonly Stay[],
  values: Values,
  { expiresAt }: { readonly expiresAt?: number } = {},
): Found {
  const compared: Compared[] = Object.entries(values).map(([field, value]) => ({
    field,
    values: stays.map(value),
  }))
  return found({
    kind,
    key: stays.map(({ id }) => id),
    customers: stays.map(({ customer }) => customer),
    evidence: { records: stays.map(recordOf), compared },
    ...(expiresAt === undefined ? {} : { expiresAt }),
  })
}

const recordOf = ({ id, firstName, lastName }: Stay) => ({
  kind: 'guest' as const,
  id,
  name: fullName(firstName, lastName),
})
const endOf = ({ end }: Stay) => isoMoment(end)
const sessionIdsOf = ({ sessions }: Stay) => sessions.map(({ id }) => id)
const TIMES: Values = { startDate: ({ start }) => isoMoment(start), endDate: endOf }
