import { expect, test } from 'vitest'
import { recordAct } from '../../src/core/audit/record-act.ts'
import { clockedDatabase } from '../support/clocked-database.ts'
import { openTestDatabase } from '../support/database.ts'
import { entriesOf, problemsOf, read, report, START, startAudit } from './reads.ts'

test('what an operator did is an entry of the chain like a read, and gone where it was taken back', async () => {
  const database = clockedDatabase(await openTestDatabase(), () => START + 7)
  const { audit } = startAudit(database)
  audit.record(read())
  await audit.flush()
  const act = {
    center: 'spa',
    name: 'createKey',
    facts: { key: 'pk', for: 'the lab & co' },
    scopes: ['guests', 'orders'],
  } as const
  const undo = new Error('undo')
  const takenBack = database.transaction(async (tx) => {
    await recordAct(tx, act)
    throw undo
  })
  await expect(takenBack).rejects.toBe(undo)
  expect(await report(database)).toMatchObject({ entries: 1, problems: [] })

  await database.transaction((tx) => recordAct(tx, act))
  // A center that nobody has read yet has a trail of its own.
  await database.transaction((tx) => recordAct(tx, { ...act, center: 'lodge', facts: {}, scopes: [] }))
  const entry = {
    center_id: 'spa',
    seq: 2,
    at: START + 7,
    public_key: '',
    app_id: '',
    key_name: 'command line',
    operation: 'createKey',
    query: 'key=pk&for=the+lab+%26+co',
    scopes: 'guests orders',
    records: 0,
    ids: null,
    revision: 0,
    reads: 1,
    requests: '0 0 -',
  }
  const acts = (await entriesOf(database)).filter(({ operation }) => operation === 'createKey')
  expect(acts).toEqual([{ ...entry, center_id: 'lodge', seq: 1, query: '', scopes: '' }, entry])
  audit.record(read())
  await audit.flush()
  expect(await report(database)).toMatchObject({ entries: 3, reads: 3, head: { seq: 3 }, problems: [] })
  expect(await problemsOf(database, 'lodge')).toEqual([])
})
