/** The registry held to the database: a field that names what is not there, or reads more than it says, fails. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expressionOf } from '../../../src/core/api/guests/guest-columns-sql.ts'
import { KINDS } from '../../../src/core/intake/kinds.ts'
import { toRowPatch } from '../../../src/core/intake/lines/rows.ts'
import { centerId } from '../../../src/core/records/centers/center.ts'
import { readOrderRules } from '../../../src/core/records/centers/order-rules.ts'
import { GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import { BOOKING_RECORD, CUSTOMER_RECORD } from '../../../src/core/records/fields/record-fields.ts'
import {
  columnsRead,
  joinedTable,
  type Source,
  type Stored,
} from '../../../src/core/records/fields/source.ts'

const SCHEMA = readFileSync(new URL('../../../src/core/database/schema.sql', import.meta.url), 'utf8')

/** By table: each column and its type, as the migrations make them. */
const COLUMNS = new Map(
  [...SCHEMA.matchAll(/^create table (\w+) \(\n(.*?)^\);/gms)].map(([, table = '', body = '']) => [
    table,
    new Map(
      [...body.matchAll(/^ {2}(\w+) (timestamp with time zone|text\[\]|\w+)/gm)].map(
        ([, name = '', type = '']) => [name, type.replace('timestamp with time zone', 'timestamptz')],
      ),
    ),
  ]),
)

const storedIn = (source: Source): readonly Stored[] =>
  source.from === 'record' ? [source] : source.from === 'terms' ? [source.of] : []

const RECORD_FIELDS = [...CUSTOMER_RECORD, ...BOOKING_RECORD]
const FIELDS: readonly (readonly [name: string, stored: readonly Stored[]])[] = [
  ...GUEST_FIELDS.map(({ name, sources }) => [name, sources.flatMap(storedIn)] as const),
  ...RECORD_FIELDS.map(({ name, stored }) => [name, [stored]] as const),
]

const TABLES: Readonly<Record<string, string>> = { b: 'bookings', c: 'customers', s: 'sessions', o: 'orders' }

describe('every field', () => {
  it.each(FIELDS)(
    '%s is stored in columns that the migrations make, of the type that it says',
    (_, stored) => {
      for (const { table, column, path, kind } of stored) {
        const type = path.length === 0 ? kind.column : 'jsonb'
        expect(COLUMNS.get(table)?.get(column), `${table}.${column}`).toBe(type)
      }
    },
  )

  it.each(GUEST_FIELDS.map(({ name, sources }) => [name, sources] as const))(
    '%s says every column that its SQL reads',
    (_, sources) => {
      for (const source of sources) {
        const shownOn = { zone: 'Europe/Bucharest', from: '2025-01-01', sessionIds: ['s'] }
        const { text } = expressionOf(source, {
          ...{ center: centerId('spa'), language: 'en', shownOn },
          paidBy: { orderRules: readOrderRules(undefined), currency: 'EUR' },
        })
        const named = [...text.matchAll(/(?<![\w.])([bcso])\.(\w+)/g)]
          .filter(([, , column]) => column !== 'center_id')
          .map(([, alias = '', column = '']) => `${TABLES[alias]}.${column}`)
        expect(named).not.toEqual([])
        expect(columnsRead(source)).toEqual(expect.arrayContaining(named))
        const linked = {
          customers: 'customer_id',
          sessions: 'session_ids',
          orders: 'order_uuid',
          bookings: undefined,
        }
        const link = linked[joinedTable(source)]
        if (link !== undefined) expect(columnsRead(source)).toContain(`bookings.${link}`)
      }
    },
  )

  it('is described once', () => {
    const names = GUEST_FIELDS.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })

  it('of a record is stored in a field of its own, and not within another’s', () => {
    const places = RECORD_FIELDS.map(({ stored: { table, column, path } }) =>
      [table, column, ...path].join('.'),
    )
    expect(places).toEqual([...new Set(places)])
    for (const place of places) {
      expect(
        places.filter((other) => other.startsWith(`${place}.`)),
        place,
      ).toEqual([])
    }
  })
})

describe('every field of a record', () => {
  it.each(
    [
      ...CUSTOMER_RECORD.map((field) => ['customer', field.name, field] as const),
      ...BOOKING_RECORD.map((field) => ['booking', field.name, field] as const),
    ].filter(([, name]) => name !== 'id'),
  )('of a %s, %s alone, goes to its place alone', (kind, _, { path, stored }) => {
    const patch = toRowPatch(KINDS[kind], nested(path, 'here'))
    expect(patch).toEqual(nested([stored.column, ...stored.path], 'here'))
  })

  const groups = (['customer', 'booking'] as const).flatMap((kind) => {
    const fields = kind === 'customer' ? CUSTOMER_RECORD : BOOKING_RECORD
    const names = fields.flatMap(({ path }) => path.slice(1).map((_, at) => path.slice(0, at + 1).join('.')))
    return [...new Set(names)].map((group) => [kind, group, fields] as const)
  })

  it.each(groups)(
    'of a %s, that is in the group %s, is cleared with it, and no other',
    (kind, group, fields) => {
      const patch = toRowPatch(KINDS[kind], nested(group.split('.'), null))
      const cleared = fields.filter(({ stored }) => isCleared(patch, [stored.column, ...stored.path]))
      expect(cleared.map(({ name }) => name)).toEqual(
        fields.filter(({ name }) => name.startsWith(`${group}.`)).map(({ name }) => name),
      )
    },
  )
})

type Json = null | string | { [name: string]: Json }

function nested(path: readonly string[], value: Json): { [name: string]: Json } {
  const [first = '', ...rest] = path
  return { [first]: rest.length === 0 ? value : nested(rest, value) }
}

function isCleared(patch: unknown, path: readonly string[]): boolean {
  let at: unknown = patch
  for (const name of path) {
    if (at === null) return true
    if (typeof at !== 'object') return false
    at = (at as Record<string, unknown>)[name]
  }
  return at === null
}
