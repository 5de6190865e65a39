/**
 * Which scopes show which subjects: follows from the scope of each operation and of each field of a guest, which also
 * decide what a request may read. `GET /me`, the link for a device and the form of a new key say it of their key.
 */
import type { Scope } from '../../access/keys/scopes.ts'
import { type Seen, SUBJECTS, type Subject, type SubjectRule, seenWith } from '../../access/keys/subjects.ts'
import type { Center } from '../../records/centers/center.ts'
import type { GuestField } from '../../records/fields/field.ts'
import { GUEST_FIELDS } from '../../records/fields/guest-fields.ts'
import { isReadUnderPseudonyms } from '../guests/under-pseudonyms.ts'

/** An operation or an action, with the scope that each of its requests needs. */
export interface Scoped {
  readonly name: string
  readonly scope: Scope | 'any'
}

/**
 * What answers show. The fields of a guest say it below. An operation for every key shows what the key may read by the
 * others, so it is not named.
 */
export const SHOWN_BY: Readonly<Record<string, readonly Subject[]>> = {
  listGuests: ['names', 'contact', 'stays'],
  matchGuests: ['names', 'stays'],
  mealSkippingReport: ['names', 'skippedMeals'],
  mealPortions: ['names', 'stays', 'rooms', 'programs', 'portions', 'skippedMeals'],
  mealSheet: ['rooms', 'portions'],
  listOrders: ['names', 'orders', 'orderNumbers'],
  getOrder: ['names', 'orders', 'orderNumbers'],
  orderControl: ['orders', 'orderNumbers'],
  listSessions: ['sessions'],
  sessionCalendar: ['sessions'],
  listRooms: ['rooms'],
  listContradictions: ['contradictions'],
  listSources: ['sources'],
  // Everything that is stored about a person.
  'show-person': [
    ...([
      'names',
      'contact',
      'stays',
      'rooms',
      'programs',
      'staff',
      'sessions',
      'skippedMeals',
      'diets',
    ] as const),
    ...(['personal', 'address', 'customFields', 'medical', 'orderNumbers', 'orders', 'payments'] as const),
  ],
  'store-sheet': ['sheets'],
  'confirm-sheet': ['sheets'],
}

/** The subject of each group of fields; null for what is about no guest. */
const OF_GROUP: Readonly<Record<string, Subject | null>> = {
  'Basic personal': 'names',
  Contact: 'contact',
  'Personal details': 'personal',
  Address: 'address',
  Referral: 'personal',
  Basic: 'stays',
  'Status and role': 'stays',
  'Order link': 'orderNumbers',
  Accommodation: 'rooms',
  Financial: 'payments',
  'Intake forms': 'medical',
  'Medical documentation': 'medical',
  Staff: 'staff',
  Measurements: 'medical',
  Meals: 'skippedMeals',
  'Session history': 'sessions',
  'Center information': null,
}

/** Fields that are about something else than their group. */
const OF_FIELD: Readonly<Record<string, Subject>> = {
  pin: 'personal',
  internalId: 'personal',
  customerId: 'personal',
  programId: 'programs',
  packageId: 'programs',
  paid: 'paid',
}

/** @throws {Error} for a field of a group that is not named above */
export function subjectOf({ name, group }: Pick<GuestField, 'name' | 'group'>): Subject | null {
  const subject = OF_FIELD[name] ?? OF_GROUP[group]
  if (subject === undefined) throw new Error(`no subject is named for the fields of ${group}`)
  return subject
}

/** Custom fields, diets among them, are of `guests.personal`; keys may be given some (custom-fields.test.ts). */
const PERSONAL: readonly Scope[] = ['guests', 'guests.personal']
const DIETS: readonly (readonly Scope[])[] = [PERSONAL, ['meals', 'guests.personal']]

/** The rules of a center, in the order of the subjects. */
export function subjectRules(
  scoped: readonly Scoped[],
  { pseudonymousReads }: Pick<Center, 'pseudonymousReads'>,
): readonly SubjectRule[] {
  const sets = new Map<Subject, Map<string, readonly Scope[]>>(
    SUBJECTS.map((subject) => [subject, new Map()]),
  )
  const add = (subject: Subject, scopes: readonly Scope[]) => {
    const set = [...new Set(scopes)]
    sets.get(subject)?.set(set.join(' '), set)
  }
  for (const { name, scope } of scoped) {
    if (scope === 'any') continue
    const shown = scope === 'administration' ? (['administration'] as const) : (SHOWN_BY[name] ?? [])
    for (const subject of shown) add(subject, [scope])
  }
  for (const field of GUEST_FIELDS) {
    const subject = subjectOf(field)
    if (subject === null) continue
    add(subject, ['guests', field.scope])
    if (pseudonymousReads && field.scope === 'guests.medical' && isReadUnderPseudonyms(field))
      add(subject, [field.scope])
  }
  add('customFields', PERSONAL)
  for (const set of DIETS) add('diets', set)
  return SUBJECTS.map((subject) => ({ subject, scopes: [...(sets.get(subject)?.values() ?? [])] }))
}

/** What a key sees. */
export function seenBy(
  { scopes, customFields }: { readonly scopes: readonly Scope[]; readonly customFields: readonly string[] },
  scoped: readonly Scoped[],
  center: Pick<Center, 'pseudonymousReads' | 'mealRules'>,
): Seen {
  const diets = center.mealRules.dietFields.map(({ field }) => field)
  const isRead = scopes.includes('meals') || scopes.includes('guests')
  // A key that was given some of the diets does not see the diets.
  const hasDiets = isRead && diets.length > 0 && diets.every((field) => customFields.includes(field))
  return seenWith(subjectRules(scoped, center), scopes, hasDiets ? ['diets'] : [])
}
