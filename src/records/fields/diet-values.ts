/** What a custom field says of a guest's diet: its parts, each a diet, an allergy, none or unknown (ruling 44). */
import type { DietValue } from '../centers/meal-rules.ts'

export type DietKind = 'unknown' | 'allergy' | 'diet' | 'none'

export interface DietPart {
  /** the center's own spelling if it is known, otherwise as it is written */
  readonly text: string
  readonly kind: DietKind
}

/** By compared spelling. */
export type KnownDiets = ReadonlyMap<string, DietPart>

/** Between the parts of a text. */
export const SEPARATORS = /[,;|\n\r\u0085\u2028\u2029]/

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

/** Each part of a text once, in its order. Without any part, nobody was asked. */
export function partsOf(text: string, known: KnownDiets): DietPart[] {
  const parts = new Map<string, DietPart>()
  for (const written of text.split(SEPARATORS)) {
    const part = written.trim()
    if (part === '') continue
    const found = known.get(compared(part)) ?? { text: part, kind: 'unknown' as const }
    parts.set(`${found.kind}\n${found.text}`, found)
  }
  return [...parts.values()]
}
