/** What a first read of each kind costs the service and the database together, next to another version (`--against`). */

import { mealSkippingReport } from '../../src/core/api/meal-skipping/meal-skipping-report.ts'
import { mealPortions } from '../../src/parts/kitchen/meal-portions.ts'
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { check, expectSessions } from '../support/checker.ts'
import { bearer } from '../support/client.ts'
import { keysCreate } from '../support/commands.ts'
import { makeBookingsOf, openBookings } from '../support/database.ts'
import {
  DAYS_PER_SESSION,
  dataSize,
  FIRST_DAY,
  SESSIONS_IN_A_ROW,
  sessionsOf,
} from '../support/make-data-sql.ts'
import { sojournSays, startService } from '../support/service.ts'
import { inOneRun, type Kind, type Kinds, type Version } from '../support/side-by-side.ts'

const CLIENTS = 16
const BOOKINGS = 80_000
const GUESTS = 100
const CENTER = 1
const SCOPES = 'guests,guests.personal,guests.medical,guests.financial,meals,sessions,orders'

/** Many fields of every kind: names of terms, dates, amounts, places in json, what is computed. */
const TWENTY_FIELDS = [
  'name',
  'lastNameCaps',
  'email',
  'phone',
  'dob',
  'age',
  'gender',
  'address.city',
  'programId',
  'packageId',
  'startDate',
  'endDate',
  'status',
  'role',
  'orderNumber',
  'acc.roomId',
  'financial.total',
  'formData.mobility',
  'bmi1',
  'skippingMeals',
].join(',')

const GUEST = '"ids"'

const SESSIONS = sessionsOf(dataSize(BOOKINGS, GUESTS), CENTER)

/** in which the center has guests */
const DAYS = DAYS_PER_SESSION * Math.min(SESSIONS, SESSIONS_IN_A_ROW)

const session = (n: number) => `sessionId=${n % SESSIONS}`

const KINDS: Kinds = {
  "session's page": { status: 200, shows: GUEST, path: (n) => `/v1/guests?${session(n)}&length=50` },
  "session's report": {
    status: 200,
    shows: '"skippedMeals"',
    path: (n) => `/v1${mealSkippingReport.paths[0]}?${session(n)}`,
  },
  "session's portions": {
    status: 200,
    shows: '"portions"',
    path: (n) => `/v1${mealPortions.paths[0]}?${session(n)}`,
  },
  "week's page": {
    status: 200,
    shows: GUEST,
    path: (n) => `/v1/guests?${weekFrom(n % DAYS)}&length=50`,
  },
  '20 fields in Romanian': {
    status: 200,
    shows: GUEST,
    path: (n) => `/v1/guests?${session(n)}&length=50&project=${TWENTY_FIELDS}`,
    locale: 'ro',
  },
}

export const pages: Measurement = {
  name: 'pages',
  title: 'CPU of the service and of PostgreSQL for a first read of each kind (--against another checkout)',

  async run(bench: Bench): Promise<Figure[]> {
    const versions = [await prepare(bench, undefined)]
    const { against } = bench
    if (against !== undefined) versions.push(await prepare(bench, against))
    const other = versions[1]
    const known = other === undefined ? KINDS : await knownTo(bench, other)
    return inOneRun(bench, versions, { kinds: known, clients: CLIENTS, target: { atMost: 0.6 } })
  },
}

/** A version and its database, whose pages are what SQL says. */
async function prepare(bench: Bench, checkout: string | undefined): Promise<Version> {
  const data = await (checkout === undefined
    ? openBookings(bench, BOOKINGS, GUESTS)
    : makeBookingsOf(bench, checkout, BOOKINGS, GUESTS))
  const options = { databaseUrl: data.url, answerCacheMb: 0, checkout }
  const created = await sojournSays(keysCreate(`${CENTER}`, 'bench', ['--scopes', SCOPES]), options)
  const { apiKey } = JSON.parse(created)
  const service = await startService(bench, options)
  for (const page of await expectSessions(data, CENTER, apiKey, 30)) await check(service.url, page)
  await service.stop()
  return { ...options, apiKey }
}

/** Without what an older version did not have. */
async function knownTo(bench: Bench, version: Version): Promise<Kinds> {
  const service = await startService(bench, version)
  const known: Record<string, Kind> = {}
  for (const [name, kind] of Object.entries(KINDS)) {
    const { status } = await fetch(service.url + kind.path(0), { headers: bearer(version.apiKey) })
    if (status === 404) bench.log(`the other version has no ${name}`)
    else known[name] = kind
  }
  await service.stop()
  return known
}

function weekFrom(day: number): string {
  const first = Temporal.PlainDate.from(FIRST_DAY).add({ days: day })
  return `startDate=${first}&endDate=${first.add({ days: 6 })}`
}
