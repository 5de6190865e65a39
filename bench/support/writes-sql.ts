/** What a desk writes in one statement, and the small center that it writes in. */
import { raw, type Sql } from 'sql-template-tag'

const GUESTS = 5000

/** One center, 100 sessions of a week, and guests who stay for two of them each. */
export const WORLD: readonly Sql[] = [
  `insert into centers (center_id, name, timezone, currency) values ('c1', 'C', 'UTC', 'EUR')`,
  `insert into sessions (center_id, id, name, start_date, end_date)
   select 'c1', 's' || n, 'S' || n, '2025-03-01'::timestamptz + n * interval '7 days',
     '2025-03-08'::timestamptz + n * interval '7 days'
   from generate_series(0, 99) n`,
  `insert into customers (center_id, id, first_name, last_name, email)
   select 'c1', 'k' || n, 'Ana' || n % 100, 'Pop' || n, 'a' || n || '@example.org'
   from generate_series(1, ${GUESTS}) n`,
  `insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
   select 'c1', 'b' || n, 'k' || n, 'guest', 'confirmed', '2025-03-01'::timestamptz + n % 99 * interval '7 days',
     '2025-03-15'::timestamptz + n % 99 * interval '7 days', array['s' || n % 99, 's' || (n % 99 + 1)]
   from generate_series(1, ${GUESTS}) n`,
  'vacuum analyze',
].map((text) => raw(text))

/** The index of another feature, which a change of a customer keeps too. */
export const withoutNames: Sql = raw('drop index if exists customers_by_name')

export interface Write {
  readonly what: string
  readonly text: string
  /** @param n counts all statements of a database, so each writes something new */
  values(n: number): readonly string[]
}

const one = (n: number) => `${1 + ((n * 7) % GUESTS)}`

export const WRITES: readonly Write[] = [
  {
    what: 'a change of status',
    text: `update bookings set status = $1 where center_id = 'c1' and id = 'b' || $2`,
    values: (n) => [n % 2 === 0 ? 'confirmed' : 'arrived', one(n)],
  },
  {
    what: 'a new e-mail address',
    text: `update customers set email = $1 where center_id = 'c1' and id = 'k' || $2`,
    values: (n) => [`n${n}@example.org`, one(n)],
  },
  {
    what: 'a new last name',
    text: `update customers set last_name = $1 where center_id = 'c1' and id = 'k' || $2`,
    values: (n) => [`Pop${n}`, one(n)],
  },
  {
    what: 'a new booking',
    text: `insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      values ('c1', $1, 'k' || $2, 'guest', 'confirmed', '2025-05-01', '2025-05-15', array['s9', 's10'])`,
    values: (n) => [`n${n}`, one(n)],
  },
]
