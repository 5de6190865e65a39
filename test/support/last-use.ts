/** For tests that compare lists of keys, which name the last use of each. */
import sql from 'sql-template-tag'
import { expect, vi } from 'vitest'
import type { TestApi } from './api.ts'

/** A later use within ten seconds is not written. */
const RECENT_MS = 5000

/**
 * Uses the test's key until this use and all before it are written, which is up to a second later, with the trail. For some
 * seconds, lists of keys are then the same.
 * @param clock of the service. If it was set back, the last use is in the future, so only the trail says what is written
 */
export async function lastUseIsWritten(api: TestApi, clock: () => number = Date.now): Promise<void> {
  await vi.waitFor(
    async () => {
      const { headers } = await api.get('/v1/sessions?startDate=2025-01-01&endDate=2025-01-02')
      await vi.waitFor(async () => expect(await isInTrail(api, String(headers['x-request-id']))).toBe(true), {
        timeout: 60_000,
      })
      const since = new Date(clock() - RECENT_MS).toISOString()
      const rows = await api.database.query(sql`
        select last_used_at >= ${since}::timestamptz as is_recent from api_keys where public_key = ${api.key.publicKey}`)
      expect(rows).toEqual([{ is_recent: true }])
    },
    { timeout: 40_000, interval: 200 },
  )
}

async function isInTrail({ database }: TestApi, requestId: string): Promise<boolean> {
  const rows = await database.query(sql`select 1 from audit_entries where strpos(requests, ${requestId}) > 0`)
  return rows.length > 0
}
