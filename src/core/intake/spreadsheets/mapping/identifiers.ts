/**
 * Identifiers made from the values of a row, for files without identifiers. The same cells give the same identifier in
 * every import.
 */
import { createHash } from 'node:crypto'
import { isIdentifier } from '../../../records/fields/values.ts'
import { mayBeWord } from './text-lengths.ts'
import { foldWord, PLAIN } from './words.ts'

const LENGTH_MAX = 64
/** 80 bits: a collision among a million people is practically impossible. */
const HASH_DIGITS = 20

/** Occurs in no text. It separates the parts, so that `a` and `bc` differ from `ab` and `c`. */
const BETWEEN = '\u001f'

/**
 * Hashes the parts. What `foldWord` folds makes no difference: case, spaces, cedilla or comma below, kinds of apostrophes; also
 * what `NFKC` folds, unless a part is too long for a word.
 * @param parts none of them empty
 */
export function hashedIdentifier(parts: readonly string[], prefix: string): string {
  const text = parts.map((part) => (mayBeWord(part) ? foldWord(part.normalize('NFKC')) : part)).join(BETWEEN)
  return `${prefix}${digest(text)}`
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)

/**
 * Joins the parts and writes them with the characters allowed in an identifier. If the result is too long, it is cut,
 * and a hash keeps it unique.
 */
export function writtenIdentifier(parts: readonly string[], prefix: string): string {
  const joined = `${prefix}${parts.join('-')}`
  if (isIdentifier(joined)) return joined
  if (!mayBeWord(joined)) return hashedIdentifier(parts, prefix)
  const plain = parts
    .join('-')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => PLAIN[letter] ?? letter)
  // Two names in another script would become equal if their letters were dropped.
  if (/(?![a-z0-9])[\p{L}\p{N}]/u.test(plain) || !/[a-z0-9]/.test(plain))
    return hashedIdentifier(parts, prefix)
  const written = `${prefix}${plain.replaceAll(/[^a-z0-9_.:]+/g, '-').replaceAll(/^-|-$/g, '')}`
  if (written.length <= LENGTH_MAX) return written
  return `${written.slice(0, LENGTH_MAX - HASH_DIGITS - 1)}-${digest(joined)}`
}
