/** Which groups of a guest's fields a note's columns belong to: the scopes that open them, and never values. */
import { GUEST_FIELDS } from '../fields/guest-fields.ts'
import { columnsRead } from '../fields/source.ts'
import { SCOPES, type Scope } from '../keys/scopes.ts'

/** The scopes that open a part of a guest. */
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
// What every list of guests goes by, whatever it shows.
for (const column of ['id', 'session_ids']) add(`bookings.${column}`, 'guests')

/** In the order of the scopes. Empty where the columns show in no field. */
export function groupsOf(columns: readonly string[]): readonly Scope[] {
  const found = new Set(columns.flatMap((column) => [...(byColumn.get(column) ?? [])]))
  return GUEST_GROUPS.filter((scope) => found.has(scope))
}
