/** The records proposed for a table: which column becomes which field, what to check, and what to ask. */
import type { QuestionKey, Said } from '../../../locale/said.ts'
import { shown } from '../../rejects/problems.ts'
import { cellText } from '../tables/table.ts'
import { askDates, askDecimals } from './ask-formats.ts'
import { askHidden } from './ask-hidden.ts'
import { askPeople } from './ask-people.ts'
import { chooseDates, chooseDecimals } from './choose-formats.ts'
import { Draft, type Fields, type Question } from './draft.ts'
import type { Assigned } from './evidence.ts'
import { findStay } from './find-stay.ts'
import { booleansOf, type Profile, TIMES_WITH_HALVES } from './profile.ts'
import { type ProposedDiets, proposeDiets } from './propose-diets.ts'
import { orderColumns, orderOfRow } from './propose-orders.ts'
import { customerRecord, personColumns } from './propose-person.ts'
import { bookingRecord, orderRecord } from './propose-stay.ts'
import { coreOf, type Look, type Stray } from './table-profile.ts'

export interface Proposal {
  readonly mapping: Fields
  /** The columns with their fields, including those that only the cells of two columns show. */
  readonly columns: readonly Assigned[]
  readonly questions: readonly Question[]
  /** The fields of columns that the kitchen reads. */
  readonly diets: ReadonlyMap<Profile, string>
  /** What to check, by its position in the mapping: `records booking startDate`. */
  readonly checks: ReadonlyMap<string, string>
  /** Why columns are not used, by name. */
  readonly unused: ReadonlyMap<string, Said>
  /** Required fields that no column has. */
  readonly missing: readonly string[]
  readonly hasOrder: boolean
}

/** Proposes the mapping of one table. */
export function proposeTable(look: Look, today: string): Proposal {
  const orders = orderColumns(look)
  const { columns, questions } = orders === undefined ? findStay(look) : { columns: orders, questions: [] }
  const draft = new Draft({
    look,
    columns,
    dates: chooseDates(columns, today),
    decimals: chooseDecimals(columns, isNumberField),
    today,
    questions,
  })
  const { sheet, header } = look
  const records: Fields = orders === undefined ? recordsOf(draft) : { order: orderOfRow(draft) }
  askDates(draft)
  askDecimals(draft)
  const diets = orders === undefined ? addDiets(draft, records) : NO_DIETS
  askHidden(draft, records)
  if (records.booking !== undefined) askPeople(draft, records.booking as Fields)
  const [date, ...otherDates] = draft.dates.all
  const used = draft.columns.filter(({ field }) => field !== undefined)
  const flags = used.flatMap(({ field, profile }) =>
    field?.startsWith('booking.') && profile.flags !== undefined ? (booleansOf(profile.words) ?? []) : [],
  )
  return {
    mapping: {
      ...(sheet === undefined ? {} : { sheet }),
      ...(header === undefined ? {} : { header }),
      ...(date === undefined ? {} : { dates: otherDates.length === 0 ? date : draft.dates.all }),
      ...(used.some(({ profile }) => profile.dates?.hasHalves === true) ? TIMES_WITH_HALVES : {}),
      ...(draft.decimals.all === undefined ? {} : { decimals: draft.decimals.all }),
      ...(flags[0] === undefined ? {} : { booleans: flags[0] }),
      records,
      ...(Object.keys(diets.diets).length === 0 ? {} : { diets: diets.diets }),
    },
    diets: diets.used,
    columns: draft.columns,
    questions: draft.questions,
    checks: draft.checks,
    unused: unusedColumns(draft, 'order' in records),
    missing: missingFields(records),
    hasOrder: 'order' in records,
  }
}

const isNumberField = (field: string) => /financial\.|order\.totalAmount|weight|height|bmi|ideal/.test(field)

function recordsOf(draft: Draft): Fields {
  const isOfBookings =
    draft.columns.some(({ field }) => field?.startsWith('booking.')) || draft.look.header === 0
  const isOfCustomers = draft.columns.some(
    ({ field }) => field?.startsWith('customer.') || field === 'fullName',
  )
  const order = orderRecord(draft)
  const when = guestRows(draft)
  const hasPerson = personColumns(draft).length > 0
  return {
    ...(hasPerson || isOfCustomers ? { customer: { ...when, ...customerRecord(draft) } } : {}),
    ...(order && { order }),
    ...(isOfBookings || !isOfCustomers
      ? { booking: { ...when, ...bookingRecord(draft, order !== undefined, hasPerson || isOfCustomers) } }
      : {}),
  }
}

/** The condition that leaves out the rows that are no guests; nothing if all are. */
function guestRows(draft: Draft): Fields {
  const { strays, rows } = draft.look
  if (strays.length === 0) return {}
  const isEmptyIn = ({ column }: Profile, { row, isHeading }: Stray) =>
    isHeading || cellText(row.cells[column] ?? '') === ''
  const telling = coreOf(draft.columns).filter((profile) =>
    strays.every((stray) => isEmptyIn(profile, stray)),
  )
  const names = telling.map(({ name }) => name)
  const isEnough = [...rows.keys()].every((at) => telling.some(({ texts }) => texts[at] !== ''))
  if (names.length === 0 || !isEnough) return {}
  const some = names.length === 1 ? names[0] : { anyOf: names }
  const [repeated] = strays.some(({ isHeading }) => isHeading) ? telling : []
  if (repeated === undefined) return { when: some }
  return { when: [some, { column: repeated.name, not: repeated.name }] }
}

const NO_DIETS: ProposedDiets = { fields: {}, diets: {}, checks: new Map(), questions: [], used: new Map() }

/** The columns that the kitchen reads become custom fields of the person, or of the booking if there is none. */
function addDiets(draft: Draft, records: Fields): ProposedDiets {
  const kind = 'customer' in records ? 'customer' : 'booking'
  const proposed = proposeDiets(draft.columns, kind)
  Object.assign(records[kind] as Fields, proposed.fields)
  for (const [field, text] of proposed.checks) draft.check(kind, field, text)
  draft.questions.push(...proposed.questions)
  return proposed
}

function missingFields(records: Fields): string[] {
  const booking = records.booking as Fields | undefined
  if (booking === undefined) return []
  return ['startDate', 'endDate', 'customerId'].filter((field) => booking[field] === undefined)
}

/** Why each column that becomes no field is not used. */
function unusedColumns(draft: Draft, hasOrder: boolean): Map<string, Said> {
  const unused = new Map<string, Said>()
  for (const { profile, field, twin, contradicted } of draft.columns) {
    const { name, filled } = profile
    const say = (reason: Said) => unused.set(name, reason)
    if (field === undefined) {
      if (filled === 0) say({ key: 'unusedEmpty' })
      else if (twin !== undefined) say({ key: 'unusedTaken', values: { column: shown(twin) } })
      else if (contradicted !== undefined) {
        const field = contradicted.slice(contradicted.indexOf('.') + 1)
        say({ key: 'unusedCells', values: { field: { field } } })
      } else say({ key: 'unusedUnknown' })
    } else if (field.startsWith('order.') && !hasOrder) {
      say(draft.has('booking.financial.total') ? { key: 'unusedShared' } : { key: 'unusedNoAmount' })
    } else {
      const key = REASONS[field]
      const makesEnd = ['nights', 'lastNight'].includes(field) && !draft.has('booking.endDate')
      if (key !== undefined && !makesEnd) say({ key })
    }
  }
  return unused
}

const REASONS: Readonly<Record<string, QuestionKey>> = {
  property: 'unusedProperty',
  people: 'unusedPeople',
  currency: 'unusedCurrency',
  nights: 'unusedDeparture',
  lastNight: 'unusedDeparture',
}
