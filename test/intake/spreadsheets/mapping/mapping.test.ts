import { Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { Alias } from 'yaml'
import { readMappingText } from '../../../../src/commands/mapping-file.ts'
import { localFiles } from '../../../../src/core/intake/lines/files.ts'
import { readFiles } from '../../../../src/core/intake/lines/read-files.ts'
import {
  FILE_KEYS,
  RECORD_KEYS,
  readMapping,
} from '../../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'
import { SOURCE_KEYS } from '../../../../src/core/intake/spreadsheets/mapping/read-source.ts'
import { MAPPING_BYTES_MAX } from '../../../../src/core/intake/spreadsheets/mapping/yaml-tree.ts'
import { inEnglish } from '../../../../src/core/locale/said.ts'
import { blocksOf, pageText } from '../../../support/doc-examples.ts'

/** The records that a mapping makes of a CSV file. */
async function mapped(mapping: string, csv: string) {
  async function* bytes() {
    yield Buffer.from(csv)
  }
  const options = { mapping: readMapping(mapping, 'm.yaml') }
  const lines = await readFiles(['g.csv'], { open: async () => bytes() }, options)
  return (await Array.fromAsync(lines)).map(({ line, value, problem }) =>
    problem ? { line, problem: inEnglish(problem) } : value,
  )
}

/** One field of a customer, from the columns A and B. */
const field = async (source: string, a: string, b = '', name = 'firstName', head = '') => {
  const mapping = `${head}\nrecords: {customer: {id: Id, ${name}: ${source}}}`
  const [record] = await mapped(mapping, `Id;A;B\nk;"${a}";"${b}"\n`)
  const { kind: _, id: __, ...rest } = record as Record<string, unknown>
  return name in rest ? rest[name] : rest
}

describe('a value', () => {
  test.each([
    ['A', ' Ana ', '', 'Ana'],
    ['{column: A}', '', '', {}],
    ['{column: A, default: Nobody}', '', '', 'Nobody'],
    ['{columns: [A, B]}', 'Ana', 'Maria', 'Ana Maria'],
    ['{columns: [A, B], join: "-"}', 'Ana', 'Maria', 'Ana-Maria'],
    ['{columns: [A, B], join: "-"}', '', 'Maria', 'Maria'],
    ['{column: A, split: ",", part: 2}', 'Pop, Ana', '', 'Ana'],
    ['{column: A, part: last}', 'Ana Maria Pop', '', 'Pop'],
    ['{column: A, part: allButLast}', 'Ana Maria Pop', '', 'Ana Maria'],
    ['{column: A, part: first}', 'Pop Ana Maria', '', 'Pop'],
    ['{column: A, part: allButFirst}', 'Pop Ana Maria', '', 'Ana Maria'],
    ['{column: A, part: givenNames}', 'Ana von der Tann', '', 'Ana'],
    ['{column: A, part: familyName}', 'Ana von der Tann', '', 'von der Tann'],
    ['{column: A, part: 3}', 'Pop Ana', '', {}],
    ['{column: A, values: {x: Ex}}', 'X', '', 'Ex'],
    ['{column: A, values: {x: Ex}}', 'y', '', 'y'],
    ['{column: A, values: {x: Ex, "*": Other}}', 'y', '', 'Other'],
    ['{column: A, values: {1.0: single, 007: agent, 1e3: K, 0x1F: hex, 12: twelve}}', '1.0', '', 'single'],
    ['{column: A, values: {1.0: single, 007: agent, 1e3: K, 0x1F: hex, 12: twelve}}', '007', '', 'agent'],
    ['{column: A, values: {1.0: single, 007: agent, 1e3: K, 0x1F: hex, 12: twelve}}', '1e3', '', 'K'],
    ['{column: A, values: {1.0: single, 007: agent, 1e3: K, 0x1F: hex, 12: twelve}}', '0x1F', '', 'hex'],
    ['{column: A, values: {1.0: single, 007: agent, 1e3: K, 0x1F: hex, 12: twelve}}', '12', '', 'twelve'],
    ['{column: A, default: 1.50}', '', '', '1.50'],
    ['{value: 01067}', 'x', '', '01067'],
    ['{column: A, prefix: c-}', '7', '', 'c-7'],
    ['{value: Same}', 'x', '', 'Same'],
    ['{idOf: customer}', 'x', '', 'k'],
  ])('%s of %j and %j is %j', async (source, a, b, expected) => {
    expect(await field(source, a, b)).toEqual(expected)
  })

  test.each([
    ['DD.MM.YYYY', '3.4.1960', '1960-04-03'],
    ['DD.MM.YYYY', '03.04.1960 00:00:00', '1960-04-03'],
    ['DD.MM.YYYY', '1960-04-03', '1960-04-03'],
    ['DD.MM.YY', '03.04.60', '1960-04-03'],
    // Nobody is born after today.
    ['DD.MM.YY', '03.04.29', '1929-04-03'],
    ['D MMM YYYY', '3. avril 1960', '1960-04-03'],
    ['D MMM YYYY', 'Sun 03 Apr 1960', '1960-04-03'],
    ['D MMM YYYY', '3 de abril de 1960', '1960-04-03'],
    ['MMM D YYYY', 'Apr 3, 1960', '1960-04-03'],
    ['D MMM YY', '03-Apr-60', '1960-04-03'],
    ['DD-MMM-YY', '03-Apr-60', '1960-04-03'],
    ['ddd, D. MMMM YYYY', 'So., 3. April 1960', '1960-04-03'],
    ['D MMM(hr) YYYY', '3. listopad 1960', '1960-10-03'],
    ['D MMM(pl) YYYY', '3 listopad 1960', '1960-11-03'],
    ['D MMM YYYY', '3 listopad 1960', '3 listopad 1960'],
    ['DD.MM.YYYY', '3. 4. 1960', '3. 4. 1960'],
    ['DD. MM. YYYY', '3. 4.  1960', '1960-04-03'],
    ['DD. MM. YYYY', '3.4.1960', '3.4.1960'],
    ['DD.MM.YYYY', '\u200e03.\u200e04.1960', '1960-04-03'],
    ['[DD.MM.YYYY, MM/DD/YYYY]', '4/3/1960', '1960-04-03'],
    ['YYYYMMDD', '19600403', '1960-04-03'],
    ['DD.MM.YYYY', '31.02.1960', '31.02.1960'],
    ['DD.MM.YYYY', '03.04.1960 10:30', '1960-04-03T10:30:00'],
    ['DD.MM.YYYY', '13.13.1960', '13.13.1960'],
  ])('a date by %s: %s', async (format, text, expected) => {
    expect(await field('A', text, '', 'dob', `dates: ${format}`)).toBe(expected)
  })

  test.each([
    ['","', '1000,50', 1000.5],
    ['","', '1.000,50 €', 1000.5],
    ['","', '-1.234.567,8', -1234567.8],
    ['","', '1 000,50', 1000.5],
    ['","', '100,00-', -100],
    ['","', '1,000.50', '1,000.50'],
    ['"."', '$1,000.50', 1000.5],
    ['"."', "CHF 1'000.50", 1000.5],
    ['"."', '1.000,50', '1.000,50'],
    ['"."', '12.34.56', '12.34.56'],
  ])('an amount with %s: %s', async (sign, text, expected) => {
    const mapping = `decimals: ${sign}\nrecords: {order: {uuid: Id, totalAmount: A}}`
    expect(await mapped(mapping, `Id;A\no;"${text}"\n`)).toMatchObject([{ totalAmount: expected }])
  })

  test('a moment takes its time from its text, from another column, or from the mapping', async () => {
    const mapping = `dates: DD.MM.YYYY
records: {booking: {id: Id, startDate: {columns: [A, B]}, endDate: {column: A, time: "18:00"}, bookedAt: A}}`
    expect(await mapped(mapping, 'Id;A;B\nb;16.11.2026;15:00\n')).toEqual([
      {
        kind: 'booking',
        id: 'b',
        startDate: '2026-11-16T15:00:00',
        endDate: '2026-11-16T18:00:00',
        bookedAt: '2026-11-16',
      },
    ])
  })
  test('a list comes from one cell or from several columns, and objects from several', async () => {
    const mapping = `records:
  session: {id: Id, programIds: {column: A, split: "/"}, unitIds: [A, B, {value: s}]}
  order: {uuid: Id, items: [{itemId: A, name: A, quantity: {value: 1}}, {itemId: B, name: B, quantity: {value: 2}}]}`
    expect(await mapped(mapping, 'Id;A;B\nb;x/ y;\n')).toMatchObject([
      { programIds: ['x', 'y'], unitIds: ['x/ y', 's'] },
      { items: [{ itemId: 'x/ y', name: 'x/ y', quantity: 1 }] },
    ])
  })
})

describe('an identifier that is made', () => {
  const id = async (a: string, b: string, how = 'hash') => {
    const mapping = `dates: DD.MM.YYYY\nrecords: {customer: {id: {columns: [A, B], identifier: ${how}, prefix: c-}}}`
    const [record] = await mapped(mapping, `A;B\n"${a}";"${b}"\n`)
    return (record as { id?: string }).id
  }
  test('is the same for the same cells, however capitals, spaces and dates are written', async () => {
    expect(await id('Ana  Pop', '03.04.1960')).toMatch(/^c-[0-9a-f]{20}$/)
    expect(await id('ana pop', '1960-04-03')).toBe(await id('Ana  Pop', '3.4.1960'))
  })
  test('is another one for other cells, and none where one of them is empty', async () => {
    expect(await id('ab', 'c')).not.toBe(await id('a', 'bc'))
    expect(await id('Ana Pop', '')).toBeUndefined()
  })
  test('as text has the characters of an identifier, at most 64 of them, and stays its own', async () => {
    expect(await id('Zimmer 5', 'Süd-Flügel', 'text')).toBe('c-zimmer-5-sud-flugel')
    const long = await id('x'.repeat(100), 'a', 'text')
    expect(long).toMatch(/^[a-z0-9-]{64}$/)
    expect(await id('x'.repeat(100), 'b', 'text')).not.toBe(long)
    expect(await id('Зал', 'Юг', 'text')).toMatch(/^c-[0-9a-f]{20}$/)
  })
})

describe('rows', () => {
  const items =
    'records: {order: {collect: items, uuid: O, items: [{itemId: I, name: I, quantity: N, price: N}]}}'
  test('that follow each other are collected into one list', async () => {
    expect(await mapped(items, 'O;I;N\na;x;1\na;y;2\nb;z;3\n')).toMatchObject([
      { uuid: 'a', items: [{ itemId: 'x' }, { itemId: 'y', quantity: 2 }] },
      { uuid: 'b', items: [{ itemId: 'z' }] },
    ])
  })
  test('of a record that was ended before are reported, because its list would be replaced', async () => {
    expect((await mapped(items, 'O;I;N\na;x;1\nb;y;2\na;z;3\n')).at(2)).toEqual({
      line: 4,
      problem: expect.stringContaining('sort the file'),
    })
  })
  test.each([
    ['A', ['1', '2']],
    ['{column: A, is: [x, z]}', ['1']],
    ['{column: A, not: x}', ['2', '3']],
    ['{column: A, is: ""}', ['3']],
    ['[A, {column: A, not: y}]', ['1']],
  ])('when %s', async (when, ids) => {
    const records = await mapped(`records: {customer: {when: ${when}, id: Id}}`, 'Id;A\n1;X\n2;y\n3;\n')
    expect(records.map((record) => (record as { id: string }).id)).toEqual(ids)
  })
  test('a removed record has its identifier and nothing else', async () => {
    const mapping =
      'records: {customer: {id: Id, firstName: A, deleted: {column: B, values: {x: true, "*": false}}}}'
    expect(await mapped(mapping, 'Id;A;B\n1;Ana;x\n2;Ana;o\n')).toEqual([
      { kind: 'customer', id: '1', deleted: true },
      { kind: 'customer', id: '2', firstName: 'Ana' },
    ])
  })
  test('with more cells than the header come with their problem; shorter ones have empty cells', async () => {
    expect(await mapped('records: {customer: {id: Id, firstName: A}}', 'Id;A\n1;Ana;Pop\n2\n')).toEqual([
      { line: 2, problem: 'has 3 cells; the header has 2' },
      { kind: 'customer', id: '2' },
    ])
  })
  test('begin below the header, whose names may repeat; without one columns are letters', async () => {
    const mapping = 'header: 3\nrecords: {customer: {id: Id, firstName: name, lastName: Name (2)}}'
    const csv = 'List of guests;;\n;;\nId;Name;Name\n1;Ana;Pop\n'
    expect(await mapped(mapping, csv)).toMatchObject([{ firstName: 'Ana', lastName: 'Pop' }])
    expect(await mapped('header: 0\nrecords: {customer: {id: A, firstName: C}}', '1;x;Ana\n')).toMatchObject([
      { id: '1', firstName: 'Ana' },
    ])
  })
  test('Excel names the separator in a line of its own', async () => {
    expect(await mapped('records: {customer: {id: a b}}', 'sep=|\r\na b|c,d\r\n1|2,3\r\n')).toMatchObject([
      { id: '1' },
    ])
  })
})

describe('a mapping that is wrong is reported by line and column', () => {
  test.each([
    [
      'records: {customer: {id: A, fristName: B}}',
      'm.yaml:1:29: "fristName" is not a field of this kind of record. Did you mean firstName?',
    ],
    ['records:\n  custmer: {id: A}', 'm.yaml:2:3: "custmer" is not a kind of record. Did you mean customer?'],
    ['records:\n  customer: {firstName: A}', 'm.yaml:2:13: a record of the kind customer needs id'],
    [
      'decimls: x\nrecords: {customer: {id: A}}',
      'm.yaml:1:1: "decimls" is not known for a mapping. Did you mean decimals?',
    ],
    ['dates: DD.QQ.YYYY\nrecords: {customer: {id: A}}', 'm.yaml:1:8: "DD.QQ.YYYY" is not a format'],
    [
      'records: {booking: {id: A, status: {value: arived}}}',
      'm.yaml:1:44: status is "arived"; expected one of',
    ],
    [
      'records: {booking: {id: A, status: {column: B, values: {x: arived}}}}',
      'm.yaml:1:60: status is "arived"',
    ],
    ['records: {booking: {id: A, customerId: {idOf: customer}}}', 'm.yaml:1:47: idOf is "customer"'],
    ['records: {customer: {id: {colum: A}}}', '"colum" is not known for id. Did you mean column?'],
    [
      'records: {customer: {id: {column: A, value: B}}}',
      'it takes only one of column, columns, value and idOf',
    ],
    [
      'records: {customer: {id: A, address: B}}',
      'm.yaml:1:29: "address" is a group of fields; name each of them, such as address.street',
    ],
    ['records: {customer: {id: A, id: B}}', 'm.yaml:1:29: "id" is given twice'],
    ['records: {customer: {id: A\n', 'm.yaml:2:1: '],
    ['encoding: utf-99\nrecords: {customer: {id: A}}', 'm.yaml:1:11: encoding is "utf-99"'],
    ['header: x\nrecords: {customer: {id: A}}', 'm.yaml:1:9: header must be the number of a row'],
    ['records: {key: {publicKey: A}}', '"key" is not a kind of record'],
    ['[1]', 'm.yaml:1:1: a mapping must be an object'],
    ['', 'a mapping must be an object'],
    ['records: {customer: {id: *a}}', 'm.yaml:1:26: '],
    ['{"records": {"customer": {"id": "A"}}, "sheet": [}', 'm.yaml:1:'],
  ])('%j', (text, message) => {
    expect(() => readMapping(text, 'm.yaml')).toThrow(message)
  })
  test('all of it at once', () => {
    const text = 'dates: x\nrecords: {customer: {id: A, a: B, b: C}}'
    expect(() => readMapping(text, 'm.yaml')).toThrow(/:1:8: .*\n.*:2:29: .*\n.*:2:35: /)
  })
  test('a column that the file has not, with what was meant', async () => {
    await expect(mapped('records: {customer: {id: Nummer}}', 'Numer;X\n1;2\n')).rejects.toThrow(
      'm.yaml:1:26: g.csv has no column "Nummer". Did you mean "Numer"?\nThe columns of g.csv are "Numer", "X".',
    )
    await expect(mapped('records: {customer: {id: Id}}', '\n')).rejects.toThrow('g.csv has no rows')
  })
  test.each([
    ['a long one', `a: ${'x'.repeat(MAPPING_BYTES_MAX)}`],
    ['many keys', Array.from({ length: 9000 }, (_, at) => `k${at}:`).join('\n')],
    ['many brackets', '['.repeat(60_000)],
    ['deep indents', Array.from({ length: 200 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h']
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`)}]`)
        .join('\n')}`,
    ],
    ['an alias of itself', 'a: &a [*a]'],
    ['thousands of formats', `dates: [${'D.M.YY,'.repeat(3000)}]\ntimes: [${'H,'.repeat(9000)}]`],
  ])('and %s costs nothing', (_, text) => {
    expect(() => readMapping(text, 'm.yaml')).toThrow(/^m\.yaml/)
  })
  test('and thousands of aliases are not looked for in the whole text each', () => {
    const resolve = vi.spyOn(Alias.prototype, 'resolve')
    const text = `dates: &a DD.MM.YYYY\ntimes: [${'*a,'.repeat(15_000)}]`
    expect(() => readMapping(text, 'm.yaml')).toThrow('m.yaml:1:11: the mapping is too large')
    expect(resolve).not.toHaveBeenCalled()
    resolve.mockRestore()
    expect(() => readMapping('dates: *a\ntimes: &a H', 'm.yaml')).toThrow('m.yaml:1:8: there is no anchor &a')
  })
})

test.each([
  ['utf8', ''],
  ['utf8', '\ufeff'],
  ['utf16le', '\ufeff'],
  ['latin1', ''],
] as const)('a mapping is read as an editor or a shell has saved it: %s %j', async (encoding, mark) => {
  const text = 'records: {customer: {id: Küche, firstName: {column: Größe, values: {Bestätigt: Straße}}}}\n'
  async function* bytes() {
    yield Buffer.from(mark + text, encoding)
  }
  expect(
    await readMappingText('m.yaml', { ...localFiles(Readable.from([])), open: async () => bytes() }),
  ).toBe(text)
})

describe('docs/spreadsheets.md', () => {
  const page = pageText('docs/spreadsheets.md')
  const [csv, yaml, json] = ['csv', 'yaml', 'json'].map(
    (language) => blocksOf(page).find((block) => block.language === language)?.text ?? '',
  )
  test('its example gives what is printed', async () => {
    const records = await mapped(yaml ?? '', csv ?? '')
    expect(records.slice(0, 2)).toEqual(JSON.parse(json ?? ''))
    expect(records).toHaveLength(4)
  })
  test('lists every key of a mapping, and no other', () => {
    const keysIn = (heading: string) => {
      const section = page.slice(page.indexOf(`\n${heading}\n`)).split(/\n##/, 2)[1] ?? ''
      return [...section.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, keys = '']) =>
        keys.replaceAll('`', '').split(', '),
      )
    }
    expect(keysIn('## The mapping').toSorted()).toEqual(FILE_KEYS.toSorted())
    expect(keysIn('### Records').toSorted()).toEqual(RECORD_KEYS.toSorted())
    expect(keysIn('### Values').toSorted()).toEqual(SOURCE_KEYS.toSorted())
  })
})
