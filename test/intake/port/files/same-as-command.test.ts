/**
 * Forty files, by the requests of the import page and by the command: good ones, some with wrong rows, some that ask, and
 * hostile ones. What is in the database afterwards is equal, and so are the rejected rows.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { runImport } from '../../../../src/commands/import.ts'
import type { Database } from '../../../../src/core/database/database.ts'
import { importRecords } from '../../../../src/core/intake/import-records.ts'
import { localFiles } from '../../../../src/core/intake/lines/files.ts'
import { recordLines } from '../../../../src/core/intake/lines/record-line.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { spa } from '../../../support/world.ts'
import { DIALECTS, workbookDialects } from '../../story/dialects.ts'
import { type ImportPage, startImportPage } from './page.ts'

const MB = 1024 * 1024
const MANY = 75_000

interface GivenFile {
  readonly what: string
  readonly name: string
  readonly bytes: string | Buffer
}

const HEAD = 'Buchung;Gast;Anreise;Abreise;Status;Preis\n'
const german = (rows: number, prefix = 'B') =>
  HEAD +
  Array.from(
    { length: rows },
    (_, at) => `${prefix}-${at};Müller${at}, Jürgen;16.11.2026;20.11.2026;Angereist;1.000,50\n`,
  ).join('')
const csv = (head: string, ...rows: string[]) => `${[head, ...rows].join('\n')}\n`
const lines = (...records: unknown[]) =>
  records.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('')
const customer = (id: string, fields: object = {}) => ({
  kind: 'customer',
  id,
  lastName: `Name ${id}`,
  ...fields,
})

/** The bytes of a text that nobody reads. */
const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919 + (at >> 3)) % 256))

async function everyFile(): Promise<GivenFile[]> {
  const workbook = async (name: string, rows: (string | number | Date | null)[][]) =>
    Buffer.from(await writeXlsx({ sheets: [{ name, rows }] }))
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(german(3, 'U'), 'utf16le')])
  const script = '<script>alert(1)</script>'
  return [
    ...[...DIALECTS, ...(await workbookDialects())].map(({ name, file, bytes }) => ({
      what: name,
      name: file,
      bytes,
    })),
    { what: 'German rows', name: 'gäste.csv', bytes: german(12) },
    { what: 'with a byte order mark', name: 'bom.csv', bytes: `\uFEFF${german(3)}` },
    { what: 'in UTF-16', name: 'utf16.csv', bytes: utf16 },
    { what: 'in Latin 1', name: 'latin1.csv', bytes: Buffer.from(german(3), 'latin1') },
    { what: 'with line ends of Windows', name: 'crlf.csv', bytes: german(3).replaceAll('\n', '\r\n') },
    { what: 'with line ends of old Macs', name: 'cr.csv', bytes: german(3).replaceAll('\n', '\r') },
    { what: 'with tabs', name: 'tabs.tsv', bytes: german(3).replaceAll(';', '\t') },
    { what: 'without an end of the last line', name: 'end.csv', bytes: german(3).trimEnd() },
    {
      what: 'an XLSX',
      name: 'list.xlsx',
      bytes: await workbook('Gäste', [
        ['Buchung', 'Vorname', 'Nachname', 'Anreise', 'Abreise'],
        ['X-1', 'Ana', 'Pop', new Date('2026-11-16'), new Date('2026-11-20')],
        ['X-2', 'Dan', 'Rus', new Date('2026-11-17'), new Date('2026-11-21')],
      ]),
    },
    {
      what: 'an XLSX that is called CSV',
      name: 'wrong-name.csv',
      bytes: await workbook('A', [
        ['id', 'lastName'],
        ['q', 'Q'],
      ]),
    },
    {
      what: 'names of fields as headings',
      name: 'customers.csv',
      bytes: csv('id,lastName', 't-1,Tief', 't-2,Hoch'),
    },
    { what: 'lines of JSON', name: 'more.ndjson', bytes: lines(customer('n-1'), customer('n-2')) },
    // With rows that are wrong.
    {
      what: 'a day that does not exist',
      name: 'day.csv',
      bytes: `${german(4)}B-9;Kurz, Eva;17.11.2026;31.11.2026;Bestätigt;90,00\n`,
    },
    {
      what: 'a departure before the arrival',
      name: 'before.csv',
      bytes: `${german(2)}B-9;Kurz, Eva;17.11.2026;11.11.2026;Bestätigt;90,00\n`,
    },
    {
      what: 'an amount that is none',
      name: 'amount.csv',
      bytes: `${german(2)}B-9;Kurz, Eva;17.11.2026;19.11.2026;Bestätigt;neunzig\n`,
    },
    {
      what: 'two rows with one number',
      name: 'twice.csv',
      bytes: `${german(2)}B-1;Anders, Eva;18.11.2026;19.11.2026;Bestätigt;90,00\n`,
    },
    {
      what: 'rows of other lengths',
      name: 'lengths.csv',
      bytes: `${german(2)}B-7;Kurz\nB-8;Lang, Eva;17.11.2026;19.11.2026;Bestätigt;90,00;x;y;z\n`,
    },
    { what: 'empty rows and a sum', name: 'sum.csv', bytes: `${german(3)}\n;;;;;\nSumme;;;;;3.001,50\n` },
    {
      what: 'lines of JSON, some wrong',
      name: 'some.ndjson',
      bytes: lines(customer('s-1'), '{"kind', customer('s-2', { dob: 'never' }), {
        kind: 'booking',
        id: 'b',
        customerId: 'nobody',
      }),
    },
    { what: 'no row at all', name: 'head.csv', bytes: HEAD },
    // That ask something.
    {
      what: 'days that may be months',
      name: 'ambiguous.csv',
      bytes: csv(
        'Booking;First name;Last name;Arrival;Departure',
        'A-1;Ana;Pop;01/02/2026;03/02/2026',
        'A-2;Dan;Rus;02/02/2026;05/02/2026',
      ),
    },
    {
      what: 'an amount of 1.250',
      name: 'thousands.csv',
      bytes: csv(
        'Booking;First name;Last name;Arrival;Departure;Price',
        'A-1;Ana;Pop;2026-02-01;2026-02-03;1.250',
      ),
    },
    {
      what: 'years of two digits',
      name: 'years.csv',
      bytes: csv('Booking;First name;Last name;Arrival;Departure', 'A-1;Ana;Pop;1.2.26;3.2.26'),
    },
    // Hostile.
    {
      what: 'scripts in cells',
      name: 'script.csv',
      bytes: `${german(1)}S-1;${script}, ${script};16.11.2026;20.11.2026;${script};1,00\n`,
    },
    {
      what: 'scripts in headings',
      name: `${'<img src=x onerror=alert(1)>'.replaceAll('/', '')}.csv`,
      bytes: csv(`Buchung;Gast;Anreise;Abreise;${script}`, 'S-1;Pop, Ana;16.11.2026;20.11.2026;x'),
    },
    {
      what: 'formulas',
      name: 'formulas.csv',
      bytes: `${german(1)}F-1;"=cmd|'/c calc'!A1, =1+1";16.11.2026;20.11.2026;@SUM(1);1,00\n`,
    },
    {
      what: 'SQL in cells',
      name: 'sql.csv',
      bytes: `${german(1)}Q-1;"'; drop table guests; --, x";16.11.2026;20.11.2026;x;1,00\n`,
    },
    {
      what: 'the names of prototypes',
      name: 'proto.csv',
      bytes: csv('__proto__;constructor;id;lastName', 'a;b;c;d'),
    },
    { what: 'NUL characters', name: 'nul.csv', bytes: german(2).replace('Jürgen', 'Jür\u0000gen') },
    {
      what: 'a quote that never ends',
      name: 'quote.csv',
      bytes: `${german(2)}B-9;"Kurz, Eva;17.11.2026;19.11.2026;Bestätigt;90,00\n`,
    },
    {
      what: 'a cell of 200,000 characters',
      name: 'long.csv',
      bytes: `${german(1)}L-1;${'x'.repeat(200_000)}, Eva;17.11.2026;19.11.2026;Bestätigt;90,00\n`,
    },
    {
      what: 'twice the same heading',
      name: 'headings.csv',
      bytes: csv('Buchung;Gast;Gast;Anreise;Abreise', 'H-1;Pop, Ana;Rus, Dan;16.11.2026;20.11.2026'),
    },
    {
      what: 'JSON that is deep',
      name: 'deep.ndjson',
      bytes: lines(
        customer('d-1'),
        `{"kind":"customer","id":"d-2","meta":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      ),
    },
    { what: 'noise', name: 'noise.csv', bytes: noise },
    { what: 'a PDF', name: 'letter.pdf', bytes: '%PDF-1.7\n%âãÏÓ\n' },
    {
      what: 'a broken XLSX',
      name: 'broken.xlsx',
      bytes: Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(500)]),
    },
    { what: 'many rows', name: 'many.csv', bytes: german(MANY, 'M') },
  ]
}

/** Records of a center, in the order of their keys, without when they were stored. */
const TABLES = {
  terms: ['term_set', 'id'],
  sessions: ['id'],
  orders: ['uuid'],
  customers: ['id'],
  bookings: ['id'],
  booking_sessions: ['session_id', 'booking_id'],
} as const

async function recordsOf(database: Database, center: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [table, keys] of Object.entries(TABLES)) {
    const rows = await database.query<{ row: string }>(sql`
      select to_jsonb(t)::text as row from ${raw(table)} t where center_id = ${center} order by ${raw(keys.join(', '))}`)
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

const FILES = await everyFile()
const CENTERS = FILES.map((_, at) => `f${at}`)

let page: ImportPage
let other: Database
let folder: string
beforeAll(async () => {
  const records = ['spa', ...CENTERS].map((id) => spa({ id, timezone: 'Europe/Berlin', currency: 'EUR' }))
  const bounds = { bytesMax: 64 * MB, unpackedBytesMax: 64 * MB, silenceMs: 60_000, bytesPerSecondMin: 1 }
  page = await startImportPage({ records, bounds })
  other = await openTestDatabase()
  expect((await importRecords(other, recordLines(records))).applied).toBe(true)
  folder = makeTemporaryFolder()
})

/** By the requests of the page, as a person who takes the first answer of each question. */
async function byPage(center: string, { name, bytes }: GivenFile) {
  const own = page.as(await page.api.createKey({ center, intake: true, scopes: ['import' as never] }))
  const sent = await own.upload(name, bytes)
  if (sent.status !== 200) return { phase: 'refused', mapping: undefined, rejects: undefined, counts: {} }
  let { body } = sent
  while (body.phase === 'asking') {
    const { table, question, answers } = body.questions.find(
      ({ answer }: { answer?: string }) => answer === undefined,
    )
    await own.post('/intake/file/mapping', { table, question, answer: answers[0].answer })
    body = await own.settled()
  }
  const mapping: string | undefined = body.mapping?.body
  if (body.phase === 'checked') {
    await own.post('/intake/file/import', {})
    body = await own.settled()
  }
  const rejects = body.rejects === null ? undefined : (await own.get('/intake/file/rejects')).text
  await own.post('/intake/file/discard', {})
  return { phase: String(body.phase), mapping, rejects, counts: body.result?.counts ?? {} }
}

async function byCommand(center: string, { name, bytes }: GivenFile, mapping: string | undefined) {
  // The name says which records a table has whose headings are names of fields.
  const path = join(folder, center, name)
  mkdirSync(join(folder, center))
  writeFileSync(path, bytes)
  const map = join(folder, `${center}.yaml`)
  if (mapping !== undefined) writeFileSync(map, mapping)
  const ignored = new Writable({ write: (_chunk, _encoding, done) => done() })
  let out = ''
  const stdout = new Writable({
    write(chunk, _, done) {
      out += String(chunk)
      done()
    },
  })
  const code = await runImport(
    {
      database: other,
      stdin: {},
      user: 'tester',
      files: localFiles(Readable.from([])),
      stdout,
      stderr: ignored,
    },
    [path],
    { center, skipInvalid: true, json: true, ...(mapping !== undefined && { map }) },
  )
  const form = ['ndjson', 'csv', 'xlsx'].find((one) => existsSync(`${path}.rejects.${one}`))
  // `fetch` reads the mark at the beginning of a text as a mark.
  const rejects =
    form === undefined ? undefined : readFileSync(`${path}.rejects.${form}`, 'utf8').replace('\uFEFF', '')
  return { code, rejects, kinds: out === '' ? {} : JSON.parse(out).kinds }
}

describe('by the page and by the command, the same is imported and the same rejected', () => {
  it('of forty files', () => expect(FILES.length).toBeGreaterThanOrEqual(40))

  it.each(FILES.map((file, at) => [file.what, file, CENTERS[at] ?? ''] as const))(
    '%s',
    async (_, file, center) => {
      const one = await byPage(center, file)
      const two = await byCommand(center, file, one.mapping)
      const [mine, theirs] = [await recordsOf(page.api.database, center), await recordsOf(other, center)]
      expect(mine).toEqual(theirs)
      // The page refuses a PDF as a whole, and the command reads it as lines of JSON and rejects each.
      if (file.name === 'letter.pdf') return expect(Object.values(mine).flat()).toEqual([])
      expect(one.rejects).toBe(two.rejects)
      if (one.phase === 'done') {
        expect(two.code).toBe(0)
        expect(two.kinds).toMatchObject(one.counts)
      } else {
        expect(two.code).not.toBe(0)
        expect(Object.values(mine).flat()).toEqual([])
      }
    },
    600_000,
  )

  it('what is compressed is for the command only', async () => {
    const answer = await fetch(`${page.base}/intake/file?name=a.csv.gz`, {
      method: 'POST',
      headers: page.key.bearer,
      body: gzipSync(german(2)),
    })
    expect(answer.status).toBe(400)
  })
})
