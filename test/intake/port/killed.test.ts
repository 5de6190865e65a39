/** A service that is killed while records go in keeps none of them, and takes the same delivery afterwards. */
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { CENTER, databaseSettings, json, sojourn, startServe } from '../../commands/sojourn.ts'
import { afterwards } from '../../support/database.ts'

test('a delivery that a kill cuts off leaves nothing, and goes in when it is sent again', async () => {
  const env = await databaseSettings()
  await sojourn(['import', '-'], env, { stdin: CENTER })
  const create = ['keys', 'create', '--center', 'fjord', '--name', 'PMS', '--intake']
  const { apiKey } = await json<{ apiKey: string }>(create, env)
  const records = [
    { kind: 'session', id: 'new', name: 'New', startDate: '2026-03-01', endDate: '2026-03-10' },
    { kind: 'customer', id: 'new', firstName: 'Ana', lastName: 'Pop' },
  ]
  const start = async () => {
    const service = await startServe({ ...env, INTAKE_PORT: '0' })
    const [, address = ''] = await service.until(/accepted at (http:\S+)/)
    const deliver = () =>
      fetch(address, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'one' },
        body: records.map((record) => JSON.stringify(record)).join('\n'),
      })
    return { service, deliver }
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  afterwards(() => client.end())
  const count = async (query: string) =>
    Number((await client.query(`select count(*) from ${query}`)).rows[0]?.count)

  const first = await start()
  // The session is written, and the customer waits for this.
  await client.query('begin; lock table customers in share mode')
  const answer = first.deliver().then(
    ({ status }) => status,
    () => 'no answer',
  )
  await vi.waitUntil(() => count(`pg_locks where not granted and relation = 'customers'::regclass`), {
    timeout: 60_000,
  })
  first.service.child.kill('SIGKILL')
  await first.service.ended
  expect(await answer).toBe('no answer')
  await client.query('rollback')
  // Others have databases of their own on this server.
  const ofService = `pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await vi.waitUntil(async () => (await count(ofService)) === 0, { timeout: 60_000 })
  for (const table of [
    'customers',
    'intake_answers',
    `sessions where id = 'new'`,
    `imports where way = 'intake'`,
  ]) {
    expect([table, await count(table)]).toEqual([table, 0])
  }

  const second = await start()
  expect((await second.deliver()).status).toBe(200)
  expect(await count('customers')).toBe(1)
})
