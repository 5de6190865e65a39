/** `GET /contradictions`. */
import type { CallOptions, Connection } from './connection.ts'
import { type FileQuery, type ListFile, openFile, type WithoutFiles } from './files.ts'
import type { ListContradictionsAnswer, Queries } from './openapi.ts'
import { type WalkOptions, walk } from './walk.ts'

type Query = WithoutFiles<Queries['listContradictions']>
type Contradiction = ListContradictionsAnswer['data'][number]

export class Contradictions {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** One page, with what the key may not read and whether everything is evaluated. `all` reads every page. */
  async list(query: Query = {}, options?: CallOptions): Promise<ListContradictionsAnswer> {
    return (await this.#connection.get<ListContradictionsAnswer>('/contradictions', query, options)).body
  }

  /** Every contradiction once, as `guests.all` does. */
  all(
    query: Omit<Query, 'start' | 'snapshot'> = {},
    options?: WalkOptions,
  ): AsyncGenerator<Contradiction, void, undefined> {
    return walk(
      this.#connection,
      { path: '/contradictions', query, idOf: ({ id }: Contradiction) => id },
      options,
    )
  }

  /** All contradictions as a file, as `guests.file` does. */
  file(query: FileQuery<Queries['listContradictions']>, options?: CallOptions): Promise<ListFile> {
    return openFile(this.#connection, '/contradictions', query, options)
  }
}
