/** The compared values as people read them: labels of fields, days, hours, numbers; nothing that the answer does not have. */
import type { Field } from '../../client/src/index.ts'
import type { Contradiction } from './contradiction-kinds.ts'
import { addDays, isDay, localTime, writtenDay } from './days.ts'
import { numberText } from './numbers.ts'
import { nameOfOrder } from './order-name.ts'
import { type Problem, SENTENCES } from './problem-words.ts'
import type { WordKey, Words } from './words.ts'

type Compared = Contradiction['evidence']['compared'][number]
/** Fields that are not those of a guest. */
const NAMES: Readonly<Record<string, WordKey>> = {
  beds: 'roomsColumnBeds',
  people: 'people',
  nights: 'nights',
  sessionStartDate: 'sessionBegins',
  sessionEndDate: 'sessionEnds',
  orderUuid: 'order',
  sessionIds: 'sessions',
}
const NAMES_OF_ORDER: Readonly<Record<string, WordKey>> = {
  problems: 'what',
  totalAmount: 'total',
  itemsTotal: 'itemsTogether',
  status: 'status',
  paymentStatus: 'payment',
  deposits: 'deposit',
}

/** What people call sessions and orders. */
export interface Names {
  /** by identifier */
  readonly sessions: ReadonlyMap<string, string>
  /** numbers by identifier */
  readonly orders: ReadonlyMap<string, string>
}

export interface Writing {
  readonly t: Words
  readonly language: string
  /** of the center */
  readonly zone: string
  readonly fields: readonly Field[]
  /** without them, sessions and orders are called by their identifiers */
  readonly names?: Names
}

/** @returns the name of the field as it is, if nobody has given it a label */
export function fieldText({ evidence }: Contradiction, field: string, { t, fields }: Writing): string {
  const isOrder = evidence.records[0]?.kind === 'order'
  const word = (isOrder ? NAMES_OF_ORDER[field] : undefined) ?? NAMES[field]
  if (word !== undefined) return t(word)
  return fields.find(({ name }) => name === field)?.label ?? field
}

/** A dash if it is not known, and "None" if the record says that there is none. */
export function valueText(
  contradiction: Contradiction,
  { field, values }: Compared,
  at: number,
  writing: Writing,
): string {
  const { t } = writing
  const value = values[at] ?? null
  if (value === null || value === '') return '–'
  if (Array.isArray(value)) {
    if (value.length === 0) return t('none')
    return value.map((one) => oneText(contradiction, field, one, writing)).join(', ')
  }
  return oneText(contradiction, field, value, writing)
}

function oneText(
  { evidence }: Contradiction,
  field: string,
  value: string | number | boolean | readonly string[],
  { t, language, zone, fields, names }: Writing,
): string {
  if (typeof value === 'number') return numberText(value, language)
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  const text = String(value)
  if (field === 'nights') return nightsText(text, language)
  if (field === 'sessionIds') return names?.sessions.get(text) ?? text
  if (field === 'orderUuid') return nameOfOrder({ orderNumber: names?.orders.get(text) ?? null, uuid: text })
  if (field === 'problems') return problemText(evidence.compared, text, t, language)
  if (isDay(text)) return writtenDay(text, language)
  if (/^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)))
    return momentText(text, zone, language)
  const known = evidence.records[0]?.kind === 'guest' ? fields.find(({ name }) => name === field) : undefined
  return known?.values?.find((one) => one.value === text)?.label ?? text
}

/** With its day, also today: a list of what was found is printed. */
export function momentText(moment: string, zone: string, language: string): string {
  const { day, time } = localTime(moment, zone)
  return `${writtenDay(day, language)} ${time}`
}

/** `2026-11-21/2026-11-24`, of which the last one is the day of departure: the nights of 21 to 23. */
function nightsText(text: string, language: string): string {
  const [from = '', until = ''] = text.split('/')
  if (!isDay(from) || !isDay(until)) return text
  const last = addDays(until, -1)
  return from === last
    ? writtenDay(from, language)
    : `${writtenDay(from, language)} – ${writtenDay(last, language)}`
}

const AMOUNTS: Readonly<Record<string, string>> = {
  totalDiffersFromItems: 'itemsTotal',
  depositButUnpaid: 'deposits',
}

/** As the page of orders says it. */
function problemText(compared: readonly Compared[], kind: string, t: Words, language: string): string {
  const word = Object.hasOwn(SENTENCES, kind) ? SENTENCES[kind as Problem['kind']] : undefined
  if (word === undefined) return kind
  const amount = compared.find(({ field }) => field === AMOUNTS[kind])?.values[0]
  return t(word, { amount: typeof amount === 'number' ? numberText(amount, language) : '–' })
}
