/**
 * `npx node bench/cached-equals-fresh.ts [--database postgres] [--comparisons 100000] [--seed N]
 * [--without bookings.status]`: after every commit of a random desk, compares answers that one instance has retained with
 * the same requests read anew by another. With `--without` the change of a column is not noted, to see a wrongly retained
 * answer found. Exits with 1 where anything differs.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { buildApp } from '../src/app.ts'
import { createKey } from '../src/core/access/keys/create-key.ts'
import { ORDINARY_SCOPES } from '../src/core/access/keys/scopes.ts'
import { importRecords } from '../src/core/intake/import-records.ts'
import { compareCached, forgetColumn, type Read } from '../test/answer/cached-and-fresh.ts'
import { clockedDatabase } from '../test/support/clocked-database.ts'
import { RANDOM_PROFILE, randomCenter, seededRandom } from '../test/support/random-center.ts'
import { SPA, spa } from '../test/support/world.ts'
import { openEither } from './support/either-database.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'folder' },
    comparisons: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    without: { type: 'string' },
  },
})
const REQUESTS = 300
const SAMPLE = 25
const LOOK = 2500

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const begun = performance.now()
console.log(`SEED ${seed}, ${values.database}${values.without ? `, without ${values.without}` : ''}`)
const opened = await openEither(values.database)
try {
  const random = seededRandom(seed)
  let now = Date.parse('2025-01-01T09:00:00Z')
  const clock = () => now
  const database = clockedDatabase(opened.database, clock)
  const lines = [spa(RANDOM_PROFILE), ...randomCenter(random)].map((record, at) => ({
    file: 'desk',
    line: at + 1,
    text: JSON.stringify(record),
  }))
  await importRecords(opened.database, lines)
  if (values.without !== undefined) await forgetColumn(opened.database, values.without)
  const { apiKey } = await createKey(
    opened.database,
    { centerId: SPA, name: 'bench', scopes: ORDINARY_SCOPES, perHour: 0, perMinute: 0 },
    { random: randomBytes, now },
  )
  const common = { database, clock, logLevel: 'silent' as const, metricsEveryMs: 0 }
  const caching = await buildApp(common)
  const reading = await buildApp({ ...common, answerCacheMb: 0 })
  const readOf =
    (app: typeof caching): Read =>
    async (url, headers) => {
      const answer = await app.inject({ url, headers: { ...headers, authorization: `Bearer ${apiKey}` } })
      return { status: answer.statusCode, text: answer.body, etag: answer.headers.etag }
    }
  let reported = 0
  const { comparisons, commits, difference } = await compareCached({
    random,
    commit: (work) => opened.database.transaction(work),
    cached: readOf(caching),
    fresh: readOf(reading),
    requests: REQUESTS,
    sample: SAMPLE,
    comparisons: Number(values.comparisons),
    onCommit(compared) {
      // Days go by as well: ages, and what the day decides.
      now += random.below(20) === 0 ? 36 * 3_600_000 : 60_000
      if (compared - reported < LOOK) return
      reported = compared
      console.log(`  ${compared} compared, ${Math.round((performance.now() - begun) / 1000)} s`)
    },
  })
  const { body } = await caching.inject({ url: '/metrics' })
  const hits = Number(/^sojourn_answer_cache_hits_total (\d+)/m.exec(body)?.[1])
  await Promise.all([caching.close(), reading.close()])
  console.log(
    `${comparisons} comparisons after ${commits} commits, ${hits} of them of cached answers: ${difference === undefined ? 'no difference' : `DIFFERENT ${difference}`}`,
  )
  if (difference !== undefined) process.exitCode = 1
} finally {
  await opened.close()
}
