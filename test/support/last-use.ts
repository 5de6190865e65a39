/** For tests that compare lists of keys, which name the last use of each. */
import sql from 'sql-template-tag'
import { expect, vi } from 'vitest'
import type { TestApi } from './api.ts'

/** A later use within ten seconds is not written. */
const RECENT_MS = 5000

/**
 * Uses the test's key until its last use is written, which is up to a second later, with the trail. For some seconds, lists of keys
 * are then the same.
 * @param clock of the service
 */
export async function lastUseIsWritten(api: TestApi, clock: () => number = Date.now): Promise<void> {
  await vi.waitFor(
    async () => {
      await api.get('/v1/sessions?startDate=2025-01-01&endDate=2025-01-02')
      const since = new Date(clock() - RECENT_MS).toISOString()
      const rows = await api.database.query(sql`
        select last_used_at >= ${since}::timestamptz as is_written from api_keys where public_key = ${api.key.publicKey}`)
      expect(rows).toEqual([{ is_written: true }])
    },
    { timeout: 20_000, interval: 200 },
  )
}
