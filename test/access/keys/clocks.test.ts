import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { clockDifference, createDatabaseClock } from '../../../src/core/database/clock.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { openTestDatabase } from '../../support/database.ts'

const HOUR_MS = 3_600_000

/** Another instance over the same data, whose own clock is off by so much. */
async function instance(api: TestApi, offMs: number, lines: string[] = []) {
  const app = await buildApp({
    database: api.database,
    clock: () => Date.now() + offMs,
    compareClocks: true,
    logStream: { write: (line) => void lines.push(line) },
  })
  onTestFinished(() => app.close())
  const status = async (headers: Readonly<Record<string, string>>) =>
    (
      await app.inject({
        url: '/v1/sessions?startDate=2025-01-01&endDate=2025-01-02',
        headers: { ...headers },
      })
    ).statusCode
  return { app, status }
}

describe('instances whose clocks differ', () => {
  it('agree whether a key has expired: by the database’s clock', async () => {
    const api = await startTestApi()
    const ended = await api.createKey({ expiresAt: new Date(Date.now() - 60_000).toISOString() })
    const inForce = await api.createKey({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
    for (const offMs of [-HOUR_MS, 0, HOUR_MS]) {
      const { status } = await instance(api, offMs)
      expect([await status(ended.headers), await status(inForce.headers)]).toEqual([401, 200])
    }
  })

  it('date the reads of the audit trail by the database’s clock', async () => {
    const api = await startTestApi()
    const before = Date.now()
    for (const offMs of [-HOUR_MS, HOUR_MS]) {
      const { app, status } = await instance(api, offMs)
      expect(await status(api.key.headers)).toBe(200)
      await app.close()
    }
    const rows = await api.database.query<{ at: number }>(
      sql`select at from audit_entries where center_id = 'spa' order by seq`,
    )
    expect(rows).toHaveLength(2)
    for (const { at } of rows) {
      expect(at).toBeGreaterThanOrEqual(before - 1000)
      expect(at).toBeLessThanOrEqual(Date.now() + 1000)
    }
  })

  it('say so when they start', async () => {
    const api = await startTestApi()
    const lines: string[] = []
    const { app } = await instance(api, -HOUR_MS, lines)
    await app.ready()
    await vi.waitFor(
      () => expect(lines.join('')).toContain('this machine’s clock is 3600 s behind the database’s'),
      { timeout: 60_000 },
    )
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40 })
  })
})

describe('the difference between two clocks', () => {
  it('is reported from two seconds on', async () => {
    const plain = await openTestDatabase()
    const local = 1_700_000_000_000
    const difference = (ms: number) =>
      clockDifference(
        clockedDatabase(plain, () => local + ms),
        () => local,
      )
    expect(await difference(2000)).toBeUndefined()
    expect(await difference(-2000)).toBeUndefined()
    expect(await difference(2600)).toMatch(/^this machine’s clock is 3 s behind the database’s/)
    expect(await difference(-86_400_000)).toMatch(/^this machine’s clock is 86400 s ahead of the database’s/)
  })
})

describe('the database’s clock between two questions', () => {
  it('goes on by a monotonic clock, and never back for an answer that took a while', () => {
    let monotonic = 1000
    const clock = createDatabaseClock(
      () => monotonic,
      () => 5,
    )
    expect(clock.now()).toBe(5)
    clock.note(1_700_000_000_000)
    monotonic += 700
    expect(clock.now()).toBe(1_700_000_000_700)
    clock.note(1_700_000_000_600)
    expect(clock.now()).toBe(1_700_000_000_700)
    clock.note(1_700_000_000_710)
    expect(clock.now()).toBe(1_700_000_000_710)
    // It was set.
    clock.note(1_600_000_000_000)
    expect(clock.now()).toBe(1_600_000_000_000)
  })
})
