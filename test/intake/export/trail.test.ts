/** The audit trail moves with its center as `export --audit | import --audit`, and no import can forge one. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../../../src/core/access/keys/create-key.ts'
import { recordListHash } from '../../../src/core/audit/entry.ts'
import { pruneTrail } from '../../../src/core/audit/prune-trail.ts'
import { trails, verifyTrail } from '../../../src/core/audit/verify/verify-trail.ts'
import { batchOfEntries } from '../../../src/core/audit/write/batch.ts'
import type { PreparedEntry } from '../../../src/core/audit/write/prepare-entries.ts'
import { writeBatch } from '../../../src/core/audit/write/write-batch.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { recordListText } from '../../../src/core/database/record-list.ts'
import { type ExportOptions, exportRecords } from '../../../src/core/intake/export/export-records.ts'
import { sojourn, startCommands } from '../../commands/sojourn.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { emptyDatabase, openTestDatabase } from '../../support/database.ts'
import { center, importAll } from '../import-lines.ts'

const START = Date.UTC(2025, 0, 1)
const DAY_MS = 86_400_000

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
const empty = () => emptyDatabase(database)
beforeEach(empty)

type Fields = Partial<PreparedEntry['content']> & { readonly ids?: readonly string[] }

let batches = 0

/** Writes entries as the service does, at moments that it would not have: to the microsecond. */
async function write(...entries: readonly Fields[]): Promise<void> {
  const batch = `batch-${batches++}`
  const prepared = entries.map(({ ids, ...fields }): PreparedEntry => {
    const list = ids === undefined ? null : recordListText(ids)
    const content = {
      center_id: 'c',
      at: START * 1000 + 123_456,
      batch,
      public_key: 'key',
      app_id: 'app',
      key_name: 'Lab',
      operation: 'listGuests',
      query: 'sessionId=s1',
      scopes: 'guests',
      records: ids?.length ?? 0,
      record_list: list === null ? null : recordListHash(list),
      revision: 1,
      reads: 1,
      requests: '0 200 request-1',
      channel: null,
      ...fields,
    }
    return { content, lastAt: Math.floor(content.at / 1000), recordList: list }
  })
  await writeBatch(database, batchOfEntries(prepared))
}

interface AnyRecord {
  readonly kind: string
  readonly [field: string]: unknown
}

async function exported(options: ExportOptions = { audit: true }): Promise<AnyRecord[]> {
  return JSON.parse(JSON.stringify((await Array.fromAsync(exportRecords(database, options))).flat()))
}

const text = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const withTrail = (records: readonly unknown[]) => importAll(database, records, { keys: true, audit: true })

/** By center: where its trail ends. Nothing in it is other than it was written. */
async function heads(): Promise<unknown[]> {
  const reports = []
  for (const id of await trails(database)) {
    const { problems, ...report } = await verifyTrail(database, id)
    expect(problems).toEqual([])
    reports.push(report)
  }
  return reports
}

describe('a trail', () => {
  test('is the same on every database, to the microsecond', async () => {
    batches = 0
    await write({ ids: ['b1', 'b2'] }, { at: START * 1000 + 1, key_name: 'Küche “2”', records: 1001 })
    expect(text(await exported())).toMatchInlineSnapshot(`
      "{"kind":"auditHead","centerId":"c","seq":2,"hash":"d9701910f144c02280bb73ce2b9b6434d2177e67cde5f3cf3eb44b27159c4f40","prunedSeq":0,"prunedHash":"0000000000000000000000000000000000000000000000000000000000000000"}
      {"kind":"auditRecordList","centerId":"c","hash":"18b31f8c59f5dc50e7a43035e88ad10d67a16f3ba240418771855e53a8594602","ids":["b1","b2"]}
      {"kind":"auditEntry","centerId":"c","seq":1,"at":"2025-01-01T00:00:00.123456Z","batch":"batch-0","publicKey":"key","appId":"app","keyName":"Lab","operation":"listGuests","query":"sessionId=s1","scopes":"guests","records":2,"recordList":"18b31f8c59f5dc50e7a43035e88ad10d67a16f3ba240418771855e53a8594602","revision":1,"reads":1,"requests":"0 200 request-1","previousHash":"0000000000000000000000000000000000000000000000000000000000000000","hash":"19101713c4adc15bd35be3f6c363fe582099bcf81a0dbc85faccbfbf8868bef3"}
      {"kind":"auditEntry","centerId":"c","seq":2,"at":"2025-01-01T00:00:00.000001Z","batch":"batch-0","publicKey":"key","appId":"app","keyName":"Küche “2”","operation":"listGuests","query":"sessionId=s1","scopes":"guests","records":1001,"revision":1,"reads":1,"requests":"0 200 request-1","previousHash":"19101713c4adc15bd35be3f6c363fe582099bcf81a0dbc85faccbfbf8868bef3","hash":"d9701910f144c02280bb73ce2b9b6434d2177e67cde5f3cf3eb44b27159c4f40"}
      "
    `)
  })

  test('is the same after it was imported elsewhere, whatever it holds, and verifies there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someEntries(), { minLength: 1, maxLength: 4 }), async (rounds) => {
        await empty()
        await importAll(database, [center()])
        for (const { entries, prunedAfterDays } of rounds) {
          await write(...entries)
          if (prunedAfterDays === undefined) continue
          const clock = clockedDatabase(database, () => START + prunedAfterDays * DAY_MS)
          await pruneTrail(clock, { days: 5 })
        }
        const before = await heads()
        const records = await exported()
        await empty()
        expect(await withTrail(records)).toMatchObject({ summary: { applied: true }, problems: [] })
        expect(text(await exported())).toBe(text(records))
        expect(await heads()).toEqual(before)
      }),
      { numRuns: 8 },
    )
  })

  test('goes on where it ended, with a key that was used in it', async () => {
    await importAll(database, [center()])
    const input = { centerId: 'c', name: 'Lab', scopes: ['meals'] }
    const { publicKey } = await createKey(database, input, { random: randomBytes, now: START })
    await write({ public_key: publicKey, ids: ['b1'] })
    const records = await exported({ keys: true, audit: true })
    expect(text(records)).toContain('"lastUsedAt":"2025-01-01T00:00:00.123Z"')
    await empty()
    await withTrail(records)
    await write({ public_key: publicKey, ids: ['b1'] })
    expect(await heads()).toMatchObject([{ center: 'c', entries: 2, head: { seq: 2 } }])
  })

  test('that stays behind takes the last use of the keys along, which `verify` would miss reads of', async () => {
    await importAll(database, [center()])
    const input = { centerId: 'c', name: 'Lab', scopes: ['meals'] }
    const { publicKey } = await createKey(database, input, { random: randomBytes, now: START })
    await write({ public_key: publicKey })
    const records = await exported({ keys: true })
    expect(text(records)).not.toMatch(/lastUsedAt|audit/)
    await empty()
    await withTrail(records)
    expect(await heads()).toEqual([])
  })

  test('of a center that is gone is exported with it or by itself, and of one center there is nothing of another', async () => {
    await importAll(database, [center()])
    await write({ center_id: 'gone' })
    await write({})
    const own = await exported({ center: 'gone', audit: true })
    expect(own.map(({ kind, centerId }) => [kind, centerId])).toEqual([
      ['auditHead', 'gone'],
      ['auditEntry', 'gone'],
    ])
    expect((await exported()).map(({ kind }) => kind)).toEqual([
      ...['center', 'auditHead', 'auditEntry'],
      ...['auditHead', 'auditEntry'],
    ])
    await expect(exported({ center: 'gone' })).rejects.toThrow('There is no center "gone"; there is c.')
  })

  test('may name more records at once than a line holds', async () => {
    const ids = Array.from({ length: 25_000 }, (_, at) => `booking-${at}`)
    await write({ ids })
    const records = await exported()
    const lists = records.filter(({ kind }) => kind === 'auditRecordList')
    expect(lists.map((list) => (list.ids as string[]).length)).toEqual([10_000, 10_000, 5000])
    await empty()
    expect(await withTrail(records)).toMatchObject({ problems: [] })
    expect(text(await exported())).toBe(text(records))
    await heads()
  })
})

describe('an import', () => {
  const aTrail = async () => {
    await write({ ids: ['b1'] }, { ids: ['b2', 'b3'] }, { ids: ['b1'] }, {})
    const records = await exported()
    return { records, before: text(records) }
  }

  test('is refused a trail that it was not asked to take', async () => {
    const { records } = await aTrail()
    await empty()
    const { problems, summary } = await importAll(database, records, { keys: true })
    expect(summary.applied).toBe(false)
    expect(problems[0]).toMatchObject({
      field: 'kind',
      message: 'is "auditHead"; use --audit to import the audit trail',
    })
  })

  test('changes nothing of a trail that is there, the same or another, and says so once', async () => {
    const { records, before } = await aTrail()
    await empty()
    await write({ ids: ['b1'] }, { ids: ['b2', 'b3'] })
    const shorter = text(await exported())
    for (const given of [records, await exported()]) {
      const { summary, problems } = await withTrail([center(), ...given])
      expect(summary.applied).toBe(false)
      expect(problems).toMatchObject([
        {
          kind: 'auditHead',
          field: 'centerId',
          message:
            'is "c", which has an audit trail here; a trail is imported only where there is none, and the one that is there stays as it is',
        },
      ])
      expect(text(await exported())).toBe(shorter)
    }
    expect(before).not.toBe(shorter)
  })

  test.each(['audit_heads', 'audit_entries', 'audit_record_lists'])(
    'takes a center for one with a trail of which only %s is left',
    async (left) => {
      const { records } = await aTrail()
      for (const table of ['audit_heads', 'audit_entries', 'audit_record_lists']) {
        if (table !== left) await database.runScript(`truncate ${table}`)
      }
      const { problems } = await withTrail(records)
      expect(problems).toMatchObject([{ kind: 'auditHead', field: 'centerId' }])
    },
  )

  const entry = (records: AnyRecord[], seq: number) =>
    records.findIndex((record) => record.kind === 'auditEntry' && record.seq === seq)
  const headOf = (records: AnyRecord[]) => records.findIndex(({ kind }) => kind === 'auditHead')
  const list = (records: AnyRecord[]) => records.findIndex(({ kind }) => kind === 'auditRecordList')

  /** What somebody may do to a file: each with what is said, and of which record. */
  const forgeries: [string, (records: AnyRecord[]) => AnyRecord[], string, RegExp][] = [
    [
      'an entry was changed',
      (all) => all.with(entry(all, 2), { ...all[entry(all, 2)]!, keyName: 'Nobody' }),
      'auditHead',
      /^is of a trail that is not as it was written: Entry 2 was changed after it was written\.$/,
    ],
    [
      'a moment was changed by a microsecond',
      (all) => all.with(entry(all, 2), { ...all[entry(all, 2)]!, at: '2025-01-01T00:00:00.123457Z' }),
      'auditHead',
      /Entry 2 was changed/,
    ],
    ['an entry is gone', (all) => all.toSpliced(entry(all, 3), 1), 'auditHead', /Entry 3 is missing/],
    ['the end is gone', (all) => all.toSpliced(entry(all, 4), 1), 'auditHead', /Entry 4 is missing/],
    ['the beginning is gone', (all) => all.toSpliced(entry(all, 1), 1), 'auditHead', /Entry 1 is missing/],
    [
      'the beginning is gone as if it was pruned',
      (all) =>
        all
          .with(headOf(all), {
            ...all[headOf(all)]!,
            prunedSeq: 1,
            prunedHash: all[entry(all, 1)]?.hash,
          })
          .toSpliced(entry(all, 1), 1),
      'auditHead',
      /no entry of the trail says so: they were deleted/,
    ],
    [
      'the head was set back',
      (all) => all.with(headOf(all), { ...all[headOf(all)]!, seq: 2, hash: all[entry(all, 2)]?.hash }),
      'auditHead',
      /Entries from 3 are after the end of the trail/,
    ],
    [
      'a list names another record',
      (all) => all.with(list(all), { ...all[list(all)]!, ids: ['b9'] }),
      'auditHead',
      /The list of records of .* was changed after it was written/,
    ],
    [
      'a list is gone',
      (all) => all.toSpliced(list(all), 1),
      'auditHead',
      /The list of records of .* is missing/,
    ],
    [
      'the head is gone',
      (all) => all.toSpliced(headOf(all), 1),
      'auditRecordList',
      /^is "c", whose auditHead is not among these records; a trail is imported as a whole$/,
    ],
    [
      'an entry came twice',
      (all) => [...all, all[entry(all, 3)]!],
      'auditEntry',
      /^is given twice: each auditEntry has one line$/,
    ],
    [
      'an entry is to be removed',
      (all) => [...all, { kind: 'auditEntry', centerId: 'c', seq: 3, deleted: true }],
      'auditEntry',
      /^is given; records of a trail cannot be removed$/,
    ],
    [
      'an entry is of another center',
      (all) => all.with(entry(all, 3), { ...all[entry(all, 3)]!, centerId: 'd' }),
      'auditEntry',
      /^is "d", whose auditHead is not among/,
    ],
    [
      'a moment has no microseconds',
      (all) => all.with(entry(all, 3), { ...all[entry(all, 3)]!, at: '2025-01-01T00:00:00.123Z' }),
      'auditEntry',
      /expected a moment in UTC with six decimals/,
    ],
    [
      'a field is missing',
      (all) => all.map(({ revision: _, ...record }) => record as AnyRecord),
      'auditEntry',
      /^is required$/,
    ],
  ]

  test.each(forgeries)('writes nothing where %s', async (_, forge, kind, message) => {
    const { records } = await aTrail()
    await empty()
    const forged = forge(records)
    expect(text(forged)).not.toBe(text(records))
    const { summary, problems } = await withTrail([center(), ...forged])
    expect(summary.applied).toBe(false)
    expect(problems[0]).toMatchObject({ kind, message: expect.stringMatching(message) })
    expect(await exported()).toEqual([])
  })

  test('of a trail whose end is gone is found out by the keys that come with it', async () => {
    await importAll(database, [center()])
    const input = { centerId: 'c', name: 'Lab', scopes: ['meals'] }
    const { publicKey } = await createKey(database, input, { random: randomBytes, now: START })
    await write({ public_key: publicKey })
    const records = await exported()
    await write({ public_key: publicKey, at: (START + DAY_MS) * 1000 })
    const keys = (await exported({ keys: true, audit: true })).filter(({ kind }) => kind === 'key')
    await empty()
    const { problems } = await withTrail([...records, ...keys])
    expect(problems).toMatchObject([
      {
        message: expect.stringMatching(/A key of the center was used at .* the end of the trail is missing/),
      },
    ])
  })

  test('of a trail says what it would do, and does nothing in a dry run', async () => {
    const { records } = await aTrail()
    await empty()
    const { summary } = await importAll(database, records, { audit: true, dryRun: true })
    expect(summary).toMatchObject({ applied: false, rejected: 0, kinds: { auditEntry: { created: 4 } } })
    expect(await exported()).toEqual([])
  })
})

describe('the commands', () => {
  test('take --audit on both sides, and a trail only as a whole', async () => {
    const { env } = await startCommands()
    const trail = async () => (await sojourn(['export', '--audit'], env)).stdout
    await write({ ids: ['b1'] })
    const records = text([center(), ...(await exported())])
    expect(await sojourn(['import', '--audit', '-'], env, { stdin: records })).toMatchObject({ code: 0 })
    expect(await sojourn(['audit', 'verify'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('c: 1 entry of 1 read; no problems found.'),
    })
    // The export is an entry itself, after those that were imported.
    const moved = (await trail()).trimEnd().split('\n')
    expect(moved[0]).toContain('{"kind":"center"')
    const [, list = '', entry = ''] = text(await exported()).split('\n')
    expect(moved.slice(2, -1)).toEqual([list, entry])
    expect(moved.at(-1)).toContain('"seq":2,')
    expect(await sojourn(['import', '--audit', '-'], env, { stdin: records })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^stdin:2: auditHead\.centerId: is "c", which has an audit trail here;.*\n$/,
      ),
    })
    expect(
      await sojourn(['import', '--audit', '--skip-invalid', '-'], env, { stdin: records }),
    ).toMatchObject({
      code: 2,
      stderr:
        '--audit imports whole trails, so it cannot be combined with --skip-invalid. See "sojourn import --help".\n',
    })
  })
})

/** A few entries within two weeks of each other, and after how many days the trail was pruned, if it was. */
function someEntries() {
  const words = fc
    .string({ unit: 'binary', maxLength: 12 })
    .map((word) => word.replaceAll(/[\0\ud800-\udfff]/g, ''))
  const id = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,20}$/).filter((value) => value !== '__proto__')
  const fields = fc.record(
    {
      center_id: fc.constantFrom('c', 'gone'),
      at: fc.integer({ min: START * 1000, max: (START + 9 * DAY_MS) * 1000 }),
      key_name: words,
      query: words,
      scopes: fc.constantFrom('', 'guests', 'guests guests.medical'),
      revision: fc.nat(),
      ids: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: ['center_id', 'at'] },
  )
  return fc.record(
    {
      entries: fc.array(fields, { minLength: 1, maxLength: 6 }),
      prunedAfterDays: fc.integer({ min: 6, max: 12 }),
    },
    { requiredKeys: ['entries'] },
  )
}
