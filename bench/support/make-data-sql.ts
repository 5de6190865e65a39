/**
 * Synthetic bookings, generated inside PostgreSQL: any number, in many equal centers and one center with a tenth of
 * all. Identifiers are numbers, so that pgbench can choose them at random.
 *
 * Each session lasts ten days and has forty guests by default. Sessions follow each other without a gap, and centers
 * with more bookings have more parallel sessions. So a session's page and a week of an ordinary center have the same
 * size with ten thousand bookings and with ten million.
 */
import sql, { raw, type Sql } from 'sql-template-tag'

export const GUESTS_PER_SESSION = 40
const BOOKINGS_PER_CENTER = 4000
const LAST_NAMES = [
  'Popescu',
  'Ionescu',
  'Hansen',
  'Berg',
  'Smith',
  'Jones',
  'Radu',
  'Țurcanu',
  'Dahl',
] as const
/** successive sessions: about two years and nine months */
export const SESSIONS_IN_A_ROW = 100
/** from the beginning of a session to that of the next */
export const DAYS_PER_SESSION = 10
/** the first day of the first session */
export const FIRST_DAY = '2024-01-01'

export interface DataSize {
  readonly bookings: number
  readonly guestsPerSession: number
  /** center `1` has a tenth of all bookings; the others are numbered from 2 */
  readonly bigCenterSessions: number
  readonly centers: number
}

/** The number of centers and sessions for this many bookings. */
export function dataSize(bookings: number, guestsPerSession = GUESTS_PER_SESSION): DataSize {
  const bigCenterSessions = Math.max(1, Math.round(bookings / 10 / guestsPerSession))
  const others = Math.max(
    1,
    Math.round((bookings - bigCenterSessions * guestsPerSession) / BOOKINGS_PER_CENTER),
  )
  return { bookings, guestsPerSession, bigCenterSessions, centers: others + 1 }
}

/**
 * Search values that find the guest of a booking in its center, as `fillStatements` generates them.
 * @param booking its number
 */
export function findable(booking: number, guestsPerSession: number) {
  const session = Math.floor(booking / guestsPerSession)
  const guest = booking % guestsPerSession
  const starts = Temporal.PlainDate.from(FIRST_DAY).add({
    days: (session % SESSIONS_IN_A_ROW) * DAYS_PER_SESSION,
  })
  return {
    email: `guest${booking}@example.com`,
    phone: `+40 7${String(booking).padStart(8, '0')}`,
    name: `${LAST_NAMES[booking % LAST_NAMES.length]} ${booking}`,
    bookingId: `${starts.toString().slice(2, 4)}-${session}-${String(guest + 1).padStart(2, '0')}`,
    starts,
  }
}

/** The number of sessions of a center. */
export const sessionsOf = (size: DataSize, center: number) =>
  center === 1 ? size.bigCenterSessions : Math.round(BOOKINGS_PER_CENTER / size.guestsPerSession)

/**
 * The statements that fill an empty, migrated database, in order. The replication role is `replica`, so triggers and
 * foreign keys are off, and what triggers would write (booking_sessions, revisions) is written here.
 * @param nextToSessions the columns of booking_sessions
 */
export function fillStatements(size: DataSize, nextToSessions: readonly string[]): Sql[] {
  const { centers, guestsPerSession } = size
  const sessionsInCenter = sql`case when c = 1 then ${sessionsOf(size, 1)}::int else ${sessionsOf(size, 2)}::int end`
  // Session s begins at its position in the sequence of sessions.
  const sessionStart = sql`${FIRST_DAY}::timestamptz + (s % ${SESSIONS_IN_A_ROW}::int) * ${DAYS_PER_SESSION}::int * interval '1 day' + interval '14 hours'`
  return [
    sql`insert into centers (center_id, name, timezone, currency, locale, automatic_booking_ids, email, phone)
      select c::text, 'Center ' || c, 'Europe/Bucharest', 'RON', 'en', true, 'desk@center' || c || '.example', '+40 200 000 000'
      from generate_series(1, ${centers}::int) c`,
    sql`insert into terms (center_id, term_set, id, name, names)
      select c::text, t.term_set, t.term_set || n, t.term_set || ' ' || n, jsonb_build_object('ro', t.term_set || ' nr. ' || n)
      from generate_series(1, ${centers}::int) c,
        (values ('program'), ('package'), ('room'), ('bedType')) t (term_set), generate_series(0, 9) n`,
    sql`insert into meta_fields (center_id, key, label, type, owner)
      select c::text, 'diet', 'Diet', 'string', 'booking' from generate_series(1, ${centers}::int) c`,
    sql`insert into sessions (center_id, id, name, number, start_date, end_date, program_ids)
      select c::text, s::text, 'Session ' || s, s::text, ${sessionStart}, ${sessionStart} + interval '9 days 20 hours', '{program0,program1}'
      from generate_series(1, ${centers}::int) c, generate_series(0, ${sessionsInCenter} - 1) s`,
    sql`insert into customers (center_id, id, first_name, last_name, email, phone, dob, gender, address, referral_type)
      select c::text, n::text,
        (array['Ioana', 'Andrei', 'Ingrid', 'Olav', 'Mary', 'John', 'Elena', 'Ștefan'])[1 + n % 8],
        (${[...LAST_NAMES]}::text[])[1 + n % ${LAST_NAMES.length}::int] || ' ' || n,
        'guest' || n || '@example.com', '+40 7' || lpad(n::text, 8, '0'), date '1950-01-01' + (n % 18000),
        case when n % 2 = 0 then 'female' else 'male' end,
        '{"street": "Strada Lungă 1", "city": "Brașov", "zip": "500001", "country": "Romania"}', 'friend'
      from generate_series(1, ${centers}::int) c, generate_series(0, ${sessionsInCenter} * ${guestsPerSession}::int - 1) n`,
    sql`insert into orders (center_id, uuid, number, order_date, total_amount, status, payment_method, payment_status, items, created_at, updated_at)
      select c::text, c || '-' || s || '-' || k, (s * 20 + k)::text, ${sessionStart} - interval '30 days', 2500, 'confirmed', 'credit_card', 'paid',
        '[{"itemId": "stay", "name": "Stay", "quantity": 10, "price": 250}]', ${sessionStart} - interval '30 days', ${sessionStart} - interval '29 days'
      from generate_series(1, ${centers}::int) c, generate_series(0, ${sessionsInCenter} - 1) s, generate_series(0, ${Math.floor(guestsPerSession / 2)}::int - 1) k`,
    sql`insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids, booking_id, booking_number,
        booked_at, created_by, program_id, package_id, order_uuid, is_order_main_guest, doctor_name, therapist_name,
        skipping_meals, accommodation, form, medical, financial, meta)
      select c::text, b::text, b::text,
        (array['patient', 'companion', 'guest'])[1 + b % 3],
        (array['paid', 'arrived', 'departed', 'confirmed', 'registered', 'cancelled', 'waitingList', 'paid'])[1 + b % 8],
        starts, starts + interval '9 days 20 hours', array[s::text],
        to_char(starts, 'YY') || '-' || s || '-' || lpad((1 + g)::text, 2, '0'), 1 + g,
        starts - interval '40 days', 'reception', 'program' || (b % 10), 'package' || (b % 5), c || '-' || s || '-' || (g / 2), g % 2 = 0,
        'Dr. Ana Ionescu', 'Mihai Radu',
        case when b % 4 = 0 then jsonb_build_object('breakfast', jsonb_build_array(to_char(starts + interval '1 day', 'YYYY-MM-DD')),
            'lunch', '[]'::jsonb, 'dinner', jsonb_build_array(to_char(starts + interval '2 days', 'YYYY-MM-DD')))
          else '{"breakfast": [], "lunch": [], "dinner": []}' end,
        jsonb_build_object('roomId', 'room' || (b % 10), 'bedType', 'bedType' || (b % 2), 'floor', '1'),
        '{"medicalConditions": "Mild asthma", "mobility": "Walks unaided"}',
        '{"weight1": 80, "height": 175, "medicalLetter": {"ekg": "Normal", "diagnoses": "None"}}',
        '{"subtotal": 2500, "total": 2250, "deposit": {"amount": 500, "paymentType": "bank_transfer"}}',
        '{"diet": "vegetarian"}'
      from generate_series(1, ${centers}::int) c, generate_series(0, ${sessionsInCenter} - 1) s,
        generate_series(0, ${guestsPerSession}::int - 1) g,
        lateral (select s * ${guestsPerSession}::int + g as b) n,
        lateral (select ${sessionStart} + g * interval '1 minute' as starts) t`,
    sql`insert into booking_sessions (${raw(nextToSessions.join())})
      select ${raw(nextToSessions.map(nextToSession).join())}
      from bookings b join customers c on c.center_id = b.center_id and c.id = b.customer_id`,
    sql`insert into center_revisions (center_id, revision, profile_revision) select center_id, 1, 1 from centers`,
  ]
}

/** The value of a column of booking_sessions, from the booking `b` and the customer `c`. */
function nextToSession(column: string): string {
  if (column === 'session_id') return 'b.session_ids[1]'
  if (column === 'booking_id') return 'b.id'
  if (column === 'position') return '1'
  return ['first_name', 'last_name', 'email'].includes(column) ? `c.${column}` : `b.${column}`
}

/** One center with this many orders, spread evenly over the year 2025. */
export function orderStatements(orders: number): Sql[] {
  return [
    sql`insert into centers (center_id, name, timezone, currency) values ('1', 'Orders', 'Europe/Bucharest', 'RON')`,
    sql`insert into orders (center_id, uuid, number, order_date, total_amount, status, payment_method, payment_status, items, created_at, updated_at)
      select '1', n::text, n::text, ordered, 2500, 'confirmed', 'credit_card', 'paid',
        '[{"itemId": "stay", "name": "Stay", "quantity": 10, "price": 250}]', ordered, ordered
      from generate_series(1, ${orders}::int) n,
        lateral (select '2025-01-01T00:00:00Z'::timestamptz + n * (interval '364 days' / ${orders}::int) as ordered) t`,
    sql`insert into center_revisions (center_id, revision, profile_revision) values ('1', 1, 1)`,
  ]
}
