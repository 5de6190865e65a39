/** Commands that read the data of guests, or the trail, are in the trail. */
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { startCommands } from '../commands/sojourn.ts'
import { importAll } from '../intake/import-lines.ts'
import { sojourn } from '../support/run-sojourn.ts'
import { guest, LODGE, lodge, spa } from '../support/world.ts'
import { entriesOf, problemsOf } from './reads.ts'

async function startWorld() {
  const { env, database } = await startCommands()
  const records = [spa(), lodge(), ...guest('b1'), ...guest('b2')]
  expect(await importAll(database, records)).toMatchObject({ problems: [] })
  const run = (...args: string[]) => sojourn(args, env)
  const acts = async () =>
    (await entriesOf(database)).map(({ center_id, key_name, operation, query, scopes, records }) => ({
      center_id,
      key_name,
      operation,
      query,
      scopes,
      records,
    }))
  return { run, database, acts, env }
}

const SCOPES =
  'guests guests.personal guests.medical guests.financial meals sessions orders sources rooms guests.paid'

describe('sojourn export', () => {
  it('an export is recorded in each center before it begins, with who ran it', async () => {
    const { run, database, acts } = await startWorld()
    expect(await run('export', '--keys', '--audit')).toMatchObject({ code: 0 })
    const common = {
      key_name: 'command line',
      operation: 'exportRecords',
      query: 'user=tester&machine=desk-1&keys=true&audit=true',
      scopes: SCOPES,
    }
    expect(await acts()).toEqual([
      { center_id: LODGE, ...common, records: 0 },
      { center_id: 'spa', ...common, records: 2 },
    ])
    for (const center of [LODGE, 'spa']) expect(await problemsOf(database, center)).toEqual([])
  })

  it('of one center is recorded there only, and with the trail contains its own entry', async () => {
    const { run, acts } = await startWorld()
    const { stdout } = await run('export', '--center', 'spa', '--audit')
    expect(await acts()).toMatchObject([{ center_id: 'spa', query: 'user=tester&machine=desk-1&audit=true' }])
    const entries = stdout.split('\n').filter((line) => line.includes('"kind":"auditEntry"'))
    expect(entries).toHaveLength(1)
    expect(entries[0]).toContain('"operation":"exportRecords"')
  })

  it('of a center that does not exist is not recorded, and begins no trail', async () => {
    const { run, database, acts } = await startWorld()
    expect(await run('export', '--center', 'spaa')).toMatchObject({ code: 1, stdout: '' })
    expect(await acts()).toEqual([])
    expect(await database.query(sql`select center_id from audit_heads`)).toEqual([])
  })

  it('shows nothing if it cannot be recorded', async () => {
    const { run, database } = await startWorld()
    await database.query(
      sql`alter table audit_entries add constraint refuse check (operation <> 'exportRecords')`,
    )
    const { code, stdout } = await run('export')
    expect([code, stdout]).toEqual([1, ''])
  })
})

describe('sojourn audit list', () => {
  it('is recorded in each center that is listed, with who ran it and what was asked', async () => {
    const { run, database, acts } = await startWorld()
    await run('export', '--center', 'spa')
    await run('audit', 'list', '--endpoint', '/guests', '--since', '7d')
    await run('audit', 'list', '--customer', 'c-b1', '--center', 'spa')
    const common = {
      center_id: 'spa',
      key_name: 'command line',
      operation: 'listTrail',
      scopes: '',
      records: 0,
    }
    expect((await acts()).slice(1)).toEqual([
      { ...common, query: 'user=tester&machine=desk-1&endpoint=listGuests&since=7d' },
      { ...common, query: 'user=tester&machine=desk-1&of=customer' },
    ])
    expect(await problemsOf(database, 'spa')).toEqual([])
  })

  it('does not contain its own entry, but those of earlier lists', async () => {
    const { run } = await startWorld()
    await run('export', '--center', 'spa')
    const operations = async () =>
      JSON.parse((await run('audit', 'list', '--json')).stdout).map(
        (one: { operation: string }) => one.operation,
      )
    expect(await operations()).toEqual(['exportRecords'])
    expect(await operations()).toEqual(['listTrail', 'exportRecords'])
    expect(
      JSON.parse((await run('audit', 'list', '--endpoint', 'listTrail', '--json')).stdout),
    ).toMatchObject([
      { filters: { user: 'tester', machine: 'desk-1' }, status: 0 },
      { filters: { user: 'tester', machine: 'desk-1' }, status: 0 },
    ])
  })

  it('never records what was typed in place of a key, which may be a secret', async () => {
    const { run, acts } = await startWorld()
    await run('export', '--center', 'spa')
    await run('audit', 'list', '--key', 'sjn_sk_notAKeyButASecret')
    expect((await acts()).at(-1)).toMatchObject({
      operation: 'listTrail',
      query: 'user=tester&machine=desk-1',
    })
  })
})
