/**
 * Maps changed columns to the groups of guest fields that they belong to: the scopes needed to read them, never values.
 */

import { SCOPES, type Scope } from '../../core/access/keys/scopes.ts'
import { GUEST_FIELDS } from '../../core/records/fields/guest-fields.ts'
import { columnsRead } from '../../core/records/fields/source.ts'

/** The scopes that each allow a part of a guest. */
export const GUEST_GROUPS = SCOPES.filter((scope) => GUEST_FIELDS.some((field) => field.scope === scope))

const byColumn = new Map<string, Set<Scope>>()
const add = (column: string, scope: Scope) => {
  byColumn.set(column, (byColumn.get(column) ?? new Set()).add(scope))
}
for (const { sources, scope } of GUEST_FIELDS) {
  for (const column of sources.flatMap(columnsRead)) add(column, scope)
}
for (const owner of ['customer', 'booking'] as const) {
  for (const column of columnsRead({ from: 'custom', owner, key: '' })) add(column, 'guests.personal')
}
// These define every list of guests, whatever it shows.
for (const column of ['id', 'session_ids']) add(`bookings.${column}`, 'guests')

/** The columns that the kitchen's answers show of a guest, including names, but not diets, which are custom fields. */
const IN_MEALS = new Set([
  'firstName',
  'lastName',
  'startDate',
  'endDate',
  'status',
  'role',
  'programId',
  'packageId',
  'acc.roomId',
  'skippingMeals',
])
const mealColumns = new Set([
  ...GUEST_FIELDS.filter(({ name }) => IN_MEALS.has(name)).flatMap(({ sources }) =>
    sources.flatMap(columnsRead),
  ),
  // No field shows these, but they decide who eats.
  'bookings.meals',
  // These decide to which session of a booking a day belongs.
  ...['bookings.id', 'bookings.session_ids', 'sessions.id', 'sessions.start_date'],
])

export const isCustomColumn = (column: string): boolean => column.endsWith('.meta')

/** Whether answers of the kitchen may differ. @param readsDiets whether the key may read any custom field */
export const showsInMeals = (columns: readonly string[], readsDiets: boolean): boolean =>
  columns.some((column) => mealColumns.has(column) || (readsDiets && isCustomColumn(column)))

/** In the order of the scopes. Empty if no field shows the columns. */
export function groupsOf(columns: readonly string[]): readonly Scope[] {
  const found = new Set(columns.flatMap((column) => [...(byColumn.get(column) ?? [])]))
  return GUEST_GROUPS.filter((scope) => found.has(scope))
}
