/** Names of people: how they are joined and in which order they stand. */

/** First name, space, last name (the report's rule 2, ruling 25). */
export const fullName = (first: string, last: string) => `${first} ${last}`

// The order of Unicode's root collation, the same in every language: an answer's order must not depend on
// who asks, and a person looks for Ștefan near Stefan.
const collator = new Intl.Collator('und')

/** Compares two names as a person would sort them; names that only look the same keep one order all the same. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}
