/** What a page must show, as the API's answer has it, and whether it does. */

/** Texts that stand together in one row of a page: a diet and its three numbers, a guest and the room. */
export interface Fact {
  /** for the report of a difference */
  readonly what: string
  /** all of them, in this order */
  readonly texts: readonly string[]
  /** texts of an ancestor of the row, such as the day that a table is about */
  readonly within?: readonly string[]
}

/** Facts of one kind. Two equal facts take two rows. */
export interface Facts {
  readonly facts: readonly Fact[]
  /** the same in another layout, such as that of a phone */
  readonly or?: readonly Fact[]
  /**
   * Whether the page says that it leaves these facts out, and how many they are.
   * @param says whether the page shows a text
   */
  readonly areLeftOut?: (missing: readonly Fact[], says: (text: string) => boolean) => boolean
}

export interface Difference {
  readonly what: string
  readonly texts: readonly string[]
  readonly why: string
}

/** A page or a printout as somebody reads it. */
export interface Readable {
  /** what is wrong with it, whatever it is to show */
  readonly faults: readonly Difference[]
  /** @returns for each fact the reason why nobody can read it; undefined for one that can be read */
  find(facts: readonly Fact[]): readonly (string | undefined)[]
  says(text: string): boolean
}

/** @returns what is wrong with the page, and every fact that it neither shows nor reports as left out */
export function differencesOf(readable: Readable, expected: readonly Facts[]): Difference[] {
  const missing = expected.flatMap(({ facts, or, areLeftOut }) => {
    const reasons = readable.find(facts)
    const missing = facts.filter((_, at) => reasons[at] !== undefined)
    if (missing.length === 0) return []
    if (areLeftOut?.(missing, (text) => readable.says(text))) return []
    if (or !== undefined && readable.find(or).every((reason) => reason === undefined)) return []
    return facts.flatMap(({ what, texts }, at) => {
      const why = reasons[at]
      return why === undefined ? [] : [{ what, texts, why }]
    })
  })
  return [...readable.faults, ...missing]
}

/** Marks that set the direction of a text, and the soft hyphen: they have no shape of their own. */
const SHAPELESS = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** A text as a reader sees it: one form of each letter, and one kind of space. */
export const plain = (text: string): string =>
  text.normalize('NFKC').replaceAll(SHAPELESS, '').replaceAll(/\s+/gu, ' ').trim()

const LETTER = /[\p{L}\p{N}\p{M}]/u
const DIGIT = /\p{N}/u

/**
 * Where a text ends in another, as a word or a number of its own: 7 is not in 27, 7.5 or −7.
 * @returns -1 if it is not there
 */
export function endOf(text: string, within: string, from = 0): number {
  for (let at = within.indexOf(text, from); at >= 0; at = within.indexOf(text, at + 1)) {
    const end = at + text.length
    if (!isJoined(within, at, text, -1) && !isJoined(within, end, text, 1)) return end
  }
  return -1
}

/** Whether the character before or after a text continues its word or its number. */
function isJoined(within: string, edge: number, text: string, to: -1 | 1): boolean {
  const own = (to < 0 ? text.at(0) : text.at(-1)) ?? ''
  const next = within.charAt(to < 0 ? edge - 1 : edge)
  if (next === '' || !LETTER.test(own)) return false
  if (LETTER.test(next) && DIGIT.test(own) === DIGIT.test(next)) return true
  if (!DIGIT.test(own)) return false
  if (to < 0 && /[−+]/.test(next)) return true
  const beyond = within.charAt(to < 0 ? edge - 2 : edge + 1)
  return /[.,]/.test(next) && DIGIT.test(beyond)
}
