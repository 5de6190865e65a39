/** `GET /guests` and the report about them. */
import type { CallOptions, Connection, OneOrSeveral } from './connection.ts'
import { type FileQuery, type ListFile, openFile, type WithoutFiles } from './files.ts'
import type { MatchGuestsAnswer, MealSkippingReport, Queries } from './openapi.ts'
import {
  type CustomFields,
  type FieldName,
  type Projected,
  USUAL_FIELDS,
  type UsualFields,
} from './projection.ts'
import { type Page, type ReadOptions, readPages } from './read-pages.ts'

type Query = Queries['listGuests']

/** The request must name both dates, a session, sessions, a day, or a guest of a person. */
type OneOfFilters =
  | { readonly startDate: string; readonly endDate: string }
  | { readonly sessionId: string }
  | { readonly sessionIds: readonly string[] }
  | { readonly arriving: string }
  | { readonly departing: string }
  | { readonly inHouse: string }
  | { readonly personOf: string }

type WithId = { readonly id: string }

type Named = 'sessionIds' | 'sessionIdsExclude' | 'project'

/** What is asked of the list of guests. */
export type GuestsQuery<Names> = OneOfFilters & {
  readonly [K in Exclude<keyof WithoutFiles<Query>, Named | 'start' | 'snapshot'>]?:
    | OneOrSeveral<Query[K]>
    | undefined
} & {
  readonly sessionIds?: readonly string[] | undefined
  readonly sessionIdsExclude?: readonly string[] | undefined
  /** The fields to show; the usual ones unless given. */
  readonly project?: Names | undefined
}

/** What somebody is known by, and the session or the range that they are looked for in. */
export type MatchQuery = {
  readonly [K in keyof Queries['matchGuests']]: OneOrSeveral<Queries['matchGuests'][K]> | undefined
}

/** A session, or both dates; with both, both apply. */
export type ReportQuery =
  | { readonly sessionId: string; readonly startDate?: string; readonly endDate?: string }
  | { readonly startDate: string; readonly endDate: string }

/** @typeParam Meta the center's custom fields, by key */
export class Guests<Meta extends CustomFields> {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** One page. `all` reads every page. */
  async list<const Names extends readonly FieldName<Meta>[] = UsualFields>(
    query: GuestsQuery<Names> & { readonly start?: number | undefined },
    options?: CallOptions,
  ): Promise<Page<Projected<Names, Meta>>> {
    const { project = USUAL_FIELDS } = query
    const { body } = await this.#connection.get<Page<Projected<Names, Meta>>>(
      '/guests',
      { ...query, project },
      options,
    )
    return body
  }

  /**
   * Every guest of the list once, page by page. If guests move between pages while it is read, it is read again, and
   * guests that were given already are passed over.
   * @throws {SojournError} MOVED where the list moved each time
   */
  async *all<const Names extends readonly FieldName<Meta>[] = UsualFields>(
    query: GuestsQuery<Names>,
    options?: ReadOptions,
  ): AsyncGenerator<Projected<Names, Meta>, void, undefined> {
    const { project = USUAL_FIELDS } = query
    const names: readonly string[] = project
    const asked = names.includes('id')
    const list = {
      path: '/guests',
      query: { ...query, project: asked ? names : [...names, 'id'] },
      idOf: ({ id }: WithId) => id,
    }
    for await (const { id, ...rest } of readPages(this.#connection, list, options)) {
      // What the service answers is described by its OpenAPI document, from which these types are printed.
      yield (asked ? { id, ...rest } : rest) as Projected<Names, Meta>
    }
  }

  /** Whom somebody may be who is known by a name, a date of birth, an e-mail address or a personal number. */
  async match(query: MatchQuery, options?: CallOptions): Promise<MatchGuestsAnswer> {
    return (await this.#connection.get<MatchGuestsAnswer>('/guests/match', query, options)).body
  }

  /**
   * All guests of the list as a file: CSV, NDJSON or a workbook. It is read from one moment, and fails if it does not come
   * whole.
   */
  file<const Names extends readonly FieldName<Meta>[] = UsualFields>(
    query: Omit<GuestsQuery<Names>, 'length'> & FileQuery<object>,
    options?: CallOptions,
  ): Promise<ListFile> {
    return openFile(this.#connection, '/guests', query, options)
  }

  /** Who skips which meals on which days. */
  async mealSkippingReport(query: ReportQuery, options?: CallOptions): Promise<MealSkippingReport> {
    return (await this.#connection.get<MealSkippingReport>('/guests/meal-skipping-report', query, options))
      .body
  }

  /** How many arrive and leave on each day, as a calendar (iCalendar); without dates, the days around today. */
  arrivals(query: Queries['guestArrivals'] = {}, options?: CallOptions): Promise<string> {
    return this.#connection.text('/guests/arrivals.ics', query, 'text/calendar', options)
  }
}
