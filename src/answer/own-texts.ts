/** Not in a text of PostgreSQL, so in no identifier. */
const BETWEEN = '\u0000'

/**
 * The same texts, in memory of their own. A piece that was cut out of a text, if it has more than twelve characters, is
 * for V8 a place in that text: whoever keeps an identifier of 24 characters keeps the 14 kB of rows that it stood in.
 */
export function ownTexts(texts: readonly string[]): string[] {
  if (texts.length === 0) return []
  // With one in front, because joining a single text gives that text itself.
  const [, ...own] = `${BETWEEN}${texts.join(BETWEEN)}`.split(BETWEEN)
  return own
}
