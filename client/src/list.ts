/** A list in pages: one page, every record, or a file. */
import type { CallOptions, Connection } from './connection.ts'
import { type FileQuery, type ListFile, openFile, type WithoutFiles } from './files.ts'
import { type Page, type ReadOptions, readPages } from './read-pages.ts'

/** What is asked of it, which may be left out if nothing is required; and how. */
type Asked<Query, Options> =
  Partial<Query> extends Query ? [query?: Query, options?: Options] : [query: Query, options?: Options]

/** @typeParam Query the parameters of its operation. @typeParam Answer a page */
export class List<Query, Answer extends Page<unknown>> {
  readonly #connection: Connection
  readonly #path: string
  readonly #key: keyof Answer['data'][number]

  /** @param key field that identifies a record */
  constructor(connection: Connection, path: string, key: keyof Answer['data'][number]) {
    this.#connection = connection
    this.#path = path
    this.#key = key
  }

  /** One page. `all` reads every page. */
  async list(...[query = {} as never, options]: Asked<WithoutFiles<Query>, CallOptions>): Promise<Answer> {
    return (await this.#connection.get<Answer>(this.#path, query, options)).body
  }

  /** Every record of the list once, as `guests.all` does. */
  all(
    ...[query = {} as never, options]: Asked<Omit<WithoutFiles<Query>, 'start' | 'snapshot'>, ReadOptions>
  ): AsyncGenerator<Answer['data'][number], void, undefined> {
    const idOf = (record: Answer['data'][number]) => String(record[this.#key] ?? '')
    return readPages(this.#connection, { path: this.#path, query, idOf }, options)
  }

  /** The whole list as a file, as `guests.file` does. */
  file(query: FileQuery<Query>, options?: CallOptions): Promise<ListFile> {
    return openFile(this.#connection, this.#path, query, options)
  }
}
