/** Centers whose tables have every value that the database takes, as another program may have written it. */
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../../src/core/database/database.ts'
import { LANGUAGES } from '../../../src/core/locale/languages.ts'
import { GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import type { Stored } from '../../../src/core/records/fields/source.ts'
import { BOOKING_STATUSES, ROLES } from '../../../src/core/records/fields/statuses.ts'
import type { Random } from '../../support/random-center.ts'
import { metaField, type TestRecord } from '../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const TEXTS = [
  '',
  ' ',
  '=',
  '=x',
  'null',
  '0',
  '{}',
  '\u001f',
  'a\u001f=b\u001f',
  '"\\/\b\f\n\r\t\u0001',
  'Ștefan Müller 日本語 ﷽',
  '👩‍👩‍👧 e\u0301 \u{10ffff}',
  '\u2028\u2029\ufeff\ufffd\uffff',
  '\u007f\u0080\u07ff\u0800',
  '<b>&amp;</b>',
  'ſßıİ',
  'x'.repeat(70_000),
  'ă'.repeat(39),
]
/** What is in an index, which takes no more than some thousand characters. */
const SHORT = TEXTS.filter(({ length }) => length < 1000)
/** Lists are asked for those who have one of them. */
export const NUMBERS_ASKED = ['25-1', 'C-1']
const DAYS = ['0001-01-01', '0099-12-31', '0999-02-28', '1980-02-29', '2025-03-30', '9999-12-31']
/** In their order. Clocks change in Bucharest and in St. John's at some, and years have one to five digits. */
const MOMENTS = [
  '0044-03-15 12:00:00+00 BC',
  '0001-01-02T00:00:00Z',
  '0099-06-01T12:00:00Z',
  '0999-12-31T23:59:59Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  '2025-03-09T05:30:00Z',
  '2025-03-30T00:59:59.999Z',
  '2025-03-30T01:00:00Z',
  '2025-10-26T00:30:00Z',
  '2025-10-26T01:00:00.001Z',
  '2025-11-02T04:30:00.5Z',
  '9999-12-30T23:59:59Z',
  '10000-01-01 00:00:00+00',
]
const NUMBERS = [0, 1, -1.5, 0.1, 1e21, 1e-7, 12_345_678_901_234_567_000, 172, 82.5]
const ODD = [null, true, false, '', '12', [], [1, 'a', null], { a: 1 }, { a: [true, null] }]

export const SESSION_IDS = ['s-0', 's-1', 's-2', 's-3', 's-4']
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}-${at}`)
const ORDERS = names('o', 9)
const TERM_IDS = ['t-0', 't-1', 't-59', 'constructor', 'é "t"']

/** Their keys are names in JSON, where some are special to JavaScript, and some look like numbers. */
export const CUSTOM_FIELDS: readonly TestRecord[] = [
  metaField('diet'),
  metaField('constructor', { of: 'booking' }),
  metaField('7', { type: 'number', of: 'booking' }),
  metaField('a.b', { type: 'boolean' }),
  metaField('since', { type: 'date', of: 'booking' }),
]

const STORED: readonly Stored[] = GUEST_FIELDS.flatMap(({ stored, sources }) => [
  ...(stored === undefined ? [] : [stored]),
  ...sources.filter((source) => source.from === 'record'),
])

/** Fills a center that has no records yet. Both centers of a test have the same identifiers. */
export async function fill(database: Database, center: string, random: Random): Promise<void> {
  const { below, pick } = random
  const orNull = <T>(value: T): T | null => (below(4) === 0 ? null : value)
  const moment = () => pick(MOMENTS)
  const stay = (): [string, string] => {
    const at = below(MOMENTS.length)
    if (below(4) === 0) return [MOMENTS[at] ?? '', MOMENTS[at + below(MOMENTS.length - at)] ?? '']
    const from = Date.UTC(2025, 0, 1) + below(300) * DAY + below(3) * 12 * HOUR
    // Stays of more than 31 days are found in another way.
    return [new Date(from), new Date(from + below(40) * DAY + pick([0, 1, HOUR]))].map((at) =>
      at.toISOString(),
    ) as [string, string]
  }
  const isList = (stored: Stored) => stored.kind.json.type === 'array'
  const inJson = (stored: Stored): unknown => {
    if (below(4) === 0) return pick(ODD)
    if (isList(stored)) return Array.from({ length: below(4) }, () => pick([...TERM_IDS, 7, null]))
    if (stored.kind.json.type === 'number') return pick(NUMBERS)
    return pick([...TEXTS.slice(0, 16), ...TERM_IDS, ...MOMENTS])
  }
  const json = (table: string, column: string): unknown => {
    if (below(5) === 0) return pick([null, {}, [], 'text', 5])
    const made: Record<string, unknown> = {}
    for (const stored of STORED) {
      if (stored.table !== table || stored.column !== column || below(3) === 0) continue
      const [first = '', second] = stored.path
      if (second === undefined) made[first] = inJson(stored)
      else made[first] = { ...(made[first] as object), [second]: inJson(stored) }
    }
    return made
  }
  const meta = (of: string) => {
    if (below(5) === 0) return null
    const own = CUSTOM_FIELDS.filter((field) => field.of === of && below(3) > 0)
    return Object.fromEntries(own.map(({ key }) => [key, pick([...TEXTS, ...NUMBERS, ...ODD, ...DAYS])]))
  }
  const insert = async (table: string, rows: readonly Record<string, unknown>[]) => {
    const columns = raw(['center_id', ...Object.keys(rows[0] ?? {})].join(', '))
    const given = JSON.stringify(rows.map((row) => ({ center_id: center, ...row })))
    await tx.query(sql`
      insert into ${raw(table)} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${raw(table)}, ${given}::jsonb)`)
  }
  let tx: Pick<Database, 'query'> = database
  await database.transaction(async (one) => {
    tx = one
    const sets = [...new Set(STORED.flatMap(({ kind }) => ('set' in kind ? [String(kind.set)] : [])))]
    const terms = sets.flatMap((term_set) =>
      // One set has more terms than are read at once.
      [...(below(3) === 0 ? names('t', 60) : []), ...TERM_IDS].map((id) => ({ term_set, id })),
    )
    const each = new Map(terms.map((term) => [`${term.term_set} ${term.id}`, term]))
    const inLanguages = () =>
      Object.fromEntries(
        LANGUAGES.filter(() => below(4) === 0).map((language) => [language, orNull(pick(TEXTS))]),
      )
    await insert(
      'terms',
      [...each.values()].map((term) => ({ ...term, name: pick(TEXTS), names: inLanguages() })),
    )
    await insert(
      'sessions',
      SESSION_IDS.map((id) => {
        const [start_date, end_date] = stay()
        return { id, name: pick(TEXTS), start_date, end_date, program_ids: [], unit_ids: [] }
      }),
    )
    await insert(
      'orders',
      ORDERS.map((uuid) => ({
        uuid,
        number: orNull(pick(TEXTS)),
        order_date: moment(),
        total_amount: 1,
        status: pick([...TEXTS, 'confirmed']),
        items: [],
      })),
    )
    const customers = names('k', 30)
    const text = () => orNull(pick([...TEXTS, ...TERM_IDS]))
    await insert(
      'customers',
      customers.map((id) => ({
        id,
        first_name: pick(SHORT),
        last_name: pick(SHORT),
        email: orNull(pick(SHORT)),
        phone: orNull(pick(SHORT)),
        secondary_phone: orNull(pick(SHORT)),
        pin: orNull(pick(SHORT)),
        internal_id: orNull(pick([...SHORT, ...NUMBERS_ASKED])),
        dob: orNull(pick(DAYS)),
        gender: text(),
        religion: text(),
        referral_type: text(),
        address: json('customers', 'address'),
        meta: meta('customer'),
      })),
    )
    await insert(
      'bookings',
      names('b', 40 + below(110)).map((id) => {
        const [start_date, end_date] = stay()
        return {
          id,
          customer_id: pick(customers),
          role: pick(ROLES),
          status: pick(BOOKING_STATUSES),
          start_date,
          end_date,
          session_ids: [...new Set(Array.from({ length: below(4) }, () => pick(SESSION_IDS)))],
          booking_id: orNull(pick([...SHORT, ...NUMBERS_ASKED])),
          booked_at: orNull(moment()),
          created_by: text(),
          program_id: text(),
          package_id: text(),
          order_uuid: orNull(pick(ORDERS)),
          is_order_main_guest: pick([null, true, false]),
          doctor_name: text(),
          therapist_name: text(),
          skipping_meals: pick([
            {},
            { dinner: ['2025-01-02'], breakfast: [], lunch: null },
            { lunch: DAYS, other: 1 },
          ]),
          accommodation: json('bookings', 'accommodation'),
          form: json('bookings', 'form'),
          medical: json('bookings', 'medical'),
          financial: json('bookings', 'financial'),
          meta: meta('booking'),
        }
      }),
    )
  })
}
