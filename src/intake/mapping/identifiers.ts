/** Identifiers made from what a row says, for files that have none: the same cells give the same one in every import. */
import { createHash } from 'node:crypto'
import { isIdentifier } from '../../fields/values.ts'

const LENGTH_MAX = 64
/** 80 bits: among a million people, two alike are as good as impossible. */
const HASH_DIGITS = 20

/** No text holds it, so `a` and `bc` are not `ab` and `c`. */
const BETWEEN = '\u001f'

/** @param parts none of them empty; capitals, accents written in two ways and repeated spaces make no difference */
export function hashedIdentifier(parts: readonly string[], prefix: string): string {
  const text = parts.map((part) => part.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ')).join(BETWEEN)
  return `${prefix}${digest(text)}`
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)

/** Letters that are not a plain one with a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
}

/** The parts joined and written with the characters that an identifier may have; cut and made unique by a hash where it is too long. */
export function writtenIdentifier(parts: readonly string[], prefix: string): string {
  const joined = `${prefix}${parts.join('-')}`
  if (isIdentifier(joined)) return joined
  const plain = parts
    .join('-')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => PLAIN[letter] ?? letter)
  // Without their letters, two names in another script would be the same.
  if (/(?![a-z0-9])[\p{L}\p{N}]/u.test(plain) || !/[a-z0-9]/.test(plain))
    return hashedIdentifier(parts, prefix)
  const written = `${prefix}${plain.replaceAll(/[^a-z0-9_.:]+/g, '-').replaceAll(/^-|-$/g, '')}`
  if (written.length <= LENGTH_MAX) return written
  return `${written.slice(0, LENGTH_MAX - HASH_DIGITS - 1)}-${digest(joined)}`
}
