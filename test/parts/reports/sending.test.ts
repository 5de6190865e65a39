/** Reports reach each destination once, with the rights of their key, or it is known why not. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { eraseSubject } from '../../../src/parts/data-rights/erase-subject.ts'
import {
  listReports,
  removeReport,
  runReportNow,
  showReport,
} from '../../../src/parts/reports/manage-reports.ts'
import { addWebhook } from '../../../src/parts/webhooks/manage-webhooks.ts'
import { createAddressRule } from '../../../src/parts/webhooks/target.ts'
import type { TestApi } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { guest, lodge, spa, type TestRecord } from '../../support/world.ts'
import { startReceiver, verified } from '../webhooks/receiver.ts'
import { startPrinter } from './printer.ts'
import { type Clock, type Reporting, startReporting, switchable } from './reporting.ts'

const SIX = Date.parse('2025-01-12T04:00:00Z')
const MINUTE = 60_000
const RECORDS = [spa(), ...guest('a', { acc: { roomId: '101' } })]

let clock: Clock
beforeEach(() => {
  clock = { now: SIX - 2 * MINUTE }
})

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
const kitchen = ({ folder }: Reporting) => filesIn(join(folder, 'spa', 'kitchen'))
const lastRun = async ({ api }: Reporting, id: string) => (await showReport(api.database, id)).runs[0]

/** Moves the clock in steps, and looks after each. */
async function pass(reporting: Reporting, ms: number, step = MINUTE): Promise<void> {
  for (const end = clock.now + ms; clock.now < end; ) {
    clock.now = Math.min(end, clock.now + step)
    await reporting.look()
  }
}

describe('a report whose time has come', () => {
  it('is sent once, however often the service looks', async () => {
    const reporting = await startReporting({ clock, records: RECORDS })
    await reporting.add()
    await reporting.look()
    expect(kitchen(reporting)).toEqual([])
    await pass(reporting, 10 * MINUTE)
    expect(kitchen(reporting)).toEqual(['Kitchen 2025-01-12 0600.txt'])
    const [report] = await listReports(reporting.api.database, 'spa')
    expect(report?.runs).toMatchObject([
      { state: 'sent', attempts: 1, deliveries: [{ destination: 'folder:kitchen', state: 'sent' }] },
    ])
    expect(report?.nextAt).toBe('2025-01-13T04:00:00.000Z')
  })

  it('a report has the rights of its application at that moment, and its reads are in the trail', async () => {
    const reporting = await startReporting({ clock, records: RECORDS })
    const key = await reporting.api.createKey({ scopes: ['meals'] })
    await reporting.add({ key: key.appId })
    await pass(reporting, 3 * MINUTE)
    await reporting.api.app.close()
    const rows = await reporting.api.database.query<{ operation: string; public_key: string }>(
      sql`select operation, public_key from audit_entries where center_id = 'spa' and public_key = ${key.publicKey}`,
    )
    expect(rows.map(({ operation }) => operation)).toContain('mealPortions')
  })

  it('a report of a revoked key sends nothing, and says why', async () => {
    const reporting = await startReporting({ clock, records: RECORDS })
    const key = await reporting.api.createKey({ scopes: ['meals'] })
    const { id } = await reporting.add({ key: key.appId })
    await reporting.api.database.query(
      sql`update api_keys set revoked_at = ${new Date(clock.now).toISOString()} where public_key = ${key.publicKey}`,
    )
    await pass(reporting, 5 * MINUTE)
    expect(kitchen(reporting)).toEqual([])
    expect(await lastRun(reporting, id)).toMatchObject({
      state: 'refused',
      problem: 'Its application has no active key.',
    })
  })

  it('two instances send a report once', async () => {
    const one = await startReporting({ clock, records: RECORDS })
    const two = await startReporting({
      clock,
      database: one.api.database,
      folder: one.folder,
      records: [spa()],
    })
    const { id } = await one.add()
    clock.now = SIX + 1000
    await Promise.all([one.look(), two.look()])
    await Promise.all([one.look(), two.look()])
    expect(kitchen(one)).toHaveLength(1)
    expect(await lastRun(one, id)).toMatchObject({ state: 'sent', attempts: 1 })
  })

  it('is sent again when a person asks for it', async () => {
    const reporting = await startReporting({ clock, records: RECORDS })
    const { id } = await reporting.add()
    await runReportNow(
      clockedDatabase(reporting.api.database, () => clock.now),
      id,
    )
    await reporting.look()
    expect(kitchen(reporting)).toEqual(['Kitchen 2025-01-12 0558.txt'])
    await removeReport(reporting.api.database, id)
    await pass(reporting, 5 * MINUTE)
    expect(kitchen(reporting)).toHaveLength(1)
  })

  it('is missed, and reported, if the service did not run for more than a day', async () => {
    const reporting = await startReporting({ clock, records: RECORDS })
    await reporting.add()
    clock.now = SIX + 49 * 60 * MINUTE
    await reporting.look()
    const [report] = await listReports(reporting.api.database, 'spa')
    expect(report?.runs.map(({ state }) => state)).toEqual(['sent', 'missed', 'missed'])
    expect(kitchen(reporting)).toEqual(['Kitchen 2025-01-14 0600.txt'])
  })
})

describe('a webhook', () => {
  const WEBHOOKS_KEY = randomBytes(32).toString('base64')
  const allowed = createAddressRule(['127.0.0.1'])
  const start = (records: readonly TestRecord[] = RECORDS) =>
    startReporting({
      clock,
      records,
      app: { webhooksKey: WEBHOOKS_KEY, webhooksAllowedAddresses: ['127.0.0.1'] },
    })
  const webhookOf = (api: TestApi, center: string, url: string) =>
    addWebhook(
      api.database,
      { centerId: center, name: 'Kitchen system', url, scopes: ['meals'] },
      { random: randomBytes, key: WEBHOOKS_KEY, allows: allowed, hasAllowed: true },
    )

  it('gets the document in a signed message, and the same message again until it has accepted it', async () => {
    const receiver = await startReceiver()
    const reporting = await start()
    const { id, secret } = await webhookOf(reporting.api, 'spa', receiver.url)
    const report = await reporting.add({ to: [`webhook:${id}`], format: 'csv' })
    receiver.answer = (_, response) => void response.writeHead(503).end()
    await pass(reporting, 3 * MINUTE)
    expect(await lastRun(reporting, report.id)).toMatchObject({
      state: 'due',
      deliveries: [{ state: 'waiting', problem: expect.stringMatching(/did not accept it: .* 503/) }],
    })
    receiver.answer = (_, response) => void response.writeHead(204).end()
    await pass(reporting, 10 * MINUTE)
    expect(await lastRun(reporting, report.id)).toMatchObject({ state: 'sent' })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const last = receiver.received.at(-1)
    // The library looks at the time of the message, which is that of the test.
    vi.setSystemTime(Number(last?.headers['webhook-timestamp']) * 1000)
    const body = verified(secret, last!) as {
      readonly type: string
      readonly report: { readonly name: string }
      readonly file: { readonly name: string; readonly type: string; readonly content: string }
    }
    vi.useRealTimers()
    expect(body).toMatchObject({
      type: 'report',
      report: { id: report.id, name: 'Kitchen', kind: 'day' },
      scheduledAt: new Date(SIX).toISOString(),
      copy: false,
      file: { name: 'Kitchen 2025-01-12 0600.csv', type: 'text/csv; charset=utf-8' },
    })
    expect(Buffer.from(body.file.content, 'base64').toString()).toContain('2025-01-12,dinner,portions,,,1')
    const count = receiver.received.length
    await pass(reporting, 10 * MINUTE)
    expect(receiver.received).toHaveLength(count)
  })

  it('of another center is refused, and gets nothing from a report that names it nevertheless', async () => {
    const receiver = await startReceiver()
    const reporting = await start([...RECORDS, lodge()])
    const { id } = await webhookOf(reporting.api, 'lodge', receiver.url)
    await expect(reporting.add({ to: [`webhook:${id}`] })).rejects.toThrow(
      `The center has no webhook ${id}; "sojourn webhooks list" lists its webhooks.`,
    )
    const report = await reporting.add()
    await reporting.api.database.query(sql`update reports set destinations = ${[`webhook:${id}`]}`)
    await pass(reporting, 5 * MINUTE)
    expect(receiver.received).toEqual([])
    expect(await lastRun(reporting, report.id)).toMatchObject({
      state: 'missed',
      deliveries: [{ state: 'failed', problem: 'The center has no such webhook.' }],
    })
  })
})

describe('a destination that is away', () => {
  it('holds up no other, and gets the report when it is back', async () => {
    const folder = join(makeTemporaryFolder(), 'not-there-yet')
    const reporting = await startReporting({ clock, records: RECORDS, folder })
    const printer = await startPrinter()
    const other = await startReporting({
      clock,
      database: reporting.api.database,
      folder,
      records: [spa()],
      app: { reportsPrinters: [{ center: 'spa', name: 'kitchen', uri: printer.uri }] },
    })
    const { id } = await other.add({ to: ['folder:kitchen', 'printer:kitchen'] })
    await pass(other, 20 * MINUTE)
    expect(printer.jobs).toHaveLength(1)
    expect(await lastRun(other, id)).toMatchObject({
      state: 'due',
      deliveries: [
        { destination: 'folder:kitchen', state: 'waiting', problem: 'The folder cannot be written: ENOENT.' },
        { destination: 'printer:kitchen', state: 'sent' },
      ],
    })
    mkdirSync(folder)
    await pass(other, 10 * MINUTE)
    expect(kitchen(other)).toHaveLength(1)
    expect(printer.jobs).toHaveLength(1)
    expect(await lastRun(other, id)).toMatchObject({ state: 'sent' })
  })

  it('a printer that printed it before nobody could write that down does not print it again', async () => {
    const printer = await startPrinter()
    const reporting = await startReporting({
      clock,
      records: RECORDS,
      app: { reportsPrinters: [{ center: 'spa', name: 'kitchen', uri: printer.uri }] },
    })
    await reporting.add({ to: ['printer:kitchen'] })
    printer.breaksOff = true
    await pass(reporting, 4 * MINUTE)
    printer.breaksOff = false
    await pass(reporting, 10 * MINUTE)
    expect(printer.jobs).toHaveLength(1)
  })
})

describe('the database is away', () => {
  it('the last good copy is sent while the database is away, with its age, and once', async () => {
    const switched = switchable(await openTestDatabase())
    const reporting = await startReporting({ clock, records: RECORDS, database: switched.database })
    const { id } = await reporting.add({ to: ['folder:kitchen', 'folder:office'] })
    await reporting.look()
    switched.isAway = true
    await pass(reporting, 8 * MINUTE)
    expect(kitchen(reporting)).toEqual(['Kitchen 2025-01-12 0600-copy.txt'])
    const sheet = readFileSync(
      join(reporting.folder, 'spa', 'kitchen', 'Kitchen 2025-01-12 0600-copy.txt'),
      'utf8',
    )
    expect(sheet).toMatch(/Copy from 01\/12\/2025 05:58, [3-5] min old/)
    expect(sheet).toContain('Sunday 01/12/2025')
    switched.isAway = false
    await pass(reporting, 10 * MINUTE)
    expect(kitchen(reporting)).toHaveLength(1)
    expect(filesIn(join(reporting.folder, 'spa', 'office'))).toHaveLength(1)
    expect(await lastRun(reporting, id)).toMatchObject({ state: 'sent', is_copy: true })
  })

  it('a copy is not sent if its key was revoked before the database went away', async () => {
    const switched = switchable(await openTestDatabase())
    const reporting = await startReporting({ clock, records: RECORDS, database: switched.database })
    const key = await reporting.api.createKey({ scopes: ['meals'] })
    await reporting.add({ key: key.appId })
    await reporting.look()
    await reporting.api.database.query(
      sql`update api_keys set revoked_at = ${new Date(clock.now).toISOString()} where public_key = ${key.publicKey}`,
    )
    await reporting.look()
    switched.isAway = true
    await pass(reporting, 10 * MINUTE)
    expect(kitchen(reporting)).toEqual([])
  })

  it('a copy that was made before a person was erased is neither stored nor sent any more', async () => {
    const switched = switchable(await openTestDatabase())
    const reporting = await startReporting({
      clock,
      records: [...RECORDS, ...guest('z', { acc: { roomId: '105' } }, { firstName: 'Quirina' })],
      database: switched.database,
    })
    await reporting.add({ kind: 'arrivals', times: ['06:00', '07:00'] })
    await reporting.add({ kind: 'query', question: '/guests?startDate=today&endDate=today' })
    await reporting.look()
    const stored = () =>
      filesIn(reporting.copiesFolder)
        .filter((name) => name.endsWith('.copy.json'))
        .map((name) => readFileSync(join(reporting.copiesFolder, name), 'utf8'))
    expect(stored().join()).toContain('Quirina')
    clock.now += 1000
    await eraseSubject(
      clockedDatabase(switched.database, () => clock.now),
      { customer: 'c-z', retentionMs: 0 },
      { random: randomBytes, now: clock.now },
    )
    clock.now += 1000
    await reporting.look()
    expect(stored()).toHaveLength(2)
    expect(stored().join()).not.toContain('Quirina')
    switched.isAway = true
    await pass(reporting, 8 * MINUTE)
    const sent = kitchen(reporting).map((name) =>
      readFileSync(join(reporting.folder, 'spa', 'kitchen', name), 'utf8'),
    )
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.join()).not.toContain('Quirina')
  })

  it('copies can be read by the user of the service alone', async () => {
    const reporting = await startReporting({ clock, records: RECORDS })
    const { id } = await reporting.add()
    await reporting.look()
    const modes = readdirSync(reporting.copiesFolder).map(
      (name) => statSync(join(reporting.copiesFolder, name)).mode & 0o777,
    )
    expect(readdirSync(reporting.copiesFolder)).toContain(`${id}.copy.json`)
    expect(new Set(modes)).toEqual(new Set([0o600]))
    expect(statSync(reporting.copiesFolder).mode & 0o777).toBe(0o700)
  })

  it('a process that ends after sending a copy does not send it again', async () => {
    const switched = switchable(await openTestDatabase())
    const options = { clock, database: switched.database, records: RECORDS }
    const reporting = await startReporting(options)
    await reporting.add()
    await reporting.look()
    switched.isAway = true
    await pass(reporting, 8 * MINUTE)
    switched.isAway = false
    await reporting.api.app.close()
    const { folder, copiesFolder } = reporting
    const again = await startReporting({
      ...options,
      folder: makeTemporaryFolder(),
      copiesFolder,
      records: [spa()],
    })
    await pass(again, 10 * MINUTE)
    expect(filesIn(join(folder, 'spa', 'kitchen'))).toHaveLength(1)
    expect(kitchen(again)).toEqual([])
  })
})

it('the trail says how many addresses a report has, and not whose they are', async () => {
  const reporting = await startReporting({ clock, records: RECORDS })
  await reporting.add({ to: ['mail:maria@center.example', 'mail:ion@center.example', 'folder:kitchen'] })
  const rows = await reporting.api.database.query<{ query: string }>(
    sql`select query from audit_entries where operation = 'addReport'`,
  )
  const facts = rows.map(({ query }) => Object.fromEntries(new URLSearchParams(query)))
  expect(facts).toMatchObject([{ destinations: 'mail, folder:kitchen', addresses: '2' }])
  expect(JSON.stringify(rows)).not.toContain('center.example')
})

describe('a report that cannot be', () => {
  it.each([
    ['folder:../elsewhere'],
    ['folder:/etc'],
    ['folder:a/.ssh'],
    ['folder:'],
    ['printer:other'],
    ['mail:nobody'],
    ['mail:a@b.example,c@d.example\r\nBcc: x@y.example'],
    ['webhook:https://example.org'],
    ['fax:1'],
  ])('a destination that is not allowed is refused: %s', async (to) => {
    const reporting = await startReporting({ clock, records: [spa()] })
    await expect(reporting.add({ to: [to] })).rejects.toThrow(/is not|by its id/)
  })

  it('is refused if the key may not read it', async () => {
    const reporting = await startReporting({ clock, records: [spa()] })
    const key = await reporting.api.createKey({ scopes: ['meals'] })
    await expect(reporting.add({ key: key.appId, kind: 'rooms' })).rejects.toThrow(/needs the scope rooms/)
  })

  it('is refused if its query is none', async () => {
    const reporting = await startReporting({ clock, records: [spa()] })
    await expect(reporting.add({ kind: 'query', question: '/guests' })).rejects.toThrow(/startDate/)
    await expect(reporting.add({ kind: 'query', question: '/nowhere' })).rejects.toThrow(/no path/)
  })

  it('is refused if the center has twenty', async () => {
    const reporting = await startReporting({ clock, records: [spa()] })
    for (let count = 0; count < 20; count += 1) await reporting.add()
    await expect(reporting.add()).rejects.toThrow(/at most 20 reports/)
  })
})
