/**
 * A text of every statement that a `*-sql.ts` file can make. A builder that is not here fails the test that reads
 * them: add it, in each shape that its arguments give it.
 */
import sql, { type Sql } from 'sql-template-tag'
import * as backup from '../../src/commands/backup/backup-sql.ts'
import * as deviceLinks from '../../src/core/access/keys/device-links-sql.ts'
import * as keys from '../../src/core/access/keys/keys-sql.ts'
import * as acts from '../../src/core/acts/acts-sql.ts'
import * as actions from '../../src/core/api/actions/action-answers-sql.ts'
import { selectStays } from '../../src/core/api/guests/arrivals-sql.ts'
import type { BookingFilters } from '../../src/core/api/guests/conditions-sql.ts'
import * as findCustomers from '../../src/core/api/guests/find-customers-sql.ts'
import * as guests from '../../src/core/api/guests/guests-sql.ts'
import { selectCandidates, selectGuestsOf, selectWanted } from '../../src/core/api/guests/match-sql.ts'
import { selectionOf } from '../../src/core/api/guests/selection-sql.ts'
import * as meals from '../../src/core/api/meal-skipping/meals-sql.ts'
import * as control from '../../src/core/api/orders/control-sql.ts'
import { ORDER_FILTERS } from '../../src/core/api/orders/list-orders.ts'
import * as orders from '../../src/core/api/orders/orders-sql.ts'
import * as sessions from '../../src/core/api/sessions/sessions-sql.ts'
import * as auditHeads from '../../src/core/audit/heads-sql.ts'
import * as auditImporting from '../../src/core/audit/import-trail-sql.ts'
import * as auditReads from '../../src/core/audit/list-reads-sql.ts'
import * as auditPruning from '../../src/core/audit/prune-trail-sql.ts'
import { pruningContent } from '../../src/core/audit/pruning.ts'
import * as refusals from '../../src/core/audit/refusals/refusals-sql.ts'
import * as auditMonths from '../../src/core/audit/trail-months-sql.ts'
import * as auditVerifying from '../../src/core/audit/verify/verify-trail-sql.ts'
import * as lateEntries from '../../src/core/audit/write/entries-after-move-sql.ts'
import * as auditWriting from '../../src/core/audit/write/write-batch-sql.ts'
import * as changes from '../../src/core/changes/changes-sql.ts'
import * as feed from '../../src/core/changes/feed-sql.ts'
import { changedSet, lastChanges } from '../../src/core/changes/last-changes-sql.ts'
import * as pruning from '../../src/core/changes/prune-changes-sql.ts'
import * as snapshots from '../../src/core/changes/snapshots-sql.ts'
import { selectNow } from '../../src/core/database/clock-sql.ts'
import * as origin from '../../src/core/database/origin-sql.ts'
import { selectOtherProcesses } from '../../src/core/database/private/presence-sql.ts'
import * as replicas from '../../src/core/database/replicas-sql.ts'
import * as rewrites from '../../src/core/database/schema/rewrites-sql.ts'
import { SEPARATOR } from '../../src/core/database/text-rows.ts'
import * as privileges from '../../src/core/database/trail-privileges-sql.ts'
import * as erased from '../../src/core/intake/erased/erased-sql.ts'
import * as exporting from '../../src/core/intake/export/export-sql.ts'
import * as importLog from '../../src/core/intake/import-log-sql.ts'
import type { Kind } from '../../src/core/intake/kinds/kind.ts'
import { KINDS } from '../../src/core/intake/kinds.ts'
import * as centerFacts from '../../src/core/intake/merge/center-facts-sql.ts'
import * as diets from '../../src/core/intake/merge/diets-sql.ts'
import * as upsert from '../../src/core/intake/merge/upsert-sql.ts'
import * as bookings from '../../src/core/intake/numbering/number-bookings-sql.ts'
import * as answers from '../../src/core/intake/port/answers-sql.ts'
import { customFieldsSql, selectNameSql } from '../../src/core/intake/port/name-sql.ts'
import { BOOKING_REFERENCES } from '../../src/core/intake/references/booking-references.ts'
import * as references from '../../src/core/intake/references/references-sql.ts'
import * as snapshot from '../../src/core/intake/stage/snapshot-sql.ts'
import * as versions from '../../src/core/intake/stage/versions-sql.ts'
import * as storedMappings from '../../src/core/intake/stored-mappings-sql.ts'
import * as lists from '../../src/core/lists/list-sql.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import {
  centerIds,
  centerZone,
  selectCenters,
  selectZones,
} from '../../src/core/records/centers/centers-sql.ts'
import { readOrderRules } from '../../src/core/records/centers/order-rules.ts'
import { GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import type { GuestSource } from '../../src/core/records/fields/source.ts'
import { ORDER } from '../../src/core/records/order.ts'
import { ROOM } from '../../src/core/records/room.ts'
import { nightsOf } from '../../src/core/records/rooms-sql.ts'
import { SESSION } from '../../src/core/records/session.ts'
import * as sources from '../../src/core/records/sources/sources-sql.ts'
import * as administration from '../../src/parts/administration/administration-sql.ts'
import * as cells from '../../src/parts/cells/map-sql.ts'
import * as moves from '../../src/parts/cells/move-sql.ts'
import * as firstSteps from '../../src/parts/console/first-steps-sql.ts'
import * as contradictions from '../../src/parts/contradictions/contradictions-sql.ts'
import * as contradictionFacts from '../../src/parts/contradictions/facts-sql.ts'
import * as contradictionList from '../../src/parts/contradictions/list-sql.ts'
import * as contradictionProgress from '../../src/parts/contradictions/progress-sql.ts'
import * as erasureLog from '../../src/parts/data-rights/erasure-log-sql.ts'
import * as subjects from '../../src/parts/data-rights/subjects-sql.ts'
import * as demo from '../../src/parts/demo/commands/demo-sql.ts'
import * as deviceActs from '../../src/parts/devices/acts/acts-sql.ts'
import * as cutOffs from '../../src/parts/kitchen/cut-offs-sql.ts'
import * as portions from '../../src/parts/kitchen/portions-sql.ts'
import * as sheets from '../../src/parts/kitchen/sheets-sql.ts'
import * as linkActs from '../../src/parts/links/acts/acts-sql.ts'
import * as links from '../../src/parts/links/links-sql.ts'
import * as notices from '../../src/parts/notices/notices-sql.ts'
import * as reportActs from '../../src/parts/reports/acts/acts-sql.ts'
import * as reports from '../../src/parts/reports/reports-sql.ts'
import * as rooms from '../../src/parts/rooms/rooms-sql.ts'
import { NO_DATE } from '../../src/parts/search/dates-meant.ts'
import { selectFound } from '../../src/parts/search/search-sql.ts'
import * as sourceActs from '../../src/parts/sources/acts/acts-sql.ts'
import * as usage from '../../src/parts/usage/usage-sql.ts'
import * as webhookActs from '../../src/parts/webhooks/acts/acts-sql.ts'
import * as webhooks from '../../src/parts/webhooks/webhooks-sql.ts'

const SPA = centerId('spa')
const PROBLEM = '5f3c2a10-0000-4000-8000-000000000000'
const RANGE = { lower: '2025-01-01T00:00:00.000Z', upper: '2025-01-31T23:59:59.999Z' }
const PAGE = { start: 2, length: 50 }
const AFTER = { seq: 1, limit: 10 }
const RUN = { center_id: 'spa', report_id: 'sjn_report_a', scheduled_at: 0 }
const FILE = { draft: '.a.part', sha256: 'aa' }
const REPORT = {
  center_id: 'spa',
  id: 'sjn_report_a',
  app_id: 'sjn_app_a',
  name: 'Kitchen',
  kind: 'day',
  question: null,
  format: 'pdf',
  language: null,
  times: ['06:00'],
  days: 'daily',
  destinations: ['folder:a'],
} as const

const SESSIONS: lists.Members = { center: SPA, bounds: RANGE, filters: [], since: undefined }
const SESSIONS_SINCE: lists.Members = { ...SESSIONS, since: { kind: 'session', position: { revision: 1 } } }
const COUNTS = sessions.guestCounts(SPA, ['cancelled'])
const ORDERS: lists.Members = {
  ...SESSIONS,
  since: { kind: 'order', position: { revision: 1 }, columns: new Set(['o']) },
}
const RULES = { orderRules: readOrderRules({ orderStatuses: { valid: ['a'] } }) }
const CONTROLLED = { bounds: RANGE, filters: [ORDER_FILTERS.group.holds(['open'], RULES)] }
const FILTERED_ORDERS: lists.Members = {
  ...SESSIONS,
  filters: [
    ORDER_FILTERS.status.holds(['a', 'b'], RULES),
    ORDER_FILTERS.paymentStatus.holds(['c'], RULES),
    ORDER_FILTERS.orderNumber.holds('1', RULES),
    ORDER_FILTERS.group.holds(['valid', 'notDecided'], RULES),
  ],
}

const PAYMENTS = orders.paymentsInTable({ id: SPA, currency: 'EUR', ...RULES }, 'pt-BR')

const NO_FILTERS: guests.GuestFilters = { lower: undefined, upper: undefined }

/** A value of each filter; a filter without one here does not compile. */
const EACH_FILTER: Required<BookingFilters> = {
  role: ['patient'],
  paid: { states: ['open'], by: { ...RULES, currency: 'EUR' } },
  status: ['paid', 'arrived'],
  statusesExclude: ['cancelled'],
  alsoInSessions: ['s-3'],
  sessionIdsExclude: ['s-4'],
  arriving: RANGE,
  departing: RANGE,
  inHouse: RANGE,
  active: { isActive: true, inactive: ['cancelled', 'voided'] },
  guestId: 'b-1',
  personOf: 'b-1',
  room: '205',
  bookingId: '25-1-01',
  q: 'ana pop',
  mayBe: {
    wanted: {
      name: 'Ana Pop',
      dob: '1980-01-20',
      days: ['1980-01-20'],
      email: 'a@example.com',
      pinHash: 'x',
    },
    isNarrow: false,
  },
  email: 'a@example.com',
  phone: '+40 721 234 567',
  internalId: 'C-1',
}

const PERSON_KINDS = { customer: 5, booking: 6, order: 4 }

/** Every shape of the filters: range, one session, several; each without and with each filter, and with all. */
const GUEST_FILTERS: readonly guests.GuestFilters[] = [
  { ...NO_FILTERS, ...RANGE },
  { ...NO_FILTERS, sessionIds: ['s-1'] },
  { ...NO_FILTERS, ...RANGE, sessionIds: ['s-1', 's-2'] },
].flatMap((base) => [
  base,
  ...Object.entries(EACH_FILTER).map(([name, value]) => ({ ...base, [name]: value })),
  { ...base, ...EACH_FILTER },
  { ...base, sort: [{ by: 'dob', descending: true }] },
  { ...base, sort: [{ by: 'acc.roomId', descending: false }] },
])

const PORTIONS: readonly portions.PortionColumns[] = [
  { language: 'en', withNames: false, diets: [] },
  { language: 'pt-BR', withNames: true, diets: [{ field: 'a', owner: 'booking' }] },
  { language: 'en', withNames: false, diets: [{ field: 'a', owner: 'customer' }] },
]

const ALL_SOURCES: readonly GuestSource[] = [
  ...new Set(GUEST_FIELDS.flatMap(({ sources }) => sources)),
  { from: 'custom', owner: 'customer', key: 'a' },
  { from: 'custom', owner: 'booking', key: 'b' },
]

const EN = {
  language: 'en',
  center: { timezone: 'Europe/Bucharest', orderRules: readOrderRules(undefined), currency: 'EUR' },
} as const

const ROOM_DAY: rooms.RoomDay = {
  ...{ center: SPA, zone: 'Europe/Bucharest', date: '2025-01-01', lastNight: '2026-01-02' },
  bounds: { lower: '2024-12-31T22:00:00.000Z', upper: '2026-01-02T21:59:59.999Z' },
  inactive: ['cancelled'],
}
const ROOM_VALUES = ROOM.select('en', rooms.roomValues('No room', ROOM_DAY))

const guestPage = (filters: guests.GuestFilters, selected = ALL_SOURCES) =>
  guests.selectGuestsPage(SPA, filters, PAGE, selectionOf(selected), EN, SEPARATOR)

/** The trail is never merged. */
const forKinds = (statement: (kind: Kind) => Sql) =>
  Object.values(KINDS)
    .filter(({ only }) => only !== 'audit')
    .map(statement)
const keyArrays = (kind: Kind) => ({
  centerIds: ['spa'],
  keys: kind.key.filter(({ column }) => column !== 'center_id').map(() => ['1']),
})

const MONTH = 'audit_entries_first'
const PRUNED_TO = { centers: ['spa'], seqs: [1] }

const PRUNING = {
  ...pruningContent(
    { center_id: 'spa', seq: 2, at: 1, batch: 'b' },
    { through: 1, hash: '', entries: 1, reads: 1, days: 1, before: 1, newest: 1 },
  ),
  previous_hash: '',
  hash: '',
}

const CONTRADICTION_FILTERS = [
  { lower: undefined, upper: undefined, isDismissed: undefined, guestId: undefined },
  { lower: '2025-01-01T00:00:00Z', upper: '2025-02-01T00:00:00Z', isDismissed: true, guestId: 'b1' },
  { lower: undefined, upper: undefined, isDismissed: false, guestId: undefined },
].map((asked) => ({
  ...asked,
  kinds: ['overlappingStays'],
  withheld: ['depositTwice'],
  today: '2025-01-10T00:00:00Z',
}))

const MOVE = '00000000-0000-4000-8000-000000000000'
const MOVED_TABLE: moves.Table = {
  name: 'webhook_events',
  columns: ['center_id', 'webhook_id', 'seq', 'body'],
  types: ['text', 'text', 'bigint', 'text'],
  key: ['center_id', 'webhook_id', 'seq'],
  identities: ['seq'],
  number: undefined,
}

/** By file and export: the statements, or why there is nothing of any center to read in them. */
export const STATEMENTS: Readonly<Record<string, readonly Sql[] | string>> = {
  'core/api/guests/guests-sql.ts selectGuestsPage': [
    ...GUEST_FILTERS.map((filters) => guestPage(filters)),
    ...ALL_SOURCES.map((source) => guestPage({ ...NO_FILTERS, ...RANGE }, [source])),
  ],
  'core/api/guests/arrivals-sql.ts selectStays': GUEST_FILTERS.flatMap((filters) =>
    [true, false].map((withNames) => selectStays(SPA, filters, withNames)),
  ),
  'core/api/guests/arrivals-sql.ts arrivalsMatching': 'what selectStays shows',
  'core/api/guests/guests-sql.ts matchedGuests': GUEST_FILTERS.map((filters) =>
    guests.matchedGuests(SPA, filters),
  ),
  'core/api/guests/guests-sql.ts membersOf': [
    ...GUEST_FILTERS.map((filters) => guests.membersOf(SPA, filters, EN)),
    guests.membersOf(SPA, { ...NO_FILTERS, ...RANGE }, EN, { kind: 'guest', position: { revision: 1 } }),
  ].flatMap(({ listed, order }) => [
    snapshots.selectProof(listed, order),
    snapshots.selectIds(listed, order),
  ]),
  'core/api/guests/guests-sql.ts selectGuestRows': GUEST_FILTERS.flatMap((filters) => {
    const rows = (since?: feed.MovedSince) =>
      guests.selectGuestRows(SPA, filters, selectionOf(ALL_SOURCES), EN, SEPARATOR, since)
    return [rows(), rows({ kind: 'guest', position: { revision: 1 } })]
  }),
  'core/api/guests/bookings-of-page-sql.ts NEXT_TO_SESSIONS':
    'names of columns, of which matchedGuests is made',
  'core/api/guests/bookings-of-page-sql.ts CUSTOMER_NEXT_TO_SESSIONS': 'some of them by the name of a join',
  'core/api/guests/bookings-of-page-sql.ts nextToSession': 'all of them of two tables',
  'core/api/guests/bookings-of-page-sql.ts bookingsOfPage': 'a part of selectGuestsPage and selectGuestRows',
  'core/api/guests/bookings-of-page-sql.ts bookedOf': 'a part of selectGuestsPage',
  'core/api/guests/one-row-sql.ts oneRow':
    'a part of selectGuestsPage, selectSkippingGuests and selectPortions',
  'core/api/guests/one-row-sql.ts rowsByKey': 'a part of selectGuestsPage',
  'core/api/guests/conditions-sql.ts conditionsOf':
    'a part of matchedGuests, which is read with every filter',
  'core/api/guests/conditions-sql.ts columnsAsked': 'no statement: which columns an answer is made from',
  'core/api/guests/conditions-sql.ts searches': 'no statement: whether what was found is stored',
  'core/api/guests/conditions-sql.ts all': 'a part of matchedGuests',
  'core/api/guests/match-sql.ts selectCandidates': GUEST_FILTERS.map((filters) => {
    const { wanted } = EACH_FILTER.mayBe!
    return selectCandidates(SPA, { ...filters, mayBe: { wanted, isNarrow: true } }, wanted)
  }),
  'core/api/guests/match-sql.ts selectWanted': [undefined, [true, true, false, true, 'c'] as const].map(
    (after) => selectWanted(SPA, EACH_FILTER.mayBe!.wanted, { after }),
  ),
  'core/api/guests/match-sql.ts selectGuestsOf': GUEST_FILTERS.map((filters) => {
    const { wanted } = EACH_FILTER.mayBe!
    return selectGuestsOf(SPA, { ...filters, mayBe: { wanted, isNarrow: false } }, wanted, ['c', 'd'], 201)
  }),
  'core/api/guests/match-sql.ts CANDIDATES_MAX': 'no statement: a number',
  'core/api/guests/person-query-sql.ts nameQuery': 'a part of named',
  'core/api/guests/person-query-sql.ts named': 'a part of matchedGuests and of exactFirst',
  'core/api/guests/person-query-sql.ts having': 'a part of matchedGuests and of exactFirst',
  'core/api/guests/person-query-sql.ts hasEmail': 'a part of having, selectCandidates and selectPossible',
  'core/api/guests/person-query-sql.ts exactFirst': 'a part of selectCandidates and selectPossible',
  'core/api/guests/person-query-sql.ts readingsAsked': 'a part of selectCandidates and selectPossible',
  'core/api/guests/person-query-sql.ts readingsOf': 'a part of selectCandidates and selectPossible',
  'core/api/guests/person-query-sql.ts anyOf': 'a part of matchedGuests and selectPossible',
  'core/api/guests/sort-sql.ts SORT_NAMES': 'names of fields',
  'core/api/guests/sort-sql.ts MATCHED_FOR_SORT':
    'names of columns that matchedGuests has where it is sorted',
  'core/api/guests/sort-sql.ts sortColumns': 'no statement: which columns an answer is made from',
  'core/api/guests/sort-sql.ts sorted': 'a part of selectGuestsPage and proofOfGuests',
  'core/api/guests/sort-sql.ts sortedOrder': 'a part of selectGuestsPage and proofOfGuests',
  'core/api/guests/selection-sql.ts selectionOf': 'a part of selectGuestsPage',
  'core/api/guests/guests-sql.ts guestsMatching': 'no statement: which guests an answer is made from',
  'parts/search/search-sql.ts selectFound': ([['guests'], ['orders'], ['guests', 'orders']] as const).flatMap(
    (groups) =>
      [
        { words: 'ana pop', digits: undefined, born: NO_DATE },
        { words: '555 01', digits: '55501', born: NO_DATE },
        { words: 'ana@example.org', digits: undefined, born: NO_DATE },
        { words: '1980-05-03', digits: '19800503', born: { meant: ['1980-05-03'], similar: ['1980-03-05'] } },
      ].map((asked) =>
        selectFound({
          ...{
            center: SPA,
            ...asked,
            length: 10,
            groups: new Set(groups),
            language: 'pt-BR',
          },
          ...{ zone: 'Europe/Bucharest', day: RANGE, today: '2025-01-01', inactive: ['cancelled'] },
        }),
      ),
  ),
  'parts/search/search-sql.ts FOUND_MAX': 'no statement: a number',
  'parts/rooms/rooms-sql.ts selectRooms': [rooms.selectRooms(ROOM_DAY, 'pt-BR', PAGE, ROOM_VALUES)],
  'parts/rooms/rooms-sql.ts selectAllRooms': [rooms.selectAllRooms(ROOM_DAY, 'en', ROOM_VALUES)],
  'parts/rooms/rooms-sql.ts roomMembers': [rooms.roomMembers(ROOM_DAY, 'en')].flatMap(({ listed, order }) => [
    snapshots.selectProof(listed, order),
    snapshots.selectIds(listed, order),
  ]),
  'parts/rooms/rooms-sql.ts roomValues': 'a part of selectRooms',
  'core/records/rooms-sql.ts accommodationOn': 'a part of selectGuestsPage',
  'core/locale/local-time-sql.ts localDay': 'a part of selectGuestsPage',
  'core/locale/local-time-sql.ts localTime': 'a part of nightsOf',
  'core/locale/local-time-sql.ts aroundDays': 'days, not a statement',
  'core/records/rooms-sql.ts roomOn': 'a part of nightsOf',
  'core/records/rooms-sql.ts nightsOf': [
    nightsOf(sql`select * from bookings where center_id = ${SPA}`, 'Europe/Bucharest', {
      first: '2025-01-01',
      last: '2025-01-31',
    }),
  ],
  'core/locale/term-names-sql.ts termNames': 'a part of selectGuestsPage, selectPage and selectPortions',
  'core/changes/changes-sql.ts changeValues': 'a part of selectChangesBetween and selectFeed',
  'core/changes/changes-sql.ts selectChangesBetween': [changes.selectChangesBetween(SPA, 1, 2, 10)],
  'core/changes/feed-sql.ts selectFeed': [
    feed.selectFeed(SPA, { revision: 1, offset: 0 }, 10, undefined),
    feed.selectFeed(SPA, { revision: 1, offset: 2 }, 10, 's'),
  ],
  'core/changes/feed-sql.ts selectFeedEnd': [feed.selectFeedEnd(SPA)],
  'core/changes/feed-sql.ts selectFeedState': [feed.selectFeedState(SPA, { revision: 1, offset: 0 })],
  'core/changes/feed-sql.ts feedState':
    'a part of selectFeed, selectFeedEnd, selectFeedState and selectTouchedSince',
  'core/changes/last-changes-sql.ts changedSet': 'a part of selectPage',
  'core/changes/last-changes-sql.ts lastChanges': 'a part of selectPage',
  'core/changes/last-changes-sql.ts lastChangeOfAny': 'a part of selectStays',
  'core/changes/last-changes-sql.ts lastOf': 'reads what selectPage and selectStays return',
  'core/changes/feed-sql.ts movedSince': 'a part of selectGuestsPage, selectPage and selectRows',
  'core/changes/feed-sql.ts ifMoved': 'a part of selectPage and selectRows',
  'core/changes/snapshots-sql.ts selectTouchedSince': [
    snapshots.selectTouchedSince(SPA, { revision: 1, offset: 0 }, [
      { kind: 'guest', sessionIds: ['s'], during: { from: 1, to: undefined }, columns: new Set(['c']) },
      { kind: 'guest', ids: ['b'] },
    ]),
  ],
  'core/changes/snapshots-sql.ts touchesOne': 'a part of selectTouchedSince and changedSet',
  'core/changes/snapshots-sql.ts selectIds': [
    snapshots.selectIds(lists.selectMembers(SESSION, SESSIONS), lists.orderOfMembers(SESSION)),
    snapshots.selectIds(lists.selectMembers(ORDER, FILTERED_ORDERS), lists.orderOfMembers(ORDER)),
  ],
  'core/changes/snapshots-sql.ts selectProof': [
    snapshots.selectProof(lists.selectMembers(SESSION, SESSIONS_SINCE), lists.orderOfMembers(SESSION)),
    snapshots.selectProof(lists.selectMembers(ORDER, ORDERS), lists.orderOfMembers(ORDER)),
  ],
  'parts/cells/map-sql.ts selectClaims': [cells.selectClaims('')],
  'core/audit/write/entries-after-move-sql.ts selectLateEntries': [lateEntries.selectLateEntries('spa', 1)],
  'parts/cells/move-sql.ts selectTables': [moves.selectTables],
  'parts/cells/move-sql.ts selectServer': [moves.selectServer('session_replication_role')],
  'parts/cells/move-sql.ts leaveOutTriggers': [moves.leaveOutTriggers],
  'parts/cells/move-sql.ts repeatableRead': [moves.repeatableRead],
  'parts/cells/move-sql.ts limitWaiting': [moves.limitWaiting],
  'parts/cells/move-sql.ts selectHorizon': [moves.selectHorizon],
  'parts/cells/move-sql.ts selectMove': [moves.selectMove('spa')],
  'parts/cells/move-sql.ts selectHistory': [moves.selectHistory('spa')],
  'parts/cells/move-sql.ts insertArriving': [moves.insertArriving('spa', MOVE)],
  'parts/cells/move-sql.ts upsertClosing': [moves.upsertClosing('spa', MOVE, 10)],
  'parts/cells/move-sql.ts updateMoved': [moves.updateMoved('spa', MOVE, 1)],
  'parts/cells/move-sql.ts deleteMove': [moves.deleteMove('spa', MOVE, 'closing')],
  'parts/cells/move-sql.ts lockCenter': [...moves.lockCenter('spa')],
  'parts/cells/move-sql.ts declareRows': [moves.declareRows(MOVED_TABLE, 'spa')],
  'parts/cells/move-sql.ts selectChanged': [moves.selectChanged([MOVED_TABLE], 'spa', '3')],
  'parts/cells/move-sql.ts fetchRows': [moves.fetchRows],
  'parts/cells/move-sql.ts closeRows': [moves.closeRows],
  'parts/cells/move-sql.ts selectRows': [moves.selectRows(MOVED_TABLE, 'spa', ['x'])],
  'parts/cells/move-sql.ts insertRows': [moves.insertRows(MOVED_TABLE, [])],
  'parts/cells/move-sql.ts deleteSame': [moves.deleteSame(MOVED_TABLE, 'spa', [])],
  'parts/cells/move-sql.ts deleteRows': [moves.deleteRows(MOVED_TABLE, 'spa', ['x'])],
  'parts/cells/move-sql.ts deleteAllRows': [moves.deleteAllRows(MOVED_TABLE, 'spa')],
  'parts/cells/move-sql.ts selectDigests': [
    moves.selectDigests([MOVED_TABLE], 'spa', 'rows'),
    moves.selectDigests([MOVED_TABLE], 'spa', 'keys'),
  ],
  'parts/cells/move-sql.ts selectKeys': [moves.selectKeys(MOVED_TABLE, 'spa')],
  'parts/cells/move-sql.ts selectNumbers': [moves.selectNumbers('spa')],
  'parts/cells/move-sql.ts selectNextNumber': [moves.selectNextNumber],
  'parts/cells/move-sql.ts useNumbers': [moves.useNumbers(1)],
  'parts/cells/move-sql.ts continueSequence': [moves.continueSequence(MOVED_TABLE, 'seq', 'spa')],
  'parts/cells/move-sql.ts selectTrailEnd': [moves.selectTrailEnd('spa')],
  'core/changes/prune-changes-sql.ts selectCentersWithCommits': [pruning.selectCentersWithCommits],
  'core/changes/prune-changes-sql.ts deleteOldCommits': [pruning.deleteOldCommits('spa', 90, 10)],
  'core/api/guests/guest-columns-sql.ts nameOrIdOf': 'a part of sorted',
  'core/api/guests/guest-columns-sql.ts formOf': 'no statement: what comes of an expression',
  'core/api/guests/guest-columns-sql.ts expressionOf':
    'a part of selectGuestsPage, which is read with every source',
  'core/api/meal-skipping/meals-sql.ts selectSkippingGuests': GUEST_FILTERS.flatMap((filters) => [
    meals.selectSkippingGuests(SPA, filters),
    meals.selectSkippingGuests(SPA, filters, ['2025-01-31T14:00:00+00:00', 'b1']),
  ]),
  'core/api/meal-skipping/meals-sql.ts selectAllSkippingGuests': GUEST_FILTERS.map((filters) =>
    meals.selectAllSkippingGuests(SPA, filters),
  ),
  'core/lists/list-sql.ts selectPage': [
    lists.selectPage(SESSION, SESSIONS, PAGE, SESSION.select('en', {})),
    lists.selectPage(SESSION, SESSIONS_SINCE, PAGE, SESSION.select('en', { guestCounts: COUNTS })),
    lists.selectPage(
      SESSION,
      SESSIONS,
      PAGE,
      sql`${SESSION.select('en', {})}, ${lastChanges(sql`s.id`)}`,
      changedSet(SPA, { kind: 'session' }),
    ),
  ],
  'core/lists/list-sql.ts selectMembers': [
    lists.selectMembers(SESSION, SESSIONS),
    lists.selectMembers(ORDER, FILTERED_ORDERS),
  ],
  'core/lists/list-sql.ts selectRows': [
    lists.selectRows(SESSION, SESSIONS, SESSION.select('ro', {})),
    lists.selectRows(SESSION, SESSIONS_SINCE, SESSION.select('en', { guestCounts: COUNTS }), 10),
    lists.selectRows(ORDER, ORDERS, ORDER.select('en', { guestNames: orders.guestNames }), 10),
    lists.selectRows(ORDER, FILTERED_ORDERS, ORDER.select('en', {}), 100),
  ],
  'core/lists/list-sql.ts countMembers': [
    lists.countMembers(ORDER, ORDERS),
    lists.countMembers(ORDER, FILTERED_ORDERS),
  ],
  'core/lists/list-sql.ts orderOfMembers': 'a part of selectIds and selectProof',
  'core/records/record-sql.ts selectFields': 'a part of selectPage, selectRows and selectOrder',
  'core/records/record-sql.ts columnsOf': 'no statement: which columns an answer is made from',
  'core/api/sessions/sessions-sql.ts guestCounts': 'a part of selectPage and selectRows',
  'core/api/sessions/sessions-sql.ts SESSION_GUESTS_BY':
    'no statement: the columns that guests are counted by',
  'core/records/payments-sql.ts isInGroups': 'a part of selectRows and selectControlledOrders',
  'core/records/payments-sql.ts groupOfOrder': 'a part of isInGroups, paidState and paymentsInTable',
  'core/records/payments-sql.ts amountOf': 'a part of paidState and selectControlledOrders',
  'core/records/payments-sql.ts paidState': 'a part of selectGuestsPage',
  'core/api/orders/orders-sql.ts paymentsInTable': [
    lists.selectRows(ORDER, ORDERS, PAYMENTS.value),
    snapshots.selectIds(
      sql`${lists.selectMembers(ORDER, ORDERS)} union all ${PAYMENTS.alsoRead(lists.selectMembers(ORDER, ORDERS))}`,
      lists.orderOfMembers(ORDER),
    ),
  ],
  'core/api/orders/orders-sql.ts guestNames': 'a part of selectRows and selectOrder',
  'core/api/orders/control-sql.ts selectControlledOrders': [
    control.selectControlledOrders(SPA, CONTROLLED, false),
    control.selectControlledOrders(SPA, CONTROLLED, true, ['2025-01-31T14:00:00+00:00', 'o1']),
  ],
  'core/api/orders/control-sql.ts selectLooseDeposits': [
    control.selectLooseDeposits(SPA, RANGE),
    control.selectLooseDeposits(SPA, RANGE, ['2025-01-31T14:00:00+00:00', 'b1']),
  ],
  'core/api/orders/control-sql.ts selectWholeControl': [
    control.selectWholeControl(SPA, CONTROLLED, false),
    control.selectWholeControl(SPA, CONTROLLED, true),
  ],
  'parts/kitchen/portions-sql.ts selectPortions': GUEST_FILTERS.flatMap((filters) =>
    PORTIONS.flatMap((columns) => [
      portions.selectPortions(SPA, filters, columns),
      portions.selectPortions(SPA, filters, columns, ['2025-01-31T14:00:00+00:00', 'b1']),
    ]),
  ),
  'parts/kitchen/portions-sql.ts selectAllPortions': GUEST_FILTERS.flatMap((filters) =>
    PORTIONS.map((columns) => portions.selectAllPortions(SPA, filters, columns)),
  ),
  'parts/contradictions/contradictions-sql.ts deleteGone': [contradictions.deleteGone(SPA, ['k'])],
  'parts/contradictions/contradictions-sql.ts upsertFound': [contradictions.upsertFound(SPA, [])],
  'parts/contradictions/contradictions-sql.ts deleteRecords': [contradictions.deleteRecords(SPA, ['k'])],
  'parts/contradictions/contradictions-sql.ts insertRecords': [contradictions.insertRecords(SPA, [])],
  'parts/contradictions/contradictions-sql.ts lockRecords': [
    contradictions.lockRecords(SPA, { guest: ['b1'], customer: ['c1'], order: ['o1'] }),
  ],
  'parts/contradictions/contradictions-sql.ts deleteExpired': [contradictions.deleteExpired(SPA)],
  'parts/contradictions/contradictions-sql.ts selectKind': [contradictions.selectKind(SPA, 'k', 'd')],
  'parts/contradictions/contradictions-sql.ts setDismissed': [
    contradictions.setDismissed(SPA, 'k', { reason: 'r', name: 'n' }),
  ],
  'parts/contradictions/facts-sql.ts selectOwners': [contradictionFacts.selectOwners(SPA, ['b1'])],
  'parts/contradictions/facts-sql.ts selectStored': [contradictionFacts.selectStored(SPA, ['guest:b1'])],
  'parts/contradictions/facts-sql.ts selectStays': [
    contradictionFacts.selectStays(SPA, ['c1'], ['o1'], []),
    contradictionFacts.selectStays(SPA, ['c1'], ['o1'], ['diet']),
  ],
  'parts/contradictions/facts-sql.ts selectOrders': [contradictionFacts.selectOrders(SPA, ['o1'])],
  'parts/contradictions/facts-sql.ts selectPairs': [contradictionFacts.selectPairs(SPA, ['c1'])],
  'parts/contradictions/facts-sql.ts selectRooms': [contradictionFacts.selectRooms(SPA)],
  'parts/contradictions/facts-sql.ts selectRoomsOfGuests': [
    contradictionFacts.selectRoomsOfGuests(SPA, ['b1']),
  ],
  'parts/contradictions/facts-sql.ts selectRoomStays': [
    contradictionFacts.selectRoomStays(
      SPA,
      ['r1'],
      [{ from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' }],
      ['cancelled'],
    ),
  ],
  'parts/contradictions/facts-sql.ts selectForms': [contradictionFacts.selectForms(SPA, ['k'])],
  'parts/contradictions/list-sql.ts listedContradictions': CONTRADICTION_FILTERS.map((filters) =>
    contradictionList.listedContradictions(SPA, filters, undefined),
  ),
  'parts/contradictions/list-sql.ts selectContradictions': CONTRADICTION_FILTERS.map((filters) =>
    contradictionList.selectContradictions(SPA, filters, { start: 1, length: 50 }, undefined),
  ),
  'parts/contradictions/list-sql.ts selectAllContradictions': CONTRADICTION_FILTERS.map((filters) =>
    contradictionList.selectAllContradictions(SPA, filters, undefined),
  ),
  'parts/contradictions/list-sql.ts selectRecordsOf': CONTRADICTION_FILTERS.map((filters) =>
    contradictionList.selectRecordsOf(SPA, contradictionList.listedContradictions(SPA, filters, undefined)),
  ),
  'parts/contradictions/list-sql.ts isComplete': [sql`select ${contradictionList.isComplete(SPA)}`],
  'parts/contradictions/list-sql.ts selectIsComplete': [contradictionList.selectIsComplete(SPA)],
  'parts/contradictions/progress-sql.ts selectDue': [contradictionProgress.selectDue('holder', [])],
  'parts/contradictions/progress-sql.ts insertProgress': [contradictionProgress.insertProgress(SPA, '{}')],
  'parts/contradictions/progress-sql.ts takeLease': [contradictionProgress.takeLease(SPA, 'holder', 30)],
  'parts/contradictions/progress-sql.ts endLease': [
    contradictionProgress.endLease(SPA, 'holder', { revision: 1, sweep_at: null, sweep_again: false }),
  ],
  'parts/contradictions/progress-sql.ts selectNextBookings': [
    contradictionProgress.selectNextBookings(SPA, null, 10),
    contradictionProgress.selectNextBookings(SPA, ['2025-01-31T14:00:00+00:00', 'b1'], 10),
  ],
  'parts/contradictions/progress-sql.ts selectNextOrders': [
    contradictionProgress.selectNextOrders(SPA, 'o1', 10),
  ],
  'parts/contradictions/progress-sql.ts selectNextStored': [
    contradictionProgress.selectNextStored(SPA, 'k', 10),
  ],
  'parts/kitchen/cut-offs-sql.ts selectCentersWithCutOffs': [cutOffs.selectCentersWithCutOffs],
  'parts/kitchen/cut-offs-sql.ts selectTakenMeals': [cutOffs.selectTakenMeals(SPA, '2025-01-08')],
  'parts/kitchen/cut-offs-sql.ts insertCutOffs': [cutOffs.insertCutOffs(SPA, '2025-01-08', ['lunch'], 1)],
  'parts/kitchen/sheets-sql.ts acknowledgeSheet': [1, null].map((number) =>
    sheets.acknowledgeSheet(SPA, '2025-01-08', number),
  ),
  'parts/kitchen/sheets-sql.ts takeSheet': [false, true].map((proposed) =>
    sheets.takeSheet(SPA, '2025-01-08', '{}', proposed),
  ),
  'parts/kitchen/sheets-sql.ts confirmOnWall': [1, null].map((number) =>
    sheets.confirmOnWall(SPA, '2025-01-08', number),
  ),
  'parts/kitchen/sheets-sql.ts selectSheet': [
    ...([1, 'newest', 'wall'] as const).map((wanted) =>
      sheets.selectSheet(SPA, '2025-01-08', wanted, {
        columns: new Set(['bookings.status']),
        from: RANGE.lower,
        to: RANGE.upper,
      }),
    ),
  ],
  'parts/kitchen/sheets-sql.ts selectCentersWithSheets': [sheets.selectCentersWithSheets],
  'parts/kitchen/sheets-sql.ts deleteOldSheets': [sheets.deleteOldSheets('spa')],
  'parts/kitchen/sheets-sql.ts SHEETS_OF_DAY_MAX': 'no statement: a number',
  'parts/kitchen/sheets-sql.ts SHEET_RETENTION_DAYS': 'no statement: a number',
  'parts/kitchen/portions-sql.ts portionColumns': 'no statement: the columns that an answer is made from',
  'core/api/meal-skipping/slice-sql.ts sliceOf': 'a part of selectSkippingGuests and selectPortions',
  'core/api/meal-skipping/slice-sql.ts revisionOf': 'a part of selectSkippingGuests and selectPortions',
  'core/api/meal-skipping/slice-sql.ts lastOfSlice': 'a part of selectSkippingGuests and selectPortions',
  'core/api/meal-skipping/slice-sql.ts severalSessions': 'a part of selectSkippingGuests and selectPortions',
  'core/api/meal-skipping/slice-sql.ts startsOfSessions': 'a part of selectSkippingGuests and selectPortions',
  'core/api/meal-skipping/meals-sql.ts NONE_SKIPPED': 'a value',
  'core/api/meal-skipping/meals-sql.ts REPORT_COLUMNS':
    'no statement: the columns that an answer is made from',
  'core/api/orders/control-sql.ts controlledOrder': 'a part of selectControlledOrders and selectOrder',
  'core/api/orders/orders-sql.ts selectOrder': [
    orders.selectOrder(SPA, ['u'], true),
    orders.selectOrder(SPA, ['U', 'u'], false),
    orders.selectOrder(SPA, ['u'], true, { control: true, payments: true, language: 'ro' }),
  ],

  'core/audit/entries-sql.ts entryColumns':
    'the select list of audit_entries, a part of selectEntries and selectListed',
  'core/audit/entries-sql.ts insertedColumns': 'a part of insertBatch',
  'core/audit/entries-sql.ts insertedValues': 'a part of insertBatch',
  'core/audit/entries-sql.ts entryRecordset': 'a part of insertBatch',
  'core/audit/heads-sql.ts headColumns': 'the select list of audit_heads, a part of lockHeads and selectEnds',
  'core/audit/heads-sql.ts lockHeads': [auditHeads.lockHeads(['spa'])],
  'core/audit/heads-sql.ts addHeads': [auditHeads.addHeads(['spa'])],
  'core/audit/heads-sql.ts selectAuditedCenters': [auditHeads.selectAuditedCenters],
  'core/audit/import-trail-sql.ts insertHeads': [auditImporting.insertHeads([])],
  'core/audit/import-trail-sql.ts insertRecordLists': [auditImporting.insertRecordLists([])],
  'core/audit/import-trail-sql.ts insertEntries': [auditImporting.insertEntries([])],
  'core/audit/verify/verify-trail-sql.ts selectTrails': [auditVerifying.selectTrails],
  'core/audit/write/write-batch-sql.ts selectBatch': [auditWriting.selectBatch('spa', 'batch', RANGE.lower)],
  'core/audit/write/write-batch-sql.ts insertBatch': [
    auditWriting.insertBatch({ entries: [], recordLists: [], heads: [], keys: [] }),
  ],
  'core/audit/verify/verify-trail-sql.ts selectFollowers': [
    auditVerifying.selectFollowers('spa', [''], { prunedSeq: 0, seq: 1 }),
  ],
  'core/audit/verify/verify-trail-sql.ts selectEntries': [auditVerifying.selectEntries('spa', AFTER)],
  'core/audit/verify/verify-trail-sql.ts selectEnds': [auditVerifying.selectEnds('spa')],
  'core/audit/verify/verify-trail-sql.ts selectRecordLists': [
    auditVerifying.selectRecordLists('spa', { hash: '', limit: 1, bytes: 1 }),
  ],
  'core/audit/verify/verify-trail-sql.ts selectEntriesOfList': [
    auditVerifying.selectEntriesOfList('spa', ''),
  ],
  'core/audit/verify/verify-trail-sql.ts countUnusedLists': [auditVerifying.countUnusedLists('spa', [MONTH])],
  'core/audit/verify/verify-trail-sql.ts selectPeriod': [
    auditVerifying.selectPeriod('spa', RANGE.lower, RANGE.upper),
  ],
  'core/audit/verify/verify-trail-sql.ts selectNeighbors': [
    auditVerifying.selectNeighbors('spa', { first: 1, last: 2 }),
  ],
  'core/audit/verify/verify-trail-sql.ts selectListsOfEntries': [
    auditVerifying.selectListsOfEntries('spa', { first: 1, last: 2 }, { hash: '', limit: 1 }),
  ],
  'core/audit/verify/verify-trail-sql.ts selectEntriesWithoutList': [
    auditVerifying.selectEntriesWithoutList('spa'),
  ],
  'core/audit/prune-trail-sql.ts mayPruneTrail': [auditPruning.mayPruneTrail],
  'core/audit/prune-trail-sql.ts takePruningLock': [auditPruning.takePruningLock(1)],
  'core/audit/prune-trail-sql.ts selectNewestTimes': [auditPruning.selectNewestTimes(['spa'])],
  'core/audit/prune-trail-sql.ts selectTimesAround': [
    auditPruning.selectTimesAround(['spa'], RANGE.lower, RANGE.upper),
  ],
  'core/audit/prune-trail-sql.ts selectCentersToPrune': [
    auditPruning.selectCentersToPrune(['spa'], RANGE.lower),
  ],
  'core/audit/trail-months-sql.ts selectMonthsToCompact': [auditMonths.selectMonthsToCompact],
  'core/audit/trail-months-sql.ts compactMonth':
    'changes the schema; its test (audit/months.test.ts) has partitions of its own',
  'core/audit/trail-months-sql.ts noteCompact':
    'changes the schema; its test (audit/months.test.ts) has partitions of its own',
  'core/audit/trail-months-sql.ts ownsTrail': [auditMonths.ownsTrail],
  'core/audit/trail-months-sql.ts addMonths': [auditMonths.addMonths(1)],
  'core/audit/trail-months-sql.ts selectMonthsBefore': [auditMonths.selectMonthsBefore(RANGE.lower)],
  'core/audit/trail-months-sql.ts selectDetachedMonths': [auditMonths.selectDetachedMonths],
  'core/audit/trail-months-sql.ts selectCentersOfMonth': [auditMonths.selectCentersOfMonth(MONTH)],
  'core/audit/trail-months-sql.ts selectLastPruned': [
    auditMonths.selectLastPruned(['spa'], RANGE.lower, RANGE.upper),
  ],
  'core/audit/trail-months-sql.ts countOutliving': [auditMonths.countOutliving(MONTH, PRUNED_TO)],
  'core/audit/trail-months-sql.ts detachMonth':
    'changes the schema; its test (audit/months.test.ts) drops partitions of its own',
  'core/audit/trail-months-sql.ts keepOutliving': [auditMonths.keepOutliving(MONTH, PRUNED_TO)],
  'core/audit/trail-months-sql.ts deletePruned': [auditMonths.deletePruned(PRUNED_TO)],
  'core/audit/trail-months-sql.ts insertPrunings': [auditMonths.insertPrunings([])],
  'core/audit/trail-months-sql.ts selectListsOfMonth': [
    auditMonths.selectListsOfMonth(MONTH, { center_id: '', hash: '' }, 1),
  ],
  'core/audit/trail-months-sql.ts deleteUnusedLists': [
    auditMonths.deleteUnusedLists([{ center_id: 'spa', hash: '' }]),
  ],
  'core/audit/trail-months-sql.ts dropMonth':
    'changes the schema; its test (audit/months.test.ts) drops partitions of its own',
  'core/audit/prune-trail-sql.ts selectOldest': [auditPruning.selectOldest('spa', 10)],
  'core/audit/prune-trail-sql.ts selectNewestRead': [auditPruning.selectNewestRead('spa')],
  'core/audit/prune-trail-sql.ts replaceOldest': [
    auditPruning.replaceOldest('spa', { seq: 1, hash: '' }, PRUNING),
  ],
  'core/audit/list-reads-sql.ts selectBookings': [
    auditReads.selectBookings(['spa'], { booking: 'b' }),
    auditReads.selectBookings(['spa'], { customer: 'c' }),
  ],
  'core/audit/list-reads-sql.ts wantedOfGuest': 'a part of selectListed',
  'core/audit/list-reads-sql.ts selectListed': [
    auditReads.selectListed(
      {
        within: { centers: ['spa'], since: [RANGE.lower], until: [RANGE.upper] },
        key: undefined,
        operations: undefined,
        records: undefined,
      },
      undefined,
      10,
    ),
    auditReads.selectListed(
      {
        within: { centers: ['spa'], since: [RANGE.lower], until: [RANGE.upper] },
        key: 'k',
        operations: ['listGuests'],
        records: [{ center_id: 'spa', operations: ['listGuests'], needle: 'b', day: null }],
      },
      { at: 1, center_id: 'spa', seq: 1 },
      10,
    ),
  ],

  'core/audit/refusals/refusals-sql.ts addRefusals': [refusals.addRefusals([])],
  'core/audit/refusals/refusals-sql.ts trimRefusals': [refusals.trimRefusals(['spa'], 1)],
  'core/audit/refusals/refusals-sql.ts selectRefusals': [
    refusals.selectRefusals({
      center: 'spa',
      key: undefined,
      reason: undefined,
      since: undefined,
      until: undefined,
      limit: undefined,
    }),
  ],
  'core/audit/refusals/refusals-sql.ts selectRefusedCenters': [refusals.selectRefusedCenters],
  'core/audit/refusals/refusals-sql.ts deleteOldRefusals': [refusals.deleteOldRefusals('spa', 90)],

  'parts/usage/usage-sql.ts addCounts': [usage.addCounts([], new Map())],
  'parts/usage/usage-sql.ts addErrors': [usage.addErrors([])],
  'parts/usage/usage-sql.ts trimErrors': [usage.trimErrors(['spa'], ['a'], 1)],
  'parts/usage/usage-sql.ts selectUsage': [
    usage.selectUsage(SPA, 'a', { startDate: '2025-01-01', endDate: '2025-01-31', ...RANGE }),
  ],
  'parts/usage/usage-sql.ts selectUsedCenters': [usage.selectUsedCenters],
  'parts/usage/usage-sql.ts deleteOldDays': [usage.deleteOldDays('spa', 90)],
  'parts/usage/usage-sql.ts deleteOldErrors': [usage.deleteOldErrors('spa', 90)],

  'parts/notices/notices-sql.ts selectJudgedCenters': [notices.selectJudgedCenters],
  'parts/notices/notices-sql.ts selectOpenProblems': [notices.selectOpenProblems(SPA)],
  'parts/notices/notices-sql.ts openProblem': [
    notices.openProblem(
      SPA,
      {
        id: PROBLEM,
        source: 'watch',
        kind: 'broken',
        causes: ['missing'],
        beganAt: 1,
      },
      24,
    ),
  ],
  'parts/notices/notices-sql.ts addCauses': [notices.addCauses(SPA, PROBLEM, ['missing', 'refused'])],
  'parts/notices/notices-sql.ts closeProblem': [notices.closeProblem(SPA, PROBLEM)],
  'parts/notices/notices-sql.ts insertMail': [
    notices.insertMail(SPA, {
      problem: PROBLEM,
      event: 'begin',
      subject: '',
      body: '',
      addresses: ['a@b.example'],
    }),
  ],
  'parts/notices/notices-sql.ts insertWebhookEvents': [notices.insertWebhookEvents(SPA, '{}')],
  'parts/notices/notices-sql.ts takeMail': [notices.takeMail('h', 180)],
  'parts/notices/notices-sql.ts endAttempt': [
    notices.endAttempt({ center_id: SPA, problem: PROBLEM, event: 'begin' }, 'h', {
      remaining: [],
      state: 'sent',
      reason: undefined,
      delaySeconds: 60,
    }),
  ],
  'parts/notices/notices-sql.ts releaseMail': [
    notices.releaseMail({ center_id: SPA, problem: PROBLEM, event: 'begin' }, 'h'),
  ],
  'parts/notices/notices-sql.ts selectNoticeNumbers': [notices.selectNoticeNumbers],
  'parts/notices/notices-sql.ts selectWaitingMails': [notices.selectWaitingMails],
  'parts/notices/notices-sql.ts selectAddresses': [notices.selectAddresses(SPA)],
  'parts/notices/notices-sql.ts setAddresses': [notices.setAddresses(SPA, ['a@b.example'])],
  'parts/notices/notices-sql.ts deleteAddresses': [notices.deleteAddresses(SPA)],
  'parts/notices/notices-sql.ts pruneProblems': [notices.pruneProblems(SPA, 365)],
  'parts/notices/notices-sql.ts pruneWebhookEvents': [notices.pruneWebhookEvents(SPA, 90)],
  'parts/notices/notices-sql.ts selectCentersWithNotices': [notices.selectCentersWithNotices],
  'parts/webhooks/webhooks-sql.ts selectNextEvent': [webhooks.selectNextEvent('spa', 'w')],
  'parts/webhooks/webhooks-sql.ts extendLease': [webhooks.extendLease('spa', 'w', 'h', 60)],
  'parts/webhooks/webhooks-sql.ts eventDelivered': [webhooks.eventDelivered('spa', 'w', 'h', '1')],
  'parts/reports/reports-sql.ts insertReport': [
    reports.insertReport({ ...REPORT, next_at: RANGE.lower }, 20),
  ],
  'parts/reports/reports-sql.ts selectReports': [
    reports.selectReports('spa'),
    reports.selectReports(undefined),
  ],
  'parts/reports/reports-sql.ts selectReport': [
    reports.selectReport('sjn_report_a'),
    reports.selectReport('sjn_report_a', 'spa'),
  ],
  'parts/reports/reports-sql.ts deleteReport': [reports.deleteReport('spa', 'sjn_report_a')],
  'parts/reports/reports-sql.ts selectDueReports': [reports.selectDueReports(10)],
  'parts/reports/reports-sql.ts planRun': [
    reports.planRun({ ...REPORT, next_at: 0 }, RANGE.upper, false),
    reports.planRun({ ...REPORT, next_at: 0 }, RANGE.upper, true),
  ],
  'parts/reports/reports-sql.ts insertRun': [reports.insertRun('spa', 'sjn_report_a')],
  'parts/reports/reports-sql.ts lockReports': [reports.lockReports('spa')],
  'parts/reports/reports-sql.ts selectRunsOfHour': [reports.selectRunsOfHour('spa')],
  'parts/reports/reports-sql.ts selectDueRuns': [
    reports.selectDueRuns(10, true, undefined),
    reports.selectDueRuns(10, false, 'folder'),
  ],
  'parts/reports/reports-sql.ts takeRun': [reports.takeRun(RUN, 'one', 60)],
  'parts/reports/reports-sql.ts holdRun': [reports.holdRun(RUN, 'one', 60)],
  'parts/reports/reports-sql.ts selectDeliveries': [reports.selectDeliveries(RUN)],
  'parts/reports/reports-sql.ts recordDelivery': [
    reports.recordDelivery(RUN, {
      destination: 'folder:a',
      state: 'waiting',
      problem: 'p',
      delaySeconds: 30,
    }),
  ],
  'parts/reports/reports-sql.ts storeFile': [reports.storeFile(RUN, 'one', 'folder:a', FILE)],
  'parts/reports/reports-sql.ts endRun': [
    reports.endRun(RUN, 'one', { problem: null, asOf: null, missing: null, delaySeconds: 0 }),
  ],
  'parts/reports/reports-sql.ts claimPrepared': [reports.claimPrepared('folder', 60, 60, 10)],
  'parts/reports/reports-sql.ts insertCopyRun': [reports.insertCopyRun(RUN, RANGE.lower, null)],
  'parts/reports/reports-sql.ts insertCopyDeliveries': [
    reports.insertCopyDeliveries(RUN, ['folder:a'], { 'folder:a': FILE }),
  ],
  'parts/reports/reports-sql.ts settleCopyRun': [reports.settleCopyRun(RUN)],
  'parts/reports/reports-sql.ts selectRuns': [reports.selectRuns('spa', 'sjn_report_a', 20)],
  'parts/console/first-steps-sql.ts selectHasKeys': [firstSteps.selectHasKeys],
  'parts/reports/reports-sql.ts selectReportNumbers': [reports.selectReportNumbers],
  'parts/reports/reports-sql.ts selectCentersWithRuns': [reports.selectCentersWithRuns],
  'parts/reports/reports-sql.ts deleteOldRuns': [reports.deleteOldRuns('spa', 365)],
  'parts/reports/reports-sql.ts selectLastErasures': [reports.selectLastErasures(['spa'])],
  'parts/webhooks/webhooks-sql.ts insertWebhook': [
    webhooks.insertWebhook(
      {
        center_id: 'spa',
        id: 'w',
        name: '',
        url: '',
        scopes: [],
        kinds: null,
        salt: Buffer.alloc(0),
        secret_check: Buffer.alloc(0),
        cursor: '',
        revision: 1,
      },
      10,
    ),
  ],
  'parts/webhooks/webhooks-sql.ts selectWebhooks': [
    webhooks.selectWebhooks('spa'),
    webhooks.selectWebhooks(undefined),
  ],
  'parts/webhooks/webhooks-sql.ts selectWebhook': [webhooks.selectWebhook('w')],
  'parts/webhooks/webhooks-sql.ts setState': [webhooks.setState('spa', 'w', 'paused')],
  'parts/webhooks/webhooks-sql.ts setCursor': [webhooks.setCursor('spa', 'w', '', 1)],
  'parts/webhooks/webhooks-sql.ts setSecret': [
    webhooks.setSecret('spa', 'w', { salt: Buffer.alloc(0), check: Buffer.alloc(0), overlapSeconds: 1 }),
  ],
  'parts/webhooks/webhooks-sql.ts deleteWebhook': [webhooks.deleteWebhook('spa', 'w')],
  'parts/webhooks/webhooks-sql.ts selectDue': [webhooks.selectDue(10, [{ center_id: 'spa', id: 'w' }])],
  'parts/webhooks/webhooks-sql.ts selectNextWebhooks': [
    webhooks.selectNextWebhooks({ center_id: '', id: '' }, 10),
  ],
  'parts/webhooks/webhooks-sql.ts takeLease': [webhooks.takeLease('spa', 'w', 'h', 60)],
  'parts/webhooks/webhooks-sql.ts endLease': [webhooks.endLease('spa', 'w', 'h', true)],
  'parts/webhooks/webhooks-sql.ts settleMessage': [
    webhooks.settleMessage('spa', 'w', 'h', { notes: 1, cursor: '', leaseSeconds: 60 }),
  ],
  'parts/webhooks/webhooks-sql.ts advance': [
    webhooks.advance('spa', 'w', 'h', { cursor: '', revision: 1, delivered: true }),
  ],
  'parts/webhooks/webhooks-sql.ts postpone': [
    webhooks.postpone('spa', 'w', 'h', { delaySeconds: 5, state: 'active' }),
  ],
  'parts/webhooks/webhooks-sql.ts insertDelivery': [
    webhooks.insertDelivery(
      'spa',
      'w',
      { message_id: '', attempt: 1, entries: 1, outcome: '', status: null, duration_ms: 1 },
      100,
    ),
  ],
  'parts/webhooks/webhooks-sql.ts selectDeliveries': [webhooks.selectDeliveries('spa', 'w', 20)],
  'parts/webhooks/webhooks-sql.ts selectSummary': [webhooks.selectSummary],

  'commands/backup/backup-sql.ts selectTables': [backup.selectTables],
  'commands/backup/backup-sql.ts selectMonths': [backup.selectMonths],
  'commands/backup/backup-sql.ts selectSequences': [backup.selectSequences],
  'commands/backup/backup-sql.ts setSequence': [backup.setSequence('changes_seq_seq', '1')],
  'commands/backup/backup-sql.ts selectHeads': [backup.selectHeads],
  'commands/backup/backup-sql.ts selectSchema': [backup.selectSchema],
  'commands/backup/backup-sql.ts selectIsEmpty': [backup.selectIsEmpty],
  'core/database/private/presence-sql.ts PRESENCE': 'a number',
  'core/database/private/presence-sql.ts selectOtherProcesses': [selectOtherProcesses],
  'core/database/clock-sql.ts selectNow': [selectNow],

  'core/intake/numbering/number-bookings-sql.ts centersOfSession': [bookings.centersOfSession('s')],
  'core/intake/numbering/number-bookings-sql.ts selectNumbering': [bookings.selectNumbering(SPA, 's')],
  'core/intake/numbering/number-bookings-sql.ts lockNumbered': [bookings.lockNumbered(SPA, 's')],
  'core/intake/numbering/number-bookings-sql.ts selectIdentifiers': [
    bookings.selectIdentifiers(SPA, 's', [1], ['b']),
  ],
  'core/intake/numbering/number-bookings-sql.ts lockRevision': [bookings.lockRevision(SPA)],
  'core/intake/numbering/number-bookings-sql.ts lockCounter': [bookings.lockCounter(SPA, 's')],
  'core/intake/numbering/number-bookings-sql.ts clearNumbers': [bookings.clearNumbers(SPA, ['b'])],
  'core/intake/numbering/number-bookings-sql.ts updateNumbers': [
    bookings.updateNumbers(SPA, { ids: ['b'], identifiers: ['1'], numbers: [1] }),
  ],
  'core/intake/numbering/number-bookings-sql.ts setCounter': [bookings.setCounter(SPA, 's', 1)],

  'core/access/keys/keys-sql.ts insertKey': [
    keys.insertKey({
      public_key: '',
      center_id: 'spa',
      app_id: '',
      name: '',
      secret_hash: Buffer.alloc(0),
      scopes: [],
      per_hour: null,
      per_minute: null,
      allowed_addresses: [],
      allow_assistants: false,
      intake: false,
      custom_fields: [],
      grants: [],
      responsible: null,
      review_on: null,
      created_at: '',
      expires_at: null,
    }),
  ],
  'parts/data-rights/subjects-sql.ts REMOVED_FROM':
    'no statement: columns from which an erasure removes a name',
  'parts/data-rights/subjects-sql.ts selectMentioning': Object.entries(subjects.REMOVED_FROM).flatMap(
    ([table, columns]) => columns.map((column) => subjects.selectMentioning(SPA, table, column, ['ana'])),
  ),
  'parts/data-rights/subjects-sql.ts rewriteText': Object.entries(subjects.REMOVED_FROM).flatMap(
    ([table, columns]) =>
      columns.map((column) => subjects.rewriteText(SPA, { table, column, place: '(0,1)' }, 'text')),
  ),
  'parts/data-rights/subjects-sql.ts selectFullName': [subjects.selectFullName(SPA, 'c')],
  'parts/data-rights/subjects-sql.ts selectTermNames': [subjects.selectTermNames(SPA, 'ro')],
  'parts/data-rights/subjects-sql.ts selectOthers': [subjects.selectOthers(SPA, ['o-1'], 'c')],
  'parts/data-rights/subjects-sql.ts customersOfBooking': [subjects.customersOfBooking('b-1')],
  'core/api/guests/find-customers-sql.ts selectPossible': [
    findCustomers.selectPossible(
      SPA,
      { name: 'Ana Pop', dob: '1980-01-20', days: ['1980-01-20'], email: 'a', pinHash: undefined },
      1,
    ),
    findCustomers.selectPossible(
      SPA,
      { name: undefined, dob: undefined, days: undefined, email: 'a', pinHash: undefined },
      1,
    ),
  ],
  'parts/data-rights/subjects-sql.ts centersOfCustomer': [subjects.centersOfCustomer('c')],
  'parts/data-rights/subjects-sql.ts selectStays': [subjects.selectStays(SPA, 'c')],
  'parts/data-rights/subjects-sql.ts selectOrders': [subjects.selectOrders(SPA, ['o'], 'c')],
  'parts/data-rights/subjects-sql.ts selectSheets': [subjects.selectSheets(SPA, ['b'])],
  'parts/data-rights/subjects-sql.ts selectNotes': [subjects.selectNotes(SPA, ['b'], ['o'])],
  'parts/data-rights/subjects-sql.ts selectContradictionsAbout': [
    subjects.selectContradictionsAbout(SPA, ['guest:b']),
  ],
  'parts/data-rights/subjects-sql.ts lockCustomer': [subjects.lockCustomer(SPA, 'c')],
  'parts/data-rights/subjects-sql.ts deleteStays': [subjects.deleteStays(SPA, 'c')],
  'parts/data-rights/subjects-sql.ts deleteCustomer': [subjects.deleteCustomer(SPA, 'c')],
  'parts/data-rights/subjects-sql.ts deleteVersions': [subjects.deleteVersions(SPA, 'c', ['b'])],
  'parts/data-rights/subjects-sql.ts clearOrder': [
    subjects.clearOrder(SPA, 'o', { items: '[]', keepsAddress: false }),
  ],
  'parts/data-rights/subjects-sql.ts rewriteSheet': [subjects.rewriteSheet(SPA, '2025-01-01', 1, '{}')],
  'parts/data-rights/subjects-sql.ts countMentions': Object.keys(subjects.MENTIONED_IN).map((table) =>
    subjects.countMentions(SPA, table, ['a']),
  ),
  'parts/data-rights/subjects-sql.ts selectErasedEarlier': [
    subjects.selectErasedEarlier('customer', 'c', null),
    subjects.selectErasedEarlier('booking', 'b', SPA),
  ],
  'core/database/trail-privileges-sql.ts protectTrail': [privileges.protectTrail],
  'core/database/replicas-sql.ts noteGeneration': [replicas.noteGeneration('a')],
  'core/database/replicas-sql.ts selectIsReplica': [replicas.selectIsReplica('a')],
  'core/database/replicas-sql.ts selectWrittenPosition': [replicas.selectWrittenPosition],
  'core/database/replicas-sql.ts selectReplayedPosition': [replicas.selectReplayedPosition],
  'core/database/origin-sql.ts selectOriginPrivileges': [origin.selectOriginPrivileges],
  'core/database/origin-sql.ts selectOwnOrigin': [origin.selectOwnOrigin],
  'core/database/origin-sql.ts selectStoredOrigin': [origin.selectStoredOrigin],
  'core/database/origin-sql.ts selectIsAhead': [origin.selectIsAhead],
  'core/database/origin-sql.ts truncateNumbers': [origin.truncateNumbers],
  'core/database/origin-sql.ts updateHistories': [origin.updateHistories],
  'core/database/origin-sql.ts upsertOrigin': [origin.upsertOrigin('1')],
  'core/database/schema/rewrites-sql.ts insertRewrite': [rewrites.insertRewrite],
  'core/database/schema/rewrites-sql.ts selectRewrites': [rewrites.selectRewrites],
  'core/database/schema/rewrites-sql.ts deleteRewrites': [rewrites.deleteRewrites([1])],
  'parts/data-rights/subjects-sql.ts analyzeSql': subjects.analyzeSql,
  'parts/data-rights/subjects-sql.ts MENTIONED_IN': 'a list of tables',
  'core/intake/erased/erased-sql.ts selectSalt': [erased.selectSalt('spa')],
  'core/intake/erased/erased-sql.ts insertErasures': [
    erased.insertErasures('spa', Buffer.alloc(32), 'ab', ['ab']),
  ],
  'core/intake/erased/erased-sql.ts markCustomersSql': [
    erased.markCustomersSql('spa', Buffer.alloc(32), PERSON_KINDS),
  ],
  'core/intake/erased/erased-sql.ts markBookingsSql': [
    erased.markBookingsSql('spa', Buffer.alloc(32), PERSON_KINDS),
  ],
  'core/intake/erased/erased-sql.ts erasedOrdersSql': [
    erased.erasedOrdersSql('spa', Buffer.alloc(32), PERSON_KINDS),
  ],
  'core/intake/erased/erased-sql.ts forgetErasedSql': [
    erased.forgetErasedSql('spa', Buffer.alloc(32), PERSON_KINDS),
  ],
  'core/intake/erased/erased-sql.ts erasedNamesSql': [erased.erasedNamesSql('spa', PERSON_KINDS)],
  'parts/data-rights/erasure-log-sql.ts selectErasures': [erasureLog.selectErasures],
  'parts/data-rights/erasure-log-sql.ts selectLifted': [erasureLog.selectLifted],
  'parts/data-rights/erasure-log-sql.ts customersByDigest': [
    erasureLog.customersByDigest('spa', 'ab', ['ab']),
  ],
  'parts/data-rights/erasure-log-sql.ts insertLifted': [erasureLog.insertLifted('spa', 'ab')],
  'core/intake/erased/erased-sql.ts knownDigestsSql': [erased.knownDigestsSql('spa', ['ab'])],
  'core/intake/erased/erased-sql.ts selectDigestsSql': [
    erased.selectDigestsSql('spa'),
    erased.selectDigestsSql(null),
  ],
  'core/intake/erased/erased-sql.ts markLinesSql': [erased.markLinesSql([1])],
  'core/intake/erased/erased-sql.ts rewriteLinesSql': [erased.rewriteLinesSql('[]')],
  'core/intake/erased/erased-sql.ts stagedSaltsSql': [erased.stagedSaltsSql],
  'core/intake/erased/erased-sql.ts erasedRowsSql': [erased.erasedRowsSql],
  'core/intake/erased/erased-sql.ts countErasedSql': [erased.countErasedSql],
  'core/intake/erased/erased-sql.ts markedLinesSql': [erased.markedLinesSql],
  'core/intake/erased/erased-sql.ts deleteMarkedSql': [erased.deleteMarkedSql],
  'core/intake/stored-mappings-sql.ts selectMappingsSql': [
    storedMappings.selectMappingsSql('spa'),
    storedMappings.selectMappingsSql(undefined),
  ],
  'core/intake/stored-mappings-sql.ts selectMappingSql': [storedMappings.selectMappingSql('spa', 'm')],
  'core/intake/stored-mappings-sql.ts saveMappingSql': [
    storedMappings.saveMappingSql({ center_id: 'spa', name: 'm', body: 'records: {}', saved_by: 'me' }, 100),
  ],
  'core/intake/stored-mappings-sql.ts deleteMappingSql': [storedMappings.deleteMappingSql('spa', 'm')],
  'parts/links/links-sql.ts insertLink': [
    links.insertLink({
      id: 'l',
      center_id: 'spa',
      app_id: 'a',
      name: 'n',
      secret_hash: Buffer.alloc(32),
      question: '/me',
      language: null,
      allow_sensitive: false,
      per_hour: 1,
      per_minute: 1,
      allowed_addresses: [],
      created_at: RANGE.lower,
      expires_at: RANGE.upper,
    }),
  ],
  'parts/links/links-sql.ts linksOfCenter': [links.linksOfCenter('spa'), links.linksOfCenter(undefined)],
  'parts/links/links-sql.ts linksNamed': [links.linksNamed('l'), links.linksNamed('l', 'spa')],
  'parts/links/links-sql.ts revokeLinks': [links.revokeLinks(['l'], RANGE.lower)],
  'core/access/keys/device-links-sql.ts deviceLinkNamed': [deviceLinks.deviceLinkNamed('l')],
  'core/access/keys/device-links-sql.ts lockDeviceLink': [deviceLinks.lockDeviceLink('l')],
  'core/access/keys/device-links-sql.ts deviceLinksOfCenter': [
    deviceLinks.deviceLinksOfCenter('spa'),
    deviceLinks.deviceLinksOfCenter(undefined),
  ],
  'core/access/keys/device-links-sql.ts insertDeviceLink': [
    deviceLinks.insertDeviceLink({
      center_id: 'spa',
      id: 'l',
      public_key: 'k',
      secret_hash: Buffer.alloc(32),
      created_at: RANGE.lower,
      expires_at: RANGE.lower,
    }),
  ],
  'core/access/keys/device-links-sql.ts endDeviceLink': [deviceLinks.endDeviceLink('spa', 'l', RANGE.lower)],
  'core/access/keys/device-links-sql.ts endDeviceLinks': [
    deviceLinks.endDeviceLinks('spa', 'k', RANGE.lower),
  ],
  'core/access/keys/device-links-sql.ts pruneDeviceLinks': [deviceLinks.pruneDeviceLinks('spa', RANGE.lower)],
  'core/access/keys/device-links-sql.ts markDeviceLinkUsed': [
    deviceLinks.markDeviceLinkUsed('spa', 'l', RANGE.lower, Buffer.alloc(32)),
  ],
  'core/access/keys/device-links-sql.ts setSecret': [deviceLinks.setSecret('spa', 'k', Buffer.alloc(32))],
  'core/access/keys/keys-sql.ts keysOfCenter': [keys.keysOfCenter('spa'), keys.keysOfCenter(undefined)],
  'core/access/keys/keys-sql.ts keysNamed': [keys.keysNamed('k'), keys.keysNamed('k', 'spa')],
  'core/access/keys/keys-sql.ts setDescription': [
    keys.setDescription(['k'], { responsible: null, reviewOn: null }),
  ],
  'parts/administration/administration-sql.ts selectSettings': [administration.selectSettings(SPA)],
  'core/acts/acts-sql.ts isoText': [acts.isoText(sql`clock_timestamp()`)],
  'core/acts/acts-sql.ts selectGrants': [acts.selectGrants(SPA, 'k')],
  'parts/webhooks/acts/acts-sql.ts selectWebhooksWithLog': [webhookActs.selectWebhooksWithLog(SPA, 1)],
  'parts/links/acts/acts-sql.ts countLinks': [linkActs.countLinks(SPA)],
  'parts/administration/administration-sql.ts countKeys': [administration.countKeys(SPA)],
  'parts/links/acts/acts-sql.ts selectLinks': [
    linkActs.selectLinks(SPA, { offset: 0, limit: 1, ended: true }),
  ],
  'parts/devices/acts/acts-sql.ts selectDevices': [
    deviceActs.selectDevices(SPA, { offset: 0, limit: 1, ended: true }),
  ],
  'parts/sources/acts/acts-sql.ts selectSourcesAndImports': [sourceActs.selectSourcesAndImports(SPA, 1)],
  'parts/reports/acts/acts-sql.ts selectReportsWithRuns': [reportActs.selectReportsWithRuns(SPA, 1)],
  'parts/administration/administration-sql.ts selectKeys': [
    administration.selectKeys(SPA, 'k', { offset: 0, limit: 1, ended: true }),
  ],
  'core/access/keys/keys-sql.ts lockKeysNamed': [keys.lockKeysNamed('k')],
  'core/access/keys/keys-sql.ts revokeKeys': [keys.revokeKeys(['k'], RANGE.lower)],
  'core/access/keys/keys-sql.ts endKeys': [keys.endKeys(['k'], RANGE.lower)],
  'core/access/keys/keys-sql.ts selectDiets': [keys.selectDiets('spa')],
  'core/access/keys/keys-sql.ts customFieldsOf': [keys.customFieldsOf('spa')],
  'core/intake/export/export-sql.ts selectRecords': [exporting.selectRecords(SPA, Object.values(KINDS))],
  'core/intake/export/export-sql.ts countBookings': [exporting.countBookings(SPA)],
  'core/intake/export/export-sql.ts columnsOf': 'a list of names',
  'core/records/centers/centers-sql.ts selectCenters': [selectCenters()],
  'core/records/centers/centers-sql.ts centerZone': [centerZone('spa')],
  'core/records/centers/centers-sql.ts centerIds': [centerIds(10)],
  'core/records/centers/centers-sql.ts selectZones': [selectZones(['spa'])],

  'parts/demo/commands/demo-sql.ts anyOtherCenter': [demo.anyOtherCenter(['demo'])],

  'core/records/sources/sources-sql.ts deliveryValues':
    'a part of selectSources and of the sources of the administration',
  'core/records/sources/sources-sql.ts selectSources': [sources.selectSources(SPA)],
  'core/records/sources/sources-sql.ts selectLastCommits': [sources.selectLastCommits(SPA, 5)],
  'core/records/sources/sources-sql.ts setSource': [
    sources.setSource('spa', { name: 's', kinds: undefined, schedule: undefined, appId: undefined }),
    sources.setSource('spa', { name: 's', kinds: ['bookings'], schedule: 'hourly', appId: 'a' }),
  ],
  'core/records/sources/sources-sql.ts deleteSource': [sources.deleteSource('spa', 's')],
  'core/records/sources/sources-sql.ts countSources': [sources.countSources('spa')],
  'core/records/sources/sources-sql.ts selectSender': [sources.selectSender('spa', 'a')],
  'core/records/sources/sources-sql.ts reportFolder': [
    sources.reportFolder('spa', 's', {
      state: 'watching',
      unfinishedMs: 1,
      emptyMs: null,
      waitingMs: null,
      isDiskFull: false,
    }),
  ],
  'core/records/sources/sources-sql.ts selectScheduledCenters': [
    sources.selectScheduledCenters('spa'),
    sources.selectScheduledCenters(undefined),
  ],

  'core/intake/import-log-sql.ts addImportSql': [importLog.addImportSql('[]')],
  'core/intake/import-log-sql.ts selectImportsSql': [
    importLog.selectImportsSql('spa', 1),
    importLog.selectImportsSql(undefined, 1),
  ],
  'core/intake/import-log-sql.ts selectImportedCentersSql': [importLog.selectImportedCentersSql],
  'core/intake/import-log-sql.ts deleteOldImportsSql': [importLog.deleteOldImportsSql('spa', 365)],
  'core/intake/port/answers-sql.ts selectAnswerSql': [answers.selectAnswerSql('spa', 'a', Buffer.alloc(0))],
  'core/api/actions/action-answers-sql.ts claimKey': [
    actions.claimKey('spa', 'a', Buffer.alloc(0), Buffer.alloc(0)),
  ],
  'core/api/actions/action-answers-sql.ts selectAnswer': [actions.selectAnswer('spa', 'a', Buffer.alloc(0))],
  'core/api/actions/action-answers-sql.ts storeAnswer': [
    actions.storeAnswer('spa', 'a', Buffer.alloc(0), '{}'),
  ],
  'core/api/actions/action-answers-sql.ts selectCentersWithAnswers': [actions.selectCentersWithAnswers],
  'core/api/actions/action-answers-sql.ts deleteOldAnswers': [actions.deleteOldAnswers('spa')],
  'core/api/actions/action-answers-sql.ts ANSWER_DAYS': 'no statement: a number',
  'core/api/actions/action-answers-sql.ts ANSWERS_PER_APPLICATION_MAX': 'no statement: a number',
  'core/intake/port/answers-sql.ts keepAnswerSql': [
    answers.keepAnswerSql('spa', 'a', Buffer.alloc(0), Buffer.alloc(0), ''),
  ],
  'core/intake/port/answers-sql.ts selectAnsweredCentersSql': [answers.selectAnsweredCentersSql],
  'core/intake/port/name-sql.ts selectNameSql': [selectNameSql('spa')],
  'core/intake/port/name-sql.ts customFieldsSql': [customFieldsSql('spa')],
  'core/intake/port/answers-sql.ts deleteOldAnswersSql': [answers.deleteOldAnswersSql('spa', 7)],
  'core/intake/stage/snapshot-sql.ts stageMissingSql': [
    ...forKinds((kind) => snapshot.stageMissingSql(kind, 'spa', undefined, { kind: 1, file: 0, after: 1 })),
    snapshot.stageMissingSql(KINDS.booking, 'spa', 's', { kind: 1, file: 0, after: 1 }),
  ],
  'core/intake/stage/snapshot-sql.ts missingKeysSql': [snapshot.missingKeysSql(1, 20)],
  'core/intake/stage/versions-sql.ts selectVersionsSql': [
    versions.selectVersionsSql('booking', ['spa'], ['b']),
  ],
  'core/intake/stage/versions-sql.ts noteVersionsSql': [
    versions.noteVersionsSql('booking', ['spa'], ['b'], [1]),
  ],
  'core/intake/merge/upsert-sql.ts keyColumns': 'a list of names',
  'core/intake/merge/upsert-sql.ts selectRowsSql': forKinds((kind) =>
    upsert.selectRowsSql(kind, keyArrays(kind)),
  ),
  'core/intake/merge/upsert-sql.ts lockRowsSql': forKinds((kind) =>
    upsert.lockRowsSql(kind, keyArrays(kind)),
  ),
  'core/intake/merge/upsert-sql.ts insertRowsSql': forKinds((kind) => upsert.insertRowsSql(kind, '[]')),
  'core/intake/merge/upsert-sql.ts updateRowsSql': forKinds((kind) => upsert.updateRowsSql(kind, '[]')),
  'core/intake/merge/upsert-sql.ts deleteRowsSql': forKinds((kind) =>
    upsert.deleteRowsSql(kind, keyArrays(kind)),
  ),
  'core/intake/references/references-sql.ts withoutBookingSql': [references.withoutBookingSql(5)],
  'core/intake/references/references-sql.ts missingTargetsSql': BOOKING_REFERENCES.map((reference) =>
    references.missingTargetsSql(reference, 1),
  ),
  'core/intake/references/references-sql.ts targetsInUseSql': BOOKING_REFERENCES.map((reference) =>
    references.targetsInUseSql(reference, 1),
  ),
  'core/intake/references/references-sql.ts centerContentsSql': [references.centerContentsSql('spa')],
  'core/intake/references/references-sql.ts mealRulesSql': [references.mealRulesSql('spa')],
  'core/intake/references/references-sql.ts recordWithMetaSql': [
    references.recordWithMetaSql('customer', 'spa', 'k', null),
    references.recordWithMetaSql('booking', 'spa', 'k', null),
  ],
  'core/intake/references/references-sql.ts createReferencesSql': references.createReferencesSql,
  'core/intake/references/references-sql.ts noteReferencesSql': [references.noteReferencesSql('[]')],
  'core/intake/references/references-sql.ts noteRemovalsSql': [references.noteRemovalsSql('[]')],
  'core/intake/references/references-sql.ts analyzeReferencesSql': references.analyzeReferencesSql,
  'core/intake/merge/center-facts-sql.ts centersSql': [centerFacts.centersSql(['spa'])],
  'core/intake/merge/diets-sql.ts dietsOfCenterSql': [diets.dietsOfCenterSql('spa')],
  'core/intake/merge/center-facts-sql.ts metaFieldsSql': [centerFacts.metaFieldsSql(['spa'])],
}

/** Files whose statements go to the import's own temporary tables, or to no table of any center. */
export const OWN_TABLES: Readonly<Record<string, string>> = {
  'core/database/schema/baseline-sql.ts':
    'the log of migrations, and a schema that exists within its transaction',
  'core/database/schema/migrate-sql.ts': 'the log of migrations, and the server’s sessions',
  'core/database/schema/schema-objects-sql.ts': 'the catalog',
  'parts/doctor/doctor-sql.ts': 'the catalog, and the server’s settings and sessions',
  'core/intake/stage/stage-sql.ts': 'the import’s temporary table, gone with its session',
  'core/intake/stage/chunks-sql.ts': 'a cursor over another statement',
}
