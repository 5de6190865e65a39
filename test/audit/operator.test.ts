/** Every entry that a command adds to the trail says which system user ran it, on which machine. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACTS } from '../../src/core/audit/record-act.ts'
import { startCommands } from '../commands/sojourn.ts'
import { importAll } from '../intake/import-lines.ts'
import { sojourn } from '../support/run-sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { guest, spa } from '../support/world.ts'
import { entriesOf, problemsOf } from './reads.ts'

const MAPPING = 'records: {customer: {id: Nr, firstName: First, lastName: Last}}\n'

/** By intake keys, and by a webhook's messages, which tests of webhooks send. */
const NOT_TRIED = [
  'describeKey',
  'createDeviceLink',
  'revokeDeviceLink',
  'signInDevice',
  'takeRecords',
  'checkFile',
  'listImports',
  'addWebhook',
  'pauseWebhook',
  'resumeWebhook',
  'replayWebhook',
  'rotateWebhook',
  'removeWebhook',
]

test('an entry of the trail that a command makes has the system user, the machine and the key that it is about', async () => {
  const { env, database } = await startCommands()
  expect(await importAll(database, [spa(), ...guest('b1'), ...guest('b2')])).toMatchObject({ problems: [] })
  const run = async (...args: string[]) => {
    const ran = await sojourn(args, env)
    expect(ran, args.join(' ')).toMatchObject({ code: 0 })
    return ran.stdout
  }
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'))
  const key = await json('keys', 'create', '--center', 'spa', '--name', 'Desk', '--preset', 'desk')
  const link = await json(
    'links',
    'create',
    '/sessions?startDate=today&endDate=today',
    '--key',
    key.appId,
    '--name',
    'Wall',
  )
  await run('links', 'revoke', link.id)
  const rotated = await json('keys', 'rotate', key.publicKey)
  await run('keys', 'revoke', rotated.publicKey)
  const mapping = join(makeTemporaryFolder(), 'guests.yaml')
  writeFileSync(mapping, MAPPING)
  await run('mappings', 'save', '--center', 'spa', 'guests', mapping)
  await run('mappings', 'remove', '--center', 'spa', 'guests')
  await run('export', '--center', 'spa', '--output', join(makeTemporaryFolder(), 'all.ndjson'))
  await run('sources', 'set', '--center', 'spa', 'nightly', '--kinds', 'bookings', '--schedule', 'hourly')
  await run('sources', 'remove', '--center', 'spa', 'nightly')
  await run('sources', 'notify', '--center', 'spa', '--to', 'desk@example.org')
  const report = await json(
    ...['reports', 'add', '--key', key.appId, '--name', 'Arrivals', '--kind', 'arrivals', '--at', '06:00'],
    ...['--to', 'folder:desk'],
  )
  await run('reports', 'run', report.id)
  await run('reports', 'remove', report.id)
  await run('guest', 'find', '--name', 'Anna', '--center', 'spa')
  await run('guest', 'export', '--customer', 'c-b1', '--output', join(makeTemporaryFolder(), 'person'))
  await run('guest', 'erase', '--customer', 'c-b1', '--retention', '0', '--yes')
  await run('audit', 'list')

  const acts = (await entriesOf(database)).map(({ operation, query }) => ({
    operation,
    facts: Object.fromEntries(new URLSearchParams(query)),
  }))
  expect([...new Set(acts.map(({ operation }) => operation)), ...NOT_TRIED].sort()).toEqual([...ACTS].sort())
  for (const act of acts) expect(act).toMatchObject({ facts: { user: 'tester', machine: 'desk-1' } })
  const factsOf = (name: string) => acts.find(({ operation }) => operation === name)?.facts
  expect(factsOf('createKey')).toMatchObject({ publicKey: key.publicKey })
  expect(factsOf('rotateKey')).toMatchObject({ publicKey: rotated.publicKey, replaces: key.publicKey })
  expect(factsOf('revokeKey')?.publicKeys).toContain(rotated.publicKey)
  // A report has the rights of the application of a key.
  expect(factsOf('addReport')).toMatchObject({ report: report.id, appId: key.appId })
  expect(factsOf('runReport')).toMatchObject({ report: report.id, appId: key.appId })
  expect(factsOf('removeReport')).toMatchObject({ report: report.id, appId: key.appId })
  expect(await problemsOf(database, 'spa')).toEqual([])
})
