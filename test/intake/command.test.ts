import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runImport } from '../../src/commands/import.ts'
import type { ImportCommandOptions } from '../../src/commands/import-options.ts'
import type { Database } from '../../src/core/database/database.ts'
import { localFiles } from '../../src/core/intake/lines/files.ts'
import { openTestDatabase } from '../support/database.ts'
import { booking, center, customer, customerRow, empty } from './import-lines.ts'

let database: Database
let folder: string
const path = (name: string) => join(folder, name)
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await empty(database)
  folder = mkdtempSync(join(tmpdir(), 'sojourn-import-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const lines = (records: unknown[]) =>
  records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('')

function file(name: string, records: unknown[]): string {
  writeFileSync(path(name), lines(records))
  return path(name)
}

async function run(files: string[], options: ImportCommandOptions = {}, stdin = '') {
  let out = ''
  let err = ''
  const into = (take: (text: string) => void) =>
    new Writable({
      write(chunk, _, done) {
        take(String(chunk))
        done()
      },
    })
  const code = await runImport(
    {
      database,
      stdin: {},
      user: 'tester',
      files: localFiles(Readable.from(stdin === '' ? [] : [Buffer.from(stdin)])),
      stdout: into((text) => {
        out += text
      }),
      stderr: into((text) => {
        err += text
      }),
    },
    files,
    options,
  )
  return { code, out, err }
}

describe('exit code 0', () => {
  test('when everything went in, with a table of what happened', async () => {
    const { code, out, err } = await run([file('all.ndjson', [center(), customer('k'), booking('b')])])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/created +changed +unchanged +removed\ncenter +1 +0 +0 +0\ncustomer +1/)
    expect(out).toContain('Imported 3 records in')
  })
  test('from standard input, from several files, from gzip and CSV, as one import', async () => {
    writeFileSync(path('customers.csv.gz'), gzipSync('id,firstName,lastName,meta.m\nk,Ana,Pop,7\n'))
    const fields = file('fields.ndjson', [
      { kind: 'metaField', centerId: 'c', key: 'm', type: 'number', of: 'customer' },
    ])
    const { code } = await run(
      [fields, path('customers.csv.gz'), '-'],
      { center: 'c' },
      lines([booking('b'), center()]),
    )
    expect(code).toBe(0)
    expect((await customerRow(database, 'k')).meta).toEqual({ m: 7 })
    expect((await run([], {}, lines([customer('k2')]))).code).toBe(0)
  })
  test('with skipInvalid, though it says how many were rejected and where they are', async () => {
    const bad = customer('bad', { dob: '2025-13-01', nickname: 'x' })
    const input = file('some.ndjson', [
      center(),
      bad,
      '{"kind',
      customer('k'),
      booking('b', { customerId: 'no' }),
    ])
    const { code, out, err } = await run([input], { skipInvalid: true })
    expect(code).toBe(0)
    expect(out).toContain('Imported 2 records in')
    expect(out).toContain(
      'Rejected 3 records. Correct them in some.ndjson.rejects.ndjson, then run:\n  sojourn import --retry ',
    )
    expect(
      err.split('\n').map((line) => line.split(': ').slice(0, 2).join(': ').replace(folder, '')),
    ).toEqual([
      '/some.ndjson:2: customer.dob',
      '/some.ndjson:2: customer.nickname',
      '/some.ndjson:3: is not JSON (at character 7)',
      '/some.ndjson:5: booking.customerId',
      '',
    ])
    const rejects = readFileSync(`${input}.rejects.ndjson`, 'utf8').trimEnd().split('\n')
    expect(rejects.map((line) => JSON.parse(line))).toMatchObject([
      {
        line: 2,
        reason: [expect.stringContaining('dob: '), expect.stringContaining('nickname: ')],
        record: bad,
      },
      { line: 3, record: '{"kind' },
      { line: 5, record: booking('b', { customerId: 'no' }) },
    ])
    expect(statSync(`${input}.rejects.ndjson`).mode & 0o777).toBe(0o600)
  })
  test('a rejects file takes over neither the permissions nor the target of what stood there', async () => {
    const input = file('in.ndjson', [center(), 'x'])
    writeFileSync(path('other'), 'keep', { mode: 0o644 })
    symlinkSync(path('other'), path('bad.ndjson'))
    await run([input], { skipInvalid: true, rejects: path('bad.ndjson') })
    expect(readFileSync(path('other'), 'utf8')).toBe('keep')
    expect(statSync(path('bad.ndjson')).mode & 0o777).toBe(0o600)
  })
  test('with one rejects file for several inputs, its lines say of which', async () => {
    const options = { skipInvalid: true, rejects: path('bad.ndjson') }
    await run([file('a.ndjson', [center(), 'x']), file('b.ndjson', ['y'])], options)
    const rejects = readFileSync(path('bad.ndjson'), 'utf8').trimEnd().split('\n')
    expect(rejects.map((line) => JSON.parse(line))).toMatchObject([
      { file: path('a.ndjson'), line: 2, record: 'x' },
      { file: path('b.ndjson'), line: 1, record: 'y' },
    ])
  })
  test('a dry run changes nothing and leaves no file', async () => {
    const input = file('dry.ndjson', [center(), 'x'])
    const { code, out } = await run([input], { dryRun: true, skipInvalid: true })
    expect(code).toBe(0)
    expect(out).toContain('Dry run: 1 record would be imported')
    expect(await database.query(sql`select center_id from centers`)).toEqual([])
    expect(existsSync(`${input}.rejects.ndjson`)).toBe(false)
  })
  test('says how many records were there already, and which ones changed if they are few', async () => {
    const before = [center(), customer('k'), customer('l'), booking('b'), booking('old')]
    const once = file('all.ndjson', before)
    expect((await run([once])).out).not.toContain('created:')
    expect((await run([once])).out).toMatch(
      /Imported 0 records in .+; 5 were unchanged\.\n1 person has no booking, so no list of guests shows this person\.\n$/,
    )
    const after = [
      center(),
      customer('k'),
      customer('l', { firstName: 'Lia' }),
      booking('b'),
      booking('new'),
      { kind: 'booking', centerId: 'c', id: 'old', deleted: true },
    ]
    const changed = file('changed.ndjson', after)
    const lines = 'changed: customer l\ncreated: booking new\nremoved: booking old\n'
    const tried = await run([changed], { dryRun: true })
    expect(tried.out).toContain(`${lines}Dry run: 3 records would be imported; 3 were unchanged.`)
    const { out } = await run([changed], { json: true })
    expect(JSON.parse(out).records).toEqual([
      { effect: 'changed', kind: 'customer', centerId: 'c', id: 'l' },
      { effect: 'created', kind: 'booking', centerId: 'c', id: 'new' },
      { effect: 'removed', kind: 'booking', centerId: 'c', id: 'old' },
    ])
    const many = Array.from({ length: 1100 }, (_, n) => customer(`m${n}`))
    const names = JSON.parse((await run([file('many.ndjson', many)], { json: true })).out).records
    expect(names).toHaveLength(1000)
  })
  test('has what a table contains and no record is made of, on the terminal and as JSON', async () => {
    await run([file('c.ndjson', [center()])])
    writeFileSync(path('m.yaml'), 'records: {customer: {when: Id, id: Id, lastName: Name}}')
    writeFileSync(path('g.csv'), 'Id;Name;Note\n1;Ana;x\n;Sum;1\n')
    const options = { center: 'c', map: path('m.yaml'), dryRun: true }
    const { out } = await run([path('g.csv')], options)
    expect(out).toContain('g.csv: 1 row left out by "when": 3.\ng.csv: 1 column not used: "Note".\n')
    expect(out).toContain('1 person has no booking')
    expect(JSON.parse((await run([path('g.csv')], { ...options, json: true })).out).leftOut).toEqual([
      {
        file: path('g.csv'),
        tables: [{ rows: { count: 1, first: [3] }, columns: ['Note'] }],
        sheets: [],
      },
    ])
  })
  test('with json the summary is all that is on standard output', async () => {
    const { out } = await run([file('a.ndjson', [center(), 'x'])], { json: true, skipInvalid: true })
    expect(JSON.parse(out)).toMatchObject({
      applied: true,
      lines: 2,
      rejected: 1,
      kinds: { center: { created: 1 } },
      rejectsFiles: [path('a.ndjson.rejects.ndjson')],
    })
  })
})

describe('exit code 1', () => {
  test('when a record is bad: nothing went in, and no rejects file is left', async () => {
    const input = file('bad.ndjson', [center(), customer('k', { firstName: 5 })])
    const { code, out, err } = await run([input])
    expect(code).toBe(1)
    expect(out).toContain('Nothing was imported: 1 of 2 records is invalid (1 problem)')
    expect(err).toContain(':2: customer.firstName: is a number')
    expect(await database.query(sql`select center_id from centers`)).toEqual([])
    expect(existsSync(`${input}.rejects.ndjson`)).toBe(false)
  })
  test('many bad lines are reported by cause, in bounds; all of them are in the file that is named', async () => {
    const bad = Array.from({ length: 3000 }, (_, n) =>
      n % 3 === 0
        ? `{"${n}`
        : customer(`k${n}`, { dob: `2025-13-${10 + (n % 20)}`, [n < 1000 ? `f${n}` : 'pin']: null }),
    )
    const input = file('bad.ndjson', [center(), ...bad])
    const { code, out, err } = await run([input], { rejects: path('list.ndjson') })
    expect(code).toBe(1)
    const reported = err.replaceAll(`${folder}/`, '').trimEnd().split('\n')
    expect(reported).toHaveLength(50 + 1)
    expect(reported[0]).toMatch(
      /^2,000 lines: customer\.dob: is "2025-13-11", "2025-13-12", "2025-13-14" …; .*\(bad\.ndjson:3, 4, 6 …\)$/,
    )
    expect(reported[1]).toMatch(/^1,000 lines: is not JSON .*\(bad\.ndjson:2, 5, 8 …\)$/)
    expect(reported[2]).toMatch(/^bad\.ndjson:3: customer\.f1: is not a field/)
    expect(reported[50]).toMatch(/^… and \d+ other problems$/)
    expect(out).toContain('All of them are in list.ndjson.')
    expect(readFileSync(path('list.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(3000)
    expect(await database.query(sql`select center_id from centers`)).toEqual([])
  })
  test.each([
    [{}, ['/nowhere/x.ndjson'], '/nowhere/x.ndjson: there is no such file\n'],
    [{}, ['/nowhere/x.csv'], '/nowhere/x.csv: there is no such file\n'],
  ])('%j %j is one clear sentence', async (options, files, sentence) => {
    const { code, err, out } = await run(files, options)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(sentence)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
  test('when a gzip file is cut off, also with skipInvalid', async () => {
    writeFileSync(path('cut.ndjson.gz'), gzipSync(lines([center(), customer('k')])).subarray(0, -10))
    const { code, err } = await run([path('cut.ndjson.gz')], { skipInvalid: true })
    expect(code).toBe(1)
    expect(err).toContain('damaged or truncated')
    expect(await database.query(sql`select center_id from centers`)).toEqual([])
  })
})

test('neither the name of a file nor that of a sheet moves the cursor of a terminal, or begins a line', async () => {
  const evil = '\u001b[31m\u009b2J\u202e\nImported 9 records in 1.0 s.'
  const sheet = await writeXlsx({ sheets: [{ name: 'A\u009b2J\u202e', rows: [['id'], ['a']] }] })
  writeFileSync(path(`${evil}.xlsx`), sheet)
  writeFileSync(path(`${evil}.csv`), 'id;firstName\na;"x\n')
  const reported = [
    await run([path(`${evil}.xlsx`)], { kind: 'customer', rejects: path('r\u001b[31m.ndjson') }),
    await run([path(`${evil}.csv`)], { kind: 'customer' }),
    await run([path(`${evil}.csv`)]),
    await run([path(`${evil}.ndjson`)]),
    await run([file(`${evil}.ndjson`, [{ kind: 'center' }])], { skipInvalid: true }),
    await run([file(`${evil}.tsv`, ['id,firstName', 'a,'])], { kind: 'customer' }),
  ].map(({ out, err }) => `${out}${err}`)
  for (const text of reported) {
    expect(text).toContain('\\u{1b}[31m')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that are looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^Imported 9/m)
  }
})

describe('wrong use', () => {
  test.each([
    [{ kind: 'custmer' }, 'Did you mean customer?'],
    [{ format: 'xml' }, '--format is "xml"; expected ndjson or csv.'],
    [{ center: 'a b' }, '--center is "a b"'],
  ])('%j is one clear sentence', async (options, sentence) => {
    await expect(run([], options)).rejects.toThrow(sentence)
  })
  test('is a rejects file that would overwrite the input', async () => {
    const input = file('in.ndjson', [center(), 'x'])
    const running = run([input], { skipInvalid: true, rejects: path('./in.ndjson') })
    await expect(running).rejects.toThrow('which is one of the files to import.')
    expect(readFileSync(input, 'utf8')).toContain('Center')
  })
})
