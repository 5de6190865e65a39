/**
 * Work in slices. One thread makes all answers of a process. So answers of very many rows are made in slices, and
 * other requests are handled between two of them.
 */

/** Work that may be interrupted at each `yield`. Small work cannot be. */
export type Sliced<T> = Generator<void, T>

/** A slice of a report's guests takes less than a millisecond. */
export const ITEMS_PER_SLICE = 100

/** Comparing two items takes a tenth of the time that processing one does. */
const MERGED_PER_SLICE = ITEMS_PER_SLICE * 10

/**
 * @param act called with every item, in order
 * @param weigh the work for an item; 1 by default
 */
export function* eachInSlices<T>(
  items: readonly T[],
  act: (item: T) => void,
  weigh: (item: T) => number = () => 1,
): Sliced<void> {
  let weight = 0
  for (const item of items) {
    if (weight >= ITEMS_PER_SLICE) {
      yield
      weight = 0
    }
    act(item)
    weight += weigh(item)
  }
}

type Compare<T> = (a: T, b: T) => number

/** Sorts the items into a new array: slices are sorted, then merged in pairs. */
export function* sortedInSlices<T>(items: readonly T[], compare: Compare<T>): Sliced<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < items.length; at += ITEMS_PER_SLICE) {
    if (at > 0) yield
    runs.push(items.slice(at, at + ITEMS_PER_SLICE).sort(compare))
  }
  // Counted over all merges, because the first ones are many small ones.
  const since = { merged: 0 }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other = []] = runs.slice(at, at + 2)
      merged.push(yield* merge(one, other, compare, since))
    }
    runs = merged
  }
  return runs[0] ?? []
}

/**
 * Stable: of equal items, that of `one` comes first.
 * @param since items merged since the last break
 */
function* merge<T>(
  one: readonly T[],
  other: readonly T[],
  compare: Compare<T>,
  since: { merged: number },
): Sliced<T[]> {
  const merged: T[] = []
  let at = 0
  for (const item of one) {
    let next = other[at]
    while (next !== undefined && compare(next, item) < 0) {
      merged.push(next)
      next = other[++at]
      if (isMuch(since)) yield
    }
    merged.push(item)
    if (isMuch(since)) yield
  }
  return merged.concat(other.slice(at))
}

/** Counts one item, and returns whether it is time for a break. */
function isMuch(since: { merged: number }): boolean {
  since.merged = (since.merged + 1) % MERGED_PER_SLICE
  return since.merged === 0
}
