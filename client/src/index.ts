/**
 * A typed client of Sojourn: guests, sessions, orders and the meals that guests skip; and the actions that a person confirms.
 *
 *     const sojourn = new Sojourn({ url: 'https://sojourn.example.org', key })
 *     for await (const guest of sojourn.guests.all({ sessionId, project: ['name', 'startDate'] })) …
 */
import { type ActionName, type ActOptions, act } from './act.ts'
import { Administration } from './administration.ts'
import { Changes } from './changes.ts'
import { type CallOptions, type Connection, type ConnectionOptions, connect } from './connection.ts'
import { Guests } from './guests.ts'
import { Meals } from './meals.ts'
import { Mirror, type MirrorOptions } from './mirror.ts'
import {
  type Actions,
  type FieldList,
  Lists,
  type Me,
  type Queries,
  type SearchAnswer,
  type SourceList,
  type Usage,
} from './openapi.ts'
import { Orders } from './orders.ts'
import type { CustomFields, FieldName, Projected, UsualFields } from './projection.ts'
import { Sessions } from './sessions.ts'
import type { MirrorStore } from './store.ts'

export type { ActionName, ActOptions } from './act.ts'
export type { FollowOptions, StreamOptions } from './changes.ts'
export type { CallOptions, ConnectionOptions, Key } from './connection.ts'
export { type ErrorCode, SojournError } from './error.ts'
export type { FileQuery, ListFile } from './files.ts'
export type { GuestsQuery, MatchQuery, ReportQuery } from './guests.ts'
export type { Copy, Mirror, MirrorOptions } from './mirror.ts'
export type {
  Actions,
  CenterDevice,
  CenterKey,
  CenterLink,
  CenterReport,
  CenterSettings,
  CenterSource,
  CenterSources,
  Change,
  ChangePage,
  DevicePage,
  Field,
  Guest,
  GuestFieldName,
  KeyPage,
  LinkPage,
  ListContradictionsAnswer,
  ListedOrder,
  MatchGuestsAnswer,
  Me,
  MealPortionsAnswer,
  MealSheetAnswer,
  MealSkippingReport,
  OrderControlAnswer,
  ReadPage,
  ReportList,
  SearchAnswer,
  Session,
  SourceList,
  Usage,
  WebhookList,
} from './openapi.ts'
export type { Order, OrdersQuery } from './orders.ts'
export type { CustomFields, FieldName, Projected, UsualFields } from './projection.ts'
export type { Page, ReadOptions } from './read-pages.ts'
export { type Kind, type MirrorStore, memoryStore, type Place, type RecordKey, type Write } from './store.ts'

/** @typeParam Meta the center's custom fields by key, such as `{ shoeSize: number }`; any unless given */
export class Sojourn<Meta extends CustomFields = CustomFields> extends Lists {
  readonly guests: Guests<Meta>
  readonly sessions: Sessions
  readonly orders: Orders
  readonly administration: Administration
  readonly changes: Changes
  readonly meals: Meals
  readonly #connection: Connection

  constructor(options: ConnectionOptions) {
    const connection = connect(options)
    super(connection)
    this.#connection = connection
    this.guests = new Guests(this.#connection)
    this.sessions = new Sessions(this.#connection)
    this.orders = new Orders(this.#connection)
    this.administration = new Administration(this.#connection)
    this.changes = new Changes(this.#connection)
    this.meals = new Meals(this.#connection)
  }

  /** What the key may do: its center, scopes, and what is left of its limits. */
  async me(options?: CallOptions): Promise<Me> {
    return (await this.#connection.get<Me>('/me', {}, options)).body
  }

  /** Guests and orders of all dates that a text may refer to; at least three letters or digits. */
  async search(query: Queries['search'], options?: CallOptions): Promise<SearchAnswer> {
    return (await this.#connection.get<SearchAnswer>('/search', query, options)).body
  }

  /** Every field of a guest, the center's own included: label, type, scope, values. */
  async fields(options?: CallOptions): Promise<FieldList['data']> {
    return (await this.#connection.get<FieldList>('/fields', {}, options)).body.data
  }

  /** Performs an action, such as `act('confirm-sheet', { day: '2025-01-16', sheet: 2 })`. */
  act<Name extends ActionName>(
    name: Name,
    body: Actions[Name]['body'],
    options?: ActOptions,
  ): Promise<Actions[Name]['answer']> {
    return act(this.#connection, name, body, options)
  }

  /** What delivers the data, when it is expected, and what is wrong. */
  async sources(options?: CallOptions): Promise<SourceList['data']> {
    return (await this.#connection.get<SourceList>('/sources', {}, options)).body.data
  }

  /** What this application requested, day by day, and what went wrong. */
  async usage(query: Queries['getUsage'] = {}, options?: CallOptions): Promise<Usage> {
    return (await this.#connection.get<Usage>('/usage', query, options)).body
  }

  /**
   * A local copy in a store, updated through the changes. What is in the store is used again at the next start.
   * Nothing is asked before `update` or `follow`.
   */
  mirror<const Names extends readonly FieldName<Meta>[] = UsualFields>(
    store: MirrorStore,
    options: MirrorOptions<Names> = {},
  ): Mirror<Projected<readonly [...Names, 'id'], Meta>> {
    return new Mirror(this.#connection, store, options)
  }
}
