import sql, { raw, type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import {
  asText,
  millisecondsOf,
  readerOf,
  SEPARATOR,
  SeparatorInValue,
  type TextForm,
  TextRows,
  textRow,
  textRows,
  unguessableSeparator,
} from '../../src/core/database/text-rows.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})

/** Whatever may be confused with a mark, a separator, or nothing. */
const TEXTS = ['', '=', '==a', ' ', '\t', 'a\nb', '{}', 'NULL', 'null', '"', '\\', '\u0001', 'ș 😀', "'"]

const FORMS: readonly (readonly [TextForm['type'], readonly (readonly [value: string, read: unknown])[]])[] =
  [
    ['text', TEXTS.map((text) => [text, text])],
    [
      'text[]',
      [
        ['{}', []],
        ['{a,"b, \\"c",NULL}', ['a', 'b, "c', null]],
      ],
    ],
    [
      'boolean',
      [
        ['true', true],
        ['false', false],
      ],
    ],
    [
      'integer',
      [
        ['0', 0],
        ['-7', -7],
      ],
    ],
    [
      'date',
      [
        ['2025-01-31', '2025-01-31'],
        ['0001-01-01', '0001-01-01'],
      ],
    ],
    [
      'timestamptz',
      [
        ['2025-01-15T21:59:59.999999Z', Date.parse('2025-01-15T21:59:59.999Z')],
        ['1969-12-31T23:59:59.999Z', -1],
        ['1969-12-31T23:59:00Z', -60_000],
        ['2025-01-15T22:00:00Z', Date.parse('2025-01-15T22:00:00Z')],
      ],
    ],
    [
      'jsonb',
      [
        ['null', null],
        ['"a\\u001fb"', 'a\u001fb'],
        ['{"a": [1, 0.50]}', { a: [1, 0.5] }],
        ['-0.50', -0.5],
        ['12345678901234567890', Number('12345678901234567890')],
        ['true', true],
      ],
    ],
  ]

/** The values of a column of one type, each next to another, as rows of one text. */
async function readBack(form: TextForm, values: readonly (string | null)[], separator: string) {
  const column = raw(`v.text::${form.type}`)
  const [row] = await database.query<{ rows: string }>(sql`
    select ${textRows(textRow([raw('v.at'), asText(sql`(${column})`, form), raw('7')], separator), separator, raw('v.at'))} as rows
    from unnest(${values}::text[]) with ordinality as v (text, at)`)
  const rows = new TextRows(row?.rows ?? '', 3, separator)
  const read = readerOf(form)
  const at = Array.from({ length: rows.count }, (_, row) => 1 + row * rows.width + 1)
  const found = at.map((piece) => read(rows.piece(piece)))
  if (form.type === 'timestamptz') expect(at.map((piece) => rows.milliseconds(piece))).toEqual(found)
  return found
}

describe.each(FORMS)('a value of type %s', (type, values) => {
  it('comes back as it was, where it is in every row', async () => {
    const texts = values.map(([text]) => text)
    expect(await readBack({ type, required: true }, texts, SEPARATOR)).toEqual(values.map(([, read]) => read))
  })

  it('comes back as it was, and null as null, where it may be missing', async () => {
    const texts = values.flatMap(([text]) => [text, null])
    expect(await readBack({ type, required: false }, texts, SEPARATOR)).toEqual(
      values.flatMap(([, read]) => [read, null]),
    )
  })
})

describe('a value that holds the separator', () => {
  it.each([
    SEPARATOR,
    `a${SEPARATOR}b`,
    // What looks like further rows.
    `a${SEPARATOR}7${SEPARATOR}2${SEPARATOR}b`,
    `${SEPARATOR}${SEPARATOR}${SEPARATOR}`,
  ])('is noticed, and comes back as it was with another: %j', async (text) => {
    for (const required of [true, false]) {
      const form = { type: 'text', required } as const
      await expect(readBack(form, ['a', text, 'b'], SEPARATOR)).rejects.toThrow(SeparatorInValue)
      expect(await readBack(form, ['a', text, 'b'], unguessableSeparator())).toEqual(['a', text, 'b'])
    }
  })
})

it('no rows are none, and of any width', async () => {
  expect(await readBack({ type: 'text', required: true }, [], SEPARATOR)).toEqual([])
})

it('a row may have more values than a function of PostgreSQL takes', async () => {
  for (const width of [99, 100, 300]) {
    const values: Sql[] = Array.from({ length: width }, (_, at) => raw(`${at}`))
    const [row] = await database.query<{ rows: string }>(
      sql`select ${textRows(textRow(values, SEPARATOR), SEPARATOR, raw('1'))} as rows from generate_series(1, 2) as v (at)`,
    )
    const rows = new TextRows(row?.rows ?? '', width, SEPARATOR)
    expect(rows.count).toBe(2)
    expect(values.map((_, at) => rows.piece(1 + at))).toEqual(values.map((_, at) => String(at)))
  }
})

/** Of the first, third and fourth, 240 of the milliseconds are a little less as a double than as they are written. */
const SECONDS = [
  '1900-04-29T23:58:01',
  '1969-12-31T23:59:59',
  '2004-04-14T20:31:17',
  '2038-01-20T17:05:43',
  '2199-12-31T23:59:59',
]

it('every millisecond of a second is read as itself, from 1900 to 2199', async () => {
  const moments = SECONDS.flatMap((second) =>
    Array.from({ length: 1000 }, (_, ms) => `${second}.${String(ms).padStart(3, '0')}Z`),
  )
  const rows = await database.query<{ seconds: string }>(sql`
    select date_part('epoch', m.text::timestamptz)::text as seconds
    from unnest(${moments}::text[]) with ordinality as m (text, position) order by m.position`)
  expect(rows.map(({ seconds }) => millisecondsOf(seconds))).toEqual(moments.map(Date.parse))
})
