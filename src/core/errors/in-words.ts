/** `A`, `A and B`, `A, B and C`; empty for nothing. */
export const inWords = (names: readonly string[], last = 'and'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
