/** Cells that are far longer than what their columns have: they are refused, and no rule reads them character by character. */
import { describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../../../src/core/intake/kinds/kind.ts'
import { valueAt } from '../../../../src/core/intake/lines/json-paths.ts'
import { LINE_SCHEMAS } from '../../../../src/core/intake/lines/line-schemas.ts'
import { LINE_BYTES_MAX } from '../../../../src/core/intake/lines/read-ndjson.ts'
import { readLine } from '../../../../src/core/intake/lines/record-line.ts'
import { findProblems } from '../../../../src/core/intake/rejects/problems.ts'
import { mapRows } from '../../../../src/core/intake/spreadsheets/mapping/map-rows.ts'
import { readMapping } from '../../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'
import { dateFormatsOf } from '../../../../src/core/intake/spreadsheets/mapping/written-forms.ts'
import { LANGUAGES } from '../../../../src/core/locale/languages.ts'

const NAMES = ['id', 'cell']

/** The record, or the problem, that a mapping makes of one cell. */
async function mapped(records: string, cell: string) {
  const [table] = readMapping(`records: {${records}}`, 'm.yaml').tables
  if (table === undefined) throw new Error('no table')
  const rows = [{ number: 2, cells: ['k', cell] }]
  const [line] = await Array.fromAsync(
    mapRows({ names: NAMES, isNamed: true, rows }, table, { table: 'g.csv', mapping: 'm.yaml' }),
  )
  return line
}

async function fieldOf(field: string, source: string, cell: string) {
  const line = await mapped(`customer: {id: id, ${field}: ${source}}`, cell)
  const record = line?.value as JsonObject
  return valueAt(record, field.split('.'))
}

/** A text of so many characters, which spaces make as long. */
const spread = (before: string, after: string, length: number) =>
  `${before}${' '.repeat(length - before.length - after.length)}${after}`

describe('a value of 100 characters is read, and one of 101 is text', () => {
  test.each([
    ['a date', 'dob', '{column: cell, dates: D MMM YYYY}', '4 mai', '1961', '1961-05-04'],
    [
      'a date of a custom field',
      'meta.day',
      '{column: cell, type: date}',
      '2031-08-09',
      '(Sat)',
      '2031-08-09',
    ],
    ['a number', 'meta.n', '{column: cell, type: number, decimals: ","}', '4.711,5', 'EUR', 4711.5],
    [
      'yes',
      'meta.b',
      '{column: cell, type: boolean, booleans: {true: ja gern, false: ne}}',
      'ja',
      'gern',
      true,
    ],
  ])('%s', async (_, name, source, before, after, expected) => {
    expect(await fieldOf(name, source, spread(before, after, 100))).toBe(expected)
    const longer = spread(before, after, 101)
    expect(await fieldOf(name, source, longer)).toBe(longer)
  })

  test('a mapping may not give a longer word a meaning', () => {
    const word = 'x'.repeat(101)
    const text = `booleans: {true: ${word}, false: ne}\nrecords: {customer: {id: id}}`
    expect(() => readMapping(text, 'm.yaml')).toThrow('a word has more than 100 characters')
  })
})

test('a text that is too long for a name is no part of a name, and is refused', async () => {
  const cell = 'Ana '.repeat(300).trim()
  for (const part of ['givenNames', 'familyName'])
    expect(await fieldOf('lastName', `{column: cell, part: ${part}}`, cell)).toBe(cell)
})

/** Characters that regular expressions are given during the work. */
async function charactersRead(work: () => Promise<unknown>): Promise<number> {
  let characters = 0
  const exec = RegExp.prototype.exec
  const counting = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    characters += text.length - this.lastIndex
    return exec.call(this, text)
  })
  try {
    await work()
  } finally {
    counting.mockRestore()
  }
  return characters
}

const LENGTH = 900_000
const HOSTILE = ['1.1.', 'de ', 'a/', 'A', 'e\u0301', '1 Jan ', ' \t.', '12:00 ', '('].map((part) =>
  `x${part.repeat(LENGTH)}`.slice(0, LENGTH),
)
const FORMATS = `dates: [${LANGUAGES.slice(0, 18)
  .map((language) => `D MMM(${language}) YYYY`)
  .join(', ')}, DD.MM.YYYY, DD MM YYYY], times: [HH:mm, HH.mm, "h:mm A"]`

describe('a cell of 900 kB is read once or twice, not by every rule', () => {
  test.each([
    ['a date', `booking: {id: id, customerId: id, startDate: {column: cell, ${FORMATS}}}`],
    ['a number', 'customer: {id: id, meta.n: {column: cell, type: number, decimals: "."}}'],
    ['yes or no', 'booking: {id: id, customerId: id, isOrderMainGuest: cell}'],
    ['a word', 'booking: {id: id, customerId: id, status: {column: cell, values: {an: arrived}}}'],
    ['a name', 'customer: {id: id, lastName: {column: cell, part: familyName}}'],
    ['an e-mail address', 'customer: {id: id, email: cell}'],
    ['part of an identifier', `customer: {id: {columns: [id, cell], identifier: hash, ${FORMATS}}}`],
    ['part of a written identifier', `customer: {id: {columns: [id, cell], identifier: text, ${FORMATS}}}`],
    ['a condition', 'customer: {when: [{column: cell, is: ja}], id: id}'],
  ])('%s', async (_, records) => {
    for (const cell of HOSTILE) {
      const characters = await charactersRead(async () => {
        const line = await mapped(records, cell)
        if (line === undefined) return
        const { kind = 'customer' } = readLine(line, 'spa')
        findProblems(LINE_SCHEMAS[kind].record.schema, line.value)
      })
      expect(characters, cell.slice(0, 10)).toBeLessThan(10 * LENGTH)
    }
  })
})

test('the words of a text are looked up once, in however many languages it is read', async () => {
  const text = 'Montag, de de de de de de de de de de 16 listopadx 2026 11:00 PM'
  dateFormatsOf('1 mai 2026')
  const characters = await charactersRead(async () => dateFormatsOf(text))
  expect(characters).toBeLessThan(100_000)
})

test('a text of more words than a date has is no date', () => {
  expect(dateFormatsOf(`${'de '.repeat(17)}16 enero 2026`)).toContain('D MMM YYYY')
  expect(dateFormatsOf(`${'de '.repeat(18)}16 enero 2026`)).toEqual([])
})

test('a row that gives its fields more than a line may have is a problem, however short the row', async () => {
  const records = (count: number) =>
    `customer: {id: id, ${Array.from({ length: count }, (_, at) => `meta.m${at}: cell`).join(', ')}}`
  const cell = 'x'.repeat(LINE_BYTES_MAX / 4)
  expect(await mapped(records(3), cell)).not.toHaveProperty('problem')
  expect(await mapped(records(4), cell)).toMatchObject({
    line: 2,
    problem: { english: `gives the fields of the mapping more than ${LINE_BYTES_MAX} characters` },
  })
})

test('others run while a cell of ten thousand days is read', async () => {
  const days = Array.from({ length: 10_000 }, (_, at) => new Date(at * 86_400_000).toISOString().slice(0, 10))
  let isRead = false
  let rounds = 0
  const round = () => {
    rounds += 1
    if (!isRead) setImmediate(round)
  }
  setImmediate(round)
  const line = await mapped(
    'booking: {id: id, customerId: id, skippingMeals.breakfast: {column: cell, split: ";"}}',
    days.join(';'),
  )
  isRead = true
  expect(line?.value).toMatchObject({ skippingMeals: { breakfast: days } })
  expect(rounds).toBeGreaterThan(1)
})

test('a list that is longer than its field takes is one problem, and its items are not read', async () => {
  const line = await mapped(
    'booking: {id: id, customerId: id, sessionIds: {column: cell, split: ";"}}',
    `${'!;'.repeat(101)}`,
  )
  const problems = findProblems(LINE_SCHEMAS.booking.record.schema, line?.value)
  expect(problems.map(({ field, message }) => [field, message])).toEqual([
    ['sessionIds', 'is a list of 101; expected a list of at most 100 values, each once'],
  ])
})
