/** Decides which days of a stay belong to which of its sessions (ruling 28). */
import { localDateOf } from '../../locale/zones.ts'

/** Identifier and start, in epoch milliseconds, of a session. */
export type SessionStart = readonly [id: string, startDate: number]

/** Local days, `YYYY-MM-DD`; undefined: no bound. */
export interface SessionDays {
  readonly from: string | undefined
  readonly before: string | undefined
}

/** The center's local day on which each session starts, by its identifier. */
export const startDaysOf = (starts: readonly SessionStart[], zone: string): ReadonlyMap<string, string> =>
  new Map(starts.map(([id, startDate]) => [id, localDateOf(zone, startDate)]))

const ALL_DAYS: SessionDays = { from: undefined, before: undefined }

/**
 * Each day belongs to exactly one of the booking's sessions: the last one that has begun by that day, by start day and
 * then identifier. Days before the first session begins belong to the first. So the days of all sessions cover the stay
 * without gaps and without overlaps, even if the sessions overlap.
 * @param sessions all sessions of the booking, in any order; null if it has one
 * @param startDays of these sessions, and possibly of others
 */
export function daysOfSession(
  sessionId: string,
  sessions: readonly string[] | null,
  startDays: ReadonlyMap<string, string>,
): SessionDays {
  // Most bookings have one session, which all their days belong to.
  if (sessions === null) return ALL_DAYS
  const begun = sessions
    .flatMap((id) => {
      const day = startDays.get(id)
      return day === undefined ? [] : [{ id, day }]
    })
    .sort((a, b) => (a.day === b.day ? (a.id < b.id ? -1 : 1) : a.day < b.day ? -1 : 1))
  const at = begun.findIndex(({ id }) => id === sessionId)
  return { from: at > 0 ? begun[at]?.day : undefined, before: begun[at + 1]?.day }
}
