/** The meal-skipping report: by years and by sessions. */
import { bytewise, ownerOf } from '../../test/support/guests-oracle.ts'
import { collator, counted, localDay, overlaps, type Span } from './calendar.ts'
import { type BookingRecord, type CenterFile, MEALS } from './center-file.ts'
import { check, type Fields, type Get } from './comparison.ts'

const LEFT_OUT = ['cancelled', 'waitingList', 'review']

function sessionOfDay(date: string, booking: BookingRecord, file: CenterFile): string | undefined {
  const own = file.sessions.filter(({ id }) => booking.sessionIds?.includes(id)).map(counted)
  return ownerOf(date, own, file.center.timezone)
}

/** The whole report. @param own of which sessions the days count; undefined: of all. */
function countReport(
  file: CenterFile,
  bookings: readonly BookingRecord[],
  span: Span | undefined,
  own?: string,
): Fields {
  const { timezone: zone } = file.center
  const active = bookings.filter((booking) => !LEFT_OUT.includes(booking.status))
  const skips = active.flatMap((booking) => {
    const person = file.customers.get(booking.customerId)
    const name = `${person?.firstName} ${person?.lastName}`
    const [arrival, departure] = [localDay(booking.startDate, zone), localDay(booking.endDate, zone)]
    return MEALS.flatMap((meal) =>
      [...new Set(booking.skippingMeals?.[meal] ?? [])]
        .filter((date) => date >= arrival && date <= departure)
        .filter((date) => span === undefined || (date >= span.from && date <= span.to))
        .filter((date) => own === undefined || sessionOfDay(date, booking, file) === own)
        .map((date) => ({ id: booking.id, name, meal, date })),
    )
  })
  const byName = (a: { name: string; id: string }, b: { name: string; id: string }) =>
    collator.compare(a.name, b.name) || bytewise(a.name, b.name) || bytewise(a.id, b.id)
  const dates = [...new Set(skips.map((skip) => skip.date))].sort()
  const onDate = Map.groupBy(skips, (skip) => skip.date)
  const ofGuest = Map.groupBy(skips, (skip) => skip.id)
  return {
    summary: {
      totalGuests: active.length,
      guestsWithSkipping: ofGuest.size,
      datesWithSkipping: dates,
      mealsAffected: MEALS.filter((meal) => skips.some((skip) => skip.meal === meal)),
    },
    byDate: Object.fromEntries(
      dates.map((date) => [
        date,
        Object.fromEntries(
          MEALS.map((meal) => {
            const guests = (onDate.get(date) ?? []).filter((skip) => skip.meal === meal).sort(byName)
            return [meal, { count: guests.length, guests: guests.map(({ id, name }) => ({ id, name })) }]
          }),
        ),
      ]),
    ),
    byGuest: Object.fromEntries(
      [...ofGuest.entries()]
        .sort(([a], [b]) => bytewise(a, b))
        .map(([id, own]) => [
          id,
          {
            name: own[0]?.name,
            skippedMeals: [...Map.groupBy(own, (skip) => skip.date)]
              .sort(([a], [b]) => bytewise(a, b))
              .map(([date, meals]) => ({ date, meals: meals.map((skip) => skip.meal) })),
            totalSkippedBreakfast: own.filter((skip) => skip.meal === 'breakfast').length,
            totalSkippedLunch: own.filter((skip) => skip.meal === 'lunch').length,
            totalSkippedDinner: own.filter((skip) => skip.meal === 'dinner').length,
          },
        ]),
    ),
  }
}

export async function verifyReport(get: Get, file: CenterFile): Promise<number> {
  const { timezone: zone } = file.center
  const years = [
    ...new Set(file.bookings.map((booking) => localDay(booking.startDate, zone).slice(0, 4))),
  ].sort()
  const meals = (report: Fields) =>
    Object.values(report.byGuest as Record<string, Record<string, number>>).reduce(
      (sum, { totalSkippedBreakfast = 0, totalSkippedLunch = 0, totalSkippedDinner = 0 }) =>
        sum + totalSkippedBreakfast + totalSkippedLunch + totalSkippedDinner,
      0,
    )
  const compare = (what: string, body: Fields, counted: Fields) => {
    const byGuest = Object.entries(body.byGuest as Fields).sort(([a], [b]) => bytewise(a, b))
    const part = (report: Fields, name: string) => JSON.stringify(report[name])
    check(`${what}, summary`, body.summary, counted.summary)
    for (const [date, meals] of Object.entries(counted.byDate as Fields)) {
      check(`${what}, ${date}`, (body.byDate as Fields)[date], meals)
    }
    for (const [id, guest] of byGuest) check(`${what}, ${id}`, guest, (counted.byGuest as Fields)[id])
    check(`${what}, all days`, part(body, 'byDate'), part(counted, 'byDate'))
    check(`${what}, all guests`, JSON.stringify(Object.fromEntries(byGuest)), part(counted, 'byGuest'))
  }
  let inYears = 0
  for (const year of years) {
    const span = { from: `${year}-01-01`, to: `${year}-12-31` }
    const counted = countReport(file, file.bookings.filter(overlaps(span, zone)), span)
    const body = await get(`/v1/guests/meal-skipping-report?startDate=${span.from}&endDate=${span.to}`)
    compare(`report of ${file.center.id}, ${year}`, body, counted)
    inYears += meals(body)
  }
  let inSessions = 0
  for (const session of file.sessions) {
    const own = file.bookings.filter((booking) => booking.sessionIds?.includes(session.id))
    const body = await get(`/v1/guests/meal-skipping-report?sessionId=${session.id}`)
    compare(`report of session ${session.id}`, body, countReport(file, own, undefined, session.id))
    inSessions += meals(body)
  }
  const withoutSession = file.bookings.filter(({ sessionIds = [] }) => sessionIds.length === 0)
  const elsewhere = meals(countReport(file, withoutSession, undefined))
  check(`report of ${file.center.id}: all sessions together`, inSessions, inYears - elsewhere)
  return inYears
}
