/**
 * Which guests a list must contain, and in which order; and to which session a day of a stay belongs. The one model of all
 * tests and of `bench/verify-against-file.ts`: it counts by hand and uses nothing of the service.
 */

/** A stay: epoch milliseconds. */
export interface CountedStay {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly role?: string
  readonly status?: string
  readonly sessionIds: readonly (string | null)[]
}

export interface CountedFilters {
  /** epoch milliseconds, both inclusive */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** one of each of these lists */
  readonly sessions?: readonly (readonly string[] | undefined)[]
  readonly sessionsExcluded?: readonly string[] | undefined
  readonly roles?: readonly string[] | undefined
  readonly statuses?: readonly string[] | undefined
}

/** Whether a list with these filters has the stay: they combine with AND (rulings 14 and 16). */
export function isListed(stay: CountedStay, filters: CountedFilters): boolean {
  const { from, to, sessions = [], sessionsExcluded = [], roles, statuses } = filters
  const isIn = (ids: readonly string[]) => stay.sessionIds.some((id) => id !== null && ids.includes(id))
  return (
    (from === undefined || stay.end >= from) &&
    (to === undefined || stay.start <= to) &&
    sessions.every((ids) => ids === undefined || isIn(ids)) &&
    !isIn(sessionsExcluded) &&
    (roles === undefined || roles.includes(stay.role ?? '')) &&
    (statuses === undefined || statuses.includes(stay.status ?? ''))
  )
}

/** The bytes of texts in UTF-8. */
export const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** By start, then identifier. */
export const byStart = (a: Pick<CountedStay, 'id' | 'start'>, b: Pick<CountedStay, 'id' | 'start'>): number =>
  a.start - b.start || bytewise(a.id, b.id)

/** The first moment of a local day, by Temporal. */
export const startOf = (day: string, zone: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds

/** The last millisecond of a local day. */
export const endOf = (day: string, zone: string): number =>
  startOf(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), zone) - 1

export const localDay = (at: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()

/**
 * The session that a day of a stay belongs to (ruling 28): the last one that has begun, or the first one.
 * @param sessions of the stay
 */
export function ownerOf(
  date: string,
  sessions: readonly Pick<CountedStay, 'id' | 'start'>[],
  zone: string,
): string | undefined {
  const inOrder = sessions
    .map(({ id, start }) => ({ id, day: localDay(start, zone) }))
    .sort((a, b) => bytewise(a.day, b.day) || bytewise(a.id, b.id))
  return (inOrder.findLast(({ day }) => day <= date) ?? inOrder[0])?.id
}
