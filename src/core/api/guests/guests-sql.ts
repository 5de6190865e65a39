/** The statement of `GET /guests`: total, revision and page from one snapshot, in one round trip. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Dependency } from '../../changes/change.ts'
import { type MovedSince, movedSince } from '../../changes/feed-sql.ts'
import { textRows } from '../../database/text-rows.ts'
import { localDateOf } from '../../locale/zones.ts'
import type { Center, CenterId } from '../../records/centers/center.ts'
import { type Bounds, spanOf } from '../../request/bounds.ts'
import type { Page } from '../../request/paging.ts'
import { bookedOf, bookingsOfPage, nextToSession } from './bookings-of-page-sql.ts'
import { all, type BookingFilters, columnsAsked, conditionsOf, searches } from './conditions-sql.ts'
import type { ColumnInputs } from './guest-columns-sql.ts'
import type { Selection } from './selection-sql.ts'
import { type GuestSort, MATCHED_FOR_SORT, sortColumns, sorted, sortedOrder } from './sort-sql.ts'

export interface GuestFilters extends Bounds, BookingFilters {
  /** bookings of any of these sessions; undefined: all bookings */
  readonly sessionIds?: readonly string[] | undefined
  /** the order; undefined: by start, then identifier (ruling 18) */
  readonly sort?: GuestSort | undefined
}

/** What a page depends on besides the request. */
interface PageInputs extends Pick<ColumnInputs, 'language'> {
  readonly center: Pick<Center, 'timezone' | 'isInOlderDatabase' | 'orderRules' | 'currency'>
}

/** The first day that a stay shares with the requested range and days; with a session, with the session. */
const shownOn = ({ lower, sessionIds, arriving, departing, inHouse }: GuestFilters, zone: string) => {
  const bounds = [lower, arriving?.lower, departing?.lower, inHouse?.lower]
  const moments = bounds.flatMap((bound) => (bound === undefined ? [] : [Date.parse(bound)]))
  return {
    zone,
    from: moments.length === 0 ? undefined : localDateOf(zone, Math.max(...moments)),
    sessionIds,
  }
}

const inputsOf = (
  center: CenterId,
  filters: GuestFilters,
  { language, center: { timezone, orderRules, currency } }: PageInputs,
): ColumnInputs => ({
  ...{ center, language, shownOn: shownOn(filters, timezone) },
  paidBy: { orderRules, currency },
})

/**
 * Selects one page of guests. Callers may rely on: exactly one row, with the total, the revision, and the page's rows
 * as one text (`text-rows.ts`), each beginning with the booking's identifier. They are ordered by start, then
 * identifier (ruling 18), unless the filters define another order, and each booking occurs once.
 *
 * A date range uses `bookings_by_start` (and `bookings_long_stays`), a session `booking_sessions_by_start`. The page's
 * columns are read only for its rows, and bookings themselves only for values that are not next to their sessions. The
 * index is read twice, for the count and for the page, because storing the result costs more, except for searches and
 * sorted lists. For the page, the index is read only up to its end.
 */
export function selectGuestsPage(
  center: CenterId,
  filters: GuestFilters,
  page: Page,
  selection: Selection,
  { language, center: profile }: PageInputs,
  separator: string,
  since?: MovedSince,
): Sql {
  const { sort } = filters
  const inputs = inputsOf(center, filters, { language, center: profile })
  // What has changed since is looked up for all guests of the filters.
  const isMaterialized = since !== undefined || sort !== undefined || searches(filters)
  const isListed = filters.sessionIds !== undefined && sort === undefined && selection.isNextToSessions
  // What is read next to the list is found for all its guests together, except in another order, which is not theirs.
  const isTogether =
    sort === undefined &&
    profile.isInOlderDatabase !== true &&
    (selection.isJoined || !selection.isNextToSessions)
  const listed = isListed || isTogether ? 'b' : 'page'
  // A session's guests are in one index, in the order of the page.
  const first =
    filters.sessionIds === undefined ? { after: undefined, limit: page.start * page.length } : undefined
  const guests = sql`(
          select ${raw(isListed || sort !== undefined ? '*' : 'id, start_date')}
          from ${isMaterialized ? raw('matched') : sql`(${matchedGuests(center, filters, first)}) matched`}
          order by ${orderOf('matched', sort)}
          limit ${page.length} offset ${(page.start - 1) * page.length}
        )`
  const { sets, joins } = selection.joinsOfPage(center)
  const withs = [
    ...(isMaterialized ? [sql`matched as materialized (${listedGuests(inputs, filters, since)})`] : []),
    ...(isTogether
      ? [sql`booked as materialized (${bookedOf(guests, isListed, center, selection)})`, ...sets]
      : []),
  ]
  return sql`
    ${withs.length === 0 ? empty : sql`with ${join(withs, ',\n    ')}`}
    select
      ${isMaterialized ? raw('(select count(*) from matched)') : countOf(partsOfMatched(center, filters))} as total,
      (select revision from center_revisions where center_id = ${center}) as revision,
      (
        select ${textRows(selection.rowIn(inputs, separator), separator, orderOf(listed, sort))}
        from ${
          isTogether
            ? sql`booked b
        ${joins}`
            : sql`${guests} ${raw(listed)}
        ${isListed ? empty : bookingsOfPage(center, selection)}
        ${selection.joins}`
        }
      ) as guests`
}

/** Each part is counted separately: combining 200 guests first takes 3 % longer for a week's page. */
const countOf = (parts: readonly Sql[]): Sql => join(parts.map(counted), ' + ')
const counted = (found: Sql) => sql`(select count(*) from (${found}) matched)`

/** All guests of the list, and their order, for its identifiers and its digest. */
export const membersOf = (center: CenterId, filters: GuestFilters, page: PageInputs, since?: MovedSince) => ({
  listed: listedGuests(inputsOf(center, filters, page), filters, since),
  order: orderOf('l', filters.sort),
})

/**
 * All guests, in the order of the list. Callers may rely on: each row has the start as text and the identifier, which are the guest's position, and the
 * guest's values as in `selectGuestsPage`. Uses the same indexes; a guest's rows are read only when they are returned.
 */
export function selectGuestRows(
  center: CenterId,
  filters: GuestFilters,
  selection: Selection,
  page: PageInputs,
  separator: string,
  since: MovedSince | undefined,
): Sql {
  const { sort } = filters
  const inputs = inputsOf(center, filters, page)
  return sql`
    select page.start_date::text, page.id, ${selection.rowIn(inputs, separator)} as guest
    from (
      select ${raw(sort === undefined ? 'id, start_date' : '*')} from (${listedGuests(inputs, filters, since)}) matched
      order by ${orderOf('matched', sort)}
    ) page
    ${bookingsOfPage(center, selection)}
    ${selection.joins}
    order by ${orderOf('page', sort)}`
}

function listedGuests(inputs: ColumnInputs, filters: GuestFilters, since: MovedSince | undefined): Sql {
  const { center } = inputs
  const filtered = matchedGuests(center, filters)
  const moved =
    since === undefined
      ? filtered
      : sql`select f.* from (${filtered}) f where ${movedSince(center, since, sql`f.id`)}`
  return filters.sort === undefined ? moved : sorted(inputs, moved, filters.sort)
}

/** A guest's position in ruling 18's order. The moment is as PostgreSQL writes it, with microseconds. */
export type GuestPosition = readonly [startDate: string, id: string]

/** The first guests in ruling 18's order. */
export interface FirstGuests {
  /** only guests after this one; undefined: from the beginning */
  readonly after: GuestPosition | undefined
  readonly limit: number
}

/**
 * Identifier and start of every guest that matches the filters, each once. With a search also the customer, and of a
 * session's guests all columns next to it, named as the booking's columns. Exported for the report, which counts the
 * same guests.
 * @param first limits the result: the index is read only up to this many. For a date range, all stays that began more
 * than 31 days before it are returned too, and there is no order.
 */
export const matchedGuests = (center: CenterId, filters: GuestFilters, first?: FirstGuests): Sql =>
  join(partsOfMatched(center, filters, first), '\n    union all\n    ')

/** The parts of `matchedGuests`: no guest is in two of them. */
function partsOfMatched(center: CenterId, filters: GuestFilters, first?: FirstGuests): readonly Sql[] {
  const { lower, upper, sessionIds } = filters
  const only = (select: Sql, order: Sql) =>
    first === undefined
      ? select
      : sql`(${select}
      order by ${order} limit ${first.limit})`
  const id = sessionIds === undefined ? sql`b.id` : sql`b.booking_id`
  const asked = conditionsOf(filters, { center, id })
  if (sessionIds !== undefined) {
    const one = sessionIds.length === 1
    const order = sql`b.start_date, b.booking_id`
    const select = sql`
      select ${one ? empty : sql`distinct on (${order})`}
        b.booking_id as id, b.start_date, b.center_id, ${nextToSession('b', 'b')}
      from booking_sessions b
      where b.center_id = ${center}
        and ${one ? sql`b.session_id = ${sessionIds[0]}` : sql`b.session_id = any(${sessionIds})`}
        ${lower === undefined ? empty : sql`and b.end_date >= ${lower}`}
        ${upper === undefined ? empty : sql`and b.start_date <= ${upper}`}
        ${all([...asked, ...behind(order, first?.after)])}`
    return [only(select, order)]
  }
  // Reading the booking again for each match to sort it was half of the cost of a sorted list of a whole center.
  const also =
    filters.sort !== undefined
      ? MATCHED_FOR_SORT
      : filters.mayBe !== undefined || searches(filters)
        ? ['customer_id']
        : []
  const columns = raw(['id', 'start_date', ...also].map((column) => `b.${column}`).join(', '))
  const order = sql`b.start_date, b.id`
  asked.push(...behind(order, first?.after))
  if (searches(filters)) {
    // The customers are found first; the dates of their stays are tested afterwards, as an expression that no index
    // has. Otherwise, with a plan for any dates, the planner expects a handful of bookings in the range, and all
    // 100,000 of ten years were read.
    const select = sql`
    select ${columns}
    from bookings b
    where b.center_id = ${center}
      and b.start_date + interval '0' <= ${upper} and b.end_date + interval '0' >= ${lower}
      ${all(asked)}`
    return [only(select, order)]
  }
  // Stays of up to 31 days begin within 31 days before the range; longer ones have an index of their own.
  const short = sql`
    select ${columns}
    from bookings b
    where b.center_id = ${center}
      and b.start_date <= ${upper} and b.end_date >= ${lower}
      and b.start_date >= ${lower}::timestamptz - interval '31 days'
      ${all(asked)}`
  const long = sql`
    select ${columns}
    from bookings b
    where b.center_id = ${center}
      and b.end_date - b.start_date > interval '31 days'
      and b.start_date <= ${upper} and b.end_date >= ${lower}
      and b.start_date < ${lower}::timestamptz - interval '31 days'
      ${all(asked)}`
  // The offset keeps long stays on their own index: to sort them, the planner read all earlier stays.
  return first === undefined ? [short, long] : [only(short, order), sql`(${long} offset 0)`]
}

/** Empty if there is no position. */
const behind = (columns: Sql, after: GuestPosition | undefined): Sql[] =>
  after === undefined ? [] : [sql`(${columns}) > (${after[0]}::timestamptz, ${after[1]})`]

/** The columns that define which guests a list has, and in which order. */
const LISTED_BY = ['id', 'role', 'status', 'session_ids', 'start_date', 'end_date'].map(
  (column) => `bookings.${column}`,
)

/**
 * The guests that match the filters, as the records that an answer is made from. @param columns that it shows, as
 * `table.column`
 */
export const guestsMatching = (
  filters: GuestFilters,
  columns: readonly string[],
): Dependency & Required<Pick<Dependency, 'columns'>> => ({
  kind: 'guest',
  ...(filters.sessionIds === undefined ? {} : { sessionIds: filters.sessionIds }),
  during: spanOf(filters),
  columns: dependentColumns(filters, columns),
})

/** Every cached answer refers to its columns. Answers with the same columns share one set. */
const plainColumns = new WeakMap<readonly string[], ReadonlySet<string>>()

function dependentColumns(filters: GuestFilters, shown: readonly string[]): ReadonlySet<string> {
  const asked = [...columnsAsked(filters), ...(filters.sort === undefined ? [] : sortColumns(filters.sort))]
  if (!asked.every((column) => LISTED_BY.includes(column))) return new Set([...LISTED_BY, ...asked, ...shown])
  let columns = plainColumns.get(shown)
  if (columns === undefined) {
    columns = new Set([...LISTED_BY, ...shown])
    plainColumns.set(shown, columns)
  }
  return columns
}

/** The order of the rows of an alias: by ruling 18, after the order that the request asks for. */
function orderOf(alias: string, sort: GuestSort | undefined): Sql {
  const inOrder = raw(`${alias}.start_date, ${alias}.id`)
  return sort === undefined ? inOrder : sortedOrder(alias, sort, inOrder)
}
