/** What the files of a folder hold, byte by byte, after somebody was erased from it. */
import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../../src/core/config/config.ts'
import { openDatabase } from '../../../src/core/database/open.ts'
import { clusterOf } from '../../../src/core/database/private/cluster.ts'
import { eraseSubject } from '../../../src/parts/data-rights/erase-subject.ts'
import { json, newFolder, sojourn } from '../../commands/sojourn.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { foundIn, TEXTS } from './erasure-kills.ts'
import { PERSON, person } from './person.ts'

const NOW = Date.parse('2025-01-10T12:00:00Z')

it('no file of the folder has a byte of the person any more', async () => {
  const folder = newFolder()
  const env = { DATA_DIR: folder }
  const records = person()
    .map((record) => JSON.stringify(record))
    .join('\n')
  await json(['import', '-'], env, records)
  // Statistics quote values, and are made by themselves once a table has a thousand rows.
  const database = await openDatabase(readConfig(env), { purpose: 'command' })
  await database.runScript('analyze customers, bookings, orders')
  await database.close()
  // A guard of the search.
  expect(new Set(foundIn(folder).map((hit) => hit.split(' in ')[0]))).toEqual(new Set(TEXTS))
  const erase = ['guest', 'erase', '--customer', PERSON, '--retention', '0']
  expect(await json([...erase, '--yes'], env)).toMatchObject({ bookings: 2, scrubbed: true })
  expect(foundIn(folder)).toEqual([])
  expect(await json([...erase, '--yes'], env)).toMatchObject({ center: 'spa', scrubbed: true })
  const again = await sojourn([...erase, '--yes'], env)
  expect(again.stdout).toMatch(/^This person was erased from spa already, at \d{4}-/)
  // Nor after the booking system has sent the person once more.
  expect(await json(['import', '-'], env, records)).toMatchObject({
    applied: true,
    erased: expect.any(Number),
  })
  expect(foundIn(folder)).toEqual([])
})

it('an erasure that ended after its commit is reported, and completed by the next start', async () => {
  const folder = newFolder()
  const env = { DATA_DIR: folder }
  const records = person().map((record) => JSON.stringify(record))
  await json(['import', '-'], env, records.join('\n'))
  const database = await openDatabase(readConfig(env), { purpose: 'command' })
  await database.runScript('analyze customers, bookings, orders')
  // Files of the log that are written to later still hold what they held.
  for (let round = 0; round < 3; round += 1) {
    await database.asSuperuser?.(['select pg_switch_wal()', 'checkpoint'])
  }
  await eraseSubject(database, { customer: PERSON, retentionMs: 0 }, { random: randomBytes, now: NOW })
  await database.close()

  expect(foundIn(folder)).not.toEqual([])
  const { incompleteErasure } = await json<{ incompleteErasure: string }>(['status'], env)
  expect(Date.parse(incompleteErasure)).toBeGreaterThan(NOW)
  expect((await sojourn(['status'], env)).stdout).toContain(
    `since ${incompleteErasure}: the person may still be in the files of the database; repeat "sojourn guest erase", or restart the service, to rewrite them`,
  )
  expect(foundIn(folder)).not.toEqual([])
  expect((await sojourn(['centers', 'list'], env)).code).toBe(0)
  expect(foundIn(folder)).toEqual([])
  expect(await json(['status'], env)).toMatchObject({ incompleteErasure: null })
})

it('a restored backup of the folder does not bring the person back: the next import erases them again', async () => {
  const folder = newFolder()
  const env = { DATA_DIR: folder }
  const records = person().map((record) => JSON.stringify(record))
  await json(['import', '-'], env, records.join('\n'))
  const [data, backup] = [clusterOf(folder), join(makeTemporaryFolder(), 'backup')]
  cpSync(data, backup, { recursive: true })
  await json(['guest', 'erase', '--customer', PERSON, '--retention', '0', '--yes'], env)
  rmSync(data, { recursive: true })
  cpSync(backup, data, { recursive: true })
  expect(foundIn(data)).not.toEqual([])
  const ran = await sojourn(['import', '-'], env, { stdin: records[0] ?? '' })
  expect(ran.stderr).toContain('Erased 1 person again, who had been erased before')
  expect(foundIn(folder)).toEqual([])

  // Elsewhere, the log has to be named.
  const other = makeTemporaryFolder()
  cpSync(backup, clusterOf(other), { recursive: true })
  const log = join(folder, 'erasures.ndjson')
  const again = await sojourn(['guest', 'erase', '--again', log, '--yes'], { DATA_DIR: other })
  expect(again).toMatchObject({
    code: 0,
    stdout: 'Erased 1 person again. 1 erasure of 1 had not been known.\n',
  })
  expect(foundIn(other)).toEqual([])
  expect(readFileSync(join(other, 'erasures.ndjson'), 'utf8')).toContain('"center":"spa"')
})
