/** Reports in folders: each center has its own, and nobody's report is lost for a name. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { runReportNow, showReport } from '../../../src/parts/reports/manage-reports.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { guest, lodge, spa } from '../../support/world.ts'
import { type Clock, type Reporting, startReporting } from './reporting.ts'

const SEVEN = Date.parse('2025-03-04T05:00:00Z')
const filesOf = ({ folder }: Reporting, path: string) => readdirSync(join(folder, path)).toSorted()

it('two reports of one name and minute, and two runs that a person asks for in one minute, are each a file', async () => {
  const clock: Clock = { now: SEVEN - 10_000 }
  const reporting = await startReporting({ clock, records: [spa(), ...guest('a')] })
  const { id } = await reporting.add({ name: 'Galley', times: ['07:00'], to: ['folder:day'] })
  await reporting.add({ name: 'Galley', times: ['07:00'], to: ['folder:day'] })
  clock.now = SEVEN + 1
  await reporting.look()
  expect(filesOf(reporting, 'spa/day')).toEqual([
    'Galley 2025-03-04 0700 (2).txt',
    'Galley 2025-03-04 0700.txt',
  ])
  const database = clockedDatabase(reporting.api.database, () => clock.now)
  for (const later of [61_000, 500]) {
    clock.now += later
    await runReportNow(database, id)
    await reporting.look()
  }
  expect(filesOf(reporting, 'spa/day')).toHaveLength(4)
  expect(filesOf(reporting, 'spa/day')).toContain('Galley 2025-03-04 0701 (2).txt')
  const { runs } = await showReport(reporting.api.database, id)
  expect(runs.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
})

it('two centers with a report of one name, in a folder of one name, have a file each', async () => {
  const clock: Clock = { now: SEVEN - 10_000 }
  const reporting = await startReporting({ clock, records: [spa(), lodge({ timezone: 'Europe/Bucharest' })] })
  const theirs = await reporting.api.createKey({ center: 'lodge', scopes: ['meals'] })
  for (const key of [reporting.api.key.appId, theirs.appId])
    await reporting.add({ key, name: 'Galley', times: ['07:00'], to: ['folder:day'] })
  clock.now = SEVEN + 1
  await reporting.look()
  expect(readdirSync(reporting.folder).toSorted()).toEqual(['lodge', 'spa'])
  for (const center of ['spa', 'lodge'])
    expect(filesOf(reporting, `${center}/day`)).toEqual(['Galley 2025-03-04 0700.txt'])
})

it('a file is recognized by its digest in the database if nobody recorded that it was sent', async () => {
  const clock: Clock = { now: SEVEN - 10_000 }
  const reporting = await startReporting({ clock, records: [spa(), ...guest('a')] })
  const { database } = reporting.api
  const { id } = await reporting.add({ name: 'Galley', times: ['07:00'], to: ['folder:day'] })
  clock.now = SEVEN + 1
  await reporting.look()
  const asIfKilled = async () => {
    await database.query(sql`update report_deliveries set state = 'waiting', sent_at = null`)
    await database.query(
      sql`update report_runs set state = 'due', ended_at = null, next_attempt_at = scheduled_at`,
    )
    clock.now += 60_000
    await reporting.look()
    return filesOf(reporting, 'spa/day')
  }
  expect(await asIfKilled()).toEqual(['Galley 2025-03-04 0700.txt'])
  expect((await showReport(database, id)).runs).toMatchObject([{ state: 'sent', attempts: 2 }])
  // Without it, the file could be anybody's.
  await database.query(sql`update report_deliveries set file = null`)
  expect(await asIfKilled()).toHaveLength(2)
})

it('the name of a file has at most 255 bytes, and no half letter', async () => {
  const clock: Clock = { now: SEVEN - 10_000 }
  const reporting = await startReporting({ clock, records: [spa(), ...guest('a')] })
  const name = `${'ก้'.repeat(30)}${'𐐷'.repeat(20)}`
  for (let count = 0; count < 2; count += 1)
    await reporting.add({ name, times: ['07:00'], to: ['folder:day'], format: 'xlsx' })
  clock.now = SEVEN + 1
  await reporting.look()
  const found = filesOf(reporting, 'spa/day')
  expect(found).toHaveLength(2)
  for (const file of found) {
    expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255)
    expect(file).toMatch(/^(?:ก้){30}(?:𐐷)+ 2025-03-04 0700(?: \(2\))?\.xlsx$/u)
  }
})
