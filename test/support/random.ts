/** A source of repeatable randomness. */
export type Random = {
  /** The next number, 0 ≤ n < 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number
  /** True with the given probability. */
  chance(probability: number): boolean
  /** One of the items, each as likely. */
  pick<T>(items: readonly T[]): T
  /** Several different items, in their own order. */
  some<T>(items: readonly T[], count: number): T[]
  /** A version 4 UUID. */
  uuid(): string
}

/**
 * Repeatable randomness for one subject. Each subject draws from a stream of its own, so that a new field in
 * one part of the demo does not reshuffle all the others.
 */
export function createRandom(seed: number, subject: string): Random {
  let state = seed >>> 0
  // FNV-1a spreads the subject over all 32 bits, so near-equal subjects do not give near-equal streams.
  for (const character of subject) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193) >>> 0

  // mulberry32: 32 bits of state are plenty for some thousand draws, and it is five lines long.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))

  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => items[whole(0, items.length - 1)]!,
    some(items, count) {
      let wanted = Math.min(count, items.length)
      return items.filter((_, index) => {
        const taken = next() < wanted / (items.length - index)
        if (taken) wanted -= 1
        return taken
      })
    },
    uuid() {
      const digits = Array.from({ length: 32 }, () => whole(0, 15).toString(16))
      digits[12] = '4'
      digits[16] = (8 + whole(0, 3)).toString(16)
      const hex = digits.join('')
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
        '-',
      )
    },
  }
}
