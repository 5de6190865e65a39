/** Phone numbers as people write them, several in one cell. */
import { mayBeWord } from './text-lengths.ts'

/** An area code and a number have at least as many digits together. */
const DIGITS_MIN = 7

/**
 * The numbers of a text, each as it is written. Between them are commas, semicolons, slashes, line breaks, or the `+` of the
 * next one; `0711 / 555 01 08` is one, because an area code alone is no number.
 */
export function phonesIn(text: string): string[] {
  if (!mayBeWord(text)) return [text]
  const pieces = numbersIn(text, /(\p{Nd})(?:\s*[;,،；|\r\n]|\s+\+)/gu)
  return pieces.flatMap((piece) => numbersIn(piece, /(\p{Nd})\s*\//gu))
}

/**
 * The pieces if each is a whole number, otherwise the text. @param between finds the last digit of a number and what is after
 * it; the digit remains with its number, and a `+` with the next one
 */
function numbersIn(text: string, between: RegExp): string[] {
  const pieces: string[] = []
  let start = 0
  for (const { 0: found, 1: digit = '', index } of text.matchAll(between)) {
    pieces.push(text.slice(start, index + digit.length).trim())
    start = index + found.length - (found.endsWith('+') ? 1 : 0)
  }
  pieces.push(text.slice(start).trim())
  const isWhole = pieces.every((piece) => (piece.match(/\p{Nd}/gu)?.length ?? 0) >= DIGITS_MIN)
  return isWhole ? pieces : [text]
}

/** The first number of a record's `phone`, and the others as its `secondaryPhone`, unless that has one already. */
export function withSecondPhone(record: { phone?: unknown; secondaryPhone?: unknown }): void {
  if (typeof record.phone !== 'string' || typeof record.secondaryPhone === 'string') return
  const [first, ...others] = phonesIn(record.phone)
  if (others.length === 0) return
  record.phone = first
  record.secondaryPhone = others.join('; ')
}
