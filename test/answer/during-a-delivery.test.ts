/** What centers read while the records of one of them are written. */
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { guest, LODGE, lodge, spa } from '../support/world.ts'

const PAGE = '/v1/guests?startDate=2025-01-10&endDate=2025-01-12'

it('a delivery of one center holds up no reads of another one, and nobody sees half of it', async () => {
  const api = await startTestApi({ records: [spa(), lodge(), ...guest('b1')] })
  const neighbor = await api.createKey({ center: LODGE })
  // Both are known before, as keys that are in use are.
  for (const headers of [api.key.headers, neighbor.headers]) await api.get('/v1/me', headers)
  const written = Promise.withResolvers<void>()
  const reported = Promise.withResolvers<void>()
  const delivery = api.database.transaction(
    async (tx) => {
      await tx.query(sql`update customers set first_name = 'Bea' where center_id = 'spa'`)
      written.resolve()
      await reported.promise
    })
  await written.promise
  const own = api.get(PAGE, api.key.headers)
  for (const project of ['name', 'email', 'name,email']) {
    expect((await api.get(`${PAGE}&project=${project}`, neighbor.headers)).status).toBe(200)
  }
  if (api.database.engine === 'postgres') expect((await own).text).toContain('"Ana"')
  reported.resolve()
  await delivery
  expect((await own).status).toBe(200)
  expect((await api.get(PAGE, api.key.headers)).text).toContain('"Bea"')
  if (api.database.engine === 'embedded') expect((await own).text).toContain('"Bea"')
})
