/** What each scope is called. */
import type { Me } from '../../../client/src/index.ts'
import type { WordKey } from '../../../src/documents/words.ts'

export type Scope = Me['key']['scopes'][number]

/** What a scope gives access to. */
export const SCOPES: Readonly<Record<Scope, WordKey>> = {
  guests: 'scopeGuests',
  'guests.personal': 'scopePersonal',
  'guests.medical': 'scopeMedical',
  'guests.financial': 'scopeFinancial',
  'guests.paid': 'scopePaid',
  meals: 'scopeMeals',
  sessions: 'scopeSessions',
  orders: 'scopeOrders',
  'meals.confirm': 'scopeMealsConfirm',
  sources: 'scopeSources',
  rooms: 'scopeRooms',
  contradictions: 'scopeContradictions',
  rights: 'scopeRights',
  administration: 'scopeAdministration',
}
