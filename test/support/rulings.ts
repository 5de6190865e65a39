/** The numbers of the rulings as used in tests, clauses and pages. */
export const RULINGS: readonly string[] = [
  ...Array.from({ length: 41 }, (_, index) => `ruling ${index + 1}`),
  'ruling 19a',
  'ruling 42',
  'ruling 43',
  'ruling 44',
  'ruling 45',
  'ruling 47',
  'ruling 46',
  'ruling 48',
  'ruling 49',
  'ruling 50',
  'ruling 51',
]
