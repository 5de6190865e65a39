/** A database whose numbers of transactions are those of another server. */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { isFromElsewhere, NEW_HISTORY } from '../../src/core/database/origin.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { startTestApi } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { guest } from '../support/world.ts'

const FOREIGN = sql`update database_origin set system_identifier = '1'`
const AHEAD = sql`update change_commits set transaction_id = '99999999999'`

async function start() {
  const api = await startTestApi({ records: guest('b1') })
  const cursor = async () => (await api.get('/v1/changes')).body.cursor as string
  const rename = (name: string) =>
    api.database.query(sql`update customers set last_name = ${name} where center_id = 'spa'`)
  return { api, cursor, rename }
}

const numbers = async (database: Database) => {
  const [row] = await database.query<{ n: number }>(sql`
    select (select count(*) from change_commits) + (select count(*) from changes)
      + (select count(*) from center_touches) as n`)
  return row?.n
}

test('a database on its own server is left as it is', async () => {
  const database = await openTestDatabase()
  expect(await isFromElsewhere(database)).toBe(false)
  expect(await migrate(database)).toEqual([])
})

describe.each([
  ['was restored from another server', FOREIGN],
  ['has numbers that its server has not given yet', AHEAD],
])('a database that %s', (_, how) => {
  test('begins a new history of changes, once', async () => {
    const { api, cursor, rename } = await start()
    const before = await cursor()
    await rename('Known')
    await api.database.query(how)
    expect(await isFromElsewhere(api.database)).toBe(true)
    expect(await migrate(api.database)).toEqual([NEW_HISTORY])
    expect(await migrate(api.database)).toEqual([])
    expect(await numbers(api.database)).toBe(0)

    expect((await api.get(`/v1/changes?after=${before}`)).status).toBe(410)
    const after = await cursor()
    await rename('New')
    expect((await api.get(`/v1/changes?after=${after}`)).body.data).toMatchObject([
      { kind: 'guests', id: 'b1' },
    ])
    expect((await api.get('/v1/guests?startDate=2025-01-01&endDate=2025-01-31')).text).toContain('New')
  })
})
