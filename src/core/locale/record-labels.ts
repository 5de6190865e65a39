/** Names of the fields of records for people: those of the interface, which some records name differently. */
import { fieldLabel } from './field-labels.ts'
import { labelOf } from './labels.ts'
import type { Language } from './languages.ts'
import { orderLabel } from './order-labels.ts'

/** Fields that are named differently in a record than in the interface. */
const NAMES: Readonly<Record<string, string>> = {
  number: 'orderNumber',
  notes: 'payment.notes',
  'items.itemId': 'id',
  'items.name': 'item.name',
  'items.quantity': 'item.quantity',
  'items.price': 'item.price',
  'billingAddress.street': 'address.street',
  'billingAddress.city': 'address.city',
  'billingAddress.zip': 'address.zip',
  'billingAddress.country': 'address.country',
}

/**
 * @param path `acc.roomId`
 * @returns undefined for a field without a name
 */
export function recordLabel(path: string, language: Language): string | undefined {
  const [, meal] = /^skippingMeals\.(\w+)$/.exec(path) ?? []
  const name = meal === undefined ? (NAMES[path] ?? path) : 'skippingMeals'
  const label = fieldLabel(name, language) ?? orderLabel(name, language)
  return meal === undefined || label === undefined ? label : `${label}: ${labelOf(language, 'meal', meal)}`
}
