/**
 * What a person answered last time when a complete file lacked bookings of the center: whether they were removed. It is
 * stored in this browser, and says nothing about anybody.
 */
const keyOf = (center: string): string => `sojourn-import-removal ${encodeURIComponent(center)}`

export const removedLast = (center: string): boolean =>
  attempt(() => localStorage.getItem(keyOf(center))) === '1'

export const rememberRemoval = (center: string): void =>
  void attempt(() => localStorage.setItem(keyOf(center), '1'))

export const forgetRemoval = (center: string): void =>
  void attempt(() => localStorage.removeItem(keyOf(center)))

/** A browser that stores nothing asks each time. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
