/** A table that somebody has locked stops what reads it, and nothing else. */
import sql, { raw } from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { servedPostgres } from '../support/served-postgres.ts'
import { guest, LODGE, lodge, session, spa } from '../support/world.ts'

async function startLocked(table: string) {
  const { url, api, serve } = await servedPostgres({
    records: [spa(), lodge(), session('s1', '2025-01-10', '2025-01-20'), ...guest('b1')],
  })
  const instance = await serve({ poolSize: 10, app: { answerCacheMb: 0 } })
  expect((await instance.get(GUESTS)).status).toBe(200)
  const locker = openPostgres({ connection: { connectionString: url }, poolSize: 1, purpose: 'command' })
  onTestFinished(() => locker.close())
  const { promise: locked, resolve } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const holding = locker.transaction(async (tx) => {
    await tx.query(raw(`lock table ${table} in access exclusive mode`))
    resolve()
    await released
  })
  onTestFinished(async () => {
    release()
    await holding
  })
  await locked
  return { api, instance, release: () => Promise.all([release(), holding]) }
}

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'
const SESSIONS = '/v1/sessions?startDate=2025-01-01&endDate=2025-01-'

describe('while bookings are locked', () => {
  test('sessions are read, by the same center and by another, and guests are again afterwards', async () => {
    const { api, instance, release } = await startLocked('bookings')
    const neighbor = await api.createKey({ center: LODGE })
    const stuck = Array.from({ length: 16 }, (_, n) => instance.get(`${GUESTS}&start=${n + 1}`))
    const waiting = sql`
      select count(*) > 0 as yes from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect(await api.database.query(waiting)).toEqual([{ yes: true }]), {
      timeout: 60_000,
    })
    for (let day = 10; day < 26; day += 1) {
      expect((await instance.get(`${SESSIONS}${day}`)).status).toBe(200)
      expect((await instance.get(`${SESSIONS}${day}`, neighbor.headers)).status).toBe(200)
    }
    for (const { status } of await Promise.all(stuck)) expect(status).toBe(503)
    await release()
    expect((await instance.get(GUESTS)).status).toBe(200)
  })
})
