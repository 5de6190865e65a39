/** Records that nobody means well by: each is refused or stored, with bounded work, and never with an error of ours. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { booking, center, customer, empty, importTexts, metaField } from './import-lines.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => empty(database))

const DEEP = 20_000
const deepArray = '['.repeat(DEEP) + ']'.repeat(DEEP)
const deepObject = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`
const manyKeys = `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(',')}}`
const manyItems = `[${'1,'.repeat(100_000)}1]`

const withField = (record: object, field: string, json: string) =>
  JSON.stringify({ ...record, [field]: '@' }).replace('"@"', () => json)

describe('a value', () => {
  test.each([
    ['a deep array', deepArray],
    ['a deep object', deepObject],
    ['20,000 keys', manyKeys],
    ['100,000 entries', manyItems],
    ['a number without end', '9'.repeat(500_000)],
    ['1e400', '1e400'],
    ['-1e400', '-1e400'],
    ['keys that objects have', '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1}'],
    ['NUL', '"\\u0000"'],
    ['half a character', '"\\ud800"'],
    ['half a megabyte', `"${'x'.repeat(500_000)}"`],
  ])(
    'of %s in any field is refused or stored',
    async (_, json) => {
      const records: [object, string[]][] = [
        [center(), ['name', 'timezone', 'settings', 'id', 'kind', 'unknown', 'bookingIdFormat']],
        [customer('k'), ['firstName', 'address', 'meta', 'dob', 'id', 'centerId']],
        [
          booking('b'),
          [
            'sessionIds',
            'skippingMeals',
            'financial',
            'medicalLetter',
            'acc',
            'meta',
            'startDate',
            'weight1',
          ],
        ],
      ]
      const lines = records.flatMap(([record, fields]) =>
        fields.map((field) => withField(record, field, json)),
      )
      const { summary, problems } = await importTexts(
        database,
        [
          JSON.stringify(center()),
          JSON.stringify(metaField('m')),
          JSON.stringify(customer('k')),
          ...lines,
          json,
        ],
        { skipInvalid: true },
      )
      expect(summary.applied).toBe(true)
      for (const { message } of problems) expect(message.length).toBeLessThan(1000)
      // Of each record as many as a person reads.
      expect(problems.length).toBeLessThanOrEqual(100 * (lines.length + 1))
      // Half a megabyte in each of nineteen fields takes half a minute, and longer on a busy machine.
    },
    300_000,
  )
})
