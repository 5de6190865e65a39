/** The clocks of this machine and of the database, the newest time of the trail, and the time zones of the centers. */
import { judgeClock } from '../../audit/plausible-clock.ts'
import { trails } from '../../audit/verify-trail.ts'
import type { Config } from '../../config/config.ts'
import { clockDifference } from '../../database/clock.ts'
import { isTimeZone } from '../../locale/zones.ts'
import { type CenterRow, selectCenters } from '../../records/centers/centers-sql.ts'
import { counted } from '../words.ts'
import { listed } from './check-schema.ts'
import { selectLocalTimes, selectUnknownZones } from './doctor-sql.ts'
import type { Inspected } from './inspect-database.ts'
import { notOk, ok, type Result } from './result.ts'

/** @param now epoch ms by this machine's clock */
export async function checkClock(
  database: Inspected,
  { auditDays }: Pick<Config, 'auditDays'>,
  now: () => number,
): Promise<Result[]> {
  const { difference, judged } = await database.read(async (tx) => ({
    difference: await clockDifference(tx, now),
    judged: await judgeClock(tx, await trails(tx), auditDays),
  }))
  const synchronize =
    'Synchronize both clocks (chrony, systemd-timesyncd): "timedatectl" shows whether this one is.'
  const results: Result[] = []
  if (difference !== undefined) {
    const [what = difference] = difference.split('; ')
    results.push(notOk('clock', `${what.charAt(0).toUpperCase()}${what.slice(1)}.`, synchronize))
  }
  if (judged.daysAhead > 0 || judged.daysBehind > 0) {
    const [days, which] =
      judged.daysAhead > 0 ? [judged.daysAhead, 'ahead of'] : [judged.daysBehind, 'behind']
    results.push(
      notOk(
        'clock',
        `The database’s clock is ${counted(days, 'day')} ${which} the newest entries of the audit trail; old entries are not removed meanwhile.`,
        'If the clock is wrong, correct it. If nothing was read for so long, nothing needs to be done: the check passes after some days of use.',
      ),
    )
  }
  return results.length > 0 ? results : [ok('clock', 'The clocks agree to within two seconds.')]
}

/** @param now epoch ms */
export async function checkTimeZones(database: Inspected, now: () => number): Promise<Result[]> {
  const { zones, unknown, differing } = await database.read(async (tx) => {
    const centers = await tx.query<CenterRow>(selectCenters())
    const zones = [...new Set(centers.map(({ timezone }) => timezone))].toSorted()
    const notHere = zones.filter((zone) => !isTimeZone(zone))
    const notThere = (await tx.query<{ name: string }>(selectUnknownZones(zones))).map(({ name }) => name)
    const known = zones.filter((zone) => !notHere.includes(zone) && !notThere.includes(zone))
    const pairs = known.flatMap((zone) => moments(now()).map((at) => ({ zone, at })))
    const local = await tx.query<{ local: string }>(
      selectLocalTimes(
        pairs.map(({ zone }) => zone),
        pairs.map(({ at }) => at),
      ),
    )
    const differing = new Set(
      pairs
        .filter(({ zone, at }, index) => local[index]?.local !== localTime(zone, at))
        .map(({ zone }) => zone),
    )
    return { zones, unknown: [...new Set([...notHere, ...notThere])], differing: [...differing] }
  })
  const results: Result[] = []
  if (unknown.length > 0) {
    results.push(
      notOk(
        'timeZone',
        `Time zones of centers that this process or the database does not know: ${listed(unknown)}.`,
        'Import the center with a name of the IANA database, such as Europe/Oslo, or update the time zones of the server (tzdata).',
      ),
    )
  }
  if (differing.length > 0) {
    results.push(
      notOk(
        'timeZone',
        `This process and the database have different rules of ${listed(differing)}: days of booking numbers and of lists may differ.`,
        'Update the older one: tzdata of the server, or the version of Node.',
      ),
    )
  }
  if (results.length > 0) return results
  return [
    ok('timeZone', `${counted(zones.length, 'time zone')} of centers, with the same rules in the database.`),
  ]
}

const MONTHS = 24

/** The begin of each of the next months: rules change with a few months' notice. */
function moments(now: number): string[] {
  const today = new Date(now)
  return Array.from({ length: MONTHS }, (_, month) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + month, 1)).toISOString(),
  )
}

const localTime = (zone: string, at: string) =>
  Temporal.Instant.from(at)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ')
