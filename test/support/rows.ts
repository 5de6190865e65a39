/** Rows for tests that use SQL. Required columns are filled in, so a test names only the relevant ones. */
import sql, { join, raw } from 'sql-template-tag'
import type { Queryable, Row } from '../../src/core/database/database.ts'

const DEFAULTS = {
  centers: { center_id: 'c1', name: 'Lakeside', timezone: 'UTC', currency: 'EUR' },
  terms: { center_id: 'c1', term_set: 'programs', name: 'Rest' },
  meta_fields: { center_id: 'c1', type: 'string', owner: 'customer' },
  sessions: {
    center_id: 'c1',
    name: 'Spring',
    start_date: '2025-03-01T12:00Z',
    end_date: '2025-03-10T12:00Z',
  },
  orders: { center_id: 'c1', order_date: '2025-03-01T12:00Z', total_amount: 100, status: 'confirmed' },
  customers: { center_id: 'c1', first_name: 'Ana', last_name: 'Pop' },
  bookings: {
    center_id: 'c1',
    customer_id: 'ana',
    role: 'patient',
    status: 'confirmed',
    start_date: '2025-03-01T12:00Z',
    end_date: '2025-03-10T12:00Z',
  },
} as const satisfies Record<string, Row>

type Table = keyof typeof DEFAULTS

/** Inserts one row. A transaction's `Queryable` works too. */
export async function insertRow(database: Queryable, table: Table, values: Row): Promise<void> {
  const row: Row = { ...DEFAULTS[table], ...values }
  const columns = join(Object.keys(row).map((name) => raw(name)))
  await database.query(sql`insert into ${raw(table)} (${columns}) values (${join(Object.values(row))})`)
}
