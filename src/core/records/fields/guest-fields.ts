/**
 * The registry of a guest's fields. Validation, scopes, the select list, the intake schemas, their columns, OpenAPI and
 * the documentation are derived from it. Names and groups are those of the interface.
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

/** Every projectable field except custom fields, in the order of the interface's table. */
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

/** Names that mean all fields below them (ruling 21). */
export const FIELD_GROUPS = ['financial.deposit', 'financial.fullPayment'] as const
