/** An older backup does not bring a person back who was erased since. */
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import { importRecords } from '../../../src/core/intake/import-records.ts'
import { recordLines } from '../../../src/core/intake/lines/record-line.ts'
import { eraseSubject } from '../../../src/parts/data-rights/erase-subject.ts'
import {
  applyErasures,
  type LoggedErasure,
  mergeErasures,
  readErasureLog,
  syncErasureLog,
} from '../../../src/parts/data-rights/erasure-log.ts'
import { openTestDatabase } from '../../support/database.ts'
import { everyText } from '../../support/every-text.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { guest, type TestRecord } from '../../support/world.ts'
import { NEEDLES, PERSON, person } from './person.ts'

type Opened = Awaited<ReturnType<typeof openTestDatabase>>

const making = { random: randomBytes }
const load = (database: Opened, records: readonly TestRecord[] = person(), restoreErased = false) =>
  importRecords(database, recordLines(records), { center: 'spa', restoreErased })
const erase = (database: Opened, customer = PERSON, keepOrders = false) =>
  eraseSubject(
    database,
    { customer, retentionMs: 0, keepOrders },
    { ...making, now: Date.parse('2025-01-10T12:00:00Z') },
  )
const customersOf = async (database: Opened) =>
  (await database.query<{ id: string }>(sql`select id from customers order by id`)).map(({ id }) => id)
const foundIn = async (database: Opened) => {
  const text = (await everyText(database)).toLowerCase()
  return NEEDLES.filter((needle) => text.includes(needle.toLowerCase()))
}

let folder: string
let log: string
let database: Opened
beforeEach(async () => {
  folder = makeTemporaryFolder()
  log = join(folder, 'erasures.ndjson')
  database = await openTestDatabase()
  await load(database)
})

/** As it was before the erasure: the same person in a database that knows of no erasure. */
async function older(): Promise<Opened> {
  const backup = await openTestDatabase()
  await load(backup, [...person(), ...guest('other')])
  return backup
}

describe('the log of erasures', () => {
  it('says nothing of the person, and only its owner may read it', async () => {
    await erase(database)
    expect(await syncErasureLog(database, folder, making)).toMatchObject({ erased: 0, learned: 0 })
    const text = readFileSync(log, 'utf8')
    expect(NEEDLES.filter((needle) => text.includes(needle))).toEqual([])
    expect(statSync(log).mode & 0o777).toBe(0o600)
    expect(readErasureLog(text)).toEqual([expect.objectContaining({ center: 'spa' })])
  })

  it('erases the person again from an older backup, and nobody else, and later imports leave the person out', async () => {
    await erase(database)
    await syncErasureLog(database, folder, making)
    const backup = await older()
    expect(await applyErasures(backup, readErasureLog(readFileSync(log, 'utf8')), making)).toEqual({
      erased: 1,
      learned: 1,
    })
    expect(await foundIn(backup)).toEqual([])
    expect(await customersOf(backup)).toEqual(['c-b-3', 'c-other'])
    expect(await load(backup)).toMatchObject({ applied: true, erased: 4 })
    expect(await foundIn(backup)).toEqual([])
  })

  it('is applied by itself where it is of this database: the next start finds it in the folder', async () => {
    await load(database, guest('first'))
    await erase(database, 'c-first')
    await syncErasureLog(database, folder, making)
    const [first] = readErasureLog(readFileSync(log, 'utf8'))
    const backup = await older()
    if (first !== undefined) await applyErasures(backup, [first], making)
    await erase(database)
    await syncErasureLog(database, folder, making)
    expect(await syncErasureLog(backup, folder, making)).toEqual({ erased: 1, learned: 1, unsure: 0 })
    expect(await foundIn(backup)).toEqual([])
    expect(await syncErasureLog(backup, folder, making)).toEqual({ erased: 0, learned: 0, unsure: 0 })
  })

  it('leaves stored orders unchanged', async () => {
    await erase(database, PERSON, true)
    await syncErasureLog(database, folder, making)
    const backup = await older()
    await applyErasures(backup, readErasureLog(readFileSync(log, 'utf8')), making)
    const [own] = await backup.query(sql`select notes is not null as stored from orders where uuid = 'o-own'`)
    expect(own).toEqual({ stored: true })
  })

  it('does not erase whom somebody imported again on purpose', async () => {
    await erase(database)
    await syncErasureLog(database, folder, making)
    await load(database, person(), true)
    expect(await syncErasureLog(database, folder, making)).toMatchObject({ erased: 0 })
    expect(await syncErasureLog(database, folder, making)).toMatchObject({ erased: 0 })
    expect(await customersOf(database)).toContain(PERSON)
    const backup = await older()
    await applyErasures(backup, readErasureLog(readFileSync(log, 'utf8')), making)
    expect(await customersOf(backup)).toContain(PERSON)
    await erase(database)
    await syncErasureLog(database, folder, making)
    await applyErasures(backup, readErasureLog(readFileSync(log, 'utf8')), making)
    expect(await customersOf(backup)).not.toContain(PERSON)
  })

  it('is not applied automatically to another database of a server, and that is reported', async () => {
    await erase(database)
    await syncErasureLog(database, folder, making)
    const other = await older()
    expect(await syncErasureLog(other, folder, making)).toEqual({ erased: 0, learned: 0, unsure: 1 })
    expect(await customersOf(other)).toContain(PERSON)
  })

  it('is left unchanged if it cannot be read, and that is reported', async () => {
    await erase(database)
    writeFileSync(log, 'no log\n')
    const { problem } = await syncErasureLog(database, folder, making)
    expect(problem).toBe(`${log}: line 1 is not of a log of erasures`)
    expect(readFileSync(log, 'utf8')).toBe('no log\n')
  })

  it('has the newest of what several say', () => {
    const entry = (more: Partial<LoggedErasure>): LoggedErasure => ({
      center: 'spa',
      salt: 'aa',
      customer: 'bb',
      digests: [],
      erasedAt: '2025-01-01T00:00:00.000Z',
      ...more,
    })
    const lifted = entry({ liftedAt: '2025-01-02T00:00:00.000Z', digests: ['cc'] })
    const again = entry({ erasedAt: '2025-01-03T00:00:00.000Z', digests: ['dd'] })
    expect(mergeErasures([lifted], [again])).toEqual([
      { ...again, digests: ['cc', 'dd'], liftedAt: '2025-01-02T00:00:00.000Z' },
    ])
  })
})
