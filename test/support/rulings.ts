/** The numbers of the rulings, as tests, clauses and pages name them. */
export const RULINGS: readonly string[] = [
  ...Array.from({ length: 41 }, (_, index) => `ruling ${index + 1}`),
  'ruling 19a',
]
