/** Reads from a standby while a center commits: none is older than its request, and few go to the primary. */
import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { freePort } from '../../test/support/free-port.ts'
import { findPostgres } from '../../test/support/postgres-binaries.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { FOLLOWED, startStandby } from '../../test/support/postgres-standby.ts'
import { guest, spa } from '../../test/support/world.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer, openClient } from '../support/client.ts'
import { databaseCpu, makeKey } from '../support/database.ts'
import { startService } from '../support/service.ts'

const READS = 10_000
const READERS = 4
const COMMITS_PER_SECOND = 30
const PAGE = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&length='

export const replicas: Measurement = {
  name: 'replicas',
  title: `reads from a standby while their center commits ${COMMITS_PER_SECOND} times a second`,

  async run(bench: Bench): Promise<Figure[]> {
    const binaries = findPostgres()
    if (!binaries.found) throw new BenchFailed(`PostgreSQL does not start: ${binaries.reason}`)
    const primary = await startPostgres(binaries, FOLLOWED)
    bench.afterwards(() => primary.stop())
    const connection = { connectionString: primary.url }
    const database = openPostgres({ connection, poolSize: 4, purpose: 'command' })
    bench.afterwards(() => database.close())
    await migrate(database)
    const records = [spa(), ...Array.from({ length: 40 }, (_, at) => guest(`${at + 1}`)).flat()]
    await importRecords(
      database,
      records.map((record, at) => ({ file: 'bench', line: at + 1, text: JSON.stringify(record) })),
      { onProblem: (problem) => bench.log(JSON.stringify(problem)) },
    )
    const key = bearer(await makeKey(database, 'spa'))
    const standby = await startStandby(binaries, primary)
    bench.afterwards(() => standby.stop())
    await standby.catchUp()
    const client = openClient()
    bench.afterwards(() => client.close())

    /** Commits and reads at the same time. */
    const measure = async (readUrl: string) => {
      const operationsPort = await freePort()
      const service = await startService(bench, {
        databaseUrl: primary.url,
        answerCacheMb: 0,
        env: { DATABASE_READ_URL: readUrl, OPERATIONS_PORT: String(operationsPort) },
      })
      // Each reader has a page of its own, so that none waits for the read of another one.
      const read = (reader: number) => client.get(`${service.url}${PAGE}${30 + reader}`, key)
      const metrics = async () => {
        // The text of the metrics is up to a second old.
        await wait(1100)
        const { body } = await client.get(`http://127.0.0.1:${operationsPort}/metrics`, {})
        const sum = (name: string) =>
          [...body.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce(
            (total, [, value]) => total + Number(value),
            0,
          )
        return {
          onReplicas: sum('sojourn_replica_reads_total'),
          onPrimary: sum('sojourn_replica_fallbacks_total'),
        }
      }
      for (let n = 0; n < 50; n += 1) {
        await read(0)
        await wait(20)
      }
      const before = await metrics()
      const cpu = await databaseCpu(primary.url)
      const cpuBefore = cpu()
      let committed = 0
      let isOver = false
      const writing = (async () => {
        const begun = performance.now()
        for (let n = 1; !isOver; n += 1) {
          await database.query(
            sql`update customers set last_name = ${`N${n}.`} where center_id = 'spa' and id = 'c-1'`,
          )
          committed = n
          await wait(Math.max(0, begun + (n * 1000) / COMMITS_PER_SECOND - performance.now()))
        }
        return committed / ((performance.now() - begun) / 1000)
      })()
      while (committed === 0) await wait(10)
      let stale = 0
      let left = READS
      await Promise.all(
        Array.from({ length: READERS }, async (_, reader) => {
          while (left > 0) {
            left -= 1
            const known = committed
            const { status, body } = await read(reader)
            const shown = Number(/"N(\d+)\."/.exec(body)?.[1])
            if (status !== 200 || Number.isNaN(shown)) throw new BenchFailed(`a read was answered ${status}`)
            if (shown < known) stale += 1
          }
        }),
      )
      isOver = true
      const perSecond = await writing
      const cpuMicros = cpu() - cpuBefore
      const after = await metrics()
      await service.stop()
      return {
        stale,
        perSecond,
        cpuMicros: cpuMicros / READS,
        onReplicas: after.onReplicas - before.onReplicas,
        onPrimary: after.onPrimary - before.onPrimary,
      }
    }

    const alone = await measure('')
    const replicated = await measure(standby.url)
    return [
      { what: 'reads', value: READS },
      { what: 'commits', value: Math.round(replicated.perSecond), unit: '/s' },
      { what: 'older than the last commit before them', value: replicated.stale, target: { atMost: 0 } },
      {
        what: 'percent answered by the primary',
        value: (100 * replicated.onPrimary) / (replicated.onPrimary + replicated.onReplicas),
        target: { atMost: 2 },
      },
      { what: 'CPU of the primary for a read and its commits, without', value: alone.cpuMicros, unit: 'µs' },
      { what: 'with the replica', value: replicated.cpuMicros, unit: 'µs' },
    ]
  },
}
