/** `GET /sessions`. */
import type { CallOptions, Connection } from './connection.ts'
import { type FileQuery, type ListFile, openFile, type WithoutFiles } from './files.ts'
import type { Queries, Session } from './openapi.ts'
import { type Page, type WalkOptions, walk } from './walk.ts'

type Query = WithoutFiles<Queries['listSessions']>

export class Sessions {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** One page. `all` reads every page. */
  async list(query: Query, options?: CallOptions): Promise<Page<Session>> {
    return (await this.#connection.get<Page<Session>>('/sessions', query, options)).body
  }

  /** Every session of the list once, as `guests.all` does. */
  all(
    query: Omit<Query, 'start' | 'snapshot'>,
    options?: WalkOptions,
  ): AsyncGenerator<Session, void, undefined> {
    return walk(this.#connection, { path: '/sessions', query, idOf: ({ _id }: Session) => _id }, options)
  }

  /** All sessions of the list as a file, as `guests.file` does. */
  file(query: FileQuery<Queries['listSessions']>, options?: CallOptions): Promise<ListFile> {
    return openFile(this.#connection, '/sessions', query, options)
  }

  /** The sessions as a calendar (iCalendar); without dates, those around today. */
  calendar(query: Queries['sessionCalendar'] = {}, options?: CallOptions): Promise<string> {
    return this.#connection.text('/sessions.ics', query, 'text/calendar', options)
  }
}
