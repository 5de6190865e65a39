/** `GET /rooms`. */
import type { CallOptions, Connection } from './connection.ts'
import { type FileQuery, type ListFile, openFile, type WithoutFiles } from './files.ts'
import type { Queries, Room } from './openapi.ts'
import { type Page, type WalkOptions, walk } from './walk.ts'

type Query = WithoutFiles<Queries['listRooms']>

export class Rooms {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** One page of the rooms of a day; by default of today. `all` reads every page. */
  async list(query: Query = {}, options?: CallOptions): Promise<Page<Room>> {
    return (await this.#connection.get<Page<Room>>('/rooms', query, options)).body
  }

  /** Every room of a day once, as `guests.all` does. The one without an `id` has the guests whose room is not known. */
  all(
    query: Omit<Query, 'start' | 'snapshot'> = {},
    options?: WalkOptions,
  ): AsyncGenerator<Room, void, undefined> {
    return walk(this.#connection, { path: '/rooms', query, idOf: ({ id }: Room) => id ?? '' }, options)
  }

  /** All rooms of a day as a file, as `guests.file` does. */
  file(query: FileQuery<Queries['listRooms']>, options?: CallOptions): Promise<ListFile> {
    return openFile(this.#connection, '/rooms', query, options)
  }
}
