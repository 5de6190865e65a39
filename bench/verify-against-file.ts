/**
 * `node bench/verify-against-file.ts FILE.ndjson[.gz]`: imports a file of records into an embedded database in
 * memory, asks the service for everything in it, and compares every number with a count of its own over the
 * file. Nothing here uses the service's reading of days, ranges, languages or order: days are Temporal's, texts
 * are Intl's. Run by hand; exits with 1 where anything differs.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { buildApp } from '../src/app.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { localFiles } from '../src/intake/files.ts'
import { importRecords } from '../src/intake/import-records.ts'
import { readFiles } from '../src/intake/read-files.ts'
import { createKey } from '../src/keys/create-key.ts'
import { SCOPES } from '../src/keys/scopes.ts'

interface CenterRecord {
  readonly id: string
  readonly timezone: string
  readonly currency: string
  readonly automaticBookingIds?: boolean
}
interface SessionRecord {
  readonly id: string
  readonly number?: string
  readonly startDate: string
  readonly endDate: string
  readonly programIds?: string[]
}
interface CustomerRecord {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly email?: string | null
}
interface BookingRecord {
  readonly id: string
  readonly customerId: string
  readonly role: string
  readonly status: string
  readonly startDate: string
  readonly endDate: string
  readonly sessionIds?: string[]
  readonly bookingId?: string
  readonly orderUuid?: string
  readonly isOrderMainGuest?: boolean
  readonly skippingMeals?: Partial<Record<Meal, string[]>>
}
interface OrderRecord {
  readonly uuid: string
  readonly number?: string
  readonly orderDate: string
  readonly totalAmount: number
  readonly status: string
  readonly currency?: string
  readonly items?: { itemId: string; name: string; quantity: number; price: number }[]
}
interface CenterFile {
  readonly center: CenterRecord
  readonly sessions: SessionRecord[]
  readonly customers: Map<string, CustomerRecord>
  readonly bookings: BookingRecord[]
  readonly orders: OrderRecord[]
}
type Fields = Record<string, unknown>
type Get = (url: string) => Promise<Fields>

const MEALS = ['breakfast', 'lunch', 'dinner'] as const
type Meal = (typeof MEALS)[number]
const LEFT_OUT = ['cancelled', 'waitingList', 'review']

let compared = 0
const differences: string[] = []

/** Compares as JSON: key order counts, which the interface does not promise, but ours is steady. */
function check(what: string, answered: unknown, counted: unknown): void {
  compared += 1
  const [left, right] = [JSON.stringify(answered), JSON.stringify(counted)]
  if (left === right) return
  differences.push(`${what}: answered ${left?.slice(0, 300)}, counted ${right?.slice(0, 300)}`)
}

async function readCenters(file: string): Promise<CenterFile[]> {
  const centers = new Map<string, CenterFile>()
  const bytes = createReadStream(file)
  const lines = createInterface({ input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes })
  for await (const line of lines) {
    if (line.trim() === '') continue
    // The file is taken at its word: the import has judged it already.
    const record = JSON.parse(line) as Fields & { kind: string; id: string; centerId: string }
    const id = record.kind === 'center' ? record.id : record.centerId
    let of = centers.get(id)
    if (of === undefined) {
      of = {
        center: { id, timezone: 'UTC', currency: 'EUR' },
        sessions: [],
        customers: new Map(),
        bookings: [],
        orders: [],
      }
      centers.set(id, of)
    }
    if (record.kind === 'center') Object.assign(of.center, record)
    else if (record.kind === 'session') of.sessions.push(record as unknown as SessionRecord)
    else if (record.kind === 'customer') of.customers.set(record.id, record as unknown as CustomerRecord)
    else if (record.kind === 'booking') of.bookings.push(record as unknown as BookingRecord)
    else if (record.kind === 'order') of.orders.push(record as unknown as OrderRecord)
  }
  return [...centers.values()]
}

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const startOf = (day: string, zone: string) =>
  Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
const afterEndOf = (day: string, zone: string) =>
  startOf(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), zone)
const localDay = (text: string, zone: string) =>
  Temporal.Instant.from(text).toZonedDateTimeISO(zone).toPlainDate().toString()
const american = (text: string, zone: string) => {
  const [year, month, day] = localDay(text, zone).split('-')
  return `${month}/${day}/${year}`
}
const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const collator = new Intl.Collator('und')

interface Span {
  readonly from: string
  readonly to: string
}

/** Ruling 14: it ends at or after the lower bound and begins at or before the upper bound. */
const overlaps = (span: Span, zone: string) => {
  const [lower, upper] = [startOf(span.from, zone), afterEndOf(span.to, zone)]
  return (one: { startDate: string; endDate: string }) =>
    at(one.endDate) >= lower && at(one.startDate) < upper
}
const inOrder = (a: { startDate: string; id: string }, b: { startDate: string; id: string }) =>
  at(a.startDate) - at(b.startDate) || bytewise(a.id, b.id)

/** Every month in which anything of these begins or ends. */
function monthsOf(dates: readonly string[], zone: string): Span[] {
  const months = [...new Set(dates.map((date) => localDay(date, zone).slice(0, 7)))].sort()
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return []
  const spans: Span[] = []
  const end = Temporal.PlainYearMonth.from(last)
  for (
    let month = Temporal.PlainYearMonth.from(first);
    Temporal.PlainYearMonth.compare(month, end) <= 0;
    month = month.add({ months: 1 })
  ) {
    const from = month.toPlainDate({ day: 1 })
    spans.push({ from: from.toString(), to: month.toPlainDate({ day: month.daysInMonth }).toString() })
  }
  return spans
}

/** All pages of a list; each must say the same total, which is what was counted. */
async function walk(get: Get, url: string, what: string, total: number): Promise<Fields[]> {
  const all: Fields[] = []
  for (let page = 1; page === 1 || (page - 1) * 100 < total; page++) {
    const body = await get(`${url}&start=${page}&length=100`)
    check(`${what}: total on page ${page}`, body.total, total)
    all.push(...(body.data as Fields[]))
  }
  return all
}

async function verifyGuests(get: Get, file: CenterFile): Promise<number> {
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
    const answered = await walk(get, url, what, counted.length)
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
    const counted = file.bookings.filter((booking) => booking.sessionIds?.includes(session.id)).sort(inOrder)
    const what = `guests of session ${session.id}`
    const answered = await walk(get, `/v1/guests?sessionId=${session.id}&project=id`, what, counted.length)
    check(
      what,
      answered.map((guest) => guest.id),
      counted.map((booking) => booking.id),
    )
  }
  return months.length
}

/** The whole report, counted from the file. */
/** Ruling 28: of the booking's sessions the last that has begun by the day, or the first where none has. */
function sessionOfDay(date: string, booking: BookingRecord, file: CenterFile): string | undefined {
  const inOrder = file.sessions
    .filter(({ id }) => booking.sessionIds?.includes(id))
    .map(({ id, startDate }) => ({ id, day: localDay(startDate, file.center.timezone) }))
    .sort((a, b) => bytewise(a.day, b.day) || bytewise(a.id, b.id))
  return (inOrder.findLast(({ day }) => day <= date) ?? inOrder[0])?.id
}

/** @param own of which sessions the days count; undefined: of all. */
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

async function verifyReport(get: Get, file: CenterFile): Promise<number> {
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

async function verifySessions(get: Get, file: CenterFile): Promise<void> {
  const { timezone: zone } = file.center
  const months = monthsOf(
    file.sessions.flatMap((session) => [session.startDate, session.endDate]),
    zone,
  )
  for (const month of months) {
    const what = `sessions of ${file.center.id}, ${month.from}`
    const counted = file.sessions.filter(overlaps(month, zone)).sort(inOrder)
    const url = `/v1/sessions?startDate=${month.from}&endDate=${month.to}`
    const answered = await walk(get, url, what, counted.length)
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

async function verifyOrders(get: Get, file: CenterFile): Promise<void> {
  const { timezone: zone, currency } = file.center
  const guestsOf = Map.groupBy(
    file.bookings.filter((booking) => booking.orderUuid !== undefined),
    (booking) => booking.orderUuid,
  )
  const namesOf = (order: OrderRecord) => {
    const main = new Map<string, boolean>()
    for (const { customerId, isOrderMainGuest } of guestsOf.get(order.uuid) ?? []) {
      main.set(customerId, main.get(customerId) === true || isOrderMainGuest === true)
    }
    return [...main]
      .map(([id, isMain]) => ({ ...file.customers.get(id), isMain }))
      .sort(
        (a, b) =>
          Number(b.isMain) - Number(a.isMain) ||
          collator.compare(a.lastName ?? '', b.lastName ?? '') ||
          collator.compare(a.firstName ?? '', b.firstName ?? ''),
      )
      .map((person) => `${person.firstName} ${person.lastName}`)
  }
  const money = (order: OrderRecord, amount: number) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: order.currency ?? currency }).format(amount)
  let listed = 0
  for (const month of monthsOf(
    file.orders.map((order) => order.orderDate),
    zone,
  )) {
    const [lower, upper] = [startOf(month.from, zone), afterEndOf(month.to, zone)]
    const counted = file.orders
      .filter((order) => at(order.orderDate) >= lower && at(order.orderDate) < upper)
      .sort((a, b) => at(a.orderDate) - at(b.orderDate) || bytewise(a.uuid, b.uuid))
    const body = await get(`/v1/orders?startDate=${month.from}&endDate=${month.to}&includeGuestNames=true`)
    const answered = body as unknown as Fields[]
    listed += answered.length
    check(`orders of ${file.center.id}, ${month.from}: how many`, answered.length, counted.length)
    for (const [n, order] of counted.entries()) {
      const { uuid, orderNumber, orderDate, totalAmount, guestNames, items } = answered[n] ?? {}
      check(
        `order ${order.uuid}`,
        { uuid, orderNumber, orderDate, totalAmount, guestNames, items },
        {
          uuid: order.uuid,
          orderNumber: order.number ?? null,
          orderDate: american(order.orderDate, zone),
          totalAmount: money(order, order.totalAmount),
          guestNames: namesOf(order).join(', '),
          items: (order.items ?? []).map((item) => ({
            name: item.name,
            quantity: item.quantity,
            price: money(order, item.price),
          })),
        },
      )
    }
  }
  check(`orders of ${file.center.id}: all months together`, listed, file.orders.length)
  // One in twenty, read one by one.
  for (const order of file.orders.filter((_, n) => n % 20 === 0)) {
    const { uuid, orderDate, totalAmount, status, guestNames, items } = await get(
      `/v1/orders/${order.uuid}?includeGuestNames=true`,
    )
    check(
      `GET /orders/${order.uuid}`,
      { uuid, orderDate, totalAmount, status, guestNames, items },
      {
        uuid: order.uuid,
        orderDate: new Date(at(order.orderDate)).toISOString(),
        totalAmount: order.totalAmount,
        status: order.status,
        guestNames: namesOf(order),
        items: (order.items ?? []).map(({ name, quantity, price, itemId }) => ({
          name,
          quantity,
          price,
          itemId,
        })),
      },
    )
  }
}

/** Rulings 39: who has arrived has YY-SN-BN, 1, 2, 3 … within the main session; nobody else has any. */
async function verifyBookingIds(get: Get, file: CenterFile): Promise<void> {
  for (const session of file.sessions) {
    const own = file.bookings.filter((booking) => booking.sessionIds?.[0] === session.id)
    const arrived = own.filter((booking) => booking.status === 'arrived' && booking.bookingId === undefined)
    const all = file.bookings.filter((booking) => booking.sessionIds?.includes(session.id)).length
    const answered = await walk(
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

async function main(file: string): Promise<void> {
  const database = await openEmbedded({})
  await migrate(database)
  const summary = await importRecords(database, await readFiles([file], localFiles(process.stdin)), {
    onProblem: (problem) => console.error(problem),
  })
  if (!summary.applied) throw new Error('the import refused the file')
  console.log(`${summary.lines} records imported in ${summary.seconds.toFixed(1)} s`)
  const app = await buildApp({ database, logLevel: 'warn' })
  for (const own of await readCenters(file)) {
    const making = { random: randomBytes, now: Date.now() }
    const wish = { centerId: own.center.id, name: 'verify', scopes: SCOPES, perHour: 0, perMinute: 0 }
    const { apiKey } = await createKey(database, wish, making)
    const get: Get = async (url) => {
      const answer = await app.inject({ url, headers: { authorization: `Bearer ${apiKey}` } })
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
      return answer.json()
    }
    const before = compared
    const months = await verifyGuests(get, own)
    const skipped = await verifyReport(get, own)
    await verifySessions(get, own)
    await verifyOrders(get, own)
    await verifyBookingIds(get, own)
    console.log(
      `${own.center.id}: ${own.bookings.length} bookings over ${months} months, ${skipped} skipped meals, ` +
        `${own.sessions.length} sessions, ${own.orders.length} orders: ${compared - before} comparisons`,
    )
  }
  await app.close()
  await database.close()
  for (const difference of differences.slice(0, 20)) console.log(`DIFFERENT: ${difference}`)
  console.log(`${compared} comparisons, ${differences.length} differences`)
  process.exitCode = differences.length === 0 ? 0 : 1
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('node bench/verify-against-file.ts FILE.ndjson[.gz]')
  process.exitCode = 2
} else {
  await main(file)
}
