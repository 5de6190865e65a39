/** The records proposed for a table, and the points that its user must check. */
import { inWords } from '../../errors/in-words.ts'
import { isIdentifier } from '../../fields/values.ts'
import { shown } from '../problems.ts'
import { meaningOf } from './likeness.ts'
import type { Look, LookedColumn } from './look.ts'
import { type ProposedDates, proposeDates } from './propose-dates.ts'
import { rawWord } from './raw-words.ts'

type Fields = Record<string, unknown>

/** Proposed times for dates without a time; the user must check them. */
const HOURS: Readonly<Record<string, string>> = { startDate: '15:00', endDate: '11:00' }

export interface Proposal {
  readonly mapping: object
  readonly hasOrder: boolean
  /** What to check, by its place in the mapping: `records booking startDate`. */
  readonly checks: ReadonlyMap<string, string>
}

/** Proposes the mapping of one table. */
export function proposeTable({ columns, sheet, header }: Look): Proposal {
  const used = columns.filter(({ field }) => field !== undefined)
  const dates = proposeDates(used)
  const proposed = new Proposed(columns, dates)
  const records = proposed.records()
  if (dates.unsure !== undefined) {
    const ways = dates.unsure.dates?.ways.flat() ?? []
    proposed.checks.set('dates', `the dates may be ${inWords(ways, 'or')}, and none of them tells which`)
  }
  const [date, ...otherDates] = dates.all
  return {
    mapping: {
      ...(sheet === undefined ? {} : { sheet }),
      ...(header === undefined ? {} : { header }),
      ...(date === undefined ? {} : { dates: otherDates.length === 0 ? date : dates.all }),
      ...Object.assign({}, ...used.map(({ says }) => says)),
      records,
    },
    hasOrder: 'order' in records,
    checks: proposed.checks,
  }
}

class Proposed {
  readonly checks = new Map<string, string>()
  readonly #columns: readonly LookedColumn[]
  readonly #dates: ProposedDates

  constructor(columns: readonly LookedColumn[], dates: ProposedDates) {
    this.#columns = columns
    this.#dates = dates
  }

  records(): Fields {
    const isOfBookings = this.#columns.some(({ field }) => field?.startsWith('booking.'))
    const isOfCustomers = this.#columns.some(({ field }) => field !== undefined) && !isOfBookings
    const order = this.#order()
    return {
      customer: this.#customer(),
      ...(order && { order }),
      ...(isOfCustomers ? {} : { booking: this.#booking(order !== undefined) }),
    }
  }

  #named(field: string): LookedColumn | undefined {
    return this.#columns.find((column) => column.field === field)
  }

  #check(kind: string, field: string, text: string): void {
    this.checks.set(`records ${kind} ${field}`, text)
  }

  /** The columns that together identify a person. */
  #person(): string[] {
    const names = ['customer.lastName', 'customer.firstName', 'fullName'].map((field) => this.#named(field))
    const more = this.#named('customer.dob') ?? this.#named('customer.email')
    const person = [...names, more].flatMap((column) => column?.name ?? [])
    // Without names in the table, a proposal cannot identify customers.
    return person.length === 0 ? this.#columns.slice(0, 1).map(({ name }) => name) : person
  }

  #customer(): Fields {
    const id = this.#named('customer.id')
    const customer: Fields = {
      id: id === undefined ? { columns: this.#person(), identifier: 'hash', prefix: 'c-' } : identifierOf(id),
    }
    const full = this.#named('fullName')
    const [first, last] = [this.#named('customer.firstName'), this.#named('customer.lastName')]
    if (full !== undefined && first !== undefined && last === undefined) customer.lastName = full.name
    else if (full !== undefined && first === undefined && last === undefined) {
      const isTurned = full.words.every((word) => word.includes(','))
      const part = (turned: number, word: string) =>
        isTurned ? { column: full.name, split: ',', part: turned } : { column: full.name, part: word }
      customer.firstName = part(2, 'givenNames')
      customer.lastName = part(1, 'familyName')
      if (!isTurned)
        this.#check('customer', 'lastName', 'the last word of the name, with small words before it')
    }
    this.#addFields(customer, 'customer')
    return customer
  }

  #booking(hasOrder: boolean): Fields {
    const id = this.#named('booking.id')
    const start = this.#named('booking.startDate')
    const own = [...this.#person(), ...(start === undefined ? [] : [start.name])]
    const booking: Fields = {
      id: id === undefined ? { columns: own, identifier: 'hash', prefix: 'b-' } : identifierOf(id),
      customerId: { idOf: 'customer' },
      ...(hasOrder ? { orderUuid: { idOf: 'order' } } : {}),
      role: this.#role(),
      status: { value: 'confirmed' },
    }
    if (this.#named('booking.status') === undefined) {
      this.#check('booking', 'status', 'no column has it, so it is the same in every row')
    }
    this.#addFields(booking, 'booking')
    return booking
  }

  /** The role if no column contains it. */
  #role(): Fields {
    const companion = this.#named('isCompanion')
    if (companion?.isFlag !== true) {
      if (this.#named('booking.role') === undefined) {
        this.#check('booking', 'role', 'no column has it, so it is the same in every row')
      }
      return { value: 'patient' }
    }
    const words = companion.words.map((word) => [word, meaningOf(word) === false ? 'patient' : 'companion'])
    this.#check('booking', 'role', 'who is no companion is a patient; write guest if yours are guests')
    return { column: companion.name, values: Object.fromEntries(words), default: 'patient' }
  }

  /**
   * An order, if a row has its number, date and amount, and no other row has the same order: either each row has its
   * own order, or a column marks the main guest's row.
   */
  #order(): Fields | undefined {
    const uuid = this.#named('order.uuid')
    const date = this.#named('order.orderDate') ?? this.#named('booking.startDate')
    const total = this.#named('booking.financial.total')
    const main = this.#named('booking.isOrderMainGuest')
    if (uuid === undefined || date === undefined || total === undefined) return undefined
    if (main === undefined && !uuid.isUnique) return undefined
    const says = main?.says.booleans as { true?: unknown } | undefined
    const conditions = [
      ...(main === undefined ? [] : [{ column: main.name, is: says?.true ?? 'TRUE' }]),
      ...(uuid.isFilled ? [] : [uuid.name]),
    ]
    this.#check('order', 'status', 'no column has it, so it is the same in every row')
    if (date.field !== 'order.orderDate') {
      this.#check('order', 'orderDate', 'no column has the date of the order, so it is that of the arrival')
    }
    if (main !== undefined && !uuid.isUnique) {
      this.#check(
        'order',
        'totalAmount',
        'what the main guest’s row says; the other rows of the order are not added',
      )
    }
    return {
      ...(conditions.length === 0 ? {} : { when: conditions.length === 1 ? conditions[0] : conditions }),
      uuid: identifierOf(uuid),
      number: uuid.name,
      orderDate: this.#cells(date),
      totalAmount: total.name,
      status: { value: 'confirmed' },
    }
  }

  #addFields(record: Fields, kind: string): void {
    for (const column of this.#columns) {
      const [of, ...path] = column.field?.split('.') ?? []
      const key = path.join('.')
      if (of !== kind || key === 'id') continue
      if (column.isTold) this.#check(kind, key, 'told by the cells of the column, not by its name')
      record[key] =
        key === 'role' || key === 'status' ? this.#words(column, key) : this.#value(column, kind, key)
    }
  }

  #value(column: LookedColumn, kind: string, key: string): unknown {
    const { dates, name, form } = column
    if (dates?.isMixed) this.#check(kind, key, `${form}; write all of them in one way first`)
    const time = kind === 'booking' ? HOURS[key] : undefined
    if (time === undefined || dates === undefined || dates.hasTimes) return this.#cells(column)
    if (!dates.isMixed) {
      this.#check(kind, key, `${shown(name)} has no time of day; write yours in place of ${time}`)
    }
    return { column: name, ...this.#ownDates(column), time }
  }

  #ownDates(column: LookedColumn): Fields {
    const [date, ...others] = this.#dates.own.get(column) ?? []
    return date === undefined ? {} : { dates: others.length === 0 ? date : [date, ...others] }
  }

  /** The column's name alone if that is enough. */
  #cells(column: LookedColumn): unknown {
    const own = this.#ownDates(column)
    return 'dates' in own ? { column: column.name, ...own } : column.name
  }

  /** The meanings of a column's words, as far as a catalogue contains them. */
  #words({ name, words, isTold = false }: LookedColumn, kind: 'role' | 'status'): unknown {
    const unknown = words.filter((word) => rawWord(kind, word) === undefined)
    if (unknown.length > 0) {
      const listed = inWords(unknown.map((word) => `"${shown(word)}"`))
      this.#check('booking', kind, `say in values what ${listed} ${unknown.length === 1 ? 'means' : 'mean'}`)
    } else if (isTold) this.#check('booking', kind, 'is this what the words mean?')
    const values = words.flatMap((word) => {
      const raw = rawWord(kind, word)
      return raw === undefined || raw === word ? [] : [[word, raw] as const]
    })
    return values.length === 0 ? name : { column: name, values: Object.fromEntries(values) }
  }
}

/** Uses the cells unchanged if they are valid identifiers. */
const identifierOf = ({ name, words }: LookedColumn) =>
  words.every(isIdentifier) ? name : { column: name, identifier: 'text' }
