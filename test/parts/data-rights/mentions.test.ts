import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { mentions, mentionTerms } from '../../../src/core/intake/references/mentions.ts'
import { MENTIONED_IN } from '../../../src/parts/data-rights/subjects-sql.ts'
import { openTestDatabase } from '../../support/database.ts'

/** Tables of centers that take no text about people, each with the reason. */
const NOBODY: Readonly<Record<string, string>> = {
  audit_heads: 'hashes',
  booking_counters: 'numbers',
  booking_ids_of_before: 'digests',
  other_order_ids: 'no values',
  booking_sessions: 'follows bookings and customers, which are searched',
  center_moves: 'states, times and numbers',
  center_revisions: 'numbers',
  center_touches: 'numbers',
  change_commits: 'numbers',
  contradiction_progress: 'numbers and positions',
  device_links: 'hashes and times; the key is searched',
  erasures: 'digests',
  erasures_lifted: 'digests of identifiers',
  sheets_on_wall: 'days and numbers',
  sheets_acknowledged: 'days and numbers',
  meal_cut_offs: 'days, names of meals and numbers',
  record_versions: 'identifiers and numbers; those of an erased person are deleted',
  refused_requests: 'counts by key, path and reason',
  source_folders: 'states and times',
  notice_addresses: 'addresses of staff, set by the operator',
  usage_days: 'counts',
  webhook_deliveries: 'counts and states',
}

it('every table of a center is searched for the person, or has a reason not to be', async () => {
  const database = await openTestDatabase()
  const rows = await database.query<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'center_id'
      -- A partition is searched with its table.
      and not (select relispartition from pg_class where oid = to_regclass(format('public.%I', table_name)))
    order by 1`)
  const known = [...Object.keys(MENTIONED_IN), ...Object.keys(NOBODY)].sort()
  expect(rows.map(({ name }) => name)).toEqual(known)
})

it('a person is found by the whole name, addresses and numbers, also in a URL, and not by a surname', () => {
  const terms = mentionTerms({
    first_name: 'Ana María',
    last_name: 'Pop',
    email: 'Ana@example.com',
    phone: '+40 722 918 273',
    secondary_phone: null,
    pin: '123',
    internal_id: null,
  })
  const texts = [
    'with ANA MARÍA POP',
    'Pop, Ana María',
    'booking-pop-ana maría-2025',
    'q=Ana+Mar%C3%ADa+Pop',
    'email=ana%40example.com',
    '+40 722 918 273',
  ]
  expect(texts.filter((text) => !mentions(text, terms))).toEqual([])
  expect(['Pop', 'Ana', '123', 'Ana Popescu', ''].filter((text) => mentions(text, terms))).toEqual([])
})
