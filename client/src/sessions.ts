/** `GET /sessions`. */
import type { CallOptions, Connection } from './connection.ts'
import { List } from './list.ts'
import type { Queries, SessionPage } from './openapi.ts'

export class Sessions extends List<Queries['listSessions'], SessionPage> {
  readonly #connection: Connection
  constructor(connection: Connection) {
    super(connection, '/sessions', '_id')
    this.#connection = connection
  }

  /** The sessions as a calendar (iCalendar); without dates, those around today. */
  calendar(query: Queries['sessionCalendar'] = {}, options?: CallOptions): Promise<string> {
    return this.#connection.text('/sessions.ics', query, 'text/calendar', options)
  }
}
