/** A service of which everything is measured, with faults that a test switches on, and its scrapes. */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseUnavailable, type PoolWaits } from '../../src/core/database/database.ts'
import type { Replicas } from '../../src/core/database/replicas.ts'
import { createIntakeServer } from '../../src/core/intake/port/intake-server.ts'
import { startTestApi } from '../support/api.ts'
import { afterwards, openTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { readMetrics, type Sample } from '../support/promql.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { guest, session } from '../support/world.ts'

export interface Faults {
  /** reads of the database fail */
  readsFail: boolean
  /** transactions fail, such as those that write the trail */
  writesFail: boolean
  /** each read of the database takes so many ms */
  readMs: number
  pingFails: boolean
  memoryShare: number
  poolWaits: readonly PoolWaits[]
  replicaLagSeconds: number
  replicasUsable: number
}

/** @param graceSeconds how long reads are answered although they cannot be recorded */
export async function startFaultyService(graceSeconds = 3600) {
  const faults: Faults = {
    readsFail: false,
    writesFail: false,
    readMs: 0,
    pingFails: false,
    memoryShare: 0.2,
    poolWaits: [{ pool: 'reads', waits: 0, seconds: 0 }],
    replicaLagSeconds: 0,
    replicasUsable: 2,
  }
  const watched = watchDatabase(await openTestDatabase())
  watched.before = async ({ by }) => {
    if (by === 'transaction' && faults.writesFail) throw new DatabaseUnavailable('away')
    if (by !== 'queryArrays') return
    if (faults.readsFail) throw new DatabaseUnavailable('away')
    if (faults.readMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.readMs))
  }
  const inner = watched.database
  const database = {
    ...inner,
    poolWaits: () => faults.poolWaits,
    ping: () => (faults.pingFails ? Promise.reject(new DatabaseUnavailable('away')) : inner.ping()),
  }
  const replicas: Replicas = {
    read: (_, read) => read(undefined),
    numbers: {
      reads: 0,
      fallbacks: { late: 0, empty: 0, conflict: 0, failed: 0, error: 0 },
      without: 0,
      get usable() {
        return faults.replicasUsable
      },
      get lagSeconds() {
        return faults.replicaLagSeconds
      },
    },
    close: async () => {},
  }
  const folder = makeTemporaryFolder()
  const bounds = { bytesMax: 1e6, unpackedBytesMax: 1e7, silenceMs: 60_000, bytesPerSecondMin: 100 }
  const api = await startTestApi({
    database,
    records: [session('s1', '2025-01-10', '2025-01-20'), ...guest('b1')],
    app: {
      metricsEveryMs: 0,
      replicas,
      memory: () => [{ used: faults.memoryShare, limit: 1 }],
      auditFolder: join(folder, 'audit-waiting'),
      auditDays: 400,
      auditGraceSeconds: graceSeconds,
      intake: { database, folder: join(folder, 'intake'), bounds },
      webhooksKey: randomBytes(32).toString('base64'),
      notifies: true,
      sendsReports: { copiesFolder: undefined, drive() {} },
      // Nothing listens there.
      rateLimitStore: `redis://127.0.0.1:${await freePort()}`,
    },
  })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  const intake = createIntakeServer(api.app)
  await new Promise<void>((resolve) => intake.listen(0, '127.0.0.1', resolve))
  afterwards(async () => {
    intake.closeAllConnections()
    intake.close()
  })
  const intakePort = (intake.address() as AddressInfo).port
  const intakeKey = await api.createKey({ intake: true })
  let count = 0

  return {
    api,
    faults,
    /** Requests that are cached by nobody. */
    async read(times: number): Promise<readonly number[]> {
      const answers = Array.from({ length: times }, () => {
        count += 1
        return api.get(`/v1/guests?sessionId=s1&bookingId=b${count}`)
      })
      return (await Promise.all(answers)).map(({ status }) => status)
    },
    probe: async () => (await api.get('/health/ready')).status,
    async deliver() {
      const { status } = await fetch(`http://127.0.0.1:${intakePort}/intake`, {
        method: 'POST',
        headers: { ...intakeKey.bearer },
        body: `${JSON.stringify({ kind: 'customer', id: `c${count}`, firstName: 'Ana' })}\n`,
      })
      return status
    },
    /** What Prometheus gets: the metrics, and `up`, which it adds. */
    async scrape(): Promise<readonly Sample[]> {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
        return [...readMetrics(await answer.text()), up(1)]
      } catch {
        return [up(0)]
      }
    },
  }
}

const up = (value: number): Sample => ({ name: 'up', labels: {}, value })

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>
