import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTextArray, readTimestamp } from '../../src/core/database/types.ts'

test('a moment is read as its epoch milliseconds, in every year of four digits', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0001-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        const [day, time] = date.toISOString().split('T')
        const text = `${day} ${time!.replace('Z', '').replace(/\.?0+$/, '')}`
        // PostgreSQL leaves trailing zeros of the fraction out, never those of the seconds.
        const written =
          /:\d\d(\.\d+)?$/.test(text) && text.length >= 19 ? text : `${day} ${time!.slice(0, 8)}`
        expect(readTimestamp(`${written}+00`)).toBe(date.getTime())
      },
    ),
  )
})

test('microseconds are cut off, not rounded, also before 1970', () => {
  expect(readTimestamp('2025-01-15 08:00:00.123999+00')).toBe(Date.UTC(2025, 0, 15, 8, 0, 0, 123))
  expect(readTimestamp('1969-12-31 23:59:59.999999+00')).toBe(-1)
  expect(readTimestamp('0050-12-31 23:59:59.000999+00')).toBe(Date.parse('0050-12-31T23:59:59.000Z'))
})

test('every millisecond of a second is read exactly', () => {
  for (let millisecond = 1; millisecond < 1000; millisecond += 1) {
    const fraction = `${millisecond}`.padStart(3, '0').replace(/0+$/, '')
    expect(readTimestamp(`2025-01-15 08:00:00.${fraction}+00`) % 1000).toBe(millisecond)
  }
})

test('years beyond four digits and before our era are read too', () => {
  expect(readTimestamp('12025-01-15 08:00:00+00')).toBe(Date.parse('+012025-01-15T08:00:00Z'))
  expect(readTimestamp('0044-03-15 12:00:00.5+00 BC')).toBe(Date.parse('-000043-03-15T12:00:00.500Z'))
})

test.each([
  ['{}', []],
  ['{a}', ['a']],
  ['{a,b,c}', ['a', 'b', 'c']],
  ['{"a b","c,d","{e}"}', ['a b', 'c,d', '{e}']],
  ['{"say \\"hi\\"","back\\\\slash"}', ['say "hi"', 'back\\slash']],
  ['{NULL,"NULL","",null}', [null, 'NULL', '', 'null']],
  ['{a,"b c",NULL}', ['a', 'b c', null]],
  ['{"line\nbreak",ăîș}', ['line\nbreak', 'ăîș']],
])('the array literal %s is read as %j', (text, items) => {
  expect(readTextArray(text)).toEqual(items)
})
