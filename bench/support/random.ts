/** The numbers from 0 to below `count`, each once, in random order. */
export function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1))
    const stored = numbers[last] ?? 0
    numbers[last] = numbers[other] ?? 0
    numbers[other] = stored
  }
  return numbers
}

/** A random whole number from 0 to below `bound`. */
export const randomBelow = (bound: number) => Math.floor(Math.random() * bound)

/** A random value. */
export function pick<T>(values: readonly T[]): T {
  const value = values[randomBelow(values.length)]
  if (value === undefined) throw new Error('there is nothing to pick from')
  return value
}
