/**
 * The registry of the fields of a guest: validation, scopes, the select list, the intake schemas, the columns they
 * fill, OpenAPI and the documentation all follow from it. Names and groups are the interface's own.
 */
import { accommodationFields } from './accommodation-fields.ts'
import { bookingFields, mealFields, staffFields } from './booking-fields.ts'
import { centerFields } from './center-fields.ts'
import { customerFields } from './customer-fields.ts'
import type { GuestField } from './field.ts'
import { financialFields } from './financial-fields.ts'
import { measurementFields } from './measurement-fields.ts'
import { formFields, medicalFields } from './medical-fields.ts'
import { sessionFields } from './session-fields.ts'

/** Every projectable field but the custom ones, in the order of the interface's table. */
export const GUEST_FIELDS: readonly GuestField[] = [
  ...customerFields,
  ...bookingFields,
  ...accommodationFields,
  ...financialFields,
  ...formFields,
  ...medicalFields,
  ...staffFields,
  ...measurementFields,
  ...mealFields,
  ...sessionFields,
  ...centerFields,
]

/** The fields of an answer without `project` (ruling 20). */
export const DEFAULT_FIELD_NAMES = [
  'firstName',
  'lastName',
  'email',
  'startDate',
  'endDate',
  'status',
  'role',
  'skippingMeals',
] as const

/** Names that stand for all fields below them (ruling 21). */
export const FIELD_GROUPS = ['financial.deposit', 'financial.fullPayment'] as const
