/** Names of people: how they are joined and sorted. */

/**
 * First name, space, last name (the report's rule 2, ruling 25); of a person with a single name, that name (ruling 42).
 */
export const fullName = (first: string | null, last: string | null) =>
  first === null ? (last ?? '') : last === null ? first : `${first} ${last}`

// The order of Unicode's root collation, the same in every language: an answer's order must not depend on the client's
// language, and people look for Ștefan near Stefan.
const collator = new Intl.Collator('und')

/** Compares two names for sorting. Names that only look the same still have a fixed order. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}
