/**
 * Whatever a terminal or a log could take for more than a letter, as its escape: controls (C1 too), what reverses the
 * direction of writing, what has no width, and the separators of lines and paragraphs.
 */
export const visible = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
