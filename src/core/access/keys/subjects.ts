/**
 * What a key lets its holder see, in the terms of people: names, rooms, diets. A scope is no such term: the scope `meals`
 * opens the names and rooms of those who eat, which `guests` opens too.
 */
import type { Scope } from './scopes.ts'

/** In the order in which they are listed. */
export const SUBJECTS = [
  'names',
  'contact',
  'stays',
  'rooms',
  'programs',
  'staff',
  'sessions',
  'portions',
  'skippedMeals',
  'diets',
  'personal',
  'address',
  'customFields',
  'medical',
  'orderNumbers',
  'orders',
  'payments',
  'paid',
  'contradictions',
  'sources',
  'sheets',
  'administration',
] as const

export type Subject = (typeof SUBJECTS)[number]

/** A subject is seen with all scopes of at least one of these sets. */
export interface SubjectRule {
  readonly subject: Subject
  readonly scopes: readonly (readonly Scope[])[]
}

export interface Seen {
  readonly sees: readonly Subject[]
  readonly seesNot: readonly Subject[]
}

/** @param given subjects that the key sees without these scopes */
export function seenWith(
  rules: readonly SubjectRule[],
  scopes: readonly Scope[],
  given: readonly Subject[] = [],
): Seen {
  const isSeen = ({ subject, scopes: sets }: SubjectRule) =>
    given.includes(subject) || sets.some((set) => set.every((scope) => scopes.includes(scope)))
  const named = (rule: SubjectRule) => rule.subject
  return {
    sees: rules.filter(isSeen).map(named),
    seesNot: rules.filter((rule) => !isSeen(rule)).map(named),
  }
}
