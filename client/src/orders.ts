/** `GET /orders` and `GET /orders/{uuid}`. */
import type { CallOptions, Connection, OneOrSeveral } from './connection.ts'
import { type FileQuery, type ListFile, openFile, type WithoutFiles } from './files.ts'
import type { ListedOrder, Order as OneOrder, OrderControlAnswer, Queries } from './openapi.ts'

type Query = Omit<WithoutFiles<Queries['listOrders']>, 'rows'>

/** One order, with the details that the client always asks for. */
export type Order = OneOrder & Required<Pick<OneOrder, 'orderNumber' | 'currency'>>

/** What is asked of the list of orders. */
export type OrdersQuery = { readonly [K in keyof Query]: OneOrSeveral<Query[K]> }

export class Orders {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** All orders of a range: the list has no pages. Texts for people; raw values are in `ids`. */
  async list(query: OrdersQuery, options?: CallOptions): Promise<ListedOrder[]> {
    return (await this.#connection.get<ListedOrder[]>('/orders', query, options)).body
  }

  /** The same, one after the other. */
  async *all(query: OrdersQuery, options?: CallOptions): AsyncGenerator<ListedOrder, void, undefined> {
    yield* await this.list(query, options)
  }

  /** All orders of the list as a file, as `guests.file` does; with `rows: 'items'`, a table has a row for each item. */
  file(
    query: FileQuery<OrdersQuery> & Pick<Queries['listOrders'], 'rows'>,
    options?: CallOptions,
  ): Promise<ListFile> {
    return openFile(this.#connection, '/orders', query, options)
  }

  /** One order, raw: numbers, states and timestamps. With its number, and the currency of its amounts. */
  async get(
    uuid: string,
    query: Omit<Queries['getOrder'], 'includeDetails'> = {},
    options?: CallOptions,
  ): Promise<Order> {
    const path = `/orders/${encodeURIComponent(uuid)}`
    const detailed = { ...query, includeDetails: true }
    return (await this.#connection.get<Order>(path, detailed, options)).body
  }

  /** Totals of a range, and what does not fit in it. */
  async control(query: Queries['orderControl'], options?: CallOptions): Promise<OrderControlAnswer> {
    return (await this.#connection.get<OrderControlAnswer>('/orders/control', query, options)).body
  }
}
