/** The clocks of this machine and of the database, the newest time of the trail, and the time zones of the centers. */
import { judgeClock } from '../../core/audit/verify/plausible-clock.ts'
import { trails } from '../../core/audit/verify/verify-trail.ts'
import { counted } from '../../core/command-line/words.ts'
import type { Config } from '../../core/config/config.ts'
import { clockDifference } from '../../core/database/clock.ts'
import { isTimeZone } from '../../core/locale/zones.ts'
import { type CenterRow, selectCenters } from '../../core/records/centers/centers-sql.ts'
import { listed } from './check-schema.ts'
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

export async function checkTimeZones(database: Inspected): Promise<Result[]> {
  const centers = await database.read((tx) => tx.query<CenterRow>(selectCenters()))
  const zones = [...new Set(centers.map(({ timezone }) => timezone))].toSorted()
  const unknown = zones.filter((zone) => !isTimeZone(zone))
  return [
    unknown.length === 0
      ? ok('timeZone', `${counted(zones.length, 'time zone')} of centers, whose rules this process knows.`)
      : notOk(
          'timeZone',
          `Time zones of centers that this process does not know: ${listed(unknown)}.`,
          'Import the center with a name of the IANA database, such as Europe/Oslo, or update the service.',
        ),
  ]
}
