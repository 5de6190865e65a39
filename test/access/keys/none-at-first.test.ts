/** A new database lets nobody in. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { createKey } from '../../../src/core/access/keys/create-key.ts'
import { importRecords } from '../../../src/core/intake/import-records.ts'
import { openTestDatabase } from '../../support/database.ts'
import { spa } from '../../support/world.ts'

it('no key, link or webhook is there before somebody makes one, and making one makes no other', async () => {
  const database = await openTestDatabase()
  const counted = async () => {
    const [row] = await database.query<Record<string, number>>(sql`
      select (select count(*) from api_keys) as keys, (select count(*) from links) as links,
        (select count(*) from webhooks) as webhooks`)
    return row
  }
  expect(await counted()).toEqual({ keys: 0, links: 0, webhooks: 0 })
  await importRecords(database, [{ file: 'test', line: 1, text: JSON.stringify(spa()) }])
  expect(await counted()).toEqual({ keys: 0, links: 0, webhooks: 0 })
  await createKey(
    database,
    { centerId: 'spa', name: 'first', scopes: ['guests'] },
    { random: randomBytes, now: 0 },
  )
  expect(await counted()).toEqual({ keys: 1, links: 0, webhooks: 0 })
})
