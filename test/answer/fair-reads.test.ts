/** One key that asks for the costliest reads there are, and what another center sees of it. */
import { expect, test, vi } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { guest, LODGE, lodge, spa } from '../support/world.ts'
import { startInstance } from './instances.ts'

test('behind 90 reports of ten years another center’s page is next', async () => {
  const api = await startTestApi({ records: [spa(), lodge(), ...guest('b1')] })
  const watched = watchDatabase(api.database)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const sent: unknown[] = []
  watched.before = async ({ by, values }) => {
    if (by !== 'queryArrays') return
    const center = values.includes(LODGE) ? LODGE : 'spa'
    sent.push(center)
    if (center === 'spa') await released
  }
  const instance = await startInstance({ database: watched.database }, api.key)
  const neighbor = await api.createKey({ center: LODGE })
  const reports = Array.from({ length: 90 }, (_, n) => {
    const month = `${String((n % 9) + 1).padStart(2, '0')}-${String((n % 28) + 1).padStart(2, '0')}`
    return instance.get(
      `/v1/guests/meal-skipping-report?startDate=2015-${month}&endDate=20${25 + Math.floor(n / 9)}-12-31`,
    )
  })
  await vi.waitFor(() => expect(sent).toEqual(['spa']), { timeout: 60_000 })
  const page = instance.get('/v1/guests?startDate=2025-01-01&endDate=2025-01-31', neighbor.headers)
  await vi.waitFor(() => expect(sent).toContain(LODGE))
  release()
  expect((await page).status).toBe(200)
  expect(sent.indexOf(LODGE)).toBeLessThanOrEqual(2)
  for (const { status } of await Promise.all(reports)) expect(status).toBe(200)
  expect(sent.filter((center) => center === 'spa').length).toBeGreaterThan(80)
})
