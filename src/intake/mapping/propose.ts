/** What was seen of a file, as comments, and a mapping to edit that works as it is. */
import { Document, isCollection, isPair, visit } from 'yaml'
import { isIdentifier } from '../../fields/values.ts'
import { InputError } from '../input-error.ts'
import { shown } from '../problems.ts'
import type { Table } from '../tables/table.ts'
import { type Look, type LookedColumn, lookAtTable } from './look.ts'
import { rawWord } from './raw-words.ts'

type Fields = Record<string, unknown>

/**
 * @param name the file's, for messages
 * @param seen what is known of the file when it has been read, such as its encoding
 */
export async function proposeMapping(
  tables: readonly Table[],
  name: string,
  seen: () => readonly string[],
): Promise<string> {
  const looks: Look[] = []
  for (const table of tables) {
    const look = await lookAtTable(table)
    if (look !== undefined) looks.push(look)
  }
  const [first] = looks
  if (first === undefined) throw new InputError(`${name} has no rows`)
  const known = looks.filter(({ columns }) => columns.some(({ field }) => field !== undefined))
  const used = known.length === 0 ? [first] : known
  const [one = {}, ...others] = used.map(mappingOf)
  const mapping = others.length === 0 ? one : { tables: [one, ...others] }
  const isOne = first.sheet === undefined
  return [
    `# ${shown(name)}: ${[...seen(), ...(isOne ? [countOf(first)] : [])].join(', ')}`,
    ...looks.flatMap((look) => [
      ...(isOne
        ? []
        : [`# ${shown(look.sheet ?? '')}: ${countOf(look)}${used.includes(look) ? '' : ', not used'}`]),
      ...(look.header === undefined ? [] : [`#   the header is row ${look.header}`]),
      ...look.columns.map((column) => `#   ${shown(column.name)}: ${column.form}${useOf(column, look)}`),
    ]),
    '',
    written(mapping),
  ].join('\n')
}

function useOf({ field }: LookedColumn, { columns }: Look): string {
  if (field === undefined) return ', not used'
  const isLeftOut = field.startsWith('order.') && orderOf(columns) === undefined
  return isLeftOut
    ? ', not used: rows share orders, and no column says which row has the order'
    : ` → ${field}`
}

/** A line for each field, as people write it. */
function written(mapping: object): string {
  const document = new Document(mapping, { aliasDuplicateObjects: false })
  visit(document, {
    Pair(_, { key, value }, path) {
      const isKind = String(path.findLast(isPair)?.key) === 'records'
      if (isCollection(value) && !isKind && !['records', 'tables'].includes(String(key))) value.flow = true
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

const countOf = ({ rows, hasMore }: Look) =>
  rows === 1 ? '1 row' : `${rows}${hasMore ? ' or more' : ''} rows`

function mappingOf({ columns, sheet, header }: Look): object {
  const customer = customerOf(columns)
  const order = orderOf(columns)
  const isOfBookings = columns.some(({ field }) => field?.startsWith('booking.'))
  const isOfCustomers = columns.some(({ field }) => field !== undefined) && !isOfBookings
  return {
    ...(sheet === undefined ? {} : { sheet }),
    ...(header === undefined ? {} : { header }),
    ...formatsOf(columns),
    records: {
      customer,
      ...(order && { order }),
      ...(isOfCustomers ? {} : { booking: bookingOf(columns, order !== undefined) }),
    },
  }
}

/** What all columns that are used say together: dates may be written in several ways. */
function formatsOf(columns: readonly LookedColumn[]): Fields {
  const says = columns.filter(({ field }) => field !== undefined).map((column) => column.says)
  const dates = [...new Set(says.flatMap((format) => format.dates ?? []))]
  const all: Fields = Object.assign({}, ...says)
  return dates.length > 1 ? { ...all, dates } : all
}

const named = (columns: readonly LookedColumn[], field: string) =>
  columns.find((column) => column.field === field)

/** The columns that together tell one person from all others. */
function personOf(columns: readonly LookedColumn[]): string[] {
  const names = ['customer.lastName', 'customer.firstName', 'fullName'].map((field) => named(columns, field))
  const more = named(columns, 'customer.dob') ?? named(columns, 'customer.email')
  const person = [...names, more].flatMap((column) => column?.name ?? [])
  // A table without names has no customers that a proposal could find.
  return person.length === 0 ? columns.slice(0, 1).map(({ name }) => name) : person
}

/** Its cells as they are where they are identifiers. */
const identifierOf = ({ name, words }: LookedColumn) =>
  words.every(isIdentifier) ? name : { column: name, identifier: 'text' }

function customerOf(columns: readonly LookedColumn[]): Fields {
  const id = named(columns, 'customer.id')
  const customer: Fields = {
    id:
      id === undefined ? { columns: personOf(columns), identifier: 'hash', prefix: 'c-' } : identifierOf(id),
  }
  const full = named(columns, 'fullName')
  const isSplit = named(columns, 'customer.lastName') ?? named(columns, 'customer.firstName')
  if (full !== undefined && named(columns, 'customer.firstName') && !named(columns, 'customer.lastName')) {
    customer.lastName = full.name
  } else if (full !== undefined && isSplit === undefined) {
    const isTurned = full.words.every((word) => word.includes(','))
    const part = (turned: number, word: string) =>
      isTurned ? { column: full.name, split: ',', part: turned } : { column: full.name, part: word }
    customer.firstName = part(2, 'givenNames')
    customer.lastName = part(1, 'familyName')
  }
  addFields(customer, 'customer', columns)
  return customer
}

function bookingOf(columns: readonly LookedColumn[], hasOrder: boolean): Fields {
  const id = named(columns, 'booking.id')
  const start = named(columns, 'booking.startDate')
  const own = [...personOf(columns), ...(start === undefined ? [] : [start.name])]
  const booking: Fields = {
    id: id === undefined ? { columns: own, identifier: 'hash', prefix: 'b-' } : identifierOf(id),
    customerId: { idOf: 'customer' },
    ...(hasOrder ? { orderUuid: { idOf: 'order' } } : {}),
    role: { value: 'patient' },
    status: { value: 'confirmed' },
  }
  addFields(booking, 'booking', columns)
  return booking
}

/**
 * An order, where a row says which one is its own, when and how much, and where it cannot be another row's too: each has one,
 * or the main guest's row says it.
 */
function orderOf(columns: readonly LookedColumn[]): Fields | undefined {
  const [uuid, date, total, main] = [
    'order.uuid',
    'booking.startDate',
    'booking.financial.total',
    'booking.isOrderMainGuest',
  ].map((field) => named(columns, field))
  if (uuid === undefined || date === undefined || total === undefined) return undefined
  const says = main?.says.booleans as { true?: unknown } | undefined
  const yes = says?.true ?? 'TRUE'
  if (main === undefined && !uuid.isUnique) return undefined
  return {
    ...(main === undefined ? {} : { when: { column: main.name, is: yes } }),
    uuid: identifierOf(uuid),
    number: uuid.name,
    orderDate: date.name,
    totalAmount: total.name,
    status: { value: 'confirmed' },
  }
}

function addFields(record: Fields, kind: string, columns: readonly LookedColumn[]): void {
  for (const { name, field, words } of columns) {
    const [of, ...path] = field?.split('.') ?? []
    const key = path.join('.')
    if (of !== kind || key === 'id') continue
    record[key] = key === 'role' || key === 'status' ? { column: name, ...valuesOf(key, words) } : name
  }
}

/** What the words of a column mean, as far as a catalogue has them. */
function valuesOf(kind: 'role' | 'status', words: readonly string[]): object {
  const values = words.flatMap((word) => {
    const raw = rawWord(kind, word)
    return raw === undefined || raw === word ? [] : [[word, raw] as const]
  })
  return values.length === 0 ? {} : { values: Object.fromEntries(values) }
}
