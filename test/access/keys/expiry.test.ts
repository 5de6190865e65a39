import { expect, test } from 'vitest'
import { readExpiry, readSpan } from '../../../src/core/access/keys/expiry.ts'
import { KeyError } from '../../../src/core/access/keys/key.ts'

const now = Date.parse('2026-03-01T10:00:00Z')
const inOslo = (text: string) => new Date(readExpiry(text, { now, zone: 'Europe/Oslo' })).toISOString()

test.each([
  ['90d', '2026-05-30T10:00:00.000Z'],
  [' 12h ', '2026-03-01T22:00:00.000Z'],
  // a hundred years
  ['36525d', '2126-03-02T10:00:00.000Z'],
  // the end of the center's day, across the change to summer time
  ['2026-03-28', '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['2026-12-31T12:00:00Z', '2026-12-31T12:00:00.000Z'],
  ['2026-12-31T12:00:00+02:00', '2026-12-31T10:00:00.000Z'],
  ['2026-12-31T12:00:00', '2026-12-31T11:00:00.000Z'],
])('%s ends at %s', (text, end) => {
  expect(inOslo(text)).toBe(end)
})

test.each([
  '',
  'soon',
  '90',
  '-1d',
  '1y',
  '2026-02-30',
  '2026-13-01',
  '2026-12-31T25:00:00Z',
  '36526d',
  '999999d',
  'now',
  // what else Temporal reads as a day or a moment
  '20261231',
  '+002026-12-31',
  '+002026-12-31T12:00:00Z',
  '+002026-12-31T12:00:00',
  '2026-12-31 12:00:00',
  '2026-12-31T12:00:00Z[Europe/Oslo]',
  '2026-12-31T12:00:00[Europe/Oslo]',
])('%j is refused', (text) => {
  expect(() => inOslo(text)).toThrow(KeyError)
})

test('a refusal quotes the beginning of a long text', () => {
  expect(() => inOslo('9'.repeat(100_000))).toThrow(/^"9{60}" is not an expiry/)
})

test('a span of nothing', () => {
  expect(readSpan('0')).toBe(0)
  expect(readSpan('0h')).toBe(0)
})
