/** How statements are passed to `pg` and results are received. */
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { forgetColumns } from './postgres-columns.ts'
import { PreparedNames, StatementNames } from './repeated-statements.ts'

export interface Result {
  readonly rows: readonly unknown[]
  readonly command: string
}

/**
 * @param named whether repeated statements are prepared under a name, which stays in a connection
 * @returns a function that creates statements for `pg`
 */
export function createStatements({ named }: { readonly named: boolean }): (sql: Sql) => pg.QueryConfig {
  const names = named ? new StatementNames() : undefined
  return (sql) => {
    // Read once: the text is assembled on each access.
    const { text } = sql
    const name = names?.nameOf(text)
    return { text, values: sql.values, ...(name === undefined ? {} : { name }) }
  }
}

/** The same statement, returning rows as arrays in select order. */
export const asArrays = (query: pg.QueryConfig): pg.QueryArrayConfig => ({ ...query, rowMode: 'array' })

const preparedBy = new WeakMap<pg.PoolClient, PreparedNames>()

/**
 * Runs a query with a callback of our own: the ones that `pg` makes for its promises and for `query_timeout` cost a
 * third of a first read. It assigns `query.callback = (…) => …`, and V8 puts a function that is assigned to a property
 * into the old generation at once. The function and the rows that it references then stay until the next full
 * collection.
 */
export function ask(client: pg.PoolClient, query: pg.QueryConfig): Promise<Result> {
  const old = makeRoom(client, query.name)
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, result: Result) => {
      if (error === null || error === undefined) resolve(result)
      else reject(error)
    }
    if (old === undefined) client.query(query, callback)
    else client.query(closingFirst({ ...query, callback }, old))
  })
}

/**
 * Notes the use of a statement's name on a connection. Exported for batched reads.
 * @returns the name of the statement that must be closed to make room, if any
 */
export function makeRoom(client: pg.PoolClient, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  let prepared = preparedBy.get(client)
  if (prepared === undefined) {
    prepared = new PreparedNames()
    preparedBy.set(client, prepared)
  }
  return prepared.use(name)
}

/**
 * Creates a query that closes another statement when it is sent. As a query of its own, closing would wait in a queue.
 */
function closingFirst(query: pg.QueryConfig & { readonly callback: unknown }, old: string): pg.Query {
  const asked = new pg.Query(query)
  const { submit } = asked
  asked.submit = (connection) => {
    closeStatement(connection, old)
    return submit.call(asked, connection)
  }
  return asked
}

/**
 * Closes a prepared statement with the protocol's Close message, because an aborted transaction refuses `deallocate`.
 * If the connection fails, the following statement fails too.
 */
export function closeStatement(given: pg.Connection, name: string): void {
  // The types of `pg` omit the names that it keeps per connection.
  const connection = given as pg.Connection & {
    readonly parsedStatements: Record<string, string>
    close(message: { type: 'S'; name: string }): void
  }
  delete connection.parsedStatements[name]
  forgetColumns(connection, name)
  connection.close({ type: 'S', name })
}
