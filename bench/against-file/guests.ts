/** Guests: every month, every session, every field that the file knows. */
import { isListed } from '../../test/support/guests-oracle.ts'
import { american, at, inOrder, monthsOf, overlaps, counted as stayOf } from './calendar.ts'
import { type CenterFile, MEALS } from './center-file.ts'
import { allPages, check, type Fields, type Get } from './comparison.ts'

export async function verifyGuests(get: Get, file: CenterFile): Promise<number> {
  const { timezone: zone } = file.center
  const months = monthsOf(
    file.bookings.flatMap((booking) => [booking.startDate, booking.endDate]),
    zone,
  )
  const project = 'id,firstName,lastName,email,startDate,endDate,status,role,skippingMeals'
  const seen = new Set<string>()
  for (const month of months) {
    const what = `guests of ${file.center.id}, ${month.from}`
    const counted = file.bookings.filter(overlaps(month, zone)).sort(inOrder)
    const url = `/v1/guests?startDate=${month.from}&endDate=${month.to}&project=${project}`
    const answered = await allPages(get, url, what, counted.length)
    check(
      what,
      answered.map((guest) => guest.id),
      counted.map((booking) => booking.id),
    )
    for (const [n, booking] of counted.entries()) {
      seen.add(booking.id)
      const person = file.customers.get(booking.customerId)
      const guest = answered[n] as Fields & { ids: Fields }
      check(
        `${what}, ${booking.id}`,
        [guest?.firstName, guest?.lastName, guest?.email, guest?.startDate, guest?.endDate, guest?.ids],
        [
          person?.firstName,
          person?.lastName,
          person?.email ?? null,
          american(booking.startDate, zone),
          american(booking.endDate, zone),
          {
            role: booking.role,
            status: booking.status,
            sessionId: booking.sessionIds?.[0] ?? null,
            ...((booking.sessionIds?.length ?? 0) > 1 ? { sessionIds: booking.sessionIds } : {}),
            startDate: new Date(at(booking.startDate)).toISOString(),
            endDate: new Date(at(booking.endDate)).toISOString(),
          },
        ],
      )
      const skips = MEALS.map((meal) => [...new Set(booking.skippingMeals?.[meal] ?? [])].sort())
      check(`${what}, meals of ${booking.id}`, Object.values((guest?.skippingMeals ?? {}) as Fields), skips)
    }
  }
  check(`guests of ${file.center.id}: all months together`, seen.size, file.bookings.length)
  for (const session of file.sessions) {
    const counted = file.bookings
      .filter((booking) => isListed(stayOf(booking), { sessions: [[session.id]] }))
      .sort(inOrder)
    const what = `guests of session ${session.id}`
    const answered = await allPages(
      get,
      `/v1/guests?sessionId=${session.id}&project=id`,
      what,
      counted.length,
    )
    check(
      what,
      answered.map((guest) => guest.id),
      counted.map((booking) => booking.id),
    )
  }
  return months.length
}
