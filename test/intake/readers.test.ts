import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InputError } from '../../src/core/intake/input-error.ts'
import { localFiles } from '../../src/core/intake/lines/files.ts'
import { readFiles } from '../../src/core/intake/lines/read-files.ts'
import { LINE_BYTES_MAX, readNdjson } from '../../src/core/intake/lines/read-ndjson.ts'
import type { RecordLine } from '../../src/core/intake/lines/record-line.ts'
import { OWN_TERMS } from '../../src/core/intake/spreadsheets/mapping/terms.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sojourn-readers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function* bytes(...chunks: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

const ndjson = (...chunks: (string | Buffer)[]) => Array.fromAsync(readNdjson(bytes(...chunks)))

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const read = async (path: string, options: object = {}): Promise<RecordLine[]> =>
  Array.fromAsync(await readFiles([path], localFiles(bytes()), options))

describe('NDJSON', () => {
  test('lines are numbered as an editor numbers them, blank ones skipped', async () => {
    expect(await ndjson('{"a":1}\n\n  \r\n{"b":2}\r\n{"c":3}')).toEqual([
      { line: 1, text: '{"a":1}' },
      { line: 4, text: '{"b":2}' },
      { line: 5, text: '{"c":3}' },
    ])
  })
  test('a line may come in any pieces', async () => {
    const lines = await ndjson(
      '{"na',
      'me":"Ă',
      '"}',
      '\n',
      Buffer.from([0x22, 0xc4]),
      Buffer.from([0x83, 0x22]),
    )
    expect(lines.map(({ text }) => text)).toEqual(['{"name":"Ă"}', '"ă"'])
  })
  test('a byte order mark is taken off', async () => {
    expect(await ndjson('\ufeff{"a":1}\n\ufeff{}')).toEqual([
      { line: 1, text: '{"a":1}' },
      { line: 2, text: '\ufeff{}' },
    ])
  })
  test('a line that is not UTF-8 comes with its problem, and the next is read', async () => {
    const lines = await ndjson(Buffer.from([0x22, 0xe9, 0x22, 0x0a]), '{}\n')
    expect(lines).toEqual([
      { line: 1, problem: { english: 'is not UTF-8' } },
      { line: 2, text: '{}' },
    ])
  })
  test('a line that is too long comes with its problem, and the next is read', async () => {
    const part = 'x'.repeat(LINE_BYTES_MAX / 2 + 1)
    const lines = await ndjson(part, part, part, '\n{}')
    expect(lines[0]!.problem).toEqual({ english: expect.stringContaining('longer than') })
    expect(lines[1]).toEqual({ line: 2, text: '{}' })
  })
  test('an empty input has no lines', async () => {
    expect(await ndjson()).toEqual([])
    expect(await ndjson('\n')).toEqual([])
  })
})

describe('files', () => {
  test('gzip is known by its first bytes, whatever the name', async () => {
    const packed = gzipSync('{"a":1}\n')
    for (const name of ['a.ndjson.gz', 'b.ndjson']) {
      const path = file(name, packed)
      expect(await read(path)).toEqual([{ file: path, line: 1, text: '{"a":1}' }])
    }
  })
  test('gzip that is cut off is refused, with the line so far', async () => {
    const packed = gzipSync(Array.from({ length: 50_000 }, (_, index) => `{"a":${index * 7919}}\n`).join(''))
    await expect(read(file('cut.ndjson.gz', packed.subarray(0, packed.length >> 1)))).rejects.toThrow(
      /cut\.ndjson\.gz is damaged or truncated.*after line [1-9]/,
    )
    const broken = Buffer.from(packed)
    broken.fill(0x55, packed.length >> 1)
    await expect(read(file('broken.ndjson.gz', broken))).rejects.toThrow(InputError)
  })
  test('a file named .gz that is none is refused', async () => {
    await expect(read(file('plain.ndjson.gz', '{}\n'))).rejects.toThrow('is not gzip data')
  })
  test('UTF-16 is named as such', async () => {
    await expect(read(file('wide.ndjson', Buffer.from('\ufeff{}\n', 'utf16le')))).rejects.toThrow('UTF-16')
  })
  test('a missing file and a folder are one clear sentence, before anything is read', async () => {
    const there = file('there.ndjson', '{}\n')
    const reading = (path: string) => readFiles([there, path], localFiles(bytes()))
    await expect(reading(join(folder, 'nope.ndjson'))).rejects.toThrow('there is no such file')
    await expect(reading(folder)).rejects.toThrow('is a folder')
  })
  test('standard input is -, gzip or not', async () => {
    const zipped = gzipSync('{}\n')
    const stdin = localFiles(bytes(zipped.subarray(0, 1), zipped.subarray(1)))
    const lines = await Array.fromAsync(await readFiles(['-'], stdin))
    expect(lines).toEqual([{ file: '-', line: 1, text: '{}' }])
  })
})

describe('CSV', () => {
  const csv = async (content: string | Buffer, kind = 'customer') => {
    const lines = await read(file('rows.csv', content), { kind })
    return lines.map(({ file: _, ...line }) => line)
  }
  test('the header names fields, nested ones with dots', async () => {
    expect(await csv('id,firstName,address.city,meta.a.b\nk,Ana,Iași,x\n')).toEqual([
      {
        line: 2,
        loose: true,
        terms: { ...OWN_TERMS, header: ['id', 'firstName', 'address.city', 'meta.a.b'], table: 'customer' },
        value: {
          kind: 'customer',
          id: 'k',
          firstName: 'Ana',
          address: { city: 'Iași' },
          meta: { 'a.b': 'x' },
        },
      },
    ])
  })
  test('values take the type of their field', async () => {
    const header = 'id,sessionIds,isOrderMainGuest,weight1,financial.total,skippingMeals.lunch,acc.floor'
    expect(await csv(`${header}\nb,s1|s2,TRUE,70.5,1e3,2025-01-10,2\n`, 'booking')).toMatchObject([
      {
        value: {
          sessionIds: ['s1', 's2'],
          isOrderMainGuest: true,
          weight1: 70.5,
          financial: { total: 1000 },
          skippingMeals: { lunch: ['2025-01-10'] },
          acc: { floor: '2' },
        },
      },
    ])
  })
  test('a list of objects is JSON', async () => {
    const [line] = await csv('uuid,items\no,"[{""itemId"":""i""}]"\n', 'order')
    expect(line).toMatchObject({ value: { items: [{ itemId: 'i' }] } })
  })
  test('an empty cell leaves its field out, \\N clears it', async () => {
    expect(await csv('id,email,phone\nk,,\\N\n')).toMatchObject([
      { value: { kind: 'customer', id: 'k', phone: null } },
    ])
  })
  test('deleted marks removed records', async () => {
    expect(await csv('id,deleted\na,true\nb,false\nc,\n')).toMatchObject([
      { value: { id: 'a', deleted: true } },
      { value: { kind: 'customer', id: 'b' } },
      { value: { kind: 'customer', id: 'c' } },
    ])
  })
  test.each([[';'], ['\t'], [',']])('separated by %j', async (separator) => {
    const lines = await csv(`id${separator}firstName\nk${separator}Ana\n`)
    expect(lines).toMatchObject([{ value: { id: 'k', firstName: 'Ana' } }])
  })
  test('lines are numbered by the line where their record begins, whatever the quotes contain', async () => {
    const lines = await csv('\ufeffid,address.notes\r\na,"one\r\ntwo\nthree"\r\n\r\nb,x\r\n,\r\nc,y\r\n')
    expect(lines.map(({ line }) => line)).toEqual([2, 6, 8])
  })
  test('a row with too few or too many cells comes with its problem', async () => {
    const lines = await csv('id,email\na\nb,x,y\nc,z\n')
    expect(lines).toMatchObject([
      { line: 2, problem: { key: 'cellOfHeader', values: { cells: 1, columns: 2 } } },
      { line: 3, problem: { key: 'cellsOfHeader', values: { cells: 3, columns: 2 } } },
      { line: 4, value: { id: 'c' } },
    ])
  })
  test('a header that names no field is refused with what was meant', async () => {
    await expect(csv('id,first_name\n')).rejects.toThrow('Did you mean firstName?')
    await expect(csv('id,id\n')).rejects.toThrow('appears twice')
    await expect(csv('id,address\n')).rejects.toThrow('is a group of fields')
    await expect(csv('id,__proto__.x\n')).rejects.toThrow('is not a field')
  })
  test('broken quotes, another encoding and endless cells are refused without quoting them', async () => {
    await expect(csv('id,email\na,"secret\n')).rejects.toThrow(/broken quotes near line 2$/)
    await expect(csv('id,email\na,"se"cret", "x"\n')).rejects.toThrow(/broken quotes near line 2$/)
    const mixed = [...Buffer.from(`id,email\na,${'ä'.repeat(40_000)}\nb,`), 0xe9, 0x0a]
    await expect(csv(Buffer.from(mixed))).rejects.toThrow('is not UTF-8 throughout (near line')
    await expect(csv(`id,email\na,"${'x'.repeat(LINE_BYTES_MAX)}\n`)).rejects.toThrow('longer than')
  })
  test('the kind may be in the name; without either it is asked for', async () => {
    const content = 'id\nk\n'
    expect(await read(file('customers.csv', content))).toMatchObject([{ value: { kind: 'customer' } }])
    expect(await read(file('MetaFields.csv.gz', gzipSync('key\nk\n')))).toMatchObject([
      { value: { kind: 'metaField' } },
    ])
    await expect(read(file('export.csv', content))).rejects.toThrow(
      /use --map with .+ --kind with the kind of its rows/,
    )
  })
  test('it is asked for before standard input is waited for', async () => {
    const asked: string[] = []
    const open = async (path: string) => {
      asked.push(path)
      return bytes()
    }
    await expect(readFiles(['-'], { open }, { format: 'csv' })).rejects.toThrow(/^-: use --map with /)
    expect(asked).toEqual([])
  })
})
