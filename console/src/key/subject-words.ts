/** What each subject is called that a key may see. */
import type { Me } from '../../../client/src/index.ts'
import type { WordKey } from '../../../src/documents/words.ts'

export type Subject = Me['key']['sees'][number]

export const SUBJECTS: Readonly<Record<Subject, WordKey>> = {
  names: 'name',
  contact: 'contact',
  stays: 'stays',
  rooms: 'rooms',
  programs: 'program',
  staff: 'seesStaff',
  sessions: 'sessions',
  portions: 'portions',
  skippedMeals: 'seesSkippedMeals',
  diets: 'dietsAndAllergies',
  personal: 'seesPersonal',
  address: 'address',
  customFields: 'deviceFields',
  medical: 'scopeMedical',
  orderNumbers: 'seesOrderNumbers',
  orders: 'seesOrders',
  payments: 'paymentsAndDeposits',
  paid: 'scopePaid',
  contradictions: 'scopeContradictions',
  sources: 'scopeSources',
  sheets: 'scopeMealsConfirm',
  administration: 'scopeAdministration',
}
