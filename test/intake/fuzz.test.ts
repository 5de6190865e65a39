/** Whatever is on a line: the import ends with an answer, and never half-writes. */
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { KIND_NAMES } from '../../src/core/intake/kinds/kind.ts'
import { LINE_SCHEMAS } from '../../src/core/intake/lines/line-schemas.ts'
import { fieldPaths, findProblems } from '../../src/core/intake/rejects/problems.ts'
import { openTestDatabase } from '../support/database.ts'
import {
  booking,
  center,
  customer,
  empty,
  everything,
  importAll,
  importTexts,
  metaField,
  order,
  session,
} from './import-lines.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => empty(database))

/** What databases and clocks stumble over. */
const awkward = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  'a\u0000b',
  'a\ud800b',
  '__proto__',
  'now',
  'infinity',
  '2025-02-30',
  '2025-01-01',
  '2025-01-01T10:00',
  '9999-12-31T23:59:59-12:00',
  '0001-01-01',
  1e308,
  -0,
  1e-320,
  2 ** 53,
  2 ** 31,
  [],
  {},
  [null],
  ['a\u0000b'],
  ['2025-02-30'],
  { a: null },
  { m: 'a\u0000b' },
  true,
)
const strange = fc.oneof(
  { weight: 4, arbitrary: awkward },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.jsonValue() },
)

/** A good record with some of its fields replaced, cleared or added. */
const record = fc
  .tuple(
    fc.constantFrom(
      center(),
      customer('k', { meta: { m: 'x' }, address: { street: 'S' } }),
      session('s'),
      order('o', { items: [{ itemId: 'i', name: 'n', quantity: 1, price: 2 }] }),
      booking('b', {
        sessionIds: ['s'],
        orderUuid: 'o',
        acc: { floor: '1' },
        financial: { deposit: { amount: 1 } },
      }),
      metaField('m', { of: 'customer' }),
      { kind: 'term', centerId: 'c', set: 'room', id: 'r', name: 'R', names: { ro: 'C' } },
    ),
    // Mostly one, so that a line is not refused for another reason.
    fc.oneof(
      { weight: 4, arbitrary: fc.array(fc.tuple(fc.nat(), strange), { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(), strange), { maxLength: 3 }) },
    ),
  )
  .map(([good, changes]) => {
    const kind = KIND_NAMES.find((name) => name === good.kind)!
    const paths = [
      ...fieldPaths(LINE_SCHEMAS[kind].record.schema),
      'deleted',
      'meta.m',
      'unknown',
      '__proto__',
    ]
    const changed: Record<string, unknown> = structuredClone(good)
    for (const [at, value] of changes) set(changed, paths[at % paths.length]!.split('.'), value)
    return changed
  })

function set(holder: Record<string, unknown>, [step, ...rest]: string[], value: unknown): void {
  const here = Object.getOwnPropertyDescriptor(holder, step!)?.value
  const isObject = typeof here === 'object' && here !== null && !Array.isArray(here)
  const child: Record<string, unknown> = isObject ? here : {}
  if (rest.length > 0) set(child, rest, value)
  Object.defineProperty(holder, step!, {
    value: rest.length > 0 ? child : value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

const line = fc.oneof(
  { weight: 4, arbitrary: record.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
)

const fill = () =>
  importAll(database, [
    center(),
    metaField('m', { of: 'customer' }),
    customer('k'),
    session('s'),
    order('o'),
    booking('b'),
  ])

test('any lines: all goes in, or nothing does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), fc.nat(4), async (lines, luck) => {
      await empty(database)
      if (luck > 0) await fill()
      const before = await everything(database)
      const { summary, problems } = await importTexts(database, lines)
      expect(summary.applied).toBe(summary.rejected === 0)
      expect(problems.length).toBe(summary.problems)
      const after = await everything(database)
      if (!summary.applied) expect(after).toEqual(before)
      else {
        const again = await importTexts(database, lines)
        expect(again.summary.applied).toBe(true)
        expect(await everything(database)).toEqual(after)
      }
    }),
    { numRuns: 25 },
  )
})

test('any lines with skipInvalid: each is in, or reported', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 10, maxLength: 40 }), async (lines) => {
      await empty(database)
      await fill()
      const { summary, problems } = await importTexts(database, lines, { skipInvalid: true })
      expect(summary.applied).toBe(true)
      expect(new Set(problems.map((problem) => problem.line)).size).toBe(summary.rejected)
      const counted = Object.values(summary.kinds).flatMap((counts) => Object.values(counts))
      expect(counted.reduce((sum, count) => sum + count, 0) + summary.rejected).toBe(lines.length)
    }),
    { numRuns: 25 },
  )
})

test('the problems of a record are none exactly where its schema finds it right', () => {
  fc.assert(
    fc.property(record, (value) => {
      const kind = KIND_NAMES.find((name) => name === value.kind)
      if (kind === undefined) return
      for (const { schema, check } of Object.values(LINE_SCHEMAS[kind])) {
        const problems = findProblems(schema, value)
        expect(problems.length === 0).toBe(check(value))
        for (const { message } of problems) expect(message).not.toBe('is not a valid record')
      }
    }),
    { numRuns: 2000 },
  )
})
