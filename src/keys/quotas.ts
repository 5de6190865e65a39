/** How many requests an application may make in each window (ruling 38). 0: no limit. */
export interface Quotas {
  readonly perMinute: number
  readonly perHour: number
}

export const DEFAULT_QUOTAS: Quotas = { perMinute: 100, perHour: 1000 }

/** How a window of limited length stands. */
export interface WindowState {
  /** how many requests it allows */
  readonly requests: number
  readonly remaining: number
  /** whole seconds until all of them are available again */
  readonly resetsInSeconds: number
}

/** What is left of a key's limits; null for a window without a limit. */
export interface LimitState {
  readonly minute: WindowState | null
  readonly hour: WindowState | null
}

/** A key's own quotas, or the default where it has none. */
export function quotasOf(key: {
  readonly perMinute: number | null
  readonly perHour: number | null
}): Quotas {
  if (key.perMinute === null && key.perHour === null) return DEFAULT_QUOTAS
  return {
    perMinute: key.perMinute ?? DEFAULT_QUOTAS.perMinute,
    perHour: key.perHour ?? DEFAULT_QUOTAS.perHour,
  }
}
