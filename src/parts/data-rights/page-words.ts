/** The texts of a person's page: field names in the person's language, and formatted values. */
import { type Column, KIND_NAMES } from '../../core/intake/kinds/kind.ts'
import { KINDS } from '../../core/intake/kinds.ts'
import { cldrTag, formatAmount } from '../../core/locale/amounts.ts'
import { type LabelKind, labelOf } from '../../core/locale/labels.ts'
import type { Language } from '../../core/locale/languages.ts'
import { recordLabel } from '../../core/locale/record-labels.ts'

/** The format of the page. */
export interface PageForm {
  readonly language: Language
  /** IANA name of the center's zone */
  readonly zone: string
  /** ISO 4217 code of the center's currency */
  readonly currency: string
  readonly centerName: string
}

/** Names of fields that do not exist in the interface. */
const NAMES: Readonly<Record<string, string>> = {
  customerId: 'Customer number',
  sessionIds: 'Sessions',
  orderUuid: 'Order',
  takenAt: 'Written at',
  day: 'Day',
}

/** The label of a field such as `acc.roomId` in the person's language; without a label, its name as words. */
export const labelFor = (path: string, language: Language): string =>
  NAMES[path] ?? recordLabel(path, language) ?? inWords(path)

/** Converts `total_amount` and `totalAmount` to `Total amount`. */
export function inWords(name: string): string {
  const words = name
    .split('.')
    .at(-1)!
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The label of a database column as recorded in a change: `bookings.start_date`. */
export function columnLabel(column: string, language: Language): string {
  const [table = '', name = ''] = column.includes('.') ? column.split('.') : ['', column]
  for (const kind of KIND_NAMES) {
    if (table !== '' && KINDS[kind].table !== table) continue
    const found: Column | undefined = KINDS[kind].columns.find((one) => one.name === name)
    if (found?.field !== undefined) return labelFor(found.field, language)
  }
  return inWords(name)
}

const LABELLED: Readonly<Record<string, LabelKind>> = {
  role: 'role',
  status: 'status',
  gender: 'gender',
  orderStatus: 'orderStatus',
  paymentStatus: 'paymentStatus',
  paymentMethod: 'paymentMethod',
}
const AMOUNT =
  /^(?:financial\.(?:subtotal|total|deposit\.amount|fullPayment\.amount)|totalAmount|(?:items\.)?price)$/

/** Formats a value. @param currency of the order that it belongs to */
export function valueText(path: string, value: unknown, form: PageForm, currency = form.currency): string {
  const { language } = form
  if (Array.isArray(value)) return value.map((one) => valueText(path, one, form, currency)).join(', ')
  if (typeof value === 'boolean') return value ? '✓' : '–'
  if (typeof value === 'number' && AMOUNT.test(path)) return formatAmount(language, currency, value)
  if (typeof value === 'number') return new Intl.NumberFormat(cldrTag(language)).format(value)
  if (typeof value !== 'string') return String(value ?? '')
  const kind = LABELLED[path]
  if (kind !== undefined) return labelOf(language, kind, value)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return dayText(value, language)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return momentText(value, form)
  return value
}

const dayText = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(cldrTag(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** Formats a time in the center's zone: `16. November 2026 um 15:00`. */
export const momentText = (iso: string, { language, zone }: PageForm): string =>
  new Intl.DateTimeFormat(cldrTag(language), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: zone,
  }).format(new Date(iso))
