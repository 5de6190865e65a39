/** A list of orders: each row has a number, a day and an amount, and nobody arrives or leaves. */
import { LANGUAGES } from '../../../locale/languages.ts'
import { orderLabel } from '../../../locale/order-labels.ts'
import { rawWord } from '../mapping/statuses.ts'
import { cellsOf, identifierOf, withMeanings } from './cells.ts'
import type { Draft, Fields } from './draft.ts'
import type { Assigned } from './evidence.ts'
import { fieldsNamed, foldHeading } from './headings.ts'
import type { Profile } from './profile.ts'
import type { Look } from './table-profile.ts'

/** Fields of a stay: a table that has one is no list of orders. */
const OF_STAY: ReadonlySet<string> = new Set([
  'booking.endDate',
  'nights',
  'lastNight',
  'booking.acc.roomId',
  'booking.customerId',
])
/** Fields whose raw values have labels, with the kind of these. */
const WORDS = {
  status: 'orderStatus',
  paymentMethod: 'paymentMethod',
  paymentStatus: 'paymentStatus',
} as const
type WordField = keyof typeof WORDS

const isCalled = ({ name }: Profile, label: string) =>
  LANGUAGES.some((language) => foldHeading(orderLabel(label, language) ?? '') === foldHeading(name))

/** The columns of a list of orders with their fields; undefined for another table. */
export function orderColumns({ columns }: Pick<Look, 'columns'>): readonly Assigned[] | undefined {
  if (columns.some(({ field }) => field !== undefined && OF_STAY.has(field))) return undefined
  const hasPerson = columns.some(({ field }) => field === 'fullName' || field?.startsWith('customer.'))
  const arrives = columns.some(({ field, isByCells }) => field === 'booking.startDate' && !isByCells)
  // Somebody arrives, and the departure is what a person has to say.
  if (hasPerson && arrives) return undefined
  const profiles = columns.map(({ profile }) => profile)
  const owner = (field: string) => columns.find((column) => column.field === field)?.profile
  const number = profiles.find(
    (profile) =>
      profile.isUnique &&
      profile.isFilled &&
      (profile === owner('order.uuid') ||
        fieldsNamed(profile.name).has('order.uuid') ||
        isCalled(profile, 'orderNumber')),
  )
  const dates = profiles.filter((profile) => profile !== number && (profile.dates?.share ?? 0) > 0.8)
  const date = owner('order.orderDate') ?? (dates.length === 1 ? dates[0] : undefined)
  const total = owner('booking.financial.total') ?? profiles.find((one) => isCalled(one, 'totalAmount'))
  if (number === undefined || date === undefined || total === undefined) return undefined
  const fields = new Map<Profile, string>([
    [number, 'order.uuid'],
    [date, 'order.orderDate'],
    [total, 'order.totalAmount'],
  ])
  const currency = owner('currency')
  if (currency?.texts.every((text) => text === '' || /^[A-Z]{3}$/.test(text)))
    fields.set(currency, 'order.currency')
  for (const field of ['paymentStatus', 'paymentMethod', 'status'] as const) {
    const found = profiles.find((profile) => !fields.has(profile) && isOfWords(profile, field, columns))
    if (found !== undefined) fields.set(found, `order.${field}`)
  }
  return columns.map(({ profile, isByCells, twin }) => {
    const field = fields.get(profile)
    return { profile, field, isByCells: isByCells && field === undefined, ...(twin && { twin }) }
  })
}

/** Named so, or by its words: the status of bookings has a heading, too. */
function isOfWords(profile: Profile, field: WordField, columns: readonly Assigned[]): boolean {
  const { words, name } = profile
  if (isCalled(profile, field)) return true
  if (field === 'status') {
    return columns.some((column) => column.profile === profile && column.field === 'booking.status')
  }
  const isOther = columns.some((column) => column.profile === profile && column.field !== undefined)
  const isKnown = words.length > 0 && words.every((word) => rawWord(WORDS[field], word) !== undefined)
  return !isOther && isKnown && name !== ''
}

/** The record of each row. */
export function orderOfRow(draft: Draft): Fields {
  const named = (field: string) => draft.named(`order.${field}`)
  const [number, date, total] = [named('uuid'), named('orderDate'), named('totalAmount')]
  if (number === undefined || date === undefined || total === undefined) return {}
  const currency = named('currency')
  const words = (['paymentMethod', 'paymentStatus'] as const).flatMap((field) => {
    const profile = named(field)
    return profile === undefined ? [] : [[field, wordsOf(draft, profile, field)] as const]
  })
  const status = named('status')
  if (status === undefined) draft.check('order', 'status', 'no column has it, so it is the same in every row')
  return {
    uuid: identifierOf(number),
    number: number.name,
    orderDate: cellsOf(draft, date),
    totalAmount: cellsOf(draft, total),
    ...(currency && { currency: currency.name }),
    status: status === undefined ? { value: 'confirmed' } : wordsOf(draft, status, 'status'),
    ...Object.fromEntries(words),
  }
}

/** What the words mean; one that is not known is taken as it is, because a center has its own statuses of orders. */
function wordsOf(draft: Draft, { name, words }: Profile, field: WordField): unknown {
  if (words.some((word) => rawWord(WORDS[field], word) === undefined))
    draft.check('order', field, 'words without a meaning in values are taken as they are')
  return withMeanings(WORDS[field], name, words)
}
