/**
 * Which words of the diets of a mapping a center stores, in its meal rules and in the stored mapping. A cell may name a guest
 * or tell of one guest's health, and what is stored outlives the guest.
 */
import { compared, splitParts } from '../../records/fields/diet-values.ts'
import type { DietMapping } from '../spreadsheets/mapping/mapping.ts'

/** What fewer guests have may be about one of them. */
const GUESTS_MIN = 3

export class DietWords {
  /** By diet and compared word: the first guests who have it. */
  readonly #guests = new Map<string, Map<string, Set<string>>>()
  readonly #areConfirmed: boolean
  #saysFoodAlone: (word: string) => boolean = () => false

  /** @param areConfirmed whether a person wrote the words of these diets, so that all are stored */
  constructor(diets: readonly DietMapping[], areConfirmed: boolean) {
    this.#areConfirmed = areConfirmed
    for (const { key, values } of diets) {
      this.#guests.set(key, new Map([...values.keys()].map((word) => [compared(word), new Set()])))
    }
  }

  /** Loads the words for food, which few imports need. To be called before `isStored`. */
  async load(): Promise<void> {
    if (this.#areConfirmed) return
    const { loadFoodWords } = await import('../spreadsheets.ts')
    this.#saysFoodAlone = await loadFoodWords()
  }

  /** Notes the diets of a record of the file. */
  note(record: unknown): void {
    // Most imports have no diets, and this is called for each line.
    if (this.#guests.size === 0 || this.#areConfirmed || !isRecord(record)) return
    for (const [key, words] of this.#guests) {
      const text = record.meta[key]
      if (typeof text !== 'string') continue
      for (const part of splitParts(text)) {
        const guests = words.get(compared(part))
        if (guests !== undefined && guests.size < GUESTS_MIN) guests.add(record.id)
      }
    }
  }

  /** Whether a word is frequent in the file, or confirmed: by a person, or because it only has words for food. */
  isStored(key: string, word: string): boolean {
    if (this.#areConfirmed || this.#saysFoodAlone(word)) return true
    return (this.#guests.get(key)?.get(compared(word))?.size ?? 0) >= GUESTS_MIN
  }
}

const isRecord = (value: unknown): value is { readonly id: string; readonly meta: Record<string, unknown> } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'meta' in value &&
  typeof value.meta === 'object' &&
  value.meta !== null
