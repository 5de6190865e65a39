/** The number of requests that an application may make in each window (ruling 38). 0: no limit. */
export interface Quotas {
  readonly perMinute: number
  readonly perHour: number
}

export const DEFAULT_QUOTAS: Quotas = { perMinute: 100, perHour: 1000 }

/** The state of a window with a limit. */
export interface WindowState {
  /** maximum number of requests */
  readonly requests: number
  readonly remaining: number
  /** whole seconds until all requests are available again */
  readonly resetsInSeconds: number
}

/** What remains of a key's limits; null for a window without a limit. */
export interface LimitState {
  readonly minute: WindowState | null
  readonly hour: WindowState | null
}

/** A key's own quotas; the default for those that it does not set. */
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
