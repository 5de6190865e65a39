/** The proposed stay of a row, and its order. */
import { shown } from '../../rejects/problems.ts'
import { onceEach } from '../mapping/words.ts'
import type { Row } from '../tables/table.ts'
import { addFields, cellsOf, identifierOf, ownDates } from './cells.ts'
import { type Draft, type Fields, HOURS, quoted } from './draft.ts'
import { isYes } from './evidence.ts'
import { booleansOf, type Profile } from './profile.ts'
import { personColumns } from './propose-person.ts'

export function bookingRecord(draft: Draft, hasOrder: boolean, hasCustomer: boolean): Fields {
  const booking: Fields = {
    id: bookingId(draft),
    ...(hasCustomer ? { customerId: { idOf: 'customer' } } : {}),
    ...(hasOrder ? { orderUuid: { idOf: 'order' } } : {}),
    role: roleOf(draft),
    status: { value: 'confirmed' },
  }
  if (!draft.has('booking.status')) {
    draft.check('booking', 'status', 'no column has it, so it is the same in every row')
  }
  addFields(draft, booking, 'booking')
  const [start, nights] = [draft.named('booking.startDate'), draft.named('nights')]
  const lastNight = draft.named('lastNight')
  if (booking.endDate === undefined && lastNight !== undefined) {
    booking.endDate = {
      column: lastNight.name,
      ...ownDates(draft, lastNight),
      addDays: 1,
      time: HOURS.endDate,
    }
    draft.check(
      'booking',
      'endDate',
      `the day after ${shown(lastNight.name)}; write your hour in place of ${HOURS.endDate}`,
    )
  }
  if (booking.endDate === undefined && start !== undefined && nights !== undefined) {
    booking.endDate = {
      column: start.name,
      ...ownDates(draft, start),
      addDays: nights.name,
      time: HOURS.endDate,
    }
    draft.check(
      'booking',
      'endDate',
      `${shown(start.name)} and ${shown(nights.name)}; write your hour in place of ${HOURS.endDate}`,
    )
  }
  return booking
}

/** The file’s own number, or columns that together differ in each row. */
function bookingId(draft: Draft): unknown {
  const id = draft.named('booking.id')
  const person = personColumns(draft)
  const repeated = id === undefined ? undefined : repeatOf(id, draft.look.rows)
  if (id !== undefined && repeated === undefined) return identifierOf(id)
  const stay = ['booking.startDate', 'booking.acc.roomId', 'booking.endDate'].flatMap(
    (field) => draft.named(field) ?? [],
  )
  const [first, ...more] = stay
  let columns = [
    ...(id === undefined ? person : [id, ...person]),
    ...(id === undefined && first !== undefined ? [first] : []),
  ]
  if (id === undefined) {
    for (const next of more) {
      if (isTelling(columns, draft.look.rows.length)) break
      if (isTelling([...columns, next], draft.look.rows.length)) columns = [...columns, next]
    }
    if (columns.length === 0) columns = draft.columns.slice(0, 1).map(({ profile }) => profile)
    draft.check(
      'booking',
      'id',
      'no column has a number of the booking; if one of these changes, it is another booking',
    )
    return { columns: columns.map(({ name }) => name), identifier: 'hash', prefix: 'b-' }
  }
  const [one = 0, other = 0] = repeated ?? []
  draft.questions.push({
    ask: {
      key: 'repeatedNumber',
      values: { column: id.name, number: quoted(id.texts[rowIndex(draft, one)] ?? ''), one, other },
    },
    answers: [
      {
        answer: { key: 'eachRowBooking' },
        means: { key: 'eachRowBookingMeans', values: { columns: { list: columns.map(({ name }) => name) } } },
        patch: {
          records: {
            booking: {
              id: {
                columns: columns.map(({ name }) => name),
                identifier: 'hash',
                prefix: 'b-',
                column: null,
              },
            },
          },
        },
      },
      {
        answer: { key: 'rowWrong' },
        means: { key: 'rowWrongMeans' },
        patch: {},
      },
    ],
  })
  return identifierOf(id)
}

function rowIndex(draft: Draft, number: number | undefined): number {
  return draft.look.rows.findIndex((row) => row.number === number)
}

/** The role if no column contains it. */
function roleOf(draft: Draft): Fields {
  const companion = draft.named('isCompanion')
  if (companion === undefined) {
    if (!draft.has('booking.role')) {
      draft.check('booking', 'role', 'no column has it, so it is the same in every row')
    }
    return { value: 'patient' }
  }
  const words = onceEach(companion.words).map((word) => [
    word,
    isYes(word, companion.flags) ? 'companion' : 'patient',
  ])
  draft.check('booking', 'role', 'who is no companion is a patient; write guest if yours are guests')
  return { column: companion.name, values: Object.fromEntries(words), default: 'patient' }
}

/**
 * An order, if a row has its number, date and amount, and no other row has the same order: either each row has its
 * own order, or a column marks the main guest's row.
 */
export function orderRecord(draft: Draft): Fields | undefined {
  const uuid = draft.named('order.uuid')
  const date = draft.named('order.orderDate') ?? draft.named('booking.startDate')
  const total = draft.named('booking.financial.total')
  const main = draft.named('booking.isOrderMainGuest')
  if (uuid === undefined || date === undefined || total === undefined) return undefined
  if (main === undefined && !uuid.isUnique) return undefined
  const says = main === undefined ? undefined : booleansOf(main.words)
  const conditions = [
    ...(main === undefined ? [] : [{ column: main.name, is: says?.true ?? 'TRUE' }]),
    ...(uuid.isFilled ? [] : [uuid.name]),
  ]
  draft.check('order', 'status', 'no column has it, so it is the same in every row')
  if (!draft.has('order.orderDate')) {
    draft.check('order', 'orderDate', 'no column has the date of the order, so it is that of the arrival')
  }
  if (main !== undefined && !uuid.isUnique) {
    draft.check(
      'order',
      'totalAmount',
      'what the main guest’s row says; the other rows of the order are not added',
    )
  }
  return {
    ...(conditions.length === 0 ? {} : { when: conditions.length === 1 ? conditions[0] : conditions }),
    uuid: identifierOf(uuid),
    number: uuid.name,
    orderDate: cellsOf(draft, date),
    totalAmount: cellsOf(draft, total),
    status: { value: 'confirmed' },
  }
}

/** The rows of the first value that is in two rows; undefined if there is none. */
function repeatOf({ texts }: Profile, rows: readonly Row[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [at, text] of texts.entries()) {
    if (text === '') continue
    const before = seen.get(text)
    const number = rows[at]?.number ?? at + 1
    if (before !== undefined) return [before, number]
    seen.set(text, number)
  }
  return undefined
}

/** Whether the columns together differ in each row. */
function isTelling(columns: readonly Profile[], rows: number): boolean {
  const seen = new Set<string>()
  for (let at = 0; at < rows; at += 1) {
    const key = columns.map(({ texts }) => texts[at]).join('\u001f')
    if (seen.has(key)) return false
    seen.add(key)
  }
  return true
}
