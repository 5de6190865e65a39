import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import { stay } from '../support/world.ts'
import { redisProgram, startRedis } from './redis-server.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

const WAIT = { timeout: 60_000, interval: 100 }

describe.skipIf(redisProgram === undefined)('several instances over one Redis', () => {
  it('ruling 38: share the limits of a key exactly, and go on each for itself while it is away', async () => {
    const server = await startRedis()
    onTestFinished(() => server.stop())
    const api = await startTestApi({ records: stay('b1', '2025-01-10', '2025-01-15') })
    const log: { level: number; msg: string }[] = []
    const instances = [await startInstance(api, server.url, log), await startInstance(api, server.url, log)]
    const createKey = (perMinute: number | null = null) => api.createKey({ perHour: null, perMinute })
    const ask = async (index: number, key: TestKey) =>
      (await instances[index % 2]!.inject({ url: GUESTS, headers: { ...key.headers } })).statusCode
    const passed = async (count: number) => {
      const key = await createKey()
      const statuses = await Promise.all(Array.from({ length: count }, (_, index) => ask(index, key)))
      expect(new Set(statuses).difference(new Set([200, 429]))).toEqual(new Set())
      return statuses.filter((status) => status === 200).length
    }

    // From the first request that both count in the store: a single one passes, on one of them.
    await vi.waitFor(async () => {
      const probe = await createKey(1)
      expect([await ask(0, probe), await ask(1, probe)]).toEqual([200, 429])
    }, WAIT)
    expect(await passed(250)).toBe(100)

    // On a busy machine, a slow answer may have counted as an outage before.
    const before = log.length
    const outages = () => log.slice(before).filter(({ msg }) => msg.includes('store unreachable'))
    await server.stop()
    await vi.waitFor(() => expect(outages()).toHaveLength(2), WAIT)
    expect(await passed(250)).toBe(200)
    expect(outages()).toHaveLength(2)
    expect(JSON.stringify(log)).not.toContain('redis://')

    await server.start()
    await vi.waitFor(async () => {
      await ask(0, api.key)
      await ask(1, api.key)
      expect(log.filter(({ msg }) => msg.includes('store reachable again'))).toHaveLength(2)
    }, WAIT)
    expect(await passed(250)).toBe(100)
  })
})

async function startInstance(api: TestApi, store: string, log: { level: number; msg: string }[]) {
  const app = await buildApp({
    database: api.database,
    rateLimitStore: store,
    logLevel: 'info',
    logStream: { write: (line) => void log.push(JSON.parse(line)) },
  })
  onTestFinished(() => app.close())
  return app
}
