/**
 * `npx node bench/verify-against-file.ts FILE.ndjson[.gz]`: imports a file of records into a folder of its
 * own, asks the service for everything in it, and compares every number with a count of its own over the
 * file. Nothing here uses the service's reading of days, ranges, languages or order: days are Temporal's, texts
 * are Intl's. Run by hand; exits with 1 where anything differs.
 */
import { randomBytes } from 'node:crypto'
import { buildApp } from '../src/app.ts'
import { createKey } from '../src/core/access/keys/create-key.ts'
import { ORDINARY_SCOPES } from '../src/core/access/keys/scopes.ts'
import { importRecords } from '../src/core/intake/import-records.ts'
import { localFiles } from '../src/core/intake/lines/files.ts'
import { readFiles } from '../src/core/intake/lines/read-files.ts'
import { readCenters } from './against-file/center-file.ts'
import { comparedSoFar, differences, type Get } from './against-file/comparison.ts'
import { verifyGuests } from './against-file/guests.ts'
import { verifyOrders } from './against-file/orders.ts'
import { verifyReport } from './against-file/report.ts'
import { verifyBookingIds, verifySessions } from './against-file/sessions.ts'
import { openEither } from './support/either-database.ts'

async function main(file: string): Promise<void> {
  const opened = await openEither('folder')
  const { database } = opened
  const summary = await importRecords(database, await readFiles([file], localFiles(process.stdin)), {
    onProblem: (problem) => console.error(problem),
  })
  if (!summary.applied) throw new Error('the import refused the file')
  console.log(`${summary.lines} records imported in ${summary.seconds.toFixed(1)} s`)
  const app = await buildApp({ database, logLevel: 'warn' })
  for (const own of await readCenters(file)) {
    const making = { random: randomBytes, now: Date.now() }
    const input = {
      centerId: own.center.id,
      name: 'verify',
      scopes: ORDINARY_SCOPES,
      perHour: 0,
      perMinute: 0,
    }
    const { apiKey } = await createKey(database, input, making)
    const get: Get = async (url) => {
      const answer = await app.inject({ url, headers: { authorization: `Bearer ${apiKey}` } })
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
      return answer.json()
    }
    const before = comparedSoFar()
    const months = await verifyGuests(get, own)
    const skipped = await verifyReport(get, own)
    await verifySessions(get, own)
    await verifyOrders(get, own)
    await verifyBookingIds(get, own)
    console.log(
      `${own.center.id}: ${own.bookings.length} bookings over ${months} months, ${skipped} skipped meals, ` +
        `${own.sessions.length} sessions, ${own.orders.length} orders: ${comparedSoFar() - before} comparisons`,
    )
  }
  await app.close()
  await opened.close()
  for (const difference of differences.slice(0, 20)) console.log(`DIFFERENT: ${difference}`)
  console.log(`${comparedSoFar()} comparisons, ${differences.length} differences`)
  process.exitCode = differences.length === 0 ? 0 : 1
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('npx node bench/verify-against-file.ts FILE.ndjson[.gz]')
  process.exitCode = 2
} else {
  await main(file)
}
