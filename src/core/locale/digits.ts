/** Digits of all scripts. */

const DIGIT = /\p{Nd}/gu
const isDigit = (codePoint: number) => /\p{Nd}/u.test(String.fromCodePoint(codePoint))

/** The text with the digits of all scripts as 0 to 9: `٠٧١١` and `０７１１` become `0711`. */
export const plainDigits = (text: string): string =>
  // Nearly every text is in ASCII.
  /[^\0-\x7f]/.test(text) ? text.replaceAll(DIGIT, digitOf) : text

/** Unicode has the ten digits of a script in a row, and rows of several styles behind each other. */
function digitOf(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0
  let first = codePoint
  while (isDigit(first - 1)) first -= 1
  return String((codePoint - first) % 10)
}
