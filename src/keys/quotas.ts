/** How many requests an application may make in each window (ruling 38). 0: no limit. */
export interface Quotas {
  readonly perMinute: number
  readonly perHour: number
}

export const DEFAULT_QUOTAS: Quotas = { perMinute: 100, perHour: 1000 }

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
