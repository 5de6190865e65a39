/**
 * A device that stays signed in: its key in the browser's own storage, which all tabs share and a restart keeps. With it
 * goes what decides when the copy for times without a connection is deleted (`offline-copy.ts`).
 *
 * A revoked key cannot be noticed without a connection. So the copy ends a day after the last answer, by the device's own
 * clock, and at once if that clock went backwards, because the time since then is not known any more.
 */
const HOUR_MS = 3_600_000
/** How long the copy is stored without an answer of the service. */
const WITHOUT_CONTACT_MS = 24 * HOUR_MS
/** A clock that is corrected by less has not gone backwards. */
const CORRECTED_MS = 120_000
/** How often a contact is noted at most. */
const NOTED_EVERY_MS = 60_000

export interface Stay {
  readonly key: string
  /** when the service last answered this key; epoch milliseconds, as all times here, by the clock of the device */
  readonly contactAt: number
  /** the latest time that the clock of the device has shown */
  readonly seenAt: number
  /** when the key expires; null: never */
  readonly expiresAt: number | null
}

/** Why the copy may not be stored; undefined if it may. */
export type CopyEnd = 'keyExpired' | 'noContact' | 'clockWentBack'

export function copyEnd({ contactAt, seenAt, expiresAt }: Stay, now: number): CopyEnd | undefined {
  // A clock that is set back does not make a key valid again.
  if (expiresAt !== null && Math.max(now, seenAt) >= expiresAt) return 'keyExpired'
  if (now < Math.max(seenAt, contactAt) - CORRECTED_MS) return 'clockWentBack'
  if (now - contactAt >= WITHOUT_CONTACT_MS) return 'noContact'
  return undefined
}

export interface Stays {
  /** @returns undefined if this device does not stay signed in */
  read(): Stay | undefined
  /** The key was accepted, and is to stay. */
  begin(key: string, expiresAt: number | null, now: number): void
  /** The service has answered this key. @param expiresAt undefined: as it was known */
  contact(key: string, now: number, expiresAt?: number | null): void
  /** Notes the time, so that a clock that goes back is noticed, also after a restart. */
  see(now: number): void
  end(): void
}

/** @param name of the entry in the storage */
export function createStays(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  name: string,
): Stays {
  const write = (stay: Stay) => storage.setItem(name, JSON.stringify(stay))
  const read = () => readStay(storage.getItem(name))
  return {
    read,
    begin: (key, expiresAt, now) => write({ key, expiresAt, contactAt: now, seenAt: now }),
    contact(key, now, expiresAt) {
      const stay = read()
      if (stay?.key !== key) return
      const next = expiresAt === undefined ? stay.expiresAt : expiresAt
      const isNoted = now >= stay.contactAt && now - stay.contactAt < NOTED_EVERY_MS
      if (isNoted && next === stay.expiresAt && stay.seenAt <= now) return
      // The clock that shows this time is the one that counts from now on, also if it was ahead before.
      write({ key, expiresAt: next, contactAt: now, seenAt: now })
    },
    see(now) {
      const stay = read()
      if (stay !== undefined && now - stay.seenAt >= NOTED_EVERY_MS) write({ ...stay, seenAt: now })
    },
    end: () => storage.removeItem(name),
  }
}

/** What is not as it was written is as good as nothing. */
function readStay(text: string | null): Stay | undefined {
  if (text === null) return undefined
  try {
    const read: Partial<Record<keyof Stay, unknown>> | null = JSON.parse(text)
    const { key, contactAt, seenAt, expiresAt } = read ?? {}
    if (typeof key !== 'string' || typeof contactAt !== 'number' || typeof seenAt !== 'number')
      return undefined
    if (expiresAt !== null && typeof expiresAt !== 'number') return undefined
    return { key, contactAt, seenAt, expiresAt }
  } catch {
    return undefined
  }
}
