import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../support/database.ts'
import { problemsOf, read, START, startAudit } from './reads.ts'

it('the trail does not wait for a key that somebody is changing, and notes its use the next time', async () => {
  const database = await openTestDatabase()
  await database.query(sql`
    insert into centers (center_id, name, timezone, currency) values ('spa', 'Spa', 'UTC', 'EUR')`)
  await database.query(sql`
    insert into api_keys (public_key, center_id, app_id, name, secret_hash, scopes)
    values ('busy', 'spa', 'app', 'Lab', '\\x00', '{guests}')`)
  const lastUsed = () => database.query(sql`select last_used_at as at from api_keys`)
  const { audit, time } = startAudit(database)
  await database.transaction(async (tx) => {
    await tx.query(sql`select from api_keys where public_key = 'busy' for update`)
    audit.record(read({ key: { publicKey: 'busy' } }))
    // Over another connection, while the lock is held: a writer that waits for it ends with the test's time.
    await audit.flush()
    expect(await database.query(sql`select seq from audit_entries`)).toEqual([{ seq: 1 }])
  })
  expect(await lastUsed()).toEqual([{ at: null }])
  time.now += 20_000
  audit.record(read({ key: { publicKey: 'busy' } }))
  await audit.flush()
  expect(await lastUsed()).toEqual([{ at: START + 20_000 }])
  expect(await problemsOf(database)).toEqual([])
})
