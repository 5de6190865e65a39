/** What a first read of each kind costs the service and the database together, beside another version (`--against`). */
import { mealPortions } from '../../src/meals/meal-portions.ts'
import { mealSkippingReport } from '../../src/meals/meal-skipping-report.ts'
import type { Bench, Finding, Measurement } from '../support/bench.ts'
import { expectSessions } from '../support/checker.ts'
import { databaseCpu, makeKey, openBookings } from '../support/database.ts'
import { FIRST_DAY, sessionsOf } from '../support/make-data-sql.ts'
import { loadService } from '../support/measure-service.ts'
import { shuffled } from '../support/random.ts'
import { allInTurns, cpuOf, figure, microsOf, wholeCpu } from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { type Request, runLoad } from '../support/wrk.ts'

const CONNECTIONS = 16
const BOOKINGS = 80_000
const GUESTS = 100
// A service runs for days. In its first thousands of reads V8 compiles: they take twice the CPU of those after them.
const WARMING_SECONDS = 10

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

interface Kind {
  readonly paths: (sessions: readonly number[]) => readonly string[]
  readonly locale?: string
}

const KINDS: Readonly<Record<string, Kind>> = {
  "session's page": { paths: (sessions) => sessions.map((s) => `/v1/guests?sessionId=${s}&length=50`) },
  "session's report": {
    paths: (sessions) => sessions.map((s) => `/v1${mealSkippingReport.paths[0]}?sessionId=${s}`),
  },
  "session's portions": {
    paths: (sessions) => sessions.map((s) => `/v1${mealPortions.paths[0]}?sessionId=${s}`),
  },
  "week's page": {
    paths: () => Array.from({ length: 900 }, (_, day) => `/v1/guests?${weekFrom(day)}&length=50`),
  },
  '20 fields in Romanian': {
    paths: (sessions) => sessions.map((s) => `/v1/guests?sessionId=${s}&length=50&project=${TWENTY_FIELDS}`),
    locale: 'ro',
  },
}

export const pages: Measurement = {
  name: 'pages',
  title: 'CPU of the service and of PostgreSQL for a first read of each kind (--against another checkout)',

  async run(bench: Bench): Promise<Finding[]> {
    const data = await openBookings(bench, BOOKINGS, GUESTS)
    const apiKey = await makeKey(data.database, '1')
    const expected = await expectSessions(data, 1, apiKey, 30)
    const inDatabase = await databaseCpu(data.url)
    const sessions = shuffled(sessionsOf(data.size, 1))
    const options = { databaseUrl: data.url, answerCacheMb: 0 }
    const ours = await startService(bench, options)
    const { against: checkout } = bench
    const other = checkout === undefined ? undefined : await startService(bench, { ...options, checkout })

    const findings: Finding[] = []
    for (const [name, { paths, locale }] of Object.entries(KINDS)) {
      const requests: Request[] = paths(sessions).map((path) => ({
        path,
        apiKey,
        ...(locale === undefined ? {} : { locale }),
      }))
      const load = { requests, connections: CONNECTIONS, seconds: bench.roundSeconds }
      for (const { url } of other === undefined ? [ours] : [ours, other]) {
        await runLoad({ ...load, url, seconds: WARMING_SECONDS })
      }
      const { now, before } = await allInTurns<string>(bench.rounds, {
        now: () => loadService(ours, load, expected, inDatabase),
        ...(other === undefined ? {} : { before: () => loadService(other, load, expected, inDatabase) }),
      })
      if (now === undefined) continue
      findings.push(
        microsOf(`${name}: CPU in all`, now, wholeCpu),
        cpuOf('… of the service', now),
        microsOf('… of PostgreSQL', now, ({ databaseMicros }) => databaseMicros),
      )
      if (before === undefined) continue
      findings.push(microsOf('… in all, the other version', before, wholeCpu), {
        ...figure(
          '… of what the other version takes',
          now.map((sample, round) => wholeCpu(sample) / wholeCpu(before[round] ?? sample)),
        ),
        target: { atMost: 0.6 },
      })
    }
    return findings
  },
}

function weekFrom(day: number): string {
  const first = Temporal.PlainDate.from(FIRST_DAY).add({ days: day })
  return `startDate=${first}&endDate=${first.add({ days: 6 })}`
}
