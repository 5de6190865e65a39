/** What a custom field says of a guest's diet: its parts, each a diet, an allergy, none or unknown (ruling 44). */
import type { DietValue } from '../centers/meal-rules.ts'
import { insideBrackets } from './brackets.ts'
import severe from './severe-words.json' with { type: 'json' }

export type DietKind = 'unknown' | 'allergy' | 'diet' | 'none'

export interface DietPart {
  /** the center's own spelling if it is known, otherwise as it is written */
  readonly text: string
  readonly kind: DietKind
}

/** By compared spelling. */
export type KnownDiets = ReadonlyMap<string, DietPart>

/** Between the parts of a text, except in brackets. */
const SEPARATORS = /[,;|\n\r\u0085\u2028\u2029]/g

/** Latin, Greek and Cyrillic accents. Marks of other scripts are letters that distinguish words. */
const ACCENTS = /[\u0300-\u036f]/g

/** Spellings that are compared as equal: without case, accents and outer spaces. */
export const compared = (text: string): string =>
  text.trim().normalize('NFD').replace(ACCENTS, '').toUpperCase().normalize('NFD').replace(ACCENTS, '').trim()

export function knownDiets(values: readonly DietValue[]): KnownDiets {
  const known = new Map<string, DietPart>()
  for (const { value, otherSpellings, isAllergy, isNone } of values) {
    const kind = isAllergy ? 'allergy' : isNone ? 'none' : 'diet'
    for (const spelling of [value, ...otherSpellings]) {
      const key = compared(spelling)
      // Of two meanings of one spelling, the one that is more dangerous to miss.
      if (known.get(key)?.kind !== 'allergy') known.set(key, { text: value, kind })
    }
  }
  return known
}

/** Words that say how severe an allergy is, by language; `*` for any end of the word. */
const SEVERE = Object.values(severe).flat()
const SEVERE_WORDS: ReadonlySet<string> = new Set(SEVERE.map(compared))
const SEVERE_STEMS = SEVERE.filter((word) => word.endsWith('*')).map((word) => compared(word.slice(0, -1)))

/**
 * Whether a note in brackets says that an allergy is severe: `nuts (anaphylaxis, kit in the room)`. Only of an allergy does anybody
 * say so, also with a negation.
 */
export const saysSevere = (part: string): boolean =>
  withBrackets(part)
    .inside.flatMap((note) => compared(note).split(/[^\p{L}\p{N}-]+/u))
    .some((word) => SEVERE_WORDS.has(word) || SEVERE_STEMS.some((stem) => word.startsWith(stem)))

/**
 * The parts of a text, in its order. What is in brackets belongs to its part, with its separators: `nuts (severe, kit in the
 * room)` is one.
 */
export function splitParts(text: string): string[] {
  const inside = insideBrackets(text)
  const parts: string[] = []
  let from = 0
  for (const { index } of text.matchAll(SEPARATORS)) {
    if (inside?.[index] === true) continue
    parts.push(text.slice(from, index))
    from = index + 1
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '')
}

/** Whether a text would be split, so it is no value. */
export const isSplit = (text: string): boolean => {
  const inside = insideBrackets(text)
  return [...text.matchAll(SEPARATORS)].some(({ index }) => inside?.[index] !== true)
}

/** A part without its notes, and each note. */
function withBrackets(part: string): { readonly outside: string; readonly inside: readonly string[] } {
  const inside = insideBrackets(part)
  if (inside === undefined) return { outside: part, inside: [] }
  const is = (wanted: boolean) =>
    Array.from({ length: part.length }, (_, at) => (inside[at] === wanted ? part[at] : ' ')).join('')
  return {
    outside: is(false),
    inside: is(true)
      .split(/[()[\]{}（）［］]/)
      .filter((note) => note.trim() !== ''),
  }
}

/** Each part of a text once, in its order. Without any part, nobody was asked. */
export function partsOf(text: string, known: KnownDiets): DietPart[] {
  const parts = new Map<string, DietPart>()
  for (const part of splitParts(text)) {
    const found = known.get(compared(part)) ?? { text: part, kind: kindWithNotes(part, known) }
    parts.set(`${found.kind}\n${found.text}`, found)
  }
  return [...parts.values()]
}

/**
 * A note may say anything, so it makes neither a diet nor none of a text, but an allergy stays one, also in the note. The text
 * keeps the note.
 */
function kindWithNotes(part: string, known: KnownDiets): DietKind {
  const { outside, inside } = withBrackets(part)
  if (inside.length === 0) return 'unknown'
  const texts = [outside, ...inside.flatMap(splitParts)]
  const isAllergy = texts.some((text) => known.get(compared(text))?.kind === 'allergy')
  return isAllergy || saysSevere(part) ? 'allergy' : 'unknown'
}
