/** The statements that the service sends for almost every read, for a center of `plans.test.ts`. */
import type { Sql } from 'sql-template-tag'
import { selectPossible } from '../../src/core/api/guests/find-customers-sql.ts'
import { type GuestFilters, selectGuestsPage } from '../../src/core/api/guests/guests-sql.ts'
import { selectCandidates, selectGuestsOf, selectWanted } from '../../src/core/api/guests/match-sql.ts'
import { presenterOf } from '../../src/core/api/guests/present-guest.ts'
import { readProjection } from '../../src/core/api/guests/projection.ts'
import { selectSkippingGuests } from '../../src/core/api/meal-skipping/meals-sql.ts'
import { selectControlledOrders, selectLooseDeposits } from '../../src/core/api/orders/control-sql.ts'
import { ORDER_FILTERS } from '../../src/core/api/orders/list-orders.ts'
import { guestNames, selectOrder } from '../../src/core/api/orders/orders-sql.ts'
import { guestCounts } from '../../src/core/api/sessions/sessions-sql.ts'
import { selectFeed } from '../../src/core/changes/feed-sql.ts'
import { selectTouchedSince } from '../../src/core/changes/snapshots-sql.ts'
import { SEPARATOR } from '../../src/core/database/text-rows.ts'
import { selectPage, selectRows } from '../../src/core/lists/list-sql.ts'
import { type Center, centerId } from '../../src/core/records/centers/center.ts'
import { readOrderRules } from '../../src/core/records/centers/order-rules.ts'
import { ORDER } from '../../src/core/records/order.ts'
import type { MadeValues } from '../../src/core/records/record.ts'
import { SESSION as SESSION_RECORD } from '../../src/core/records/session.ts'
import type { Bounds } from '../../src/core/request/bounds.ts'
import { selectPortions } from '../../src/parts/kitchen/portions-sql.ts'
import { selectFound } from '../../src/parts/search/search-sql.ts'

export const CENTER = centerId('c07')
export const SESSION = 's10'

/** A week in the middle of the two years that the data spans. */
const RULES = {
  orderRules: readOrderRules({
    orderStatuses: { valid: ['confirmed'], void: ['cancelled'] },
    paymentStatuses: { valid: ['paid'], open: ['unpaid'] },
  }),
}

const WEEK = { lower: '2025-01-06T00:00:00.000Z', upper: '2025-01-12T23:59:59.999Z' }
const MONTH = { lower: '2025-01-01T00:00:00.000Z', upper: '2025-01-31T23:59:59.999Z' }
const TEN_YEARS = { lower: '2016-01-01T00:00:00.000Z', upper: '2026-12-31T23:59:59.999Z' }
const PAGE = { start: 1, length: 50 }
const EXCLUDED = ['cancelled', 'waitingList', 'review']

const NO_FILTERS: GuestFilters = { lower: undefined, upper: undefined }

// Only the custom fields of a profile are looked at here, and there are none.
const PROFILE = { metaFields: new Map() } as unknown as Center

function guests(filters: Partial<GuestFilters>, names?: readonly string[], page = PAGE): Sql {
  const { projection } = readProjection(names, PROFILE)
  const { selection } = presenterOf(projection)
  return selectGuestsPage(
    CENTER,
    { ...NO_FILTERS, ...filters },
    page,
    selection,
    {
      language: 'en',
      center: { timezone: 'Europe/Bucharest', orderRules: readOrderRules(undefined), currency: 'EUR' },
    },
    SEPARATOR,
  )
}

/** As a date that was typed. */
const BORN = { meant: ['1980-05-03'], similar: ['1980-03-05'] }

const search = (words: string, digits: string | undefined): Sql =>
  selectFound({
    ...{
      center: CENTER,
      words,
      digits,
      born: BORN,
      length: 20,
      groups: new Set(['guests', 'orders']),
      language: 'en',
    },
    ...{ zone: 'Europe/Bucharest', day: WEEK, today: '2025-01-06', inactive: EXCLUDED },
  })

/** Of everything that `GET /guests/match` takes. */
const WANTED = {
  name: 'Popesku Iona',
  dob: '1980-01-20',
  days: ['1980-01-20'],
  email: 'ana@example.com',
  pinHash: '0'.repeat(64),
}
const mayBe = (filters: Partial<GuestFilters>, isNarrow: boolean): GuestFilters => ({
  ...NO_FILTERS,
  ...filters,
  mayBe: { wanted: WANTED, isNarrow },
})
const candidates = (filters: Partial<GuestFilters>): Sql =>
  selectCandidates(CENTER, mayBe(filters, true), WANTED)

const sessionsPage = (made: MadeValues) =>
  selectPage(
    SESSION_RECORD,
    { center: CENTER, bounds: MONTH, filters: [], since: undefined },
    PAGE,
    SESSION_RECORD.select('en', made),
  )

const orderRows = (bounds: Bounds, filters: readonly Sql[], made: MadeValues, limit: number | undefined) =>
  selectRows(ORDER, { center: CENTER, bounds, filters, since: undefined }, ORDER.select('en', made), limit)

export const HOT_QUERIES: Readonly<Record<string, Sql>> = {
  'a session page': guests({ sessionIds: [SESSION] }),
  'a session page of one status': guests({ sessionIds: [SESSION], status: ['confirmed'] }),
  'a page of two sessions': guests({ sessionIds: [SESSION, 's11'] }),
  'a date range page': guests(WEEK),
  'a later date range page': guests(MONTH, undefined, { start: 3, length: 10 }),
  'a date range page without a session': guests({ ...WEEK, sessionIdsExclude: [SESSION] }),
  'a session page of an e-mail address': guests({ sessionIds: [SESSION], email: 'ana@example.com' }),
  'ten years of an e-mail address': guests({ ...TEN_YEARS, email: 'ana@example.com' }),
  'a session page of a name': guests({ sessionIds: [SESSION], q: 'pop ana' }),
  'ten years of a name': guests({ ...TEN_YEARS, q: 'Țurcanu' }),
  'ten years of a phone number': guests({ ...TEN_YEARS, phone: '0721 234 567' }),
  'ten years of a number of the center': guests({ ...TEN_YEARS, internalId: 'C-42' }),
  'ten years of a booking identifier': guests({ ...TEN_YEARS, bookingId: '25-10-01' }),
  'a page of who arrives': guests({ ...WEEK, arriving: WEEK }),
  'a page of active guests in the house': guests({
    ...WEEK,
    inHouse: WEEK,
    active: { isActive: true, inactive: EXCLUDED },
  }),
  'a session page in another order': guests({
    sessionIds: [SESSION],
    sort: [{ by: 'dob', descending: true }],
  }),
  'whom somebody in a session may be': candidates({ sessionIds: [SESSION] }),
  'whom somebody in a month may be': candidates(MONTH),
  'which customers somebody in ten years may be': selectWanted(CENTER, WANTED, { after: undefined }),
  'the guests of ten years of these customers': selectGuestsOf(
    CENTER,
    mayBe(TEN_YEARS, false),
    WANTED,
    ['customer-1', 'customer-2'],
    201,
  ),
  'whom somebody may be': selectPossible(CENTER, WANTED, 200),
  'a page with names of terms': guests({ sessionIds: [SESSION] }, [
    'name',
    'programId',
    'financial.discountIds',
  ]),
  'a page with medical fields': guests({ sessionIds: [SESSION] }, ['medicalLetter.diagnoses', 'bmi1']),
  'a page with order and session': guests({ sessionIds: [SESSION] }, ['orderNumber', 'sessionInterval']),
  'a page with history': guests({ sessionIds: [SESSION] }, [
    'sessionsAttendedBefore',
    'sessionsRegisteredFutureCount',
  ]),
  'a report of a session': selectSkippingGuests(CENTER, {
    ...NO_FILTERS,
    sessionIds: [SESSION],
    statusesExclude: EXCLUDED,
  }),
  'a report of a week': selectSkippingGuests(CENTER, { ...NO_FILTERS, ...WEEK, statusesExclude: EXCLUDED }),
  'a later part of a report of a month': selectSkippingGuests(
    CENTER,
    { ...NO_FILTERS, ...MONTH, statusesExclude: EXCLUDED },
    ['2025-01-12T12:00:00+00:00', 'b1001'],
  ),
  'a part of a report of ten years': selectSkippingGuests(
    CENTER,
    { ...NO_FILTERS, ...TEN_YEARS, statusesExclude: EXCLUDED },
    ['2025-01-12T12:00:00+00:00', 'b1001'],
  ),
  'portions of a session': selectPortions(
    CENTER,
    { ...NO_FILTERS, sessionIds: [SESSION], statusesExclude: EXCLUDED },
    { language: 'en', withNames: true, diets: [{ field: 'diet', owner: 'customer' }] },
  ),
  'portions of a week': selectPortions(
    CENTER,
    { ...NO_FILTERS, ...WEEK, statusesExclude: EXCLUDED },
    { language: 'en', withNames: false, diets: [] },
  ),
  'a sessions page': sessionsPage({}),
  'a sessions page with its guests counted': sessionsPage({ guestCounts: guestCounts(CENTER, EXCLUDED) }),
  'an orders list': orderRows(MONTH, [], {}, 1001),
  'an orders list with guests': orderRows(MONTH, [], { guestNames }, 1001),
  'a stream of orders': orderRows(MONTH, [], {}, undefined),
  'ten years of an order number': orderRows(
    TEN_YEARS,
    [ORDER_FILTERS.orderNumber.holds('42', RULES)],
    {},
    1001,
  ),
  'ten years of unpaid orders': orderRows(
    TEN_YEARS,
    [ORDER_FILTERS.paymentStatus.holds(['unpaid'], RULES)],
    {},
    1001,
  ),
  'a control of orders': selectControlledOrders(CENTER, { bounds: MONTH, filters: [] }, true),
  'a control of the open orders': selectControlledOrders(
    CENTER,
    { bounds: MONTH, filters: [ORDER_FILTERS.group.holds(['open'], RULES)] },
    true,
  ),
  'deposits without an order': selectLooseDeposits(CENTER, MONTH),
  'an order with guests': selectOrder(CENTER, ['o-c07-42'], true),
  'an order with its checks and payments': selectOrder(CENTER, ['o-c07-42'], true, {
    control: true,
    payments: true,
    language: 'en',
  }),
  'a search': search('room 42', undefined),
  'a search for digits': search('0721 23', '72123'),
  'a page of the feed': selectFeed(CENTER, { revision: 200, offset: 0 }, 100, undefined),
  'a later page of the feed of a session': selectFeed(CENTER, { revision: 200, offset: 40 }, 1000, SESSION),
  'whether a snapshot is current': selectTouchedSince(CENTER, { revision: 1000, offset: 0 }, [
    { kind: 'guest', sessionIds: [SESSION], columns: new Set(['bookings.status']) },
    { kind: 'guest', ids: ['b1'], columns: new Set(['bookings.doctor_name']) },
  ]),
}
