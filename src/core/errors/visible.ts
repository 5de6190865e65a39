/**
 * Whatever a terminal or a log could take for more than a letter, as its escape: controls (C1 too), what reverses the
 * direction of writing, what has no width, and the separators of lines and paragraphs.
 */
export const visible = (text: string): string =>
  text.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** The same for a text of several lines, which stay. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** The same for JSON, which is read as what it was: its own line breaks stay, and other characters become their escapes. */
export const visibleJson = (json: string): string =>
  json.replaceAll(UNSEEN, (character) => (character === '\n' ? character : escaped(character)))

/** The same for what people read: a text is one line, and has no marks where a word may be divided. */
export const readable = (text: string): string =>
  visible(text.replaceAll(/[\t-\r\u0085\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('\u00ad', ''))

/** Whether a text has a character that nobody sees. */
export const hasUnseen = (text: string): boolean => text.search(UNSEEN) !== -1

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
