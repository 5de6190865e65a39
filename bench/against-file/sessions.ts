/** Sessions, and the identifiers of bookings that are numbered within them. */
import { at, inOrder, localDay, monthsOf, overlaps } from './calendar.ts'
import type { CenterFile } from './center-file.ts'
import { allPages, check, type Get } from './comparison.ts'

export async function verifySessions(get: Get, file: CenterFile): Promise<void> {
  const { timezone: zone } = file.center
  const months = monthsOf(
    file.sessions.flatMap((session) => [session.startDate, session.endDate]),
    zone,
  )
  for (const month of months) {
    const what = `sessions of ${file.center.id}, ${month.from}`
    const counted = file.sessions.filter(overlaps(month, zone)).sort(inOrder)
    const url = `/v1/sessions?startDate=${month.from}&endDate=${month.to}`
    const answered = await allPages(get, url, what, counted.length)
    check(
      what,
      answered.map(({ _id, number, startDate, endDate, availablePrograms }) => [
        _id,
        number,
        startDate,
        endDate,
        (availablePrograms as { _id: string }[]).map((program) => program._id),
      ]),
      counted.map(({ id, number, startDate, endDate, programIds }) => [
        id,
        number ?? null,
        new Date(at(startDate)).toISOString(),
        new Date(at(endDate)).toISOString(),
        programIds ?? [],
      ]),
    )
  }
}

/** Rulings 39: who has arrived has YY-SN-BN, 1, 2, 3 … within the main session; nobody else has any. */
export async function verifyBookingIds(get: Get, file: CenterFile): Promise<void> {
  for (const session of file.sessions) {
    const own = file.bookings.filter((booking) => booking.sessionIds?.[0] === session.id)
    const arrived = own.filter((booking) => booking.status === 'arrived' && booking.bookingId === undefined)
    const all = file.bookings.filter((booking) => booking.sessionIds?.includes(session.id)).length
    const answered = await allPages(
      get,
      `/v1/guests?sessionId=${session.id}&project=id,bookingId`,
      `booking identifiers of ${session.id}`,
      all,
    )
    const mine = new Set(arrived.map((booking) => booking.id))
    const prefix = `${localDay(session.startDate, file.center.timezone).slice(2, 4)}-${session.number}-`
    check(
      `booking identifiers of ${session.id}`,
      answered
        .filter((guest) => mine.has(String(guest.id)))
        .map((guest) => guest.bookingId)
        .sort(),
      file.center.automaticBookingIds === true
        ? arrived.map((_, n) => prefix + String(n + 1).padStart(2, '0')).sort()
        : arrived.map(() => null),
    )
  }
}
