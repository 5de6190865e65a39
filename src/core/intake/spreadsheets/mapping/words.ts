/** Words in cells and headings, compared without what people write differently. */

import { visibleText } from '../tables/table.ts'
import { mayBeWord } from './text-lengths.ts'

/** Two ways to type the same Romanian letters. */
const CEDILLAS: Readonly<Record<string, string>> = { ş: 'ș', ţ: 'ț' }

/** ʼ, ʻ, ’ and the like, as names have them. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02b9\u02bb-\u02bd\u00b4`\ua78c]/g
/** Whether a sign is drawn as a picture. */
const VARIANTS = /[\ufe0e\ufe0f]/g

/**
 * Words are compared without regard to case, invisible characters, kinds of spaces and apostrophes, and cedilla or comma below. A
 * text that is too long for a word is compared as it is.
 */
export function foldWord(word: string): string {
  if (!mayBeWord(word)) return word
  return visibleText(word)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[şţ]/g, (letter) => CEDILLAS[letter] ?? letter)
    .replaceAll(APOSTROPHES, "'")
    .replaceAll(VARIANTS, '')
}

/** Of words that are compared as equal, the first: a mapping names each once. */
export const onceEach = (words: readonly string[]): string[] =>
  [...Map.groupBy(words, foldWord).values()].flatMap(([first]) => first ?? [])

/** Letters that are not a base letter with a diacritic. */
export const PLAIN: Readonly<Record<string, string>> = {
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

/** A word in lower case, without accents and punctuation at its ends: `Févr.` becomes `fevr`. */
export const plainWord = (word: string): string => withoutEnds(folded(word))

const folded = (word: string) =>
  visibleText(word)
    .replaceAll(APOSTROPHES, "'")
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => PLAIN[letter] ?? letter)

/** The text without what is neither a letter nor a digit at its ends. */
function withoutEnds(text: string): string {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  const characters = [...text]
  const first = characters.findIndex(isPart)
  return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isPart) + 1).join('')
}
