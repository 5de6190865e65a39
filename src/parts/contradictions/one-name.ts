/** Whether the names of two people are one name, apart from its spelling and typing errors. Pure. */
import { distance } from 'fastest-levenshtein'
import { areJoinedAlike, consonantAgreement, readingPairs } from '../../core/api/guests/match-names.ts'
import { fullName } from '../../core/locale/names.ts'
import type { Person } from './facts.ts'
import { GIVEN_NAMES } from './given-names.ts'

/** `partly`: words of the longer name, such as a second first name, are missing in the other one. */
type Agreement = 'whole' | 'partly' | 'none'

/**
 * Each word must agree with a word of the other name. A last name that agrees does not make up for another first name:
 * twins have one date of birth and, as couples do, one last name and their family's address.
 */
export function agreementOf(one: Person, other: Person): Agreement {
  const pairs = readingPairs(one.readings, other.readings)
  const compared = pairs.map(([a, b], at) =>
    at === 0 ? compare(wordsOf(a, one), wordsOf(b, other)) : compare(wordsOf(a), wordsOf(b)),
  )
  const best =
    compared.find(({ agreement }) => agreement === 'whole') ??
    compared.find(({ agreement }) => agreement === 'partly')
  if (best === undefined) {
    return consonantAgreement(one.readings, other.readings, pairs[0]) === 1 ? 'partly' : 'none'
  }
  return best.isExact || !haveOtherGenders(one, other) ? best.agreement : 'none'
}

interface Word {
  /** as in `name_readings` */
  readonly sound: string
  /**
   * As it is written, without marks: an error in letters that are one sound, or that take several in Latin letters, is one
   * in these. Undefined in a romanization.
   */
  readonly letters: string | undefined
}

const WORDS_MAX = 10

function wordsOf(reading: string, of?: Person): Word[] {
  const sounds = reading.split(' ', WORDS_MAX)
  const letters = of === undefined ? [] : lettersOf(fullName(of.firstName, of.lastName)).split(' ', WORDS_MAX)
  return sounds.map((sound, at) => ({
    sound,
    letters: letters.length === sounds.length ? letters[at] : undefined,
  }))
}

const lettersOf = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

interface Compared {
  readonly agreement: Agreement
  /** no word differs */
  readonly isExact: boolean
}

function compare(one: readonly Word[], other: readonly Word[]): Compared {
  if (areJoinedAlike(spaced(one), spaced(other))) return { agreement: 'whole', isExact: true }
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  const rest = joinedAs(shorter, longer)
  // Equal words first, so that none of them is taken for an error of another one.
  const open = shorter.filter((word) => !taken(rest, ({ sound }) => sound === word.sound))
  const agree = open.every(
    (word) =>
      taken(rest, (known) => isTypingError(word, known)) || taken(rest, (known) => isInitial(word, known)),
  )
  return { agreement: !agree ? 'none' : rest.length > 0 ? 'partly' : 'whole', isExact: open.length === 0 }
}

const spaced = (words: readonly Word[]) => words.map(({ sound }) => sound).join(' ')
const joined = (words: readonly Word[]) => spaced(words).replaceAll(' ', '')

/** Removes the first of the words for which this is true. */
function taken(words: Word[], is: (word: Word) => boolean): boolean {
  const at = words.findIndex(is)
  if (at >= 0) words.splice(at, 1)
  return at >= 0
}

/** `ana maria` is one word if the other name has `anamaria`. */
function joinedAs(shorter: readonly Word[], longer: readonly Word[]): Word[] {
  const words = [...longer]
  for (let at = 0; at + 1 < words.length; at += 1) {
    const sound = joined(words.slice(at, at + 2))
    if (shorter.some((word) => word.sound === sound)) words.splice(at, 2, { sound, letters: undefined })
  }
  return words
}

/** A letter is wrong, missing, additional or exchanged with the next one; of long words, two are. */
function isTypingError(a: Word, b: Word): boolean {
  // Between two scripts, an error in one of them is rare, and another given name looks like one.
  if (a.letters === undefined || b.letters === undefined) return false
  return (isError(a.sound, b.sound) || isError(a.letters, b.letters)) && !areTwoNames(a.letters, b.letters)
}

function isError(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  if (length < SHORTEST) return false
  return areExchanged(a, b) || distance(a, b) <= (length >= LONG ? 2 : 1)
}

const SHORTEST = 3
const LONG = 7

/** Both are given names; or one is, and the other one differs by its ending, as names of women and men do. */
const areTwoNames = (a: string, b: string) =>
  GIVEN_NAMES.has(a) ? GIVEN_NAMES.has(b) || stem(a) === stem(b) : GIVEN_NAMES.has(b) && stem(a) === stem(b)

const stem = (word: string) => word.replace(/[aeio]$/, '')

/** A first name is often written as its first letter only. */
function isInitial({ sound: a }: Word, { sound: b }: Word): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length === 1 && long.startsWith(short)
}

/** Two neighboring letters are exchanged, and nothing else differs. */
function areExchanged(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, place) => letter !== b[place])
  return at >= 0 && a === `${b.slice(0, at)}${b[at + 1]}${b[at]}${b.slice(at + 2)}`
}

function haveOtherGenders({ gender: one }: Person, { gender: other }: Person): boolean {
  const [a, b] = [one, other].map((gender) => GENDERS[gender?.toLowerCase() ?? ''])
  return a !== undefined && b !== undefined && a !== b
}

const GENDERS: Readonly<Record<string, string>> = { f: 'female', female: 'female', m: 'male', male: 'male' }
