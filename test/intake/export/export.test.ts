/** What comes out goes in again: a center moves between databases as `export | import`. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../../../src/core/access/keys/create-key.ts'
import { revokeKey } from '../../../src/core/access/keys/revoke-key.ts'
import { PROJECTABLE_NAMES } from '../../../src/core/api/guests/projection.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { type ExportOptions, exportRecords } from '../../../src/core/intake/export/export-records.ts'
import type { ImportOptions } from '../../../src/core/intake/import-records.ts'
import { numberBookings } from '../../../src/core/intake/numbering/number-bookings.ts'
import { saveMapping } from '../../../src/core/intake/stored-mappings.ts'
import { centerId } from '../../../src/core/records/centers/center.ts'
import { demoRecords } from '../../../src/parts/demo/demo-records.ts'
import { json, sojourn, startCommands } from '../../commands/sojourn.ts'
import { startTestApi } from '../../support/api.ts'
import { emptyDatabase, openTestDatabase } from '../../support/database.ts'
import { randomCenter, seededRandom } from '../../support/random-center.ts'
import { onFullDisk } from '../../support/run-sojourn.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { spa } from '../../support/world.ts'
import { booking, center, customer, importAll, metaField, order, removed, session } from '../import-lines.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => emptyDatabase(database))

async function exported(options: ExportOptions = {}): Promise<object[]> {
  return (await Array.fromAsync(exportRecords(database, options))).flat()
}

async function imported(records: readonly unknown[], options: ImportOptions = {}): Promise<void> {
  const { summary, problems } = await importAll(database, records, options)
  expect(problems).toEqual([])
  expect(summary.applied).toBe(true)
}

const asJson = (line: string): unknown => JSON.parse(line)
const text = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Exports, and imports that into a database that has nothing: what is exported there. */
async function movedToAnother(options: ExportOptions = {}): Promise<{ before: string; after: string }> {
  const records = await exported(options)
  await emptyDatabase(database)
  await imported(records, { keys: true })
  return { before: text(records), after: text(await exported(options)) }
}

describe('an export', () => {
  test('of the demo center is the same after it was imported elsewhere, byte for byte', async () => {
    await imported([...demoRecords({ today: '2026-05-14' })])
    const { before, after } = await movedToAnother()
    expect(before.length).toBeGreaterThan(100_000)
    expect(after === before).toBe(true)
  })

  test('of what was imported is what was imported, whatever it was', async () => {
    await fc.assert(
      fc.asyncProperty(aCenter(), async (records) => {
        await emptyDatabase(database)
        await imported(records)
        expect(await exported()).toEqual(records)
      }),
      { numRuns: 25 },
    )
  })

  test('of a center shows the same in every list where it was imported elsewhere', async () => {
    const seed = 17
    const records = [spa(), ...randomCenter(seededRandom(seed))]
    const api = await startTestApi({ database, records, now: '2025-02-03T12:00:00Z' })
    const range = 'startDate=2024-01-01&endDate=2026-12-31'
    const fields = [...PROJECTABLE_NAMES, 'meta.diet'].join()
    const lists = async () => {
      const asker = api.as(await api.createKey())
      const urls = [`guests?${range}&project=${fields}`, `sessions?${range}`, `orders?${range}`]
      const files: string[] = []
      for (const url of urls) {
        const { text } = await asker.get(`/v1/${url}&format=ndjson`)
        files.push(text.replace(/,"cursor":"[^"]*"/, ''))
      }
      return files
    }
    const before = await lists()
    expect(before.map((file) => file.split('\n').length)).toEqual([42, 10, 12])
    const moved = await movedToAnother()
    expect(moved.after).toBe(moved.before)
    expect(await lists()).toEqual(before)
    // What the interface shows is no record, and says so where it is taken for one.
    const { problems } = await importAll(database, before.join('').trimEnd().split('\n').map(asJson))
    const hints = problems.filter(({ message }) => message.includes('"sojourn export" writes them'))
    expect([hints.length, problems.length]).toEqual([40 + 8 + 10 + 3, 40 + 8 + 10 + 3])
  })

  test('of one center has nothing of another', async () => {
    await imported([center(), customer('k'), { ...center(), id: 'd' }, { ...customer('k'), centerId: 'd' }])
    expect(await exported({ center: 'd' })).toEqual([
      expect.objectContaining({ kind: 'center', id: 'd' }),
      expect.objectContaining({ kind: 'customer', centerId: 'd' }),
    ])
    await expect(exported({ center: 'e' })).rejects.toThrow('There is no center "e"; there are c and d.')
  })

  test('leaves out what is null, also where SQL wrote it into an object', async () => {
    await imported([center(), customer('k', { address: { city: 'Cluj' } })])
    await database.query(sql`update customers set address = '{"city": "Cluj", "zip": null, "notes": {}}'`)
    const { before, after } = await movedToAnother()
    expect(before).toContain('"address":{"city":"Cluj"}')
    expect(after).toBe(before)
  })
})

describe('booking identifiers', () => {
  const arrived = (id: string, more: object = {}) =>
    booking(id, { status: 'arrived', sessionIds: ['s'], ...more })
  const base = [center({ automaticBookingIds: true }), customer('k'), session('s', { number: '3' })]
  const identifiers = async () =>
    (
      await database.query<{ id: string; booking_id: string | null; booking_number: number | null }>(
        sql`select id, booking_id, booking_number from bookings order by id`,
      )
    ).map(({ id, booking_id, booking_number }) => [id, booking_id, booking_number])

  test('are stored, and a number that was given is not given again, although its booking is gone', async () => {
    await imported([...base, arrived('a')])
    await imported([arrived('b'), arrived('by-hand', { bookingId: 'VIP' })])
    await imported([removed('booking', { id: 'b' })])
    const { before, after } = await movedToAnother()
    expect(after).toBe(before)
    expect(before).toContain('{"kind":"bookingCounter","centerId":"c","sessionId":"s","lastNumber":2}')
    await imported([arrived('c')])
    expect(await identifiers()).toEqual([
      ['a', '25-3-01', 1],
      ['by-hand', 'VIP', null],
      ['c', '25-3-03', 3],
    ])
  })

  test('that were freed are not given again, neither by an arrival nor by a bulk renumbering', async () => {
    // 25-3-02 was set by hand and freed, 25-3-03 is that of a booking that is gone, 25-3-04 was taken from one that is there.
    await imported([...base, arrived('a'), booking('by-hand', { bookingId: '25-3-02', sessionIds: ['s'] })])
    await imported([{ kind: 'booking', centerId: 'c', id: 'by-hand', bookingId: null }])
    await imported([arrived('gone')])
    await imported([arrived('changed')])
    await imported([
      removed('booking', { id: 'gone' }),
      { kind: 'booking', centerId: 'c', id: 'changed', bookingId: null },
    ])
    // Nothing but the freed identifiers can keep the new center from giving the numbers again.
    await database.query(sql`update booking_counters set last_number = 1`)
    const { before, after } = await movedToAnother()
    expect(after).toBe(before)
    expect(before.match(/"kind":"freedBookingId"/g)).toHaveLength(3)
    expect(before).not.toContain('25-3-02')
    await imported([arrived('next')])
    await numberBookings(database, centerId('c'), 's', { dryRun: false })
    expect(await identifiers()).toEqual([
      ['a', '25-3-01', 1],
      ['by-hand', null, null],
      ['changed', '25-3-06', 6],
      ['next', '25-3-05', 5],
    ])
    // A second import of the same export changes nothing.
    const exportOfNow = await exported()
    expect((await importAll(database, exportOfNow)).problems).toEqual([])
    expect(await exported()).toEqual(exportOfNow)
  })

  test('that were freed come as hashes, and cannot be removed', async () => {
    const freed = { kind: 'freedBookingId', centerId: 'c', identifierHash: 'a'.repeat(64) }
    const { problems } = await importAll(database, [
      center(),
      { ...freed, bookingHash: '25-3-02' },
      { ...freed, bookingHash: 'B'.repeat(64) },
      { ...freed, bookingHash: 'b'.repeat(64), deleted: true },
    ])
    expect(problems).toMatchObject([
      { field: 'bookingHash', message: 'is "25-3-02"; expected 64 hexadecimal digits in lower case' },
      {
        field: 'bookingHash',
        message: `is "${'B'.repeat(64)}"; expected 64 hexadecimal digits in lower case`,
      },
      { field: 'deleted', message: 'is given; a freedBookingId cannot be removed' },
    ])
  })

  test('are not given to whom arrived without one, until it arrives again', async () => {
    await imported([center(), customer('k'), session('s', { number: '3' }), arrived('early')])
    await imported([{ kind: 'center', id: 'c', automaticBookingIds: true }])
    const { before, after } = await movedToAnother()
    expect(after).toBe(before)
    expect(await identifiers()).toEqual([['early', null, 0]])
    await imported([{ kind: 'booking', centerId: 'c', id: 'early', status: 'departed' }])
    expect(await identifiers()).toEqual([['early', null, null]])
    await imported([{ kind: 'booking', centerId: 'c', id: 'early', status: 'arrived' }])
    expect(await identifiers()).toEqual([['early', '25-3-01', 1]])
  })

  test('of an older export set no counter back, and a counter cannot be removed', async () => {
    await imported([...base, arrived('a')])
    const old = await exported()
    await imported([arrived('b')])
    await imported(old)
    expect(text(await exported())).toContain('"lastNumber":2')
    const { problems } = await importAll(database, [removed('bookingCounter', { sessionId: 's' })])
    expect(problems).toMatchObject([
      { field: 'deleted', message: 'is given; a bookingCounter cannot be removed' },
    ])
  })
})

test('mappings that the center keeps move with it, and one that is none is refused', async () => {
  await imported([center()])
  const body = 'records:\n  customer:\n    id: Nr\n    firstName: A\n    lastName: B\n'
  await saveMapping(database, { centerId: 'c', name: 'guests', body, user: 'Ana' })
  const { before, after } = await movedToAnother()
  expect(after).toBe(before)
  expect(before).toContain(`"name":"guests","body":${JSON.stringify(body)}`)
  const wrong = {
    kind: 'mapping',
    centerId: 'c',
    name: 'x',
    body: 'recrods: 1',
    savedAt: '2026-11-16',
    savedBy: 'A',
  }
  const { problems } = await importAll(database, [wrong, { ...wrong, name: 'x.yaml', body }])
  expect(problems).toMatchObject([
    {
      field: 'body',
      message: 'is not a valid mapping: x:1:1: "recrods" is not known for a mapping. Did you mean records?',
    },
    { field: 'name', message: 'is "x.yaml"; expected 1 to 64 letters, digits, - and _' },
  ])
})

describe('keys', () => {
  const makeKey = () =>
    createKey(
      database,
      { centerId: 'c', name: 'Lab', scopes: ['meals'], allowedAddresses: ['10.0.0.0/8'], perHour: 0 },
      { random: randomBytes, now: Date.UTC(2026, 0, 1) },
    )

  test('come along only where they are asked for, with their secrets as hashes', async () => {
    await imported([center()])
    const made = await makeKey()
    expect(text(await exported())).not.toContain('"kind":"key"')
    const { before, after } = await movedToAnother({ keys: true })
    expect(after).toBe(before)
    expect(before).toContain(made.publicKey)
    for (const secret of [made.secretKey, made.apiKey]) expect(before).not.toContain(secret)
  })

  test('are refused by an import that is not asked to take them', async () => {
    await imported([center()])
    await makeKey()
    const { problems } = await importAll(database, await exported({ keys: true }))
    expect(problems).toMatchObject([{ field: 'kind', message: 'is "key"; use --keys to import keys' }])
  })

  test('of an older export open nothing that was closed since', async () => {
    await imported([center()])
    const { appId } = await makeKey()
    const old = await exported({ keys: true })
    await revokeKey(database, appId, { now: Date.UTC(2026, 0, 2) })
    const closed = text(await exported({ keys: true }))
    await imported(old, { keys: true })
    expect(text(await exported({ keys: true }))).toBe(closed)
    expect(closed).toContain('"revokedAt":"2026-01-02T00:00:00.000Z"')
  })

  test.each([
    [{ secretHash: 'x' }, 'secretHash', 'is not a hash of 64 hexadecimal digits in lower case'],
    [{ scopes: [] }, 'scopes', 'is empty; a key has at least one'],
  ])('with %j are refused', async (wrong, field, message) => {
    await imported([center()])
    await makeKey()
    const [key] = (await exported({ keys: true })).filter((record) => 'publicKey' in record)
    const { problems } = await importAll(database, [{ ...key, publicKey: 'other', ...wrong }], { keys: true })
    expect(problems).toMatchObject([{ field, message }])
  })
})

describe('the command', () => {
  test('writes to standard output, or to a file, gzipped by its name', async () => {
    const { env } = await startCommands()
    await json(['import', '-'], env, text([center(), customer('k')]))
    const printed = await sojourn(['export', '--center', 'c'], env)
    expect(printed).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\{"kind":"center"/),
    })
    const file = join(makeTemporaryFolder(), 'all.ndjson.gz')
    expect(await sojourn(['export', '--output', file], env)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Exported 2 records to \S+ in \d+\.\d s\.\n$/),
    })
    expect(gunzipSync(readFileSync(file)).toString()).toBe(printed.stdout)
    expect(await json(['import', file], env)).toMatchObject({ kinds: { customer: { unchanged: 1 } } })
    expect(await sojourn(['export', '--center', 'x'], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no center "x"; there is c. The database is '),
    })
  })

  test.each(['all.ndjson', 'all.ndjson.gz'])(
    'into %s ends where it cannot be made or written, and lets go of what it was reading',
    async (name) => {
      const { env } = await startCommands()
      const many = Array.from({ length: 3000 }, (_, at) =>
        customer(`k${at}`, { address: { city: `c${at}` } }),
      )
      await json(['import', '-'], env, text([center(), ...many]))
      expect(await sojourn(['export', '--output', join('/nowhere', name)], env)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('cannot be written: no such file or directory'),
      })
      const folder = makeTemporaryFolder()
      const full = await sojourn(['export', '--output', join(folder, name)], env, { files: onFullDisk })
      expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('no space left on device') })
      expect(readdirSync(folder)).toEqual([])
    },
  )
})

describe('the progress of the command', () => {
  const reported = /Exporting: 1 record\b/

  test('is on the terminal while a file is written, and leaves it to the last command of a pipe', async () => {
    const { env } = await startCommands()
    await json(['import', '-'], env, text([center()]))
    const export_ = async (args: readonly string[], terminals: readonly ('stdout' | 'stderr')[]) => {
      const { code, stderr } = await sojourn(['export', ...args], env, { terminals })
      expect(code).toBe(0)
      return stderr
    }
    const file = join(makeTemporaryFolder(), 'all.ndjson')
    expect(await export_([], ['stderr'])).toBe('')
    const toFile = await export_(['--output', file], ['stdout', 'stderr'])
    expect(toFile).toMatch(reported)
    // The line is cleared before it is written anew.
    expect(toFile).toContain('\r\u001b[KExported 1 record to ')
    expect(await export_([], ['stdout', 'stderr'])).toBe('')
    expect(await export_(['--output', file], [])).not.toMatch(reported)
  })
})

/** A center's records as an export writes them: every moment in UTC, nothing null, in the order of kinds and keys. */
function aCenter(): fc.Arbitrary<object[]> {
  const words = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 8 })
    .map((word) => `x${word.replaceAll(/[\0\ud800-\udfff]/g, '')}`)
  const moment = fc
    .integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2090, 0, 1) })
    .map((ms) => new Date(ms).toISOString())
  const day = moment.map((iso) => iso.slice(0, 10))
  const cents = fc.integer({ min: 0, max: 1_000_000 }).map((value) => value / 100)
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const interval = fc
    .tuple(moment, moment)
    .map((both) => both.sort())
    .map(([startDate, endDate]) => ({ startDate, endDate }))
  const days = fc.uniqueArray(day, { minLength: 1, maxLength: 3 }).map((list) => list.sort())
  const one = fc.record({
    center: fc.record({
      locale: fc.constantFrom('en', 'ro', 'de'),
      automaticBookingIds: fc.constant(false),
      mealReportExcludedStatuses: fc.constantFrom([], ['cancelled', 'offer']),
      addressLine1: maybe(words),
    }),
    meta: fc.record({ m: maybe(words), n: maybe(fc.integer()), b: maybe(fc.boolean()), d: maybe(day) }),
    term: fc.record({ name: words, names: maybe(fc.record({ ro: words, de: words })) }),
    session: interval.chain((both) =>
      fc
        .record({
          name: words,
          number: maybe(words),
          text: maybe(words),
          programIds: maybe(fc.constant(['p'])),
        })
        .map((more) => ({ ...more, ...both })),
    ),
    order: fc.record({
      orderDate: moment,
      totalAmount: cents,
      currency: maybe(fc.constant('EUR')),
      billingAddress: maybe(fc.record({ city: words })),
      items: maybe(fc.constant([{ itemId: 'i', name: 'n', quantity: 1.5, price: 3.25 }])),
      createdAt: maybe(moment),
    }),
    customer: fc.record({
      dob: maybe(day),
      email: maybe(words),
      address: maybe(fc.record({ zip: words, notes: words })),
    }),
    booking: interval.chain((both) =>
      fc
        .record({
          role: fc.constantFrom('patient', 'companion', 'guest'),
          status: fc.constantFrom('registered', 'paid', 'departed'),
          bookingId: maybe(words),
          orderUuid: maybe(fc.constant('o')),
          isOrderMainGuest: maybe(fc.boolean()),
          acc: maybe(fc.record({ roomId: words })),
          formData: maybe(fc.record({ accommodationDetails: words, mobility: words })),
          financial: maybe(
            fc.record({ total: cents, deposit: fc.record({ paidAt: moment, amount: cents }) }),
          ),
          medicalLetter: maybe(fc.record({ diagnoses: words, recommendationsIds: fc.constant(['r', 's']) })),
          weight1: maybe(fc.integer({ min: 1, max: 300 })),
          skippingMeals: maybe(fc.record({ lunch: days })),
        })
        .map((more) => ({ ...more, ...both })),
    ),
    counter: maybe(fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  })
  return one.map(({ counter, meta, ...of }) => {
    const values = Object.values(meta).some((value) => value !== undefined) ? { meta } : {}
    const records = [
      { ...center(), ...of.center },
      ...Object.entries({ b: 'boolean', d: 'date', m: 'string', n: 'number' }).map(([key, type]) =>
        metaField(key, { type }),
      ),
      { kind: 'term', centerId: 'c', set: 'program', id: 'p', ...of.term },
      { ...session('s'), ...of.session },
      { ...order('o'), ...of.order },
      customer('k', of.customer),
      booking('b', { sessionIds: ['s'], ...of.booking, ...values }),
      ...(counter === undefined
        ? []
        : [{ kind: 'bookingCounter', centerId: 'c', sessionId: 's', lastNumber: counter }]),
    ]
    // Without what is undefined; what an export leaves to the defaults is said here.
    return JSON.parse(JSON.stringify(records)).map((record: { kind: string }) =>
      record.kind === 'center' ? { ...CENTER_DEFAULTS, ...record } : record,
    )
  })
}

const CENTER_DEFAULTS = {
  bookingIdSession: 'number',
  bookingIdFormat: 'YY-SN-BN',
  apiAccess: true,
  maximumPageLength: 100,
  pseudonymousReads: false,
}
