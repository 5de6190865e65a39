/**
 * Columns that the kitchen reads. What a word means is taken from a list; a word that is not in it is left to the user, and
 * the kitchen sees it as unknown until then, never as an ordinary diet (ruling 44).
 */
import { compared, saysSevere, splitParts } from '../../../records/fields/diet-values.ts'
import { type DietMeaning, NO_DIET_WORDS } from '../mapping/mapping.ts'
import { foldWord, plainWord } from '../mapping/words.ts'
import words from './diet-words.json' with { type: 'json' }
import type { Profile } from './profile.ts'

/** `either`: a diet or an allergy, such as `glutenfrei`. */
export type FoodMeaning = DietMeaning | 'either'

/** A mapping has at most 64 kB, and nobody checks more. */
const VALUES_MAX = 100

const tokens = (lists: Readonly<Record<string, readonly string[]>>) =>
  Object.values(lists).flat().map(plainWord)
const STEMS: readonly (readonly [FoodMeaning, readonly string[]])[] = [
  ['allergy', tokens(words.allergy)],
  ['either', tokens(words.either)],
  ['diet', tokens(words.diet)],
]
const NONE: ReadonlySet<string> = new Set(tokens(words.none))
/** Texts that say that nobody knows, or nobody has asked. */
const UNASKED: ReadonlySet<string> = new Set(tokens(words.unasked))
const set = (lists: string) => new Set(lists.split(' ').map(plainWord))
/** Words that say by themselves that there is nothing. */
const NOTHING = set(words.negation.nothing)
/** Words that say so of the word next to them: `sin alergias`. */
const WITHOUT = set(words.negation.without)
/** Words that say nothing more: `known`, `food`. */
const FILLERS = set(words.negation.fillers)
/** Allergies and restrictions as such, not a certain one. */
const IN_GENERAL = words.negation.general.split(' ').map(plainWord)

const isGeneral = (word: string) => IN_GENERAL.some((stem) => word.startsWith(stem))
const isPlain = (word: string) =>
  isGeneral(word) || [NOTHING, WITHOUT, FILLERS].some((known) => known.has(word))

/**
 * `no known allergies`, `brak alergii`, `aucune connue`. Any other word, such as that of a food, leaves the meaning open: `no
 * nuts` is an allergy.
 */
function saysNone(spoken: readonly string[]): boolean {
  const has = (known: ReadonlySet<string>) => spoken.some((word) => known.has(word))
  return spoken.every(isPlain) && (has(NOTHING) || (has(WITHOUT) && spoken.some(isGeneral)))
}

/** A stem may also end a compound: `Nussallergie`, `laktózérzékeny`. */
const isCompound: ReadonlySet<FoodMeaning> = new Set(['allergy', 'either'])

/** A dash says that there is nothing, or that nobody asked. */
const isDash = (part: string): boolean => /^[-–—/.]+$/.test(part.trim())

/** Whether a part may say that nobody has asked, so that it is asked about. */
export const mayBeUnasked = (part: string): boolean =>
  isDash(part) || /^\?+$/.test(part.trim()) || UNASKED.has(plainWord(part))

const isOfStem = (word: string, [meaning, stems]: (typeof STEMS)[number]) =>
  stems.some((stem) => word.startsWith(stem) || (isCompound.has(meaning) && word.includes(stem)))

const wordsOf = (plain: string) => plain.split(/[^\p{L}\p{N}]+/u)

/** Whether every word is one for food, diets or none, so that the text says nothing else of anybody. */
export const saysFoodAlone = (part: string): boolean =>
  NONE.has(plainWord(part)) ||
  wordsOf(plainWord(part)).every(
    (word) => word === '' || isPlain(word) || STEMS.some((stem) => isOfStem(word, stem)),
  )

/** What a part of a text means for the kitchen; undefined if it is not known. */
export function foodMeaning(part: string): FoodMeaning | undefined {
  const plain = plainWord(part)
  if (NONE.has(plain) || isDash(part)) return 'none'
  if (saysSevere(part)) return 'allergy'
  const spoken = wordsOf(plain)
  if (saysNone(spoken)) return 'none'
  const found = STEMS.filter((stem) => spoken.some((word) => isOfStem(word, stem))).map(
    ([meaning]) => meaning,
  )
  // `vegan, no allergy` in one part says nothing for certain, and neither does `no gluten`.
  if (found.length > 1) return found.includes('allergy') ? 'allergy' : 'either'
  return found[0]
}

/** The parts of the cells, each once, in their own spelling. */
export function partsOf({ texts: cells }: Pick<Profile, 'texts'>): string[] {
  const parts = new Map<string, string>()
  for (const cell of cells) {
    for (const part of splitParts(cell)) {
      if (!parts.has(compared(part))) parts.set(compared(part), part)
    }
  }
  return [...parts.values()]
}

/** The share of the cells of which a part is a diet or an allergy, or all parts are none; 0 without any food. */
export function foodShare({ texts }: Profile): number {
  const given = texts.filter((text) => text !== '')
  const meanings = given.map((text) => splitParts(text).map(foodMeaning))
  const isFood = meanings.map((of) => of.some((meaning) => meaning !== undefined && meaning !== 'none'))
  if (!isFood.includes(true)) return 0
  const known = meanings.filter((of, at) => isFood[at] || of.every((meaning) => meaning === 'none'))
  return known.length / given.length
}

/** The texts that mention food, to ask with. */
export const foodTexts = ({ texts }: Profile): string[] => [
  ...new Set(
    texts.filter((text) => splitParts(text).some((part) => !['none', undefined].includes(foodMeaning(part)))),
  ),
]

/** What the parts mean, those that the user must decide on, and those that may say that nobody has asked. */
export function dietValues(
  profile: Profile,
  isAllergy: boolean,
): {
  readonly values: Readonly<Record<string, DietMeaning>>
  readonly open: readonly string[]
  readonly unasked: readonly string[]
} {
  const values: Record<string, DietMeaning> = {}
  const open: string[] = []
  const parts = partsOf(profile)
  for (const part of parts.filter((part) => !mayBeUnasked(part)).slice(0, VALUES_MAX)) {
    const meaning = foodMeaning(part)
    // In a column of allergies, whatever is not none is one.
    const known = isAllergy && meaning !== 'none' && meaning !== 'diet' ? 'allergy' : meaning
    if (known === undefined || known === 'either') open.push(part)
    else values[part] = known
  }
  return {
    values: Object.keys(values).length === 0 ? NO_DIET_WORDS : values,
    open,
    unasked: parts.filter(mayBeUnasked),
  }
}

/** The key of a custom field from a heading. */
export const keyOf = (heading: string): string =>
  plainWord(foldWord(heading))
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 40)
